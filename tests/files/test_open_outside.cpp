// Files are opened by the desktop's program, which here is a script that notes what it was asked for.

#include "app/files/desktop/open_outside.h"

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include <gtest/gtest.h>
#include <unistd.h>

#include "gpu/core/errors.h"
#include "tests/support/environment.h"

namespace texelscope::test {
namespace {

namespace fs = std::filesystem;

class OpenOutside : public testing::Test {
protected:
    void SetUp() override {
        folder_ = fs::temp_directory_path() / ("texelscope-open-" + std::to_string(getpid()));
        fs::create_directories(folder_);
        path_.emplace("PATH", folder_.string());
    }
    void TearDown() override { fs::remove_all(folder_); }

    fs::path folder_;
    std::optional<Variable> path_;
};

TEST_F(OpenOutside, TheDesktopsProgramGetsThePath) {
    const fs::path program = folder_ / "xdg-open", asked = folder_ / "asked", report = folder_ / "my report.html";
    std::ofstream(program) << "#!/bin/sh\nprintf %s \"$1\" > '" << asked.string() << "'\n";
    fs::permissions(program, fs::perms::owner_all);
    std::ofstream(report) << "<html/>";
    open_outside(report.string());
    std::string words;
    for (int i = 0; i < 200 && words != report.string(); ++i) {
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
}  // namespace texelscope::test
