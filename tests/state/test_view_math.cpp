// The effect of wheel, drag and keys on a view.

#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "app/state/view_math.h"

namespace texelscope::test {
namespace {

constexpr Extent image{640, 480}, output{961, 637};

Point shown_at(const View& view, Point pixel) {
    return apply(sampling_affine(view, image.width, image.height, output.width, output.height), pixel.x, pixel.y);
}

TEST(ViewMath, ZoomKeepsTheSampleUnderTheCursor) {
    std::mt19937 random(1);
    std::uniform_real_distribution<double> any(-1, 1);
    for (int i = 0; i < 1000; ++i) {
        const View view{300 * any(random), 300 * any(random), std::exp2(8 * any(random)), 180 * any(random)};
        const Point pixel{std::round(480 + 480 * any(random)), std::round(318 + 318 * any(random))};
        const View zoomed = zoomed_about(view, std::exp2(8 * any(random)), image, output, pixel);
        const Point before = shown_at(view, pixel), after = shown_at(zoomed, pixel);
        EXPECT_NEAR(before.x, after.x, 1e-9 * (1 + 480 * (view.scale + zoomed.scale)));
        EXPECT_NEAR(before.y, after.y, 1e-9 * (1 + 480 * (view.scale + zoomed.scale)));
    }
}

TEST(ViewMath, TheSampleStaysDuringTheMotionToo) {
    const View from{12.5, -3, 2, 30};
    const Point pixel{100, 550};
    const View to = zoomed_about(from, 4, image, output, pixel);
    for (double t : {0.0, 0.1, 0.5, 0.9, 1.0}) {
        const Point p = shown_at(between(from, to, t), pixel), q = shown_at(from, pixel);
        EXPECT_NEAR(p.x, q.x, 1e-9);
        EXPECT_NEAR(p.y, q.y, 1e-9);
    }
    EXPECT_EQ(between(from, to, 1), to);
    EXPECT_EQ(between(from, to, 0), from);
}

TEST(ViewMath, EightNotchesAreExactlyTwo) {
    double zoom = 1;
    for (int i = 0; i < 8; ++i) zoom = stepped_zoom(zoom, std::exp2(1.0 / 8));
    EXPECT_EQ(zoom, 2);
    for (int i = 0; i < 16; ++i) zoom = stepped_zoom(zoom, std::exp2(-1.0 / 8));
    EXPECT_EQ(zoom, 0.5);
}

TEST(ViewMath, ZoomStopsAtOneHundredPercent) {
    EXPECT_EQ(stepped_zoom(0.97, 1.5), 1);
    EXPECT_EQ(stepped_zoom(1.03, 0.5), 1);
    EXPECT_EQ(stepped_zoom(1, 1.5), 1.5);
    EXPECT_EQ(stepped_zoom(1, 0.5), 0.5);
    EXPECT_NE(stepped_zoom(0.5, 1.5), 1);
}

TEST(ViewMath, ZoomStaysInItsRange) {
    EXPECT_EQ(stepped_zoom(500, 2), max_zoom);
    EXPECT_EQ(stepped_zoom(0.011, 0.1), min_zoom);
    EXPECT_EQ(power_of_two_zoom(512, +1), 512);
    EXPECT_EQ(power_of_two_zoom(0.01, -1), 0.01);
    const View zoomed = zoomed_about({}, 1e9, image, output, {0, 0});
    EXPECT_EQ(zoomed.zoom(), max_zoom);
}

TEST(ViewMath, AnImageOfAnySizeFits) {
    constexpr Extent row{1'000'000, 1}, window{500, 400};
    const View whole = fitted(0, row, window);
    EXPECT_DOUBLE_EQ(whole.zoom(), 0.0005);
    const double lowest = lowest_zoom(0, row, window);
    EXPECT_DOUBLE_EQ(lowest, whole.zoom());
    EXPECT_DOUBLE_EQ(stepped_zoom(0.02, 1e-3, lowest), lowest);
    EXPECT_DOUBLE_EQ(power_of_two_zoom(0.0006, -1, lowest), lowest);
    EXPECT_DOUBLE_EQ(zoomed_about(whole, 1e-6, row, window, {0, 0}).zoom(), lowest);
    EXPECT_EQ(lowest_zoom(0, image, output), min_zoom) << "where it fits above the usual end, nothing changes";
}

TEST(ViewMath, AStepGoesToTheNextPowerOfTwo) {
    EXPECT_EQ(power_of_two_zoom(1, +1), 2);
    EXPECT_EQ(power_of_two_zoom(1, -1), 0.5);
    EXPECT_EQ(power_of_two_zoom(3, +1), 4);
    EXPECT_EQ(power_of_two_zoom(3, -1), 2);
    EXPECT_EQ(power_of_two_zoom(1.9999999999, +1), 4);
}

TEST(ViewMath, PanMovesByPixels) {
    const View view{1, 2, 0.25, 40};
    const Point before = shown_at(view, {100, 200}), after = shown_at(panned(view, 30, -7), {130, 193});
    EXPECT_NEAR(before.x, after.x, 1e-12);
    EXPECT_NEAR(before.y, after.y, 1e-12);
}

// Every corner of the samples' extent is in the output, and two of them touch it.
TEST(ViewMath, FitShowsAll) {
    for (double rotate : {0.0, 90.0, 30.0, -135.0}) {
        const View view = fitted(rotate, image, output);
        const Affine affine = sampling_affine(view, image.width, image.height, output.width, output.height);
        double least = 1e9;
        for (double x : {-0.5, image.width - 0.5})
            for (double y : {-0.5, image.height - 0.5}) {
                const Point p = apply_inverse(affine, {x, y});
                for (double room : {p.x + 0.5, p.y + 0.5, output.width - 0.5 - p.x, output.height - 0.5 - p.y}) {
                    EXPECT_GE(room, -1e-9) << rotate;
                    least = std::min(least, room);
                }
            }
        EXPECT_NEAR(least, 0, 1e-9) << rotate;
    }
}

TEST(ViewMath, OneToOneIsOnWholeSamples) {
    const View view = one_to_one({3.4, -7.6, 0.3, 0});
    EXPECT_EQ(view, (View{3, -8, 1, 0}));
}

TEST(ViewMath, RegionFillsTheWindow) {
    const Region region{100, 50, 300, 150};
    const View view = zoomed_to(region, 0, image, output);
    const Point middle = shown_at(view, {(output.width - 1) / 2.0, (output.height - 1) / 2.0});
    EXPECT_NEAR(middle.x, 200, 1e-9);
    EXPECT_NEAR(middle.y, 100, 1e-9);
    EXPECT_NEAR(view.scale * output.width, 200, 1e-9);
}

TEST(ViewMath, RotationWraps) {
    EXPECT_EQ(rotated({0, 0, 1, 175}, 10).rotate, -175);
    EXPECT_EQ(rotated({0, 0, 1, 170}, 10).rotate, 180);
    EXPECT_EQ(rotated({0, 0, 1, -170}, -10).rotate, 180);
    EXPECT_FALSE(std::signbit(rotated({0, 0, 1, -10}, 10).rotate));
}

TEST(ViewMath, ZoomInWords) {
    EXPECT_EQ(zoom_text(4), "400 % (4:1)");
    EXPECT_EQ(zoom_text(1), "100 % (1:1)");
    EXPECT_EQ(zoom_text(0.5), "50 % (1:2)");
    EXPECT_EQ(zoom_text(0.01), "1 % (1:100)");
    EXPECT_EQ(zoom_text(0.0005), "0.05 % (1:2000)");
    EXPECT_EQ(zoom_text(1.19), "119 % (1.19:1)");
    EXPECT_EQ(zoom_text(512), "51200 % (512:1)");
    EXPECT_EQ(zoom_text(0.375), "37.5 % (1:2.67)");
}

TEST(ViewMath, EaseOutEndsExactly) {
    EXPECT_EQ(ease_out(0), 0);
    EXPECT_EQ(ease_out(1), 1);
    EXPECT_EQ(ease_out(7), 1);
    EXPECT_GT(ease_out(0.5), 0.5);
}

}  // namespace
}  // namespace texelscope::test
