// The positions of bars, panel and picture.

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

TEST(Layout, APanelOfTextGivesWayToPlotsAndStaysWhereTheyHaveNoRoom) {
    LayoutRequest request = usual();
    request.panel_width = 600;
    request.dock_width = 440;
    request.panel_first = true;
    const Layout wide = lay_out(request);
    EXPECT_FLOAT_EQ(wide.panel.width, 600);
    EXPECT_GE(wide.dock.width, min_dock_width);
    request.width = 800;
    const Layout narrow = lay_out(request);
    EXPECT_FLOAT_EQ(narrow.panel.width, 800 - min_picture_width - min_dock_width);
    EXPECT_FLOAT_EQ(narrow.dock.width, min_dock_width);
    request.width = 700;
    const Layout small = lay_out(request);
    EXPECT_FALSE(small.panel.empty());
    EXPECT_TRUE(small.dock.empty());
    request.panel_first = false;
    EXPECT_TRUE(lay_out(request).panel.empty());
    EXPECT_FALSE(lay_out(request).dock.empty());
}

TEST(Layout, PanelLeavesRoomForThePicture) {
    LayoutRequest request = usual();
    request.panel_width = 5000;
    EXPECT_GE(lay_out(request).picture.width, int(min_picture_width) - 1);
    request.width = 400;
    EXPECT_TRUE(lay_out(request).panel.empty());
}

}  // namespace
}  // namespace texelscope::test
