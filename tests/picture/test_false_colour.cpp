// The legend of false colours.

#include "app/picture/false_colour.h"

#include <cmath>

#include <gtest/gtest.h>

namespace texelscope::test {
namespace {

// What tests/engine/test_display_tones.cpp holds the backends to, in float64.
double shown_at(const DisplaySettings& s, double value) {
    double v = (value - double(s.black)) / (double(s.white) - double(s.black)) * std::exp2(double(s.exposure));
    if (s.curve == ToneCurve::reinhard) v = v / (1 + v);
    if (s.curve == ToneCurve::aces) v = v * (2.51 * v + 0.03) / (v * (2.43 * v + 0.59) + 0.14);
    v = std::pow(v, 1 / double(s.gamma));
    return s.invert ? 1 - v : v;
}

TEST(FalseColour, TheLegendNamesTheValueThatHasTheColour) {
    for (const ToneCurve curve : all_tone_curves)
        for (const bool invert : {false, true})
            for (const double part : {0.0, 0.25, 0.5, 0.9}) {
                const DisplaySettings s{
                    .exposure = -1, .gamma = 1.8f, .black = -2, .white = 5, .curve = curve, .invert = invert};
                if (invert && part == 0 && curve == ToneCurve::reinhard) continue;
                EXPECT_NEAR(shown_at(s, value_shown_at(s, part)), part, 1e-9) << name_of(curve) << " " << part;
            }
    EXPECT_TRUE(std::isinf(value_shown_at({.curve = ToneCurve::reinhard}, 1)));
    EXPECT_NEAR(value_shown_at({.curve = ToneCurve::aces}, 1), 7.24, 0.01);
}

TEST(FalseColour, IsShownWhereThereIsOneChannel) {
    AppState state;
    state.scene.panes = {{default_spec(*find_method("bilinear"))}};
    Document document;
    document.source = "@x";
    document.image = std::make_shared<const Image>(4, 4, 3, SampleType::u8);
    state.scene.documents = {document};
    state.scene.current = 0;
    EXPECT_FALSE(shows_false_colour(state, 0));
    state.scene.display.map = ColourMap::ember;
    EXPECT_FALSE(shows_false_colour(state, 0)) << "three channels are colours";
    state.scene.display.channel = ChannelView::luma;
    EXPECT_TRUE(shows_false_colour(state, 0));
    state.scene.display.channel = ChannelView::all;
    state.scene.documents[0].image = std::make_shared<const Image>(4, 4, 2, SampleType::u8, Alpha::straight);
    EXPECT_TRUE(shows_false_colour(state, 0)) << "grey with alpha";
    state.scene.documents[0].image = std::make_shared<const Image>(4, 4, 2, SampleType::f32);
    EXPECT_FALSE(shows_false_colour(state, 0));
    state.scene.display.complex = ComplexView::magnitude;
    EXPECT_TRUE(shows_false_colour(state, 0));
}

}  // namespace
}  // namespace texelscope::test
