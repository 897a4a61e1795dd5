// The trash of the desktop: what the specification says is where it says.

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/files/bytes/file_uri.h"
#include "app/files/codecs/codecs.h"
#include "app/files/desktop/trash.h"
#include "gpu/core/errors.h"
#include "tests/files/bytes.h"
#include "tests/support/environment.h"

namespace texelscope::test {
namespace {

namespace fs = std::filesystem;

class Trash : public testing::Test {
protected:
    void SetUp() override { fs::create_directories(folder_ / "photos"); }
    void TearDown() override { fs::remove_all(folder_); }
    fs::path add(const std::string& name, const std::string& text) {
        std::ofstream(folder_ / "photos" / name) << text;
        return folder_ / "photos" / name;
    }
    static std::string text_of(const fs::path& path) { return content_of(path); }
    fs::path folder_ = fs::temp_directory_path() / ("texelscope-trash-" + std::to_string(getpid()));
    const TrashBelow below_{(folder_ / "data").string()};
    const fs::path trash_ = below_.path;
};

TEST_F(Trash, HoldsTheFileAndItsRecord) {
    const fs::path path = add("größe 1.png", "x");
    const Trashed trashed = move_to_trash(path);
    EXPECT_FALSE(fs::exists(path));
    EXPECT_EQ(text_of(trash_ / "files/größe 1.png"), "x");
    const std::string record = text_of(trash_ / "info/größe 1.png.trashinfo");
    EXPECT_TRUE(record.starts_with("[Trash Info]\nPath=" + folder_.string() + "/photos/gr%C3%B6%C3%9Fe%201.png\n"))
        << record;
    EXPECT_THAT(record,
                testing::ContainsRegex("\nDeletionDate=[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\n$"));
    struct stat info = {};
    ASSERT_EQ(stat(trash_.c_str(), &info), 0);
    EXPECT_EQ(info.st_mode & 0777, 0700u) << "nobody else's business";

    take_from_trash(trashed);
    EXPECT_EQ(text_of(path), "x");
    EXPECT_TRUE(fs::is_empty(trash_ / "files"));
    EXPECT_TRUE(fs::is_empty(trash_ / "info"));
}

TEST_F(Trash, KeepsFilesOfTheSameNameApart) {
    const Trashed first = move_to_trash(add("a.png", "one")), second = move_to_trash(add("a.png", "two"));
    EXPECT_NE(first.file, second.file);
    take_from_trash(first);
    EXPECT_EQ(text_of(folder_ / "photos/a.png"), "one");
    EXPECT_THROW(take_from_trash(second), FileError) << "it would overwrite the first";
    EXPECT_EQ(text_of(folder_ / "photos/a.png"), "one");
    EXPECT_EQ(text_of(second.file), "two");
}

TEST_F(Trash, SaysWhyInOneSentence) {
    try {
        move_to_trash(folder_ / "photos/none.png");
        FAIL();
    } catch (const FileError& error) {
        EXPECT_EQ(error.path, (folder_ / "photos/none.png").string());
        EXPECT_THAT(error.what(), testing::HasSubstr("cannot be moved to the trash: No such file"));
    }
    EXPECT_FALSE(fs::exists(trash_));
    const Trashed trashed = move_to_trash(add("b.png", "x"));
    fs::remove(trashed.file);
    EXPECT_THROW(take_from_trash(trashed), FileError);
}

TEST_F(Trash, DoesNotTakeOneFileOfASlideOfSeveral) {
    if (!readable(*codec_of_extension("a.mrxs"))) GTEST_SKIP() << "this build has no OpenSlide";
    const fs::path path = add("a.mrxs", "x");
    fs::create_directory(folder_ / "photos/a");
    add("a/Index.dat", "x");
    EXPECT_THAT(error_of([&] { move_to_trash(path); }), testing::HasSubstr("files beside it belong to it"));
    EXPECT_TRUE(fs::exists(path));
    fs::create_symlink(path, folder_ / "photos/link.mrxs");
    move_to_trash(folder_ / "photos/link.mrxs");
    fs::remove_all(folder_ / "photos/a");
    move_to_trash(path);
    EXPECT_FALSE(fs::exists(path));
}

// On another file system, where there is one to write to.
TEST_F(Trash, OfAnotherFileSystemIsAtItsTop) {
    struct stat here = {}, there = {};
    const fs::path shm = "/dev/shm";
    const bool other = stat(shm.c_str(), &there) == 0 && stat(folder_.c_str(), &here) == 0 &&
                       here.st_dev != there.st_dev && access(shm.c_str(), W_OK) == 0;
    if (!other) GTEST_SKIP() << "there is no other file system to write to";
    const fs::path own = shm / (".Trash-" + std::to_string(getuid()));
    const bool existed = fs::exists(own);
    const fs::path path = shm / ("texelscope-trash-" + std::to_string(getpid()) + ".png");
    std::ofstream(path) << "x";
    const Trashed trashed = move_to_trash(path);
    EXPECT_EQ(trashed.file.parent_path(), own / "files");
    EXPECT_THAT(text_of(trashed.info), testing::HasSubstr("\nPath=" + path.filename().string() + "\n"))
        << "relative to the top";
    take_from_trash(trashed);
    EXPECT_TRUE(fs::exists(path));
    fs::remove(path);
    if (!existed) fs::remove_all(own);
}

TEST(FileUri, EncodesAsTheDesktopDoes) {
    EXPECT_EQ(encoded_path("/home/jens/photos/me.png"), "/home/jens/photos/me.png");
    EXPECT_EQ(encoded_path("/a b/100%#?;[ä].png"), "/a%20b/100%25%23%3F%3B%5B%C3%A4%5D.png");
    EXPECT_EQ(encoded_path("!$&'()*+,-./:=@_~"), "!$&'()*+,-./:=@_~");
}

}  // namespace
}  // namespace texelscope::test
