#pragma once
// Shared by the tests of the window: one display, and pictures compared.

#include <filesystem>

#include <gtest/gtest.h>

#include "tests/gui/viewer_in_process.h"
#include "tests/gui/viewer_program.h"

namespace texelscope::test {

struct Difference {
    int pixels = 0;  // compared
    int worst = 0;   // levels
    int differing = 0;
};

// Over the rows from a quarter to three quarters: labels, legend and hint are at the edges. `b` has 1, 3 or 4 channels.
// Only columns from `first` to `last`.
Difference compare_middle(const Image& a, const Image& b, int first = 0, int last = -1);

// The part of a picture, which has 3 channels of 8 bits.
Image cut_out(const Image& image, int x, int y, int width, int height);

// While it lives, the process is in this folder, which is made, and removed in the end.
class CurrentFolder {
public:
    explicit CurrentFolder(std::filesystem::path folder);
    ~CurrentFolder();

private:
    const std::filesystem::path before_ = std::filesystem::current_path(), folder_;
};

class ViewerTest : public testing::Test {
protected:
    static void SetUpTestSuite() { screen_ = new Screen; }
    static void TearDownTestSuite() {
        delete screen_;
        screen_ = nullptr;
    }
    void SetUp() override;

    // docs/fidelity.md: GPU and CPU pictures are equal except for one level in at most 0.01 % of values.
    static void expect_same(const Image& shown, const Image& rendered, const std::string& when, int first = 0,
                            int last = -1);
    static void expect_same_picture(ViewerUnderTest& viewer, const std::string& when);

    // Work of so many milliseconds was done beside the loop: in one of its turns it would have computed for about as long.
    // Drawing a frame is a small part of that.
    static void expect_loop_was_free(ViewerInProcess& viewer, double work_ms);

    static Screen* screen_;
};

}  // namespace texelscope::test
