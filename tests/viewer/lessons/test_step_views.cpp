// Positions in steps, whatever the window's size: regions kept in view, and a cursor that is not the mouse.

#include <gtest/gtest.h>

#include "app/state/pane_views.h"
#include "app/viewer/editing/picture_input.h"
#include "app/viewer/editing/view_edits.h"

namespace texelscope::test {
namespace {

AppState state_of(int width, int height) {
    AppState state;
    state.scene.panes = {{parse_spec("bilinear")}};
    Document document;
    document.source = "@step:64x48";
    document.image = std::make_shared<const Image>(64, 48, 1, SampleType::u8);
    state.scene.documents = {document};
    state.scene.current = 0;
    state.report.frame.picture = {10, 20, width, height};
    state.ui.animate = false;
    return state;
}

TEST(KeptRegion, FillsAnyPictureFromItsMiddle) {
    for (const auto& [width, height] : {std::pair{400, 300}, std::pair{1000, 200}, std::pair{150, 900}})
        for (const double rotate : {0.0, 90.0}) {
            AppState state = state_of(width, height);
            state.scene.document()->region = Region{10, 5, 30, 20};
            state.scene.document()->view.rotate = rotate;
            update_views(state);
            const Affine affine = shown_affine(state);
            const Point middle = apply(affine, (width - 1) / 2.0, (height - 1) / 2.0);
            EXPECT_NEAR(middle.x, 20, 1e-9);
            EXPECT_NEAR(middle.y, 12.5, 1e-9);
            const double across = rotate == 0 ? 20 : 15, down = rotate == 0 ? 15 : 20;
            EXPECT_NEAR(state.scene.document()->view.scale, std::max(across / width, down / height), 1e-12);
        }
}

TEST(KeptRegion, StaysWhileTurnedAndGoesWhenMovedOrFitted) {
    AppState state = state_of(400, 300);
    const Region region{10, 5, 30, 20};
    state.scene.document()->region = region;
    update_views(state);
    rotate_by(state, 10);
    EXPECT_TRUE(state.scene.document()->keep_fit);
    EXPECT_EQ(state.scene.document()->region, region);
    pan_by(state, 5, 0, false);
    const View moved = state.scene.document()->view;
    update_views(state);
    EXPECT_EQ(state.scene.document()->view, moved);
    keep_fit(state, true);
    EXPECT_FALSE(state.scene.document()->region);
}

TEST(HeldCursor, IsThePointerUntilTheMouseMovesOverThePicture) {
    AppState state = state_of(101, 101);
    state.scene.document()->keep_fit = false;
    state.scene.document()->view = {0, 0, 0.5, 0};
    state.ui.cursor = Point{31.5 + 10, 23.5 - 5};  // from the middle: 20 pixels right, 10 up
    PictureInput input({[](double, double) { return false; }, [] { return false; }, [] { return false; }, {}});
    input.follow(state);
    EXPECT_TRUE(state.pointer.inside);
    EXPECT_EQ(state.pointer.x, 70);
    EXPECT_EQ(state.pointer.y, 40);
    input.handle(state, MouseMoved{300, 5});  // beside the picture
    input.follow(state);
    EXPECT_TRUE(state.ui.cursor);
    EXPECT_EQ(state.pointer.x, 70);
    input.handle(state, MouseMoved{10 + 33, 20 + 44});
    input.follow(state);
    EXPECT_FALSE(state.ui.cursor);
    EXPECT_EQ(state.pointer.x, 33);
    EXPECT_EQ(state.pointer.y, 44);
    state.ui.cursor = Point{1000, 0};  // out of view: the mouse counts
    input.follow(state);
    EXPECT_EQ(state.pointer.x, 33);
}

}  // namespace
}  // namespace texelscope::test
