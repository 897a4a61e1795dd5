// The values under the cursor, as text.

#include "app/state/readout_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace texelscope::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

Readout grey(float value) {
    Readout readout;
    readout.channels = 1;
    readout.interpolated[0] = value;
    return readout;
}

TEST(ReadoutText, GivesTheDifferenceOnlyWhereOneIsShown) {
    AppState state;
    const ValueScale scale(ValueUnit::levels, SampleType::u8);
    Readout readout = grey(0.5f);
    EXPECT_EQ(difference_text(state, readout, scale), "");
    readout.compared = {{0.5}, {0.4}};
    EXPECT_EQ(difference_text(state, readout, scale), "|a − r| [25.5]");
    state.scene.difference.kind = DifferenceKind::signed_;
    readout.compared = {{0.4}, {0.5}};
    EXPECT_EQ(difference_text(state, readout, scale), "a − r [-25.5]");
}

// The colour that a file happens to have there is in nobody's picture; the bits say it all the same.
TEST(ReadoutText, WhereNothingIsSeenThereIsNoColour) {
    const ValueScale scale(ValueUnit::levels, SampleType::u8);
    Readout readout;
    readout.channels = 4;
    readout.stored = {0, 1, 0, 0};
    readout.interpolated = {0, 1, 0, 0.5f};
    EXPECT_EQ(stored_text(readout, scale, Alpha::straight), "transparent");
    EXPECT_EQ(stored_text(readout, scale), "[0 255 0 0]") << "four channels of data";
    EXPECT_EQ(interpolated_text(readout, scale, Alpha::straight), "[0.00 255.00 0.00 127.50]");
    EXPECT_EQ(hex_text(readout, SampleType::u8), "#00FF0000");
    readout.interpolated[3] = 0;
    EXPECT_EQ(interpolated_text(readout, scale, Alpha::straight), "transparent");
}

TEST(ReadoutText, CopiedNamesTheDifferenceToo) {
    AppState state;
    state.scene.panes.push_back({default_spec(*find_method("bilinear"))});
    Document& document = state.scene.documents.emplace_back();
    document.image = std::make_shared<const Image>(4, 4, 1, SampleType::u8);
    state.scene.current = 0;
    state.report.findings.readout = grey(0.5f);
    EXPECT_THAT(copied_text(state), Not(HasSubstr("|a − r|")));
    state.report.findings.readout->compared = {{0.5}, {0.4}};
    EXPECT_THAT(copied_text(state), HasSubstr(": |a − r| [25.5] stored [0] interpolated [127.50]"));
}

}  // namespace
}  // namespace texelscope::test
