// One small picture of the filmstrip: from a file, from the cache, or none.

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <unistd.h>

#include "app/files/reading/image_files.h"
#include "app/viewer/loop/thumbnail.h"

namespace texelscope::test {
namespace {

namespace fs = std::filesystem;

class ThumbnailOfFile : public testing::Test {
protected:
    void SetUp() override { fs::create_directories(folder_); }
    void TearDown() override { fs::remove_all(folder_); }
    std::string write(const std::string& name, int width, int height, uint8_t level) {
        Image image(width, height, 3, SampleType::u8);
        for (int y = 0; y < height; ++y) std::fill_n(image.row_as<uint8_t>(y), 3 * width, level);
        write_image(image, folder_ / name);
        return (folder_ / name).string();
    }
    Thumbnail make(const std::string& path, Extent box = {112, 72}) {
        return thumbnail_of({path, box}, ThumbnailCache(folder_ / "cache"), {});
    }
    size_t kept(const std::string& part) const {
        std::error_code none;
        size_t count = 0;
        for (fs::directory_iterator at(folder_ / "cache" / part, none), end; at != end; ++at) ++count;
        return count;
    }
    fs::path folder_ = fs::temp_directory_path() / ("texelscope-thumbnail-" + std::to_string(getpid()));
};

TEST_F(ThumbnailOfFile, SaysWhatTheFileIsAndIsKept) {
    for (const char* name : {"a.png", "a.ppm", "a.jpg"}) {
        const Thumbnail made = make(write(name, 1200, 900, 77));
        ASSERT_FALSE(made.picture.empty()) << name;
        EXPECT_EQ(made.picture.width(), 96) << name;
        EXPECT_EQ(made.picture.height(), 72) << name;
        EXPECT_NEAR(int(made.picture.row_as<uint8_t>(30)[100]), 77, 1) << name;
        EXPECT_EQ(made.size, (Extent{1200, 900})) << name;
        EXPECT_EQ(made.bytes, fs::file_size(folder_ / name));
    }
    EXPECT_EQ(kept("normal"), 3u);
    make((folder_ / "a.png").string(), {224, 144});
    EXPECT_EQ(kept("large"), 1u) << "for a screen of twice the density";
}

// The file's own picture is not looked at again: what the cache has for it, here another picture, is shown.
TEST_F(ThumbnailOfFile, ComesFromTheCache) {
    const std::string path = write("a.ppm", 300, 200, 10);
    const ThumbnailCache cache(folder_ / "cache");
    Image other(128, 85, 3, SampleType::u8);
    std::fill_n(other.row_as<uint8_t>(0), other.size_bytes(), uint8_t(200));
    ASSERT_TRUE(cache.put(*thumbnail_subject(path), 128, other, 300, 200));
    EXPECT_EQ(int(make(path).picture.row_as<uint8_t>(9)[9]), 200);
    fs::last_write_time(path, fs::last_write_time(path) + std::chrono::seconds(5));
    EXPECT_EQ(int(make(path).picture.row_as<uint8_t>(9)[9]), 10) << "the file has changed";
    EXPECT_EQ(int(make(path).picture.row_as<uint8_t>(9)[9]), 10) << "and so has the cache";
}

TEST_F(ThumbnailOfFile, ThereIsNoneOfWhatCannotBeRead) {
    const std::string path = (folder_ / "bad.png").string();
    std::ofstream(path) << "\x89PNG\r\n\x1a\n and nothing more";
    EXPECT_TRUE(make(path).picture.empty());
    EXPECT_GT(make(path).bytes, 0u);
    EXPECT_EQ(kept("fail/texelscope-" TEXELSCOPE_VERSION), 1u);
    EXPECT_TRUE(make((folder_ / "none.png").string()).picture.empty());
    EXPECT_EQ(kept("fail/texelscope-" TEXELSCOPE_VERSION), 1u) << "a file that is gone has not failed";
    write("bad.png", 40, 30, 5);
    EXPECT_FALSE(make(path).picture.empty()) << "it has been mended";
}

TEST_F(ThumbnailOfFile, TheCacheHoldsNoneOfItsOwnFiles) {
    make(write("a.png", 400, 300, 50));
    const fs::path own = fs::directory_iterator(folder_ / "cache/normal")->path();
    EXPECT_FALSE(make(own.string()).picture.empty());
    EXPECT_EQ(kept("normal"), 1u);
}

TEST_F(ThumbnailOfFile, CanBeCancelled) {
    const std::string path = write("a.png", 400, 300, 50);
    std::stop_source stop;
    stop.request_stop();
    EXPECT_THROW(thumbnail_of({path, {112, 72}}, ThumbnailCache(folder_ / "cache"), stop.get_token()), Cancelled);
    EXPECT_EQ(kept("fail/texelscope-" TEXELSCOPE_VERSION), 0u);
}

}  // namespace
}  // namespace texelscope::test
