// Where the minimap is.

#include "app/picture/minimap.h"
#include "app/state/pane_places.h"
#include "tests/viewer/editing/panes_under_test.h"

namespace texelscope::test {
namespace {

TEST_F(PaneInput, TheMinimapStaysAboveMessagesAndTheBarOfWhatIsUnderWay) {
    const auto place = [&] {
        const auto minimap = minimap_of(state_, 1);
        return minimap ? minimap->place : PixelRect{};
    };
    const PixelRect pane = pane_rect(state_, 0), free = place();
    FrameStatus& frame = state_.report.frame;
    ASSERT_FALSE(free.empty());
    frame.work = {pane.x, pane.y + pane.height - 50, pane.width, 40};
    ASSERT_TRUE(free.overlaps(frame.work));
    EXPECT_FALSE(place().overlaps(frame.work));
    EXPECT_LT(place().y, free.y);

    frame.messages = frame.work;  // the bar is above them
    frame.work.y -= 60;
    EXPECT_FALSE(place().overlaps(frame.messages));
    EXPECT_FALSE(place().overlaps(frame.work));

    frame.messages = {};
    frame.work.width = pane.width / 4;
    EXPECT_EQ(place(), free) << "beside it";
    frame.work = {pane.x, pane.y + 20, pane.width, pane.height - 20};
    EXPECT_TRUE(place().empty()) << "no room above it";
}

}  // namespace
}  // namespace texelscope::test
