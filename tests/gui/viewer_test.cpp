#include "tests/gui/viewer_test.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/files/reading/image_files.h"

namespace texelscope::test {
namespace {

// Both pictures, for anyone who has to find out why they differ.
void keep(const Image& shown, const Image& rendered) {
    const std::string name = testing::UnitTest::GetInstance()->current_test_info()->name();
    write_image(shown, testing::TempDir() + "texelscope-" + name + "-shown.ppm");
    write_image(rendered, testing::TempDir() + "texelscope-" + name + "-rendered.ppm");
}

}  // namespace

Screen* ViewerTest::screen_ = nullptr;

CurrentFolder::CurrentFolder(std::filesystem::path folder) : folder_(std::move(folder)) {
    std::filesystem::create_directories(folder_);
    std::filesystem::current_path(folder_);
}

CurrentFolder::~CurrentFolder() {
    std::filesystem::current_path(before_);
    std::filesystem::remove_all(folder_);
}

void ViewerTest::SetUp() {
    if (screen_->display().empty()) GTEST_SKIP() << "no virtual X server: install Debian's xvfb";
    if (!screen_->xdotool({"version"})) GTEST_SKIP() << "no xdotool: install Debian's xdotool";
}

Difference compare_middle(const Image& a, const Image& b, int first, int last) {
    Difference result;
    if (last < 0) last = a.width() - 1;
    for (int y = a.height() / 4; y < a.height() * 3 / 4; ++y)
        for (int x = first; x <= last; ++x, ++result.pixels)
            for (int c = 0; c < 3; ++c) {
                const int channel = b.channels() == 1 ? 0 : c;
                const int d =
                    std::abs(a.row_as<uint8_t>(y)[x * 3 + c] - b.row_as<uint8_t>(y)[x * b.channels() + channel]);
                result.worst = std::max(result.worst, d);
                result.differing += d > 0;
            }
    return result;
}

Image cut_out(const Image& image, int x, int y, int width, int height) {
    Image part(width, height, 3, SampleType::u8);
    for (int row = 0; row < height; ++row)
        std::copy_n(image.row_as<uint8_t>(y + row) + x * 3, width * 3, part.row_as<uint8_t>(row));
    return part;
}

void ViewerTest::expect_same(const Image& shown, const Image& rendered, const std::string& when, int first, int last) {
    ASSERT_FALSE(shown.empty()) << when;
    ASSERT_FALSE(rendered.empty()) << when;
    ASSERT_EQ(shown.width(), rendered.width()) << when;
    ASSERT_EQ(shown.height(), rendered.height()) << when;
    const Difference d = compare_middle(shown, rendered, first, last);
    if (d.worst > 1) keep(shown, rendered);
    EXPECT_GT(d.pixels, 10000) << when;
    EXPECT_LE(d.worst, 1) << when;
    EXPECT_LE(d.differing, 3 * d.pixels / 10000) << when;
}

void ViewerTest::expect_loop_was_free(ViewerInProcess& viewer, double work_ms) {
    constexpr double frame_ms = 50;  // at most, where a CPU draws
    EXPECT_LT(viewer.take_longest_turn(), std::max(frame_ms, work_ms / 3));
}

void ViewerTest::expect_same_picture(ViewerUnderTest& viewer, const std::string& when) {
    expect_same(viewer.shown_picture(), viewer.rendered_picture(), when);
}

}  // namespace texelscope::test
