// The desktop's thumbnails: what another program has written is used if it is right, and what we write another program
// can use. The other program is thumbnail.py.

#include <fstream>

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/files/desktop/md5.h"
#include "app/files/desktop/thumbnail_cache.h"
#include "app/files/reading/image_files.h"
#include "tests/files/bytes.h"
#include "tests/support/process.h"

namespace texelscope::test {
namespace {

namespace fs = std::filesystem;

int thumbnail_program(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {TEXELSCOPE_PYTHON, TEXELSCOPE_SOURCE_DIR "/tests/files/thumbnail.py"});
    return run(arguments);
}

unsigned mode_of(const fs::path& path) {
    struct stat info = {};
    return ::stat(path.c_str(), &info) == 0 ? info.st_mode & 0777u : 0;
}

class Thumbnails : public testing::Test {
protected:
    void SetUp() override { subject_ = *thumbnail_subject(folder_.write("gr\u00f6\u00dfe 1;2.pgm", "P5 1 1 255\nx")); }
    fs::path place(const char* size) const { return cache_folder_ / size / (md5(subject_.uri) + ".png"); }
    // By the other program.
    void write_foreign(const char* size, const std::string& uri, const std::string& time, bool compressed = false) {
        fs::create_directories(cache_folder_ / size);
        const std::string mark = compressed ? "~=" : "=";
        ASSERT_EQ(
            thumbnail_program({"write", place(size), "90", "Thumb::URI" + mark + uri, "Thumb::MTime" + mark + time,
                               "Thumb::Image::Width=4000", "Thumb::Image::Height=2000"}),
            0);
    }
    std::string now() const { return std::to_string(subject_.modified); }

    Folder folder_;
    fs::path cache_folder_ = folder_ / "cache/thumbnails";
    ThumbnailCache cache_{cache_folder_};
    ThumbnailSubject subject_;
};

TEST_F(Thumbnails, AreNamedByTheCanonicalUri) {
    EXPECT_EQ(subject_.uri, "file://" + folder_.path().string() + "/gr%C3%B6%C3%9Fe%201%3B2.pgm");
    EXPECT_EQ(subject_.bytes, 12u);
    EXPECT_EQ(thumbnail_subject(folder_.path() / "." / "gr\u00f6\u00dfe 1;2.pgm")->uri, subject_.uri);
    EXPECT_FALSE(thumbnail_subject(folder_ / "none.pgm"));
    EXPECT_FALSE(thumbnail_subject(folder_.path())) << "a folder";
}

TEST_F(Thumbnails, OfAnotherProgramAreUsed) {
    for (const bool compressed : {false, true}) {
        write_foreign("normal", subject_.uri, now(), compressed);
        const auto found = cache_.find(subject_, 128);
        ASSERT_TRUE(found) << compressed;
        EXPECT_EQ(found->image.width(), 100);
        EXPECT_EQ(found->image.height(), 50);
        EXPECT_EQ(int(found->image.row_as<uint8_t>(20)[10]), 90);
        EXPECT_EQ(found->width, 4000);
        EXPECT_EQ(found->height, 2000);
    }
    EXPECT_FALSE(cache_.find(subject_, 256)) << "it is too small for that";
}

TEST_F(Thumbnails, OfALargerSizeWillDo) {
    write_foreign("x-large", subject_.uri, now());
    EXPECT_TRUE(cache_.find(subject_, 128));
}

TEST_F(Thumbnails, ThatAreStaleOrOfAnotherFileAreNot) {
    write_foreign("normal", subject_.uri, std::to_string(subject_.modified - 1));
    EXPECT_FALSE(cache_.find(subject_, 128)) << "the file has changed since";
    write_foreign("normal", "file:///home/jens/photos/me.png", now());
    EXPECT_FALSE(cache_.find(subject_, 128)) << "another file's";
    fs::remove(place("normal"));
    ASSERT_EQ(thumbnail_program({"write", place("normal"), "90"}), 0);
    EXPECT_FALSE(cache_.find(subject_, 128)) << "it does not say whose it is";
    write_foreign("normal", subject_.uri, now());
    fs::resize_file(place("normal"), fs::file_size(place("normal")) / 2);
    EXPECT_FALSE(cache_.find(subject_, 128)) << "damaged";
    std::ofstream(place("normal")) << "no PNG";
    EXPECT_FALSE(cache_.find(subject_, 128));
}

TEST_F(Thumbnails, AreWrittenAsTheSpecificationSays) {
    Image image(128, 96, 3, SampleType::u8);
    image.row_as<uint8_t>(5)[7] = 201;
    ASSERT_TRUE(cache_.put(subject_, 128, image, 4000, 3000));
    EXPECT_EQ(thumbnail_program({"check", place("normal"), "128x96", "Thumb::URI=" + subject_.uri,
                                 "Thumb::MTime=" + now(), "Thumb::Size=12", "Thumb::Image::Width=4000",
                                 "Thumb::Image::Height=3000", "Software=texelscope " TEXELSCOPE_VERSION}),
              0);
    EXPECT_EQ(mode_of(place("normal")), 0600u);
    EXPECT_EQ(mode_of(cache_folder_), 0700u);
    EXPECT_EQ(mode_of(cache_folder_ / "normal"), 0700u);
    EXPECT_EQ(std::distance(fs::directory_iterator(cache_folder_ / "normal"), {}), 1) << "nothing temporary is left";
    const auto found = cache_.find(subject_, 128);
    ASSERT_TRUE(found);
    EXPECT_EQ(int(found->image.row_as<uint8_t>(5)[7]), 201);
    EXPECT_EQ(found->width, 4000);
    subject_.bytes = 13;
    EXPECT_FALSE(cache_.find(subject_, 128)) << "of another size, within the same second";
}

TEST_F(Thumbnails, AFailureIsRememberedUntilTheFileChanges) {
    EXPECT_FALSE(cache_.has_failure(subject_));
    ASSERT_TRUE(cache_.put_failure(subject_));
    EXPECT_TRUE(cache_.has_failure(subject_));
    const fs::path record = place("fail/texelscope-" TEXELSCOPE_VERSION);
    EXPECT_EQ(thumbnail_program({"check", record, "1x1", "Thumb::URI=" + subject_.uri, "Thumb::MTime=" + now()}), 0);
    EXPECT_EQ(mode_of(record), 0600u);
    ++subject_.modified;
    EXPECT_FALSE(cache_.has_failure(subject_));
}

TEST_F(Thumbnails, ACacheThatCannotBeWrittenIsDoneWithout) {
    std::ofstream(folder_ / "cache") << "a file where the folder would be";
    EXPECT_FALSE(cache_.put(subject_, 128, Image(8, 8, 3, SampleType::u8), 8, 8));
    EXPECT_FALSE(cache_.put_failure(subject_));
    EXPECT_FALSE(cache_.find(subject_, 128));
    EXPECT_FALSE(ThumbnailCache(fs::path()).put_failure(subject_));
    EXPECT_FALSE(ThumbnailCache(fs::path()).find(subject_, 128));
}

TEST_F(Thumbnails, TheCacheKnowsItsOwnFiles) {
    ASSERT_TRUE(cache_.put_failure(subject_));
    EXPECT_TRUE(cache_.holds(cache_folder_ / "large/x.png"));
    EXPECT_TRUE(cache_.holds(cache_folder_ / "normal/../fail/x.png"));
    EXPECT_FALSE(cache_.holds(folder_ / "cache/x.png"));
    EXPECT_FALSE(cache_.holds(folder_ / "x.png"));
    EXPECT_FALSE(ThumbnailCache(fs::path()).holds(folder_ / "x.png"));
}

TEST_F(Thumbnails, TheUsualPlaceIsThatOfTheDesktop) {
    const char* before = std::getenv("XDG_CACHE_HOME");
    const std::string kept = before ? before : "";
    setenv("XDG_CACHE_HOME", (folder_ / "mine").c_str(), 1);
    EXPECT_TRUE(ThumbnailCache().put_failure(subject_));
    EXPECT_TRUE(fs::is_directory(folder_ / "mine/thumbnails/fail"));
    if (before) setenv("XDG_CACHE_HOME", kept.c_str(), 1);
    else unsetenv("XDG_CACHE_HOME");
}

TEST(ThumbnailSides, TheSmallestThatIsEnough) {
    EXPECT_EQ(ThumbnailCache::side_for(1), 128);
    EXPECT_EQ(ThumbnailCache::side_for(128), 128);
    EXPECT_EQ(ThumbnailCache::side_for(129), 256);
    EXPECT_EQ(ThumbnailCache::side_for(5000), 1024);
}

}  // namespace
}  // namespace texelscope::test
