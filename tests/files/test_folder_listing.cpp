// The folders and files of a folder, in the order asked for.

#include <algorithm>
#include <chrono>
#include <filesystem>

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/files/desktop/folder_listing.h"
#include "tests/files/bytes.h"

namespace texelscope::test {
namespace {

namespace fs = std::filesystem;

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

// It is listed beside the window; longer than this, and nobody would wait for a step through it.
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

}  // namespace
}  // namespace texelscope::test
