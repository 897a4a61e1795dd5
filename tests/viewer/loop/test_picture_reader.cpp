// Reading in the background: what is overtaken, cancelled, or goes wrong meanwhile.

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <set>
#include <stdexcept>
#include <thread>

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/files/reading/image_files.h"
#include "app/viewer/loop/documents.h"
#include "app/viewer/loop/picture_reader.h"
#include "app/work/work.h"
#include "tests/support/tools.h"

namespace texelscope::test {
namespace {

namespace fs = std::filesystem;

template <class Condition> bool comes_true(Condition condition) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (!condition()) {
        if (std::chrono::steady_clock::now() > end) return false;
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return true;
}

TEST(BackgroundWork, TheNewestQuestionWinsAndNothingWaitsForTheOthers) {
    std::atomic<int> stopped = 0, woken = 0;
    std::atomic<bool> let_go = false;
    {
        BackgroundWork<int, int> window([&] { ++woken; });
        const auto heedless = [&](int question, const std::stop_token& stop) {
            while (!let_go) std::this_thread::sleep_for(std::chrono::milliseconds(1));
            stopped += stop.stop_requested();
            return question * 2;
        };
        window.ask(1, heedless);
        window.ask(2, heedless);  // returns although the first goes on
        EXPECT_EQ(*window.question(), 2);
        EXPECT_FALSE(window.take());
        let_go = true;
        ASSERT_TRUE(comes_true([&] { return window.has_news(); }));
        const auto result = window.take();
        ASSERT_TRUE(result);
        EXPECT_EQ(result->question, 2);
        EXPECT_EQ(result->answer, 4);
        EXPECT_EQ(window.question(), nullptr);
        window.ask(3, [](int, const std::stop_token&) -> int { throw std::runtime_error("no answer"); });
        ASSERT_TRUE(comes_true([&] { return window.has_news(); }));
        EXPECT_EQ(window.take()->why(), "no answer");
        window.ask(4, heedless);
    }
    EXPECT_GE(stopped, 1) << "the first was asked to";
    EXPECT_GE(woken, 3);
}

class ReadingPictures : public testing::Test {
protected:
    void TearDown() override { fs::permissions(folder_, fs::perms::owner_all); }
    std::string path(const std::string& name) const { return (folder_ / name).string(); }
    std::string write(const std::string& name, int side = 8) {
        write_image(Image(side, side, 1, SampleType::u8), path(name));
        return path(name);
    }
    // What has come of this source.
    ReadPicture wait_for(const std::string& source) {
        EXPECT_TRUE(comes_true([&] {
            reader_.follow(state_, sources_);
            return state_.read.there.contains(source);
        })) << source;
        return state_.read.there[source];
    }
    std::string why_not(const std::string& source) {
        const ReadPicture read = wait_for(source);
        if (!read.problem) return "";
        try {
            std::rethrow_exception(read.problem);
        } catch (const std::exception& error) {
            return error.what();
        }
    }
    const Folder folder_;
    AppState state_;
    SourceCache sources_{make_cpu_backend()};
    PictureReader reader_;
};

// With alpha: the CPU reads a picture without it where it lies.
TEST_F(ReadingPictures, ALargePictureIsOnItsBackendWhenItHasBeenRead) {
    const std::string file = path("large.png");
    write_image(Image(1200, 900, 4, SampleType::u8, Alpha::straight), file);
    reader_.read_next(state_, file, sources_);
    const auto image = wait_for(file).image;
    ASSERT_TRUE(image);
    EXPECT_TRUE(sources_.has(image, Light::stored));
    reader_.read_needed(state_, file);
    state_.read.there.clear();
    const auto again = wait_for(file).image;
    ASSERT_TRUE(again);
    EXPECT_FALSE(sources_.has(again, Light::stored)) << "what is not shown next takes no room there";
}

// From before there is a window on: the file is gone when that asks for it.
TEST_F(ReadingPictures, WhatHasBegunIsNotReadAgain) {
    const std::string file = path("large.png");
    write_image(Image(1200, 900, 4, SampleType::u8, Alpha::straight), file);
    const auto bytes = fs::file_size(file);
    reader_.begin_with(file, Light::stored);
    EXPECT_TRUE(comes_true([&] { return reader_.nearly_has_next(); })) << "it waits for a backend";
    fs::remove(file);
    reader_.go_to(sources_.backend()->info());
    reader_.read_next(state_, file, sources_);
    ASSERT_TRUE(state_.loading);
    EXPECT_EQ(state_.loading->source, file);
    EXPECT_EQ(state_.loading->bytes, bytes);
    const ReadPicture read = wait_for(file);
    ASSERT_TRUE(read.image);
    EXPECT_EQ(read.stamp.bytes, bytes);
    EXPECT_TRUE(sources_.has(read.image, Light::stored));
    EXPECT_FALSE(reader_.nearly_has_next());
}

TEST_F(ReadingPictures, WhatHasBegunIsOvertakenByAnother) {
    const std::string large = path("large.png"), small = write("small.pgm");
    write_image(Image(1200, 900, 4, SampleType::u8, Alpha::straight), large);
    reader_.begin_with(large, Light::stored);
    reader_.read_next(state_, small, sources_);
    EXPECT_EQ(wait_for(small).image->width(), 8);
    EXPECT_TRUE(reader_.rests());
    EXPECT_FALSE(state_.read.there.contains(large));
}

TEST_F(ReadingPictures, WithoutItsDeviceItIsReadAllTheSame) {
    const std::string file = path("large.png");
    write_image(Image(3000, 2000, 4, SampleType::u8, Alpha::straight), file);
    reader_.read_next(state_, file, sources_);
    reader_.leave_device();
    const auto image = wait_for(file).image;
    ASSERT_TRUE(image);
    EXPECT_EQ(image->width(), 3000);
    EXPECT_FALSE(sources_.has(image, Light::stored));
}

TEST_F(ReadingPictures, TheNextRequestOvertakes) {
    // Told row by row in every build; it takes half a second.
    const std::string large = path("large.jpg"), small = write("small.pgm");
    write_image(Image(14000, 14000, 1, SampleType::u8), large);
    reader_.read_next(state_, large, sources_);
    ASSERT_TRUE(state_.loading);
    EXPECT_EQ(state_.loading->source, large);
    EXPECT_EQ(state_.loading->bytes, fs::file_size(large));
    EXPECT_TRUE(comes_true([&] {
        reader_.follow(state_, sources_);
        return !state_.loading->size.empty();
    })) << "the header is known before the picture is complete";
    EXPECT_EQ(state_.loading->size, (Extent{14000, 14000}));
    EXPECT_FALSE(state_.read.there.contains(large));
    const auto begun = std::chrono::steady_clock::now();
    reader_.read_next(state_, small, sources_);
    EXPECT_EQ(wait_for(small).image->width(), 8);
    EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(5));
    EXPECT_EQ(state_.loading->source, small);
    EXPECT_TRUE(reader_.rests());
    EXPECT_FALSE(state_.read.there.contains(large));
}

TEST_F(ReadingPictures, WhatIsCancelledNeverComes) {
    const std::string large = path("large.jpg");
    write_image(Image(6000, 6000, 1, SampleType::u8), large);
    reader_.read_next(state_, large, sources_);
    reader_.drop_next();
    EXPECT_TRUE(reader_.rests());
    const std::string other = write("a.pgm");
    reader_.read_needed(state_, other);
    EXPECT_EQ(wait_for(other).image->width(), 8);
    EXPECT_FALSE(state_.read.there.contains(large));
}

TEST_F(ReadingPictures, OneSentenceForWhatIsNoFile) {
    reader_.read_next(state_, path("none.png"), sources_);
    EXPECT_NE(why_not(path("none.png")).find("no such file"), std::string::npos);
    ASSERT_EQ(::mkfifo(path("pipe.png").c_str(), 0600), 0);
    reader_.read_next(state_, path("pipe.png"), sources_);
    EXPECT_NE(why_not(path("pipe.png")).find("pipe"), std::string::npos) << "it does not wait for a writer";
    fs::create_directories(path("folder.png"));
    reader_.read_next(state_, path("folder.png"), sources_);
    EXPECT_NE(why_not(path("folder.png")).find("folder"), std::string::npos);
}

TEST_F(ReadingPictures, AFolderWithoutPermissionIsOneSentence) {
    const std::string inside = write("inside.pgm");
    fs::permissions(folder_, fs::perms::none);
    if (::access(inside.c_str(), R_OK) == 0) GTEST_SKIP() << "this user may read everything";
    reader_.read_next(state_, inside, sources_);
    EXPECT_NE(why_not(inside).find("permission denied"), std::string::npos);
}

// The stamp is that of before, so that a change meanwhile is noticed.
TEST_F(ReadingPictures, AFileThatChangesOrVanishesMeanwhileHarmsNothing) {
    const std::string file = path("a.png");
    write_image(Image(3000, 3000, 3, SampleType::u8), file);
    const FileStamp before = stamp_of(file);
    for (const auto& change : {std::function<void()>([&] { fs::resize_file(file, 1000); }), std::function<void()>([&] {
                                   std::ofstream(file, std::ios::app) << std::string(99999, 'x');
                               }),
                               std::function<void()>([&] { fs::remove(file); })}) {
        write_image(Image(3000, 3000, 3, SampleType::u8), file);
        state_.read.there.clear();
        reader_.read_next(state_, file, sources_);
        change();
        const ReadPicture read = wait_for(file);
        EXPECT_TRUE(bool(read.image) != bool(read.problem));
        EXPECT_TRUE(!read.image || read.image->width() == 3000);
        EXPECT_NE(stamp_of(file), read.stamp);
        EXPECT_EQ(read.stamp.bytes, before.bytes);
    }
}

TEST_F(ReadingPictures, WhatDocumentsNeedIsReadInTurnAndOnce) {
    const std::string a = write("a.pgm"), b = write("b.pgm");
    reader_.read_needed(state_, a);
    reader_.read_needed(state_, b);
    reader_.read_needed(state_, a);
    EXPECT_EQ(state_.read.under_way.size(), 2u);
    EXPECT_TRUE(wait_for(a).ahead);
    EXPECT_TRUE(wait_for(b).image);
    EXPECT_TRUE(state_.read.under_way.empty());
    EXPECT_FALSE(state_.loading) << "no sign: the shown picture stays";
}

class ReadingAhead : public ReadingPictures {
protected:
    // A folder of pictures of 10 000 bytes, at the third.
    void SetUp() override {
        ReadingPictures::SetUp();
        auto files = std::make_shared<std::vector<FolderEntry>>();
        for (int i = 0; i < 7; ++i) {
            const std::string name = "p" + std::to_string(i) + ".pgm";
            write(name, 100);
            files->push_back({name});
        }
        state_.folder.folder = folder_.string();
        state_.folder.files = files;
        state_.folder.position = 2;
    }
    // The numbers of those that are there, once nothing is read any more.
    std::set<int> ahead(ReadAhead& reads) {
        int idle = 0;
        EXPECT_TRUE(comes_true([&] {
            reads.read_next(state_);
            idle = reads.reading() ? 0 : idle + 1;
            return idle > 10;
        }));
        std::set<int> numbers;
        for (int i = 0; i < 7; ++i)
            if (state_.read.there.contains(path("p" + std::to_string(i) + ".pgm"))) numbers.insert(i);
        return numbers;
    }
};

TEST_F(ReadingAhead, NeighboursAreReadAndFollowTheWalk) {
    ReadAhead reads([] { return size_t(1) << 20; });
    EXPECT_EQ(ahead(reads), (std::set{1, 3, 4}));
    state_.folder.position = 4;
    EXPECT_EQ(ahead(reads), (std::set{3, 5, 6}));
    EXPECT_TRUE(state_.messages.empty());
}

TEST_F(ReadingAhead, StaysWithinItsMemoryAndGivesItBack) {
    size_t budget = 25000;
    ReadAhead reads([&] { return budget; });
    EXPECT_EQ(ahead(reads), (std::set{1, 3})) << "a third would be too much";
    budget = 12000;
    state_.now += 10;
    EXPECT_EQ(ahead(reads), (std::set{3})) << "the likeliest step stays";
    budget = 0;
    state_.now += 10;
    EXPECT_EQ(ahead(reads), std::set<int>{});
}

TEST_F(ReadingAhead, WaitsWhileAPictureIsReadToBeShown) {
    ReadAhead reads([] { return size_t(1) << 20; });
    state_.loading = Loading{};
    EXPECT_FALSE(reads.read_next(state_));
    EXPECT_FALSE(reads.reading());
    state_.loading.reset();
    std::ofstream(path("p3.pgm")) << "P5 100 100 255\nx";
    EXPECT_EQ(ahead(reads), (std::set{1, 4})) << "a damaged one is left out, and said when it is shown";
}

}  // namespace
}  // namespace texelscope::test
