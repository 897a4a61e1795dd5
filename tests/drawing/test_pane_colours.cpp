// The colours of panes can be told apart, on the dark of the window, by everybody.

#include <algorithm>
#include <array>

#include <gtest/gtest.h>

#include "app/drawing/pane_colours.h"
#include "app/drawing/pane_style.h"
#include "app/state/scene.h"
#include "gpu/compare/delta_e.h"

namespace texelscope::test {
namespace {

using Rgb = std::array<double, 3>;
using Matrix = std::array<Rgb, 3>;

// Machado, Oliveira & Fernandes 2009, A physiologically-based model for simulation of color vision deficiency, severity
// 1.0; of linear light.
constexpr Matrix deuteranopia = {
    {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}};
constexpr Matrix protanopia = {
    {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}};
constexpr Matrix all_cones = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

Rgb colour(uint32_t rgb) {
    return {double(rgb >> 16 & 255) / 255, double(rgb >> 8 & 255) / 255, double(rgb & 255) / 255};
}

double encoded(double linear) {
    const double v = std::clamp(linear, 0.0, 1.0);
    return v <= 0.0031308 ? 12.92 * v : 1.055 * std::pow(v, 1 / 2.4) - 0.055;
}

Lab seen(uint32_t rgb, const Matrix& eyes) {
    const Rgb c = colour(rgb);
    Rgb result;
    for (size_t i = 0; i < 3; ++i) {
        double sum = 0;
        for (size_t k = 0; k < 3; ++k) sum += eyes[i][k] * srgb_decoded(c[k]);
        result[i] = encoded(sum);
    }
    return lab_of_srgb(result[0], result[1], result[2]);
}

double nearest_pair(const Matrix& eyes) {
    double least = 1000;
    for (int a = 0; a < max_panes; ++a)
        for (int b = 0; b < a; ++b)
            least = std::min(least, delta_e_2000(seen(pane_rgb(a), eyes), seen(pane_rgb(b), eyes)));
    return least;
}

TEST(PaneColours, DifferByTwentyEach) {
    static_assert(pane_colour_count >= max_panes);
    EXPECT_GE(nearest_pair(all_cones), 20);
}

// Eight times what is just noticeable.
TEST(PaneColours, DifferForPeopleWithoutRedOrGreenCones) {
    EXPECT_GE(nearest_pair(deuteranopia), 8);
    EXPECT_GE(nearest_pair(protanopia), 8);
}

TEST(PaneColours, StandOutFromTheWindowAndCarryDarkLetters) {
    const auto luminance = [](uint32_t rgb) {
        const Rgb c = colour(rgb);
        return 0.2126 * srgb_decoded(c[0]) + 0.7152 * srgb_decoded(c[1]) + 0.0722 * srgb_decoded(c[2]);
    };
    for (int pane = 0; pane < max_panes; ++pane) {
        for (const uint32_t dark : {0x25272bu, 0x202020u, 0x1c1e21u})  // panel, behind the picture, plots
            EXPECT_GE(delta_e_2000(seen(pane_rgb(pane), all_cones), seen(dark, all_cones)), 25) << pane;
        EXPECT_GE((luminance(pane_rgb(pane)) + 0.05) / (luminance(0x16181a) + 0.05), 3.5) << pane;  // WCAG: 3
    }
}

TEST(PaneColours, OfCurvesAreTheSame) {
    for (int pane = 0; pane < max_panes; ++pane) EXPECT_EQ(int(pane_ink(pane)), pane);
    EXPECT_EQ(int(Ink::grey), max_panes);
}

}  // namespace
}  // namespace texelscope::test
