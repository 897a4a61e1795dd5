// Folders, and the desktop's thumbnails with the MD5 that names them.

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>

#include "app/files/bytes/naming.h"
#include "app/files/desktop/folders.h"
#include "app/files/reading/image_files.h"
#include "tests/files/bytes.h"
#include "tests/support/tools.h"

namespace texelscope::test {
namespace {

namespace fs = std::filesystem;

// The folders and files of a folder, in the order asked for.

class FolderListed : public testing::Test {
protected:
    void SetUp() override {
        fs::create_directories(path_ / "Zoo");
        fs::create_directories(path_ / "alps");
        add("b.png", 30, -2);
        add("A.png", 10, -1);
        add("c.png", 20, -3);
        add("notes.txt", 5, -4);
    }
    void add(const char* name, int bytes, int hours) {
        folder_.write(name, std::string(size_t(bytes), 'x'));
        fs::last_write_time(path_ / name, fs::file_time_type::clock::now() + std::chrono::hours(hours));
    }
    std::string names(FolderOrder order, bool descending) {
        FolderListing listing = list_folder(path_, false);
        sort_entries(listing.entries, order, descending);
        std::string text;
        for (const FolderEntry& entry : listing.entries) text += (text.empty() ? "" : " ") + entry.name;
        return text;
    }
    std::string pictures(FolderOrder order, bool descending) {
        std::string text;
        for (const FolderEntry& entry : list_pictures(path_, order, descending).entries)
            text += (text.empty() ? "" : " ") + entry.name;
        return text;
    }
    Folder folder_;
    const fs::path path_ = folder_.path();
};

TEST_F(FolderListed, ListsFoldersFirstWhateverTheOrder) {
    EXPECT_EQ(names(FolderOrder::name, false), "alps Zoo A.png b.png c.png");
    EXPECT_EQ(names(FolderOrder::name, true), "Zoo alps c.png b.png A.png");
    const std::string by_time = names(FolderOrder::modified, true), by_size = names(FolderOrder::size, false);
    EXPECT_TRUE(by_time.ends_with("A.png b.png c.png")) << by_time;
    EXPECT_TRUE(names(FolderOrder::modified, false).ends_with("c.png b.png A.png"));
    EXPECT_EQ(by_size, "alps Zoo A.png c.png b.png");
}

TEST_F(FolderListed, KnowsWhenAFileChanged) {
    for (const FolderEntry& entry : list_folder(path_, true).entries)
        if (entry.name == "c.png") {
            EXPECT_NEAR(double(std::time(nullptr) - entry.modified), 3 * 3600, 60);
        }
}

TEST_F(FolderListed, PicturesComeInTheChosenOrder) {
    add("A10.png", 40, -9);
    add("a9.JPG", 50, -8);
    EXPECT_EQ(pictures(FolderOrder::name, false), "A.png a9.JPG A10.png b.png c.png");
    EXPECT_EQ(pictures(FolderOrder::name, true), "c.png b.png A10.png a9.JPG A.png");
    EXPECT_EQ(pictures(FolderOrder::modified, false), "A10.png a9.JPG c.png b.png A.png");
    EXPECT_EQ(pictures(FolderOrder::size, true), "a9.JPG A10.png b.png c.png A.png");
}

TEST_F(FolderListed, OnlyFilesThatCouldBePicturesAre) {
    add(".hidden.png", 1, 0);
    add("png", 1, 0);
    fs::create_directory(path_ / "folder.png");
    ASSERT_EQ(mkfifo((path_ / "pipe.png").c_str(), 0600), 0);
    fs::create_symlink(path_ / "b.png", path_ / "link.png");
    fs::create_symlink(path_ / "nowhere.png", path_ / "broken.png");
    EXPECT_EQ(pictures(FolderOrder::name, false), "A.png b.png c.png link.png");
}

TEST_F(FolderListed, OneThatCannotBeReadIsAProblem) {
    EXPECT_NE(list_pictures(path_ / "none", FolderOrder::name, false).problem.find("/none: "), std::string::npos);
    EXPECT_FALSE(list_pictures(path_ / "b.png", FolderOrder::name, false).problem.empty());
    EXPECT_EQ(list_pictures(path_, FolderOrder::name, false).problem, "");
}

// It is listed in the background; longer than this, and nobody would wait for a step through it.
TEST_F(FolderListed, OfAHundredThousandPicturesIsListedInNaturalOrder) {
    const Folder many;
    constexpr int count = 100000;
    for (int i = 0; i < count; ++i) {
        const int file =
            ::open((many / fmt::format("picture {}.png", (i * 7919) % count)).c_str(), O_CREAT | O_WRONLY, 0600);
        ASSERT_GE(file, 0);
        ::close(file);
    }
    const auto begun = std::chrono::steady_clock::now();
    const FolderListing listing = list_pictures(many.path(), FolderOrder::name, false);
    EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(20));
    ASSERT_EQ(listing.entries.size(), size_t(count));
    EXPECT_EQ(listing.entries[9].name, "picture 9.png");
    EXPECT_EQ(listing.entries[99999].name, "picture 99999.png");
}

TEST_F(FolderListed, WithoutPermissionIsAProblem) {
    fs::permissions(path_, fs::perms::none);
    const bool allowed = ::access(path_.c_str(), R_OK) == 0;
    const std::string problem = list_pictures(path_, FolderOrder::name, false).problem;
    fs::permissions(path_, fs::perms::owner_all);
    if (allowed) GTEST_SKIP() << "this user may read everything";
    EXPECT_NE(problem.find("permission denied"), std::string::npos) << problem;
}

TEST(NaturalOrder, NumbersCountAndCaseDoesNot) {
    const std::vector<std::string> sorted = {"",
                                             "01.png",
                                             "1.png",
                                             "2.png",
                                             "10.png",
                                             "a",
                                             "A.png",
                                             "a2b9.png",
                                             "A2b10.png",
                                             "a10b1.png",
                                             "IMG_9.jpg",
                                             "img_10.jpg",
                                             "IMG_100.jpg",
                                             "img_99999999999999999999998.jpg",
                                             "img_99999999999999999999999.jpg"};
    std::vector<std::string> names(sorted.rbegin(), sorted.rend());
    std::sort(names.begin(), names.end(), naturally_before);
    EXPECT_EQ(names, sorted);
}

// std::sort needs it: exactly one of two different names comes before the other, and three have no cycle.
TEST(NaturalOrder, IsTotal) {
    const std::string names[] = {"a1",  "A1", "a01", "a001", "a10", "a1b", "a01b",     "A1B", "a",      "b0",
                                 "b00", "b",  "1",   "01",   "a 1", "a-1", "\xc3\xa4", "z",   "a1.png", "a1 (2).png"};
    for (const auto& a : names)
        for (const auto& b : names) {
            EXPECT_EQ(naturally_before(a, b) + naturally_before(b, a), a != b) << a << ", " << b;
            for (const auto& c : names)
                if (naturally_before(a, b) && naturally_before(b, c)) {
                    EXPECT_TRUE(naturally_before(a, c)) << a << ", " << b << ", " << c;
                }
        }
}

// The desktop's thumbnails: what another program has written is used if it is right, and what we write another program
// can use. The other program is thumbnail.py.

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

// MD5 as RFC 1321 defines it.

// The test suite in its appendix A.5.
TEST(Md5, OfTheTextsInTheStandard) {
    EXPECT_EQ(md5(""), "d41d8cd98f00b204e9800998ecf8427e");
    EXPECT_EQ(md5("a"), "0cc175b9c0f1b6a831c399e269772661");
    EXPECT_EQ(md5("abc"), "900150983cd24fb0d6963f7d28e17f72");
    EXPECT_EQ(md5("message digest"), "f96b697d7cb7938d525a2f31aaf161d0");
    EXPECT_EQ(md5("abcdefghijklmnopqrstuvwxyz"), "c3fcd3d76192e4007dfb496cca67e13b");
    EXPECT_EQ(md5("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"),
              "d174ab98d277d9f5a5611c2c9f419d9f");
    EXPECT_EQ(md5("12345678901234567890123456789012345678901234567890123456789012345678901234567890"),
              "57edf4a22be3c955ac49da2e2107b67a");
}

// The example of the Thumbnail Managing Standard 0.9.
TEST(Md5, NamesAThumbnail) { EXPECT_EQ(md5("file:///home/jens/photos/me.png"), "c6ee772d9e49320e97ec29a7eb5b1697"); }

}  // namespace
}  // namespace texelscope::test
