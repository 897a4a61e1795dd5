// The positions of bars, panel and picture.

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/viewer/widgets/layout.h"

namespace texelscope::test {
namespace {

using namespace gui;

LayoutRequest usual() {
    LayoutRequest request;
    request.width = 1280;
    request.height = 720;
    request.image = {512, 512};
    return request;
}

TEST(Layout, PictureIsWhatIsLeft) {
    const Layout layout = lay_out(usual());
    EXPECT_EQ(layout.picture, (PixelRect{320, 26, 960, 668}));
    EXPECT_FLOAT_EQ(layout.status.y, 694);
}

TEST(Layout, TheToolbarIsBelowTheMenusUnlessTheWindowIsLow) {
    LayoutRequest request = usual();
    request.toolbar_height = 34;
    const Layout layout = lay_out(request);
    EXPECT_EQ(layout.picture, (PixelRect{320, 60, 960, 634}));
    EXPECT_FLOAT_EQ(layout.toolbar.y, 26);
    EXPECT_FLOAT_EQ(layout.panel.y, 60);
    request.height = 400;
    EXPECT_TRUE(lay_out(request).toolbar.empty());
    request.height = 720;
    request.presenting = true;
    EXPECT_TRUE(lay_out(request).toolbar.empty());
}

TEST(Layout, WithoutPanelsAllIsPicture) {
    LayoutRequest request = usual();
    request.panels = false;
    const Layout layout = lay_out(request);
    EXPECT_EQ(layout.picture, (PixelRect{0, 0, 1280, 720}));
    EXPECT_TRUE(layout.menu.empty() && layout.panel.empty() && layout.status.empty());
}

TEST(Layout, PictureHasTheParityOfTheImage) {
    for (int width : {1280, 1281})
        for (int height : {720, 721})
            for (Extent image : {Extent{512, 512}, Extent{511, 512}, Extent{512, 511}, Extent{511, 511}}) {
                LayoutRequest request = usual();
                request.width = float(width);
                request.height = float(height);
                request.image = image;
                const PixelRect picture = lay_out(request).picture;
                EXPECT_EQ((picture.width - image.width) % 2, 0);
                EXPECT_EQ((picture.height - image.height) % 2, 0);
            }
}

TEST(Layout, HiDpiCountsFramebufferPixels) {
    LayoutRequest request = usual();
    request.pixel_ratio = 2;
    EXPECT_EQ(lay_out(request).picture, (PixelRect{640, 52, 1920, 1336}));
}

TEST(Layout, NoSizeIsTooSmall) {
    for (int width : {0, 1, 2, 3, 50, 199, 200, 320, 439, 440, 700})
        for (int height : {0, 1, 2, 20, 60, 156, 400})
            for (float messages : {0.0f, 28.0f, 112.0f}) {
                LayoutRequest request = usual();
                request.width = float(width);
                request.height = float(height);
                request.messages_width = 500;
                request.messages_height = messages;
                const PixelRect picture = lay_out(request).picture;
                EXPECT_GE(picture.width, 0);
                EXPECT_GE(picture.height, 0);
                EXPECT_LE(picture.x + picture.width, width);
                EXPECT_LE(picture.y + picture.height, height);
                if (width > 0 && height > 0) {
                    EXPECT_FALSE(picture.empty()) << width << "×" << height;
                }
            }
}

TEST(Layout, MessagesLieOverThePictureAndNeverResizeIt) {
    LayoutRequest request = usual();
    const PixelRect whole = lay_out(request).picture;
    EXPECT_TRUE(lay_out(request).messages.empty());
    for (const auto& [width, height] : {std::pair{300.0f, 28.0f}, {5000.0f, 84.0f}, {500.0f, 5000.0f}}) {
        request.messages_width = width;
        request.messages_height = height;
        const Layout layout = lay_out(request);
        EXPECT_EQ(layout.picture, whole);
        const Box& box = layout.messages;
        EXPECT_FALSE(box.empty());
        EXPECT_LE(box.width, width);
        EXPECT_LE(box.height, float(whole.height / 2));
        EXPECT_GE(box.x, float(whole.x));
        EXPECT_LE(box.x + box.width, float(whole.x + whole.width));
        EXPECT_LT(box.y + box.height, layout.status.y);
        EXPECT_NEAR(box.x + box.width / 2, float(whole.x) + float(whole.width) / 2, 1);
    }
}

TEST(Layout, MessagesLieAtTheLowerEdgeOfTheWindowWhileADialogIsOpen) {
    LayoutRequest request = usual();
    request.messages_width = 500;
    request.messages_height = 60;
    request.caption_height = 200;
    const float over_picture = lay_out(request).messages.y;
    request.dialog = true;
    const Layout layout = lay_out(request);
    const Box& box = layout.messages;
    EXPECT_GT(box.y, over_picture + 100);
    EXPECT_LE(box.y + box.height, layout.status.y) << "the status bar stays legible";
    EXPECT_GT(box.y + box.height, layout.status.y - 20);
    EXPECT_NEAR(box.x + box.width / 2, request.width / 2, 1) << "under the dialog, which is in the middle";
}

TEST(Layout, MessagesKeepClearOfAToolWindow) {
    LayoutRequest request = usual();
    request.messages_width = 500;
    request.messages_height = 60;
    const Layout without = lay_out(request);
    EXPECT_EQ(without.tools.y, without.menu.height);
    EXPECT_EQ(without.tools.y + without.tools.height, without.status.y);
    const auto clear = [](const Box& a, const Box& b) {
        return a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y;
    };
    const Box& all = without.tools;
    for (const Box& tool : {Box{8, all.y + 8, 640, all.height - 16},               // over the panel
                            Box{600, all.y + 8, 672, all.height - 16},             // at the right
                            Box{8, all.y + all.height / 2, 1264, all.height / 2},  // over the lower half
                            Box{8, all.y, 1264, all.height / 2}}) {
        request.tool = tool;
        const Layout layout = lay_out(request);
        EXPECT_FALSE(layout.messages.empty());
        EXPECT_TRUE(clear(layout.messages, tool)) << tool.x << ' ' << tool.y;
        EXPECT_EQ(layout.picture, without.picture);
        EXPECT_GE(layout.messages.x, float(layout.picture.x));
    }
    request.tool = all;  // there is no other place
    EXPECT_EQ(lay_out(request).messages, without.messages);
}

TEST(Layout, PresentingLeavesPictureCaptionAndPlots) {
    LayoutRequest request = usual();
    request.presenting = true;
    request.dock_width = 440;
    request.caption_height = 200;
    const Layout layout = lay_out(request);
    EXPECT_TRUE(layout.menu.empty() && layout.panel.empty() && layout.status.empty());
    EXPECT_EQ(layout.picture, (PixelRect{0, 0, 840, 520}));
    EXPECT_FLOAT_EQ(layout.caption.y, 520);
    EXPECT_FLOAT_EQ(layout.caption.width, 1280);
    EXPECT_FLOAT_EQ(layout.dock.height, 520);
    request.caption_height = 5000;  // the picture keeps more than half
    EXPECT_GE(lay_out(request).picture.height, 360);
}

// The windows people have, and the smallest, in units: 1280×800 at scale 2 is 640.
constexpr float widths[] = {640, 700, 800, 960, 1024, 1280, 1440, 1920, 2560};

// And two fifths of it beside the text of a lesson.
TEST(Layout, PictureKeepsHalfOfTheWindowWhateverIsOpen) {
    for (const float width : widths)
        for (const float scale : {1.0f, 2.0f})
            for (const float dock : {0.0f, 320.0f, 440.0f, 700.0f})
                for (const bool text : {false, true}) {
                    LayoutRequest request = usual();
                    request.width = width * scale;
                    request.height = 800 * scale;
                    request.scale = scale;
                    request.row_height = 26 * scale;
                    request.panel_width = text ? 380 : 320;
                    request.panel_first = text;
                    request.dock_width = dock;
                    const Layout layout = lay_out(request);
                    EXPECT_GE(float(layout.picture.width) + layout.handle.width,
                              std::floor(request.width * (text ? 0.4f : 0.5f)) - 1)
                        << width << " " << scale << " " << dock;
                    EXPECT_FALSE(layout.panel.empty() && layout.dock.empty());
                    EXPECT_TRUE(layout.panel.empty() || layout.panel.width >= min_panel_width * scale);
                    EXPECT_TRUE(layout.dock.empty() || layout.dock.width >= min_dock_width * scale);
                }
}

TEST(Layout, PlotsNarrowBeforeThePanelAndAsFarAsTheyMust) {
    LayoutRequest request = usual();
    request.dock_width = 440;
    EXPECT_FLOAT_EQ(lay_out(request).dock.width, 320);
    EXPECT_FLOAT_EQ(lay_out(request).panel.width, 320);
    request.width = 1400;
    EXPECT_FLOAT_EQ(lay_out(request).dock.width, 380);
    EXPECT_FLOAT_EQ(lay_out(request).panel.width, 320);
    request.width = 1200;
    EXPECT_FLOAT_EQ(lay_out(request).dock.width, 320);
    EXPECT_FLOAT_EQ(lay_out(request).panel.width, 280);
    request.width = 1920;
    EXPECT_FLOAT_EQ(lay_out(request).dock.width, 440);
    request.dock_width = 0;
    request.panel_width = 5000;
    EXPECT_FLOAT_EQ(lay_out(request).panel.width, 960);
}

TEST(Layout, APanelOfControlsGivesWayToTextThatNeedsTheWidth) {
    LayoutRequest request = usual();
    request.dock_width = 640;
    request.dock_least = 560;
    EXPECT_TRUE(lay_out(request).panel.empty()) << "1280 wide";
    EXPECT_FLOAT_EQ(lay_out(request).dock.width, 640);
    request.width = 1920;
    EXPECT_FLOAT_EQ(lay_out(request).panel.width, 320);
    EXPECT_FLOAT_EQ(lay_out(request).dock.width, 640);
    request.width = 900;
    EXPECT_FLOAT_EQ(lay_out(request).dock.width, 450);
    request.width = 600;
    EXPECT_FLOAT_EQ(lay_out(request).dock.width, 320);
}

TEST(Layout, WithoutSpaceForBothATextStaysAndAPanelOfControlsGoes) {
    LayoutRequest request = usual();
    request.width = 800;
    request.dock_width = 440;
    EXPECT_TRUE(lay_out(request).panel.empty());
    EXPECT_FLOAT_EQ(lay_out(request).dock.width, 400);
    request.panel_first = true;
    EXPECT_FALSE(lay_out(request).panel.empty());
    EXPECT_TRUE(lay_out(request).dock.empty());
}

// A telephone: 390×844 units.
TEST(Layout, InAnUprightWindowTheTextOfALessonIsBelowThePicture) {
    LayoutRequest request = usual();
    request.width = 390;
    request.height = 844;
    EXPECT_TRUE(lay_out(request).panel.empty()) << "controls are opened over the picture";
    request.panel_first = true;
    const Layout text = lay_out(request);
    EXPECT_TRUE(text.handle.empty());
    EXPECT_FLOAT_EQ(text.panel.x, 0);
    EXPECT_FLOAT_EQ(text.panel.width, 390);
    EXPECT_FLOAT_EQ(text.panel.y + text.panel.height, text.status.y);
    EXPECT_LE(text.picture.y + text.picture.height, int(text.panel.y));
    EXPECT_GE(text.picture.height, text.panel.height);
    EXPECT_EQ(text.picture.x, 0);
    EXPECT_NEAR(text.picture.width, 390, 1);
    request.height = 420;
    EXPECT_NE(lay_out(request).panel.width, 390) << "not upright";
}

TEST(Layout, APanelWithoutSpaceIsOpenedOverThePicture) {
    LayoutRequest request = usual();
    request.width = 640;
    request.height = 480;
    EXPECT_TRUE(lay_out(request).handle.empty()) << "it has its space";
    request.scale = 2;
    request.row_height = 52;
    const Layout closed = lay_out(request);
    EXPECT_TRUE(closed.panel.empty());
    EXPECT_FALSE(closed.handle.empty());
    EXPECT_EQ(closed.picture.x, int(closed.handle.x + closed.handle.width)) << "it covers no pane";
    EXPECT_EQ(closed.picture.x + closed.picture.width, 640);
    request.panel_over = true;
    const Layout open = lay_out(request);
    EXPECT_EQ(open.picture, closed.picture);
    EXPECT_GT(open.panel.width, 0.9f * 640);
    EXPECT_FLOAT_EQ(open.handle.x, open.panel.width);
    EXPECT_LE(open.handle.x + open.handle.width, 640);
    request.panels = false;
    EXPECT_TRUE(lay_out(request).handle.empty() && lay_out(request).panel.empty());
}

// 300 units wide, as a window of 600 pixels is at scale 2.
TEST(Layout, PlotsWithoutSpaceAreOverThePicture) {
    LayoutRequest request = usual();
    request.width = 600;
    request.scale = 2;
    request.row_height = 52;
    const Layout closed = lay_out(request);
    EXPECT_TRUE(closed.dock.empty());
    request.dock_width = 440;
    for (const bool panel_over : {false, true}) {
        request.panel_over = panel_over;
        const Layout open = lay_out(request);
        EXPECT_EQ(open.picture, closed.picture) << "it is not resized";
        EXPECT_FLOAT_EQ(open.dock.width, 600);
        EXPECT_FLOAT_EQ(open.dock.y, 52);
        EXPECT_TRUE(open.panel.empty());
    }
    request.panel_first = true;  // the text of a lesson stays
    EXPECT_TRUE(lay_out(request).dock.empty());
    EXPECT_FALSE(lay_out(request).panel.empty());
}

TEST(Layout, PresentingHasTheToolbarOverThePicture) {
    LayoutRequest request = usual();
    request.toolbar_height = 34;
    request.presenting = true;
    const PixelRect picture = lay_out(request).picture;
    request.toolbar_over = true;
    EXPECT_EQ(lay_out(request).toolbar, (Box{0, 0, 1280, 34}));
    EXPECT_EQ(lay_out(request).picture, picture) << "it is not resized";
    request.toolbar_height = 0;  // hidden
    EXPECT_TRUE(lay_out(request).toolbar.empty());
    request.presenting = false;
    request.toolbar_height = 34;
    EXPECT_FLOAT_EQ(lay_out(request).toolbar.y, 26) << "below the menus";
}

TEST(Layout, PanelLeavesRoomForThePicture) {
    LayoutRequest request = usual();
    request.panel_width = 5000;
    EXPECT_GE(lay_out(request).picture.width, int(min_picture_width) - 1);
    request.width = 400;
    EXPECT_TRUE(lay_out(request).panel.empty());
}

TEST(Layout, TheFilmstripIsBelowThePictureWhichKeepsHalfOfTheWindow) {
    LayoutRequest request = usual();
    request.filmstrip = true;
    const Layout layout = lay_out(request);
    EXPECT_EQ(layout.picture.height, 668 - int(filmstrip_height));
    EXPECT_FLOAT_EQ(layout.filmstrip.x, 320);
    EXPECT_FLOAT_EQ(layout.filmstrip.width, 960);
    EXPECT_FLOAT_EQ(layout.filmstrip.y + layout.filmstrip.height, layout.status.y);
    EXPECT_FLOAT_EQ(layout.panel.y + layout.panel.height, layout.status.y) << "the panel keeps its height";
    bool bare = false, none = false;
    for (int height = 100; height <= 720; ++height) {
        request.height = float(height);
        const Layout low = lay_out(request);
        if (low.filmstrip.empty()) {
            none = true;
        } else {
            EXPECT_GE(low.picture.height + 1, height / 2) << height;  // 1: the parity of the image
            bare = bare || low.filmstrip.height < filmstrip_height;
        }
    }
    EXPECT_TRUE(bare && none);
}

TEST(Layout, TheFilmstripGoesWithThePanelsAndFromAPresentation) {
    for (const bool presenting : {false, true}) {
        LayoutRequest request = usual();
        request.filmstrip = true;
        request.panels = presenting;
        request.presenting = presenting;
        EXPECT_TRUE(lay_out(request).filmstrip.empty());
    }
}

TEST(WayGiven, ADialogMovesAboveMessagesAndBack) {
    WayGiven way;
    const Box at{100, 200, 300, 400};
    EXPECT_FALSE(way.place(at, 20, 700, false, false)) << "no messages";
    EXPECT_FALSE(way.place(at, 20, 700, true, false)) << "they are below it";
    const auto above = way.place(at, 20, 500, true, false);
    ASSERT_TRUE(above);
    EXPECT_EQ(above->y, 100);
    EXPECT_EQ(above->height, 400);
    EXPECT_FALSE(way.place(*above, 20, 500, false, true)) << "nothing moves away under the mouse";
    const auto back = way.place(*above, 20, 500, false, false);
    ASSERT_TRUE(back);
    EXPECT_EQ(back->y, 200);
}

TEST(WayGiven, ADialogIsLowerIfItMustAndStaysWhereTheUserPutsIt) {
    WayGiven way;
    const auto lower = way.place({100, 200, 300, 400}, 20, 320, true, false);
    ASSERT_TRUE(lower);
    EXPECT_EQ(lower->y, 20);
    EXPECT_EQ(lower->height, 300);
    EXPECT_FALSE(way.place({150, 10, 300, 300}, 20, 700, false, false)) << "moved since";
}

}  // namespace
}  // namespace texelscope::test
