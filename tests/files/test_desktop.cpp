// The desktop: its trash, its clipboard, its programs.

#include <gmock/gmock.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include "app/files/bytes/naming.h"
#include "app/files/codecs/codecs.h"
#include "app/files/desktop/desktop.h"
#include "app/files/reading/image_files.h"
#include "gpu/core/errors.h"
#include "tests/files/bytes.h"
#include "tests/support/tools.h"

namespace texelscope::test {
namespace {

namespace fs = std::filesystem;

// The trash of the desktop: what the specification says is where it says.

class Trash : public testing::Test {
protected:
    void SetUp() override { fs::create_directories(folder_ / "photos"); }
    fs::path add(const std::string& name, const std::string& text) {
        std::ofstream(folder_ / "photos" / name) << text;
        return folder_ / "photos" / name;
    }
    static std::string text_of(const fs::path& path) { return content_of(path); }
    const Folder folder_{fs::temp_directory_path()};
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
    EXPECT_THAT(refusal([&] { move_to_trash(path); }), testing::HasSubstr("files beside it belong to it"));
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
    const bool other = stat(shm.c_str(), &there) == 0 && stat(folder_.path().c_str(), &here) == 0 &&
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

// Pictures for the clipboard: the program that keeps them gets a complete PNG, and nobody waits for it.

class Clipboard : public testing::Test {
protected:
    // A program of this name that lives for a while, and stores what it received.
    void install(const std::string& name) const {
        const fs::path program = folder_ / name;
        std::ofstream(program) << "#!/bin/sh\n/bin/cat > '" << (folder_ / "part").string() << "'\necho \"$0 $@\" > '"
                               << (folder_ / "words").string() << "'\n/bin/mv '" << (folder_ / "part").string() << "' '"
                               << (folder_ / "got.png").string() << "'\n/bin/sleep 1\n";
        fs::permissions(program, fs::perms::owner_all);
    }
    bool arrived() const {
        for (int i = 0; i < 3000 && !fs::exists(folder_ / "got.png"); ++i)
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        return fs::exists(folder_ / "got.png");
    }
    std::string words() const {
        std::ifstream file(folder_ / "words");
        return {std::istreambuf_iterator<char>(file), {}};
    }

    const Folder folder_{testing::TempDir()};
};

Image picture() {
    Image image(300, 200, 3, SampleType::u8);
    for (int y = 0; y < 200; ++y)
        for (int i = 0; i < 900; ++i) image.row_as<uint8_t>(y)[i] = uint8_t(i * 7 + y * 13);
    return image;
}

TEST_F(Clipboard, XclipGetsAWholePngAndNobodyWaits) {
    install("xclip");
    const Variable path("PATH", folder_.string()), display("DISPLAY", ":0"), wayland("WAYLAND_DISPLAY", "");
    const auto start = std::chrono::steady_clock::now();
    copy_picture_to_clipboard(picture());
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::milliseconds(900));  // the program takes longer
    ASSERT_TRUE(arrived());
    const Image got = read_image(folder_ / "got.png"), sent = picture();
    ASSERT_EQ(got.size_bytes(), sent.size_bytes());
    EXPECT_TRUE(std::equal(got.data(), got.data() + got.size_bytes(), sent.data()));
    EXPECT_NE(words().find("-selection clipboard -t image/png"), std::string::npos) << words();
    EXPECT_LE(::waitpid(-1, nullptr, WNOHANG), 0) << "a child is left behind";
}

TEST_F(Clipboard, WaylandHasItsOwnProgram) {
    install("xclip");
    install("wl-copy");
    const Variable path("PATH", folder_.string()), display("DISPLAY", ":0"), wayland("WAYLAND_DISPLAY", "wayland-0");
    copy_picture_to_clipboard(picture());
    ASSERT_TRUE(arrived());
    EXPECT_NE(words().find("wl-copy -t image/png"), std::string::npos) << words();
}

TEST_F(Clipboard, SaysWhatToInstall) {
    const Variable path("PATH", folder_.string()), display("DISPLAY", ":0");
    for (const char* wayland : {"", "wayland-0"}) {
        const Variable variable("WAYLAND_DISPLAY", wayland);
        try {
            copy_picture_to_clipboard(picture());
            ADD_FAILURE();
        } catch (const Unavailable& error) {
            const std::string expected = *wayland ? "apt install wl-clipboard" : "apt install xclip";
            EXPECT_NE(std::string(error.what()).find(expected), std::string::npos) << error.what();
        }
    }
}

// Files are opened by the desktop's program, which here is a script that notes what it was asked for.

class OpenOutside : public testing::Test {
protected:
    const Folder folder_{fs::temp_directory_path()};
    const Variable path_{"PATH", folder_.string()};
};

TEST_F(OpenOutside, TheDesktopsProgramGetsThePath) {
    const fs::path program = folder_ / "xdg-open", asked = folder_ / "asked", report = folder_ / "my report.html";
    std::ofstream(program) << "#!/bin/sh\nprintf %s \"$1\" > '" << asked.string() << "'\n";
    fs::permissions(program, fs::perms::owner_all);
    std::ofstream(report) << "<html/>";
    open_outside(report.string());
    std::string words;
    for (int i = 0; i < 3000 && words != report.string(); ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
        std::ifstream file(asked);
        std::getline(file, words);
    }
    EXPECT_EQ(words, report.string());
}

TEST_F(OpenOutside, SaysWhatIsMissing) {
    EXPECT_THROW(open_outside((folder_ / "gone.html").string()), FileError);
    const fs::path there = folder_ / "there.html";
    std::ofstream(there) << "<html/>";
    try {
        open_outside(there.string());
        FAIL() << "there is no program to open it";
    } catch (const Unavailable& error) {
        EXPECT_NE(std::string(error.what()).find("xdg-open"), std::string::npos);
    }
}

}  // namespace

namespace {

// Files whose names were copied: lists of URIs, as file managers make them, and paths as text.

using testing::ElementsAre;
using testing::IsEmpty;

TEST(CopiedFiles, AUriIsAPathOfThisMachine) {
    EXPECT_EQ(path_of_uri("file:///d/photo.png"), "/d/photo.png");
    EXPECT_EQ(path_of_uri("FILE:///d/a%20b%23%25.png"), "/d/a b#%.png");
    EXPECT_EQ(path_of_uri("file://localhost/d/x"), "/d/x");
    for (const char* other : {"https://example.org/x.png", "file://elsewhere/x", "file://", "file:///d/%zz",
                              "file:///d/%2", "file:///d/%00", "/d/x", ""})
        EXPECT_EQ(path_of_uri(other), "") << other;
    const std::string odd = "/d/größe 1 %41 #2 (3)'\".png";
    EXPECT_EQ(path_of_uri("file://" + encoded_path(odd)), odd);
}

TEST(CopiedFiles, EveryLineOfAListNamesOne) {
    EXPECT_THAT(files_in_text("# copied\r\nfile:///d/a.png\r\nfile:///d/b%201.png\r\n"),
                ElementsAre("/d/a.png", "/d/b 1.png"));
    EXPECT_THAT(files_in_text(" /d/a b.png \n\n/d/c.png"), ElementsAre("/d/a b.png", "/d/c.png"));
    const char* const home = std::getenv("HOME");
    if (home && *home) {
        EXPECT_THAT(files_in_text("~/x.png"), ElementsAre(home + std::string("/x.png")));
    }
    EXPECT_THAT(files_in_text("/d/a.png\nand more words"), IsEmpty()) << "a text that only begins with one";
    EXPECT_THAT(files_in_text("12.5, 3"), IsEmpty());
    EXPECT_THAT(files_in_text(""), IsEmpty());
}

}  // namespace
}  // namespace texelscope::test
