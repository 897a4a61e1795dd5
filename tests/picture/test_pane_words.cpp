// Panes in words.

#include <gtest/gtest.h>

#include "app/picture/pane_words.h"

namespace texelscope::test {
namespace {

TEST(PaneWords, TheShortLabelTellsPanesApart) {
    AppState state;
    state.scene.panes = {{default_spec(*find_method("bilinear"))}, {default_spec(*find_method("bspline"))}};
    Document& document = state.scene.documents.emplace_back();
    document.source = "@constant";
    document.image = std::make_shared<const Image>(64, 64, 1, SampleType::u8);
    state.scene.current = 0;
    state.scene.arrangement = Arrangement::columns;
    state.report.frame.picture = {0, 0, 200, 100};
    EXPECT_EQ(short_label(state, 0), "Bilinear");
    state.scene.panes[0].difference = true;
    EXPECT_EQ(short_label(state, 0), "difference · Bilinear");
    state.scene.panes[1].label = "smooth";
    EXPECT_EQ(short_label(state, 1), "smooth");
    state.pointer.inside = state.pointer.reference = true;
    state.pointer.pane = 1;
    EXPECT_EQ(short_label(state, 1), "reference · Cubic B-spline, exact") << "not the label of the pane itself";
    EXPECT_EQ(short_label(state, 0), "difference · Bilinear");
}

}  // namespace
}  // namespace texelscope::test
