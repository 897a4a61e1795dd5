// Pictures that are decoded once and kept as tiles: the same samples, never half of a file, and nothing of another picture.

#include "app/files/tiles/tile_folder.h"

#include <csignal>
#include <fstream>
#include <thread>

#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/files/decoding/decoder.h"
#include "app/files/reading/image_files.h"
#include "app/files/test_images/test_images.h"
#include "tests/files/bytes.h"
#include "tests/files/tiles/stored_tiles.h"
#include "tests/support/tools.h"

namespace texelscope::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

Image picture(int width, int height, int channels, SampleType type) {
    Image image(width, height, channels, SampleType::f32);
    std::mt19937 random(5);
    for (int y = 0; y < height; ++y)
        for (int i = 0; i < width * channels; ++i)
            image.row_as<float>(y)[i] = float(i % 251 + y % 83) / 400 + float(random() % 64) / 1024;
    return converted(image, type);
}

class TileFolders : public testing::Test {
protected:
    fs::path written(const std::string& name, const Image& image) {
        write_image(image, folder_ / name);
        return folder_ / name;
    }
    std::shared_ptr<const TileSource> make(const fs::path& path, const TileFolder::Making& making = {},
                                           const PictureChoice& choice = {}) {
        return cache_.make(OpenedFile(path), choice, making).tiles;
    }
    std::unique_ptr<const TileSource> find(const fs::path& path, const PictureChoice& choice = {}) {
        return cache_.find(OpenedFile(path), choice);
    }
    // "" if it is kept.
    std::string why_not(const fs::path& path, const TileFolder::Making& making = {}) {
        return cache_.make(OpenedFile(path), {}, making).why;
    }
    std::vector<fs::path> files() const {
        std::vector<fs::path> all;
        std::error_code error;
        for (const auto& entry : fs::directory_iterator(kept_, error)) all.push_back(entry.path());
        return all;
    }

    Folder folder_;
    fs::path kept_ = folder_ / "cache/tiles";
    TileFolder cache_{kept_};
};

TEST_F(TileFolders, RegionsAreThoseOfTheWholePicture) {
    for (const char* name : {"a.png", "a.jpg", "a.bmp", "a.tga", "a.hdr", "a.tif"}) {
        if (!TEXELSCOPE_WITH_OIIO && std::string_view(name) == "a.tif") continue;
        for (const auto& [width, height] : {std::pair{1, 1}, {1100, 700}, {512, 1024}, {513, 30}}) {
            SCOPED_TRACE(fmt::format("{} {}×{}", name, width, height));
            const auto path = written(name, picture(width, height, 3, SampleType::u8));
            const Image whole = read_image(path);
            expect_same_regions(*make(path), whole, 0, 10);
            const auto again = find(path);
            ASSERT_TRUE(again);
            expect_same_regions(*again, whole, 0, 10);
        }
    }
    for (const int channels : {1, 2, 3, 4}) {
        const auto path = written("b.png", picture(600, 520, channels, SampleType::u16));
        expect_same_regions(*make(path), read_image(path), 0, 10);
    }
    EXPECT_EQ(files().size(), TEXELSCOPE_WITH_OIIO ? 7u : 6u);
}

TEST_F(TileFolders, OnlyTheUserSeesThem) {
    make(written("a.png", picture(90, 80, 1, SampleType::u8)));
    struct stat info = {};
    ASSERT_EQ(::stat(kept_.c_str(), &info), 0);
    EXPECT_EQ(info.st_mode & 0777u, 0700u);
}

TEST_F(TileFolders, AChangedFileOrAnotherChoiceIsAnotherPicture) {
    const auto path = written("a.png", picture(90, 80, 3, SampleType::u8));
    make(path);
    EXPECT_TRUE(find(path));
    const PictureChoice red{.channels = {"R"}};
    EXPECT_FALSE(find(path, red));
    expect_same_regions(*make(path, {}, red), read_image(path, {.choice = red}), 0, 5);
    EXPECT_TRUE(find(path));
    EXPECT_EQ(files().size(), 2u);
    fs::last_write_time(path, fs::last_write_time(path) + std::chrono::seconds(1));
    EXPECT_FALSE(find(path));
    EXPECT_EQ(files().size(), 1u);  // what no file is like any more is removed
    written("a.png", picture(91, 80, 3, SampleType::u8));
    EXPECT_FALSE(find(path, red));
    EXPECT_EQ(files().size(), 0u);
}

// Whatever byte of it is another one, or if its end is missing: never another picture.
TEST_F(TileFolders, ADamagedCacheIsNeverAPicture) {
    const auto path = written("a.png", picture(700, 600, 1, SampleType::u8));
    const Image whole = read_image(path);
    make(path);
    const auto kept = files().at(0);
    const std::string bytes = content_of(kept);
    ASSERT_EQ(bytes.size(), 8192u + 700 * 600 + 5 * 4);
    std::vector<size_t> places = {
        0, 20, 24, 40, 48, 56, 64, 80, 200, 8191, 8192, 300000, bytes.size() - 20, bytes.size() - 1};
    for (const size_t place : places) {
        SCOPED_TRACE(place);
        std::string damaged = bytes;
        damaged[place] = char(damaged[place] ^ 4);
        std::ofstream(kept, std::ios::binary) << damaged;
        const auto tiles = find(path);
        const bool in_samples = place >= 8192 && place < 8192 + 700 * 600;
        EXPECT_EQ(bool(tiles), in_samples);
        if (tiles) {
            EXPECT_THAT(refusal([&] {
                            region_of(*tiles, {0, 0, 700, 600});
                        }),
                        HasSubstr("a.png: its cached tiles are damaged"));
        }
        EXPECT_EQ(files().size(), 0u);
        EXPECT_FALSE(find(path));
    }
    for (const size_t size : {size_t(0), size_t(100), size_t(8192), bytes.size() - 1}) {
        std::ofstream(kept, std::ios::binary) << bytes.substr(0, size);
        EXPECT_FALSE(find(path)) << size;
    }
    expect_same_regions(*make(path), whole, 0, 5);
}

TEST_F(TileFolders, AFullDiskIsOneReasonAndLeavesNothing) {
    const auto path = written("a.png", picture(2000, 1000, 1, SampleType::u8));
    rlimit before{};
    ::getrlimit(RLIMIT_FSIZE, &before);
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    const rlimit small{2000 * 1000 + 100, before.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &small);
    const std::string why = why_not(path);
    ::setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, handler);
    EXPECT_THAT(why, HasSubstr("its tiles cannot be kept ("));
    EXPECT_THAT(why, HasSubstr("larger than permitted"));
    EXPECT_EQ(files().size(), 0u);
    EXPECT_TRUE(make(path));
}

TEST_F(TileFolders, WithoutAPlaceNothingIsKept) {
    const auto path = written("a.png", picture(90, 80, 1, SampleType::u8));
    cache_ = TileFolder(folder_.write("file", "x") / "tiles");
    EXPECT_THAT(why_not(path), HasSubstr("cannot be made"));
    EXPECT_FALSE(find(path));
    cache_ = TileFolder(fs::path());
    EXPECT_THAT(why_not(path), HasSubstr("there is no folder for a cache"));
    EXPECT_FALSE(find(path));
}

TEST_F(TileFolders, AKilledWriterLeavesNothingThatCounts) {
    const auto path = written("a.png", picture(1500, 3000, 1, SampleType::u8));
    const pid_t child = ::fork();
    if (child == 0) {
        try {
            make(path, {.progress = [](double part) {
                     if (part > 0.5) ::kill(::getpid(), SIGKILL);
                 }});
        } catch (...) {}
        ::_exit(0);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status));
    ASSERT_EQ(files().size(), 1u);
    EXPECT_TRUE(files()[0].filename().string().starts_with(".texelscope-"));
    EXPECT_FALSE(find(path));
    EXPECT_EQ(cache_.bytes(), 0u);
    expect_same_regions(*make(path), read_image(path), 0, 5);
}

TEST_F(TileFolders, CancellingLeavesNothing) {
    const auto path = written("a.png", picture(1500, 3000, 1, SampleType::u8));
    std::stop_source stop;
    const TileFolder::Making making{.progress =
                                        [&](double part) {
                                            if (part > 0.3) stop.request_stop();
                                        },
                                    .cancel = stop.get_token()};
    if (decodes_in_child()) {
        EXPECT_THROW(make(path, making), Cancelled);
    }
    EXPECT_EQ(files().size(), 0u);
}

TEST_F(TileFolders, ADamagedFileIsAnErrorOfThatFile) {
    const auto path = written("a.png", picture(1500, 1000, 1, SampleType::u8));
    std::string bytes = content_of(path);
    bytes[bytes.size() / 2] = char(~bytes[bytes.size() / 2]);
    folder_.write("a.png", bytes);
    EXPECT_THROW(make(path), FileError);
    EXPECT_THAT(refusal([&] { make(path); }), HasSubstr("a.png: the PNG is damaged"));
    EXPECT_EQ(files().size(), 0u);
}

TEST_F(TileFolders, AFileThatChangesMeanwhileIsNotKept) {
    const auto path = written("a.png", picture(1500, 3000, 1, SampleType::u8));
    const TileFolder::Making making{.progress = [&](double part) {
        if (part > 0.5) fs::last_write_time(path, fs::file_time_type::clock::now() + std::chrono::hours(1));
    }};
    EXPECT_THAT(why_not(path, making), HasSubstr("the file was changed meanwhile"));
    EXPECT_EQ(files().size(), 0u);
}

TEST_F(TileFolders, WhatIsSmallIsNotKept) {
    const auto path = written("a.png", picture(1024, 1024, 1, SampleType::u8));
    EXPECT_EQ(why_not(path, {.worth = (1 << 20) + 1}), "its 1024×1024 samples take no more than 1 MiB");
    EXPECT_EQ(files().size(), 0u);
    EXPECT_TRUE(make(path, {.worth = 1 << 20}));
}

TEST_F(TileFolders, WhatWasNotUsedForLongestGoesFirst) {
    constexpr uint64_t each = 8192 + 1000 * 100 + 3 * 4;
    cache_ = TileFolder(kept_, 3 * each);
    const auto hours_ago = [&](const fs::path& path, int hours) {
        fs::last_write_time(path, fs::file_time_type::clock::now() - std::chrono::hours(hours));
    };
    std::vector<fs::path> paths;
    for (int i = 0; i < 3; ++i) {
        paths.push_back(written(fmt::format("{}.png", i), picture(1000, 100, 1, SampleType::u8)));
        const auto before = files();
        make(paths.back());
        for (const auto& file : files())
            if (std::ranges::find(before, file) == before.end()) hours_ago(file, 9 - i);
    }
    EXPECT_EQ(cache_.bytes(), 3 * each);
    EXPECT_TRUE(find(paths[0]));  // is the last one used now
    paths.push_back(written("3.png", picture(1000, 100, 1, SampleType::u8)));
    make(paths[3]);
    EXPECT_EQ(cache_.bytes(), 3 * each);
    EXPECT_TRUE(find(paths[0]));
    EXPECT_FALSE(find(paths[1]));
    EXPECT_TRUE(find(paths[2]));
    EXPECT_THAT(why_not(written("large.png", picture(1000, 500, 1, SampleType::u8))),
                HasSubstr("cannot be kept (they would take"));
    EXPECT_EQ(files().size(), 3u);
    cache_.clear();
    EXPECT_EQ(files().size(), 0u);
}

TEST_F(TileFolders, TilesThatAreRemovedWhileTheyAreReadStay) {
    const auto path = written("a.png", picture(1100, 700, 3, SampleType::u8));
    const Image whole = read_image(path);
    const auto tiles = make(path);
    cache_.clear();
    expect_same_regions_in_threads(*tiles, {whole}, 400);
}

// The rows that are stored make room for those that come: of 192 MB in the decoder's memory never more than half are there.
TEST_F(TileFolders, MemoryIsBounded) {
    if (!decodes_in_child()) GTEST_SKIP() << "this kernel cannot do it";
    const auto path = written("a.jpg", Image(16000, 12000, 1, SampleType::u8));
    size_t most = 0;
    make(path, {.progress = [&](double) { most = std::max(most, status_bytes("RssShmem")); }});
    EXPECT_GT(most, size_t(1) << 20);
    EXPECT_LT(most, size_t(96) << 20);
}

}  // namespace
}  // namespace texelscope::test
