// What "Show the best four" makes of the scene.

#include "app/viewer/editing/restoring_edits.h"

#include <cmath>

#include "tests/viewer/editing/panes_under_test.h"

namespace texelscope::test {
namespace {

BestPanes best_of(double rmse) {
    BestPanes best;
    best.specs = {parse_spec("quintic"), parse_spec("bspline")};
    best.small = document("@shrunk", 16, 16);
    best.original = "@constant";
    best.rmse = rmse;
    return best;
}

// Enlarged pictures differ from their original by some ten levels: on the scale for arithmetic, all would be white.
TEST(RestoringEdits, TheScaleOfDifferencesTakesTheErrorsOfTheBest) {
    for (const double rmse : {1e-5, 0.003, 0.02, 0.07, 0.25}) {
        AppState state = with_panes(1);
        show_best(state, best_of(rmse));
        const double end = 1 / double(state.scene.difference.gain);
        EXPECT_GE(end, std::min(1.0, 4 * rmse));
        EXPECT_LT(end, 8 * rmse);
        EXPECT_EQ(std::log2(end), std::round(std::log2(end))) << "a round number in the panel";
    }
    for (const double rmse : {0.0, double(NAN)}) {
        AppState state = with_panes(1);
        state.scene.difference.gain = 32;
        show_best(state, best_of(rmse));
        EXPECT_EQ(state.scene.difference.gain, 32) << "of an exact result there is no scale";
    }
}

}  // namespace
}  // namespace texelscope::test
