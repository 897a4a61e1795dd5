// The folders and files of a folder, in the order asked for.

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <unistd.h>

#include "app/files/folder_listing.h"

namespace texelscope::test {
namespace {

namespace fs = std::filesystem;

class Folder : public testing::Test {
protected:
    void SetUp() override {
        fs::create_directories(path_ / "Zoo");
        fs::create_directories(path_ / "alps");
        add("b.png", 30, -2);
        add("A.png", 10, -1);
        add("c.png", 20, -3);
        add("notes.txt", 5, -4);
    }
    void TearDown() override { fs::remove_all(path_); }
    void add(const char* name, int bytes, int hours) {
        std::ofstream(path_ / name) << std::string(size_t(bytes), 'x');
        fs::last_write_time(path_ / name, fs::file_time_type::clock::now() + std::chrono::hours(hours));
    }
    std::string names(FolderOrder order, bool descending) {
        FolderListing listing = list_folder(path_, false);
        sort_entries(listing.entries, order, descending);
        std::string text;
        for (const FolderEntry& entry : listing.entries) text += (text.empty() ? "" : " ") + entry.name;
        return text;
    }
    fs::path path_ = fs::temp_directory_path() / ("texelscope-folder-" + std::to_string(getpid()));
};

TEST_F(Folder, ListsFoldersFirstWhateverTheOrder) {
    EXPECT_EQ(names(FolderOrder::name, false), "alps Zoo A.png b.png c.png");
    EXPECT_EQ(names(FolderOrder::name, true), "Zoo alps c.png b.png A.png");
    const std::string by_time = names(FolderOrder::modified, true), by_size = names(FolderOrder::size, false);
    EXPECT_TRUE(by_time.ends_with("A.png b.png c.png")) << by_time;
    EXPECT_TRUE(names(FolderOrder::modified, false).ends_with("c.png b.png A.png"));
    EXPECT_EQ(by_size, "alps Zoo A.png c.png b.png");
}

TEST_F(Folder, KnowsWhenAFileChanged) {
    for (const FolderEntry& entry : list_folder(path_, true).entries)
        if (entry.name == "c.png") {
            EXPECT_NEAR(double(std::time(nullptr) - entry.modified), 3 * 3600, 60);
        }
}

}  // namespace
}  // namespace texelscope::test
