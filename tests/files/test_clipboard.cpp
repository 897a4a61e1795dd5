// Pictures for the clipboard: the program that keeps them gets a complete PNG, and nobody waits for it.

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include <sys/wait.h>

#include "app/files/desktop/clipboard.h"
#include "app/files/reading/image_files.h"
#include "tests/support/environment.h"

namespace texelscope::test {
namespace {

namespace fs = std::filesystem;

class Clipboard : public testing::Test {
protected:
    void SetUp() override {
        fs::remove_all(folder_);
        fs::create_directories(folder_);
    }
    void TearDown() override { fs::remove_all(folder_); }

    // A program of this name that lives for a while, and stores what it received.
    void install(const std::string& name) const {
        const fs::path program = folder_ / name;
        std::ofstream(program) << "#!/bin/sh\n/bin/cat > '" << (folder_ / "part").string() << "'\necho \"$0 $@\" > '"
                               << (folder_ / "words").string() << "'\n/bin/mv '" << (folder_ / "part").string() << "' '"
                               << (folder_ / "got.png").string() << "'\n/bin/sleep 1\n";
        fs::permissions(program, fs::perms::owner_all);
    }
    bool arrived() const {
        for (int i = 0; i < 500 && !fs::exists(folder_ / "got.png"); ++i)
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        return fs::exists(folder_ / "got.png");
    }
    std::string words() const {
        std::ifstream file(folder_ / "words");
        return {std::istreambuf_iterator<char>(file), {}};
    }

    fs::path folder_ = fs::path(testing::TempDir()) / "texelscope-clipboard-test";
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

}  // namespace
}  // namespace texelscope::test
