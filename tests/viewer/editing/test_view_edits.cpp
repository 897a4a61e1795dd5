// The view: going to typed coordinates, where a picture is that the view has left, and closer looks that tell methods
// apart.

#include <algorithm>
#include <cmath>
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/picture/pane_picture.h"
#include "app/state/history.h"
#include "app/state/panes.h"
#include "app/viewer/editing/actions.h"
#include "app/viewer/editing/comparison_edits.h"
#include "app/viewer/editing/view_edits.h"
#include "app/viewer/lessons/lesson.h"
#include "tests/viewer/editing/panes_under_test.h"

namespace texelscope::test {

// Going to typed coordinates; where a picture is that the view has left.

namespace {

class GoingTo : public PaneInput {
protected:
    // The cursor is over a pixel of the active pane that reads exactly this point, well inside what is seen of it.
    void expect_at(Point p, const std::string& when) {
        input_.follow(state_);
        const int pane = state_.scene.active;
        ASSERT_TRUE(state_.pointer.inside) << when;
        EXPECT_EQ(focused_pane(state_), pane) << when;
        const Point read = shown_point(state_, state_.pointer.x, state_.pointer.y, pane);
        EXPECT_NEAR(read.x, p.x, 1e-9) << when;
        EXPECT_NEAR(read.y, p.y, 1e-9) << when;
        const PixelRect rect = pane_rect(state_, pane), clip = pane_clip(state_, pane);
        EXPECT_NEAR(rect.x + state_.pointer.x, clip.x + clip.width / 2, 1) << when;
        EXPECT_NEAR(rect.y + state_.pointer.y, clip.y + clip.height / 2, 1) << when;
    }
    void go(const std::string& text) {
        const auto command = typed_command(state_, text);
        ASSERT_TRUE(command && command->run) << text;
        command->run(state_);
    }
};

TEST_F(GoingTo, PutsAPixelExactlyThere) {
    go("go 12.375 40.2");
    expect_at({12.375, 40.2}, "a fraction of a sample");
    EXPECT_EQ(pane_view(state_, 0).zoom(), 8) << "the zoom stays";
    EXPECT_TRUE(state_.ui.taps);
    EXPECT_EQ(state_.ui.dock, Dock::taps);
    go("goto 0; 63");
    expect_at({0, 63}, "a sample at the edge");
    go("go to (-0.5, 63.5)");
    expect_at({-0.5, 63.5}, "the very corner");
    state_.scene.documents[0].view = {5, -3, 0.3, 37};
    go("g 20 30.125");
    expect_at({20, 30.125}, "turned");
    EXPECT_EQ(pane_view(state_, 0).rotate, 37);
    state_.places.picture = {300, 30, 501, 333};
    go("go 20.5 30");
    expect_at({20.5, 30}, "an odd window");
}

TEST_F(GoingTo, FollowsTheActivePaneWhateverItShows) {
    state_.scene.arrangement = Arrangement::columns;
    state_.scene.active = 1;
    state_.scene.panes[1].source = "@step";  // of twice the size
    state_.scene.panes[1].offset = {3, 1, 1, 10};
    go("go 100.25 17");
    expect_at({100.25, 17}, "another image, linked");
    state_.scene.panes[1].own_view = View{1, 2, 0.5, 0};
    const View others = state_.scene.documents[0].view;
    go("go 3 99.5");
    expect_at({3, 99.5}, "its own view");
    EXPECT_EQ(state_.scene.documents[0].view, others);
    for (const int active : {0, 1}) {
        state_.scene.panes[1] = state_.scene.panes[0];
        state_.scene.arrangement = Arrangement::wipe;
        state_.scene.wipe.at = 0.3;
        state_.scene.active = active;
        go("go 12 13.5");
        if (active == 1) expect_at({12, 13.5}, "the wider side of a wipe");
        input_.follow(state_);
        EXPECT_EQ(focused_pane(state_), active);
    }
}

TEST_F(GoingTo, IsThereWhenTheAnimationHasEnded) {
    state_.ui.animate = true;
    go("go 50.5 9.25");
    ASSERT_TRUE(state_.transition);
    state_.now += 1;
    update_views(state_);
    expect_at({50.5, 9.25}, "animated");
}

TEST_F(GoingTo, OneSentenceForWhatIsNoPlaceInThePicture) {
    const std::string no_position = "type x and y in samples, such as 120.5 80.25.";
    for (const auto& [text, problem] :
         std::map<std::string, std::string>{{"go 5", "“5” is no position; " + no_position},
                                            {"go 1 2 3", "“1 2 3” is no position; " + no_position},
                                            {"go 1 x2", "“1 x2” is no position; " + no_position},
                                            {"go 64 3", "x can be from −0.5 to 63.5: sample i is at i."},
                                            {"go 3 -0.75", "y can be from −0.5 to 63.5: sample i is at i."},
                                            {"go 3 1e30", "y can be from −0.5 to 63.5: sample i is at i."}}) {
        const auto command = typed_command(state_, text);
        ASSERT_TRUE(command) << text;
        EXPECT_EQ(command->problem, problem);
        EXPECT_FALSE(command->run) << text;
    }
    EXPECT_EQ(typed_command(state_, "go 3,4")->title, "Go to 3, 4");
    state_.scene.outside = Outside::extend;
    EXPECT_TRUE(typed_command(state_, "go -64 100")->run) << "where the image is extended";
    EXPECT_FALSE(typed_command(state_, "go -65 100")->run);
    EXPECT_FALSE(typed_command(state_, "go"));
}

TEST_F(GoingTo, ASignalHasOneCoordinate) {
    auto signal = std::make_shared<Image>(100, 1, 1, SampleType::f32);
    signal->set_dimensions(1);
    state_.scene.documents[0].image = signal;
    EXPECT_FALSE(typed_command(state_, "go 12 3")->run);
    go("go 12.5");
    input_.follow(state_);
    EXPECT_NEAR(shown_point(state_, state_.pointer.x, state_.pointer.y, 0).x, 12.5, 1e-9);
}

TEST_F(GoingTo, TheFieldBeginsWithTheMiddleOfTheView) {
    state_.ui.panels = false;
    find_action("view.go-to")->run(state_);
    ASSERT_TRUE(state_.ui.typed_position);
    EXPECT_TRUE(state_.ui.panels) << "it is in the status bar";
    EXPECT_EQ(state_.ui.typed_position->text, "31.5 31.5");
}

// Where the picture is.

TEST_F(GoingTo, AnEmptyPaneKnowsTheWayToItsPicture) {
    EXPECT_FALSE(way_to_picture(state_, 0));
    View& view = state_.scene.documents[0].view;  // 64 samples, 8 pixels each, in a pane of 600×400
    view = {500, 0, 0.125, 0};
    auto way = way_to_picture(state_, 0);
    ASSERT_TRUE(way);
    EXPECT_NEAR(way->x, -(500 - 32) / 0.125, 1);
    EXPECT_NEAR(way->y, 0, 1);
    view = {0, -500, 0.125, 0};
    way = way_to_picture(state_, 0);
    ASSERT_TRUE(way);
    EXPECT_NEAR(way->x, 0, 1);
    EXPECT_NEAR(way->y, (500 - 32) / 0.125, 1) << "down";
    state_.scene.outside = Outside::extend;
    EXPECT_FALSE(way_to_picture(state_, 0)) << "nothing is empty";
    state_.scene.outside = Outside::background;
    EXPECT_FALSE(way_to_picture(state_, 1)) << "it is not in view";
}

// Turned by 45°, a corner of the picture's box may be in view without any of the picture.
TEST_F(GoingTo, ARotatedPictureIsInViewOnlyIfSomeOfItIs) {
    View& view = state_.scene.documents[0].view;
    for (const double turn : {0.0, 20.0, 45.0, -130.0})
        for (const double x : {-90.0, -70.0, -50.0, 0.0, 62.0, 80.0})
            for (const double y : {-75.0, -55.0, 20.0, 58.0}) {
                view = {x, y, 0.125, turn};
                const Affine affine = shown_affine(state_, 0);
                bool seen = false;
                for (int j = 0; j < 400 && !seen; ++j)
                    for (int i = 0; i < 600 && !seen; ++i) {
                        const Point p = apply(affine, i, j);
                        seen = p.x >= -0.5 && p.y >= -0.5 && p.x < 63.5 && p.y < 63.5;
                    }
                EXPECT_EQ(way_to_picture(state_, 0).has_value(), !seen) << x << " " << y << " " << turn;
            }
}

// A frame on the minimap, of any view.
TEST_F(GoingTo, TheMinimapAlwaysShowsTheFrame) {
    constexpr double least = 6;
    View& view = state_.scene.documents[0].view;
    for (const double turn : {0.0, 30.0})
        for (const View& each : {View{0, 0, 0.125, 0}, View{400, -900, 0.125, 0}, View{-31, 31, 1.0 / 512, 0},
                                 View{-1e6, 1e6, 1.0 / 512, 0}, View{33, 0, 1.0 / 512, 0}}) {
            view = each;
            view.rotate = turn;
            const auto minimap = minimap_of(state_, 1);
            ASSERT_TRUE(minimap);
            const auto corners = seen_on_minimap(state_, *minimap, least);
            double x0 = INFINITY, y0 = INFINITY, x1 = -INFINITY, y1 = -INFINITY;
            for (const Point& p : corners) {
                x0 = std::min(x0, p.x), x1 = std::max(x1, p.x);
                y0 = std::min(y0, p.y), y1 = std::max(y1, p.y);
            }
            const PixelRect& map = minimap->place;
            EXPECT_GE(std::min(x1, double(map.x + map.width)) - std::max(x0, double(map.x)), least - 1e-6);
            EXPECT_GE(std::min(y1, double(map.y + map.height)) - std::max(y0, double(map.y)), least - 1e-6);
        }
    view = {0, 0, 0.125, 0};  // as it is, where there is room: 600 × 400 pixels are 75 × 50 samples
    const auto minimap = minimap_of(state_, 1);
    const auto corners = seen_on_minimap(state_, *minimap, least);
    EXPECT_NEAR(corners[1].x - corners[0].x, 75.0 * minimap->place.width / 64, 1e-6);
    EXPECT_NEAR(corners[2].y - corners[1].y, 50.0 * minimap->place.height / 64, 1e-6);
}

}  // namespace

// Methods that look alike in a small picture are shown close up, or that is offered.

namespace {

using ::testing::HasSubstr;

class CloserLook : public testing::Test {
protected:
    void SetUp() override {
        state_ = with_panes(1);
        auto image = std::make_shared<Image>(2000, 1500, 1, SampleType::u8);
        for (int y = 1200; y < 1264; ++y)  // detail
            for (int x = 1500; x < 1564; ++x) *(image->row_as<uint8_t>(y) + x) = uint8_t((x * 7 + y * 13) % 256);
        Document photo = document("/photos/meadow.png", 1, 1);
        photo.image = image;
        photo.keep_fit = true;
        state_.scene.documents = {photo};
        update_views(state_);
    }
    void press(const char* key) {
        const Shortcut shortcut = parse_shortcut(key);
        run_shortcut(state_, {shortcut.key, shortcut.character, shortcut.modifiers, false, false});
        if (shortcut.character) run_shortcut(state_, {Key::none, shortcut.character, {}, true, false});
    }
    double zoom() const { return place_of(state_, state_.scene.active).target.zoom(); }
    bool offered() const {
        return std::any_of(state_.messages.begin(), state_.messages.end(),
                           [](const Message& message) { return message.offer == "Zoom to 400 %"; });
    }
    // Whether the detail is within the pane.
    bool shows_detail() const {
        const Extent output = output_extent(state_, 0);
        const Point at = apply_inverse(shown_affine(state_, 0), {1532, 1232});
        return at.x > 0 && at.y > 0 && at.x < output.width && at.y < output.height;
    }

    AppState state_;
};

TEST_F(CloserLook, AMethodByItsKeyShowsAFreshFileWhereMethodsDiffer) {
    ASSERT_LT(zoom(), 0.5);
    ASSERT_TRUE(looks_alike(state_));
    record_history(state_);
    press("2");
    EXPECT_EQ(state_.scene.spec().method->id, "bilinear");
    EXPECT_EQ(zoom(), 4);
    EXPECT_TRUE(shows_detail());
    EXPECT_FALSE(looks_alike(state_));
    EXPECT_THAT(state_.messages.back().text, HasSubstr("400 %"));
    EXPECT_FALSE(offered());
    // Once: then the user has seen where it goes.
    press("F");
    EXPECT_LT(zoom(), 0.5);
    press("3");
    EXPECT_LT(zoom(), 0.5);
    EXPECT_TRUE(offered());
    state_.messages.clear();
    press("1");
    EXPECT_FALSE(offered()) << "each text once";
}

TEST_F(CloserLook, UndoGoesBack) {
    const View before = state_.scene.document()->view;
    record_history(state_);
    state_.now += 10;
    record_history(state_);
    press("2");
    EXPECT_EQ(zoom(), 4);
    record_history(state_);
    state_.now += 10;
    record_history(state_);
    undo(state_);
    update_views(state_);
    EXPECT_EQ(state_.scene.document()->view, before);
    EXPECT_TRUE(state_.scene.document()->keep_fit);
}

TEST_F(CloserLook, PresetsOfMethodsAndPrefiltersDoSoInEachPane) {
    for (const char* id : {"preset.four-methods", "preset.all-methods", "preset.prefilters"}) {
        SetUp();
        find_action(id)->perform(state_);
        ASSERT_GE(state_.scene.panes.size(), 4u) << id;
        for (int pane = 0; pane < int(state_.scene.panes.size()); ++pane)
            EXPECT_EQ(place_of(state_, pane).target.zoom(), 4) << id;
        EXPECT_TRUE(shows_detail()) << id;
    }
    SetUp();
    find_action("preset.antialias")->perform(state_);
    EXPECT_LT(zoom(), 0.5) << "its panes differ where the view zooms out";
}

TEST_F(CloserLook, AViewThatTheUserChoseStaysAndAnOfferIsMade) {
    press("Ctrl+1");
    ASSERT_EQ(zoom(), 1);
    press("2");
    EXPECT_EQ(zoom(), 1);
    ASSERT_TRUE(offered());
    const auto accept = state_.messages.back().accept;
    drop_read(state_);
    ASSERT_TRUE(offered());
    accept(state_);
    EXPECT_EQ(zoom(), 4);
    drop_read(state_);
    EXPECT_FALSE(offered()) << "it is there already";
}

TEST_F(CloserLook, PanesSideBySideOnlyOffer) {
    press("G");
    EXPECT_EQ(state_.scene.panes.size(), 2u);
    EXPECT_LT(zoom(), 0.5);
    EXPECT_TRUE(offered());
    state_.scene.documents.push_back(state_.scene.documents[0]);
    state_.scene.documents.back().source = "other.jpg";
    state_.scene.current = 1;
    drop_read(state_);
    EXPECT_FALSE(offered()) << "another picture is shown";
}

// Enlarged to twice its size in one pane, it is at 100 % in four.
TEST_F(CloserLook, ASmallPhotographInFourPanesToo) {
    const Extent pane = output_extent(state_, 0);
    state_.scene.documents[0].image = std::make_shared<Image>(pane.width / 2, pane.height / 2, 1, SampleType::u8);
    update_views(state_);
    ASSERT_GT(zoom(), 1.9);
    find_action("preset.four-methods")->perform(state_);
    EXPECT_EQ(zoom(), 4);
}

// Fitted, at more than 150 %, under a divider: methods look alike there too.
TEST_F(CloserLook, AWipeOverASmallPhotographOffers) {
    const Extent pane = output_extent(state_, 0);
    state_.scene.documents[0].image = std::make_shared<Image>(pane.width / 2, pane.height / 2, 1, SampleType::u8);
    update_views(state_);
    find_action("compare.wipe")->perform(state_);
    EXPECT_GT(zoom(), 1.9);
    EXPECT_TRUE(offered());
}

TEST_F(CloserLook, SeveralPanesShownWholeOrAtHundredPercentOffer) {
    press("G");
    find_action("compare.zoom-to-difference")->perform(state_);
    for (const char* key : {"Ctrl+1", "F"}) {
        state_.messages.clear();
        state_.offers_made.clear();
        press(key);
        EXPECT_TRUE(offered()) << key;
    }
}

TEST_F(CloserLook, NothingHappensWhereMethodsCanBeToldApart) {
    set_zoom(state_, 2);
    press("2");
    EXPECT_EQ(zoom(), 2);
    EXPECT_TRUE(state_.messages.empty());
}

TEST_F(CloserLook, TestImagesAndLessonsKeepTheirView) {
    state_.scene.documents[0].source = "@natural";
    press("2");
    EXPECT_LT(zoom(), 0.5);
    EXPECT_TRUE(state_.messages.empty());
    state_.scene.documents[0].source = "/photos/meadow.png";
    state_.lesson.lesson = std::make_shared<const Lesson>();
    find_action("method.bspline")->perform(state_);
    EXPECT_LT(zoom(), 0.5);
    EXPECT_TRUE(state_.messages.empty());
}

// The place is looked for in what is seen, and the edges of the picture stay beyond those of the pane.
TEST_F(CloserLook, TheActionStaysInView) {
    press("Ctrl+1");
    centre_on(state_, 0, {300, 250});
    find_action("compare.zoom-to-difference")->perform(state_);
    EXPECT_EQ(zoom(), 4);
    EXPECT_FALSE(shows_detail());
    press("F");
    find_action("compare.zoom-to-difference")->perform(state_);
    EXPECT_TRUE(shows_detail());
    const Affine positions = shown_affine(state_, 0);
    const Extent output = output_extent(state_, 0);
    const Point low = apply(positions, 0, 0), high = apply(positions, output.width - 1, output.height - 1);
    EXPECT_GE(low.x, -0.5);
    EXPECT_GE(low.y, -0.5);
    EXPECT_LE(high.x, 1999.5);
    EXPECT_LE(high.y, 1499.5);
}

}  // namespace
}  // namespace texelscope::test
