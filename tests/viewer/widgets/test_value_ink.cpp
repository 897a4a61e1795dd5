// Numbers on samples can be read on every tone.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "app/viewer/widgets/value_ink.h"

namespace texelscope::test {
namespace {

// WCAG 2: relative luminance and contrast.
double luminance(double r, double g, double b) {
    const auto linear = [](double v) { return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4); };
    return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
}

TEST(ValueInk, HasTheContrastThatTextNeedsOnEveryTone) {
    for (const int colours : {1, 3})
        for (int channel = 0; channel < colours; ++channel)
            for (int tone = 0; tone <= 255; ++tone) {
                const float v = float(tone) / 255;
                const gui::ValueInk ink = gui::value_ink(channel, colours, v);
                const double below =
                    double(v) * (1 - double(ink.plate_opacity)) + double(ink.plate.r) * double(ink.plate_opacity);
                const double text = luminance(double(ink.text.r), double(ink.text.g), double(ink.text.b)),
                             ground = luminance(below, below, below);
                EXPECT_GE((std::max(text, ground) + 0.05) / (std::min(text, ground) + 0.05), 4.5)
                    << "channel " << channel << " of " << colours << " on " << tone;
                EXPECT_GE(ink.plate_opacity, 0) << tone;
                EXPECT_LE(ink.plate_opacity, 0.5f) << "the sample is still to be seen: " << tone;
            }
    EXPECT_EQ(gui::value_ink(0, 3, 0).plate_opacity, 0) << "where it is dark, no plate";
    EXPECT_EQ(gui::value_ink(0, 3, 1).plate_opacity, 0);
}

}  // namespace
}  // namespace texelscope::test
