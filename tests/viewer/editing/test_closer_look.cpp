// Methods that look alike in a small picture are shown close up, or that is offered.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/state/history.h"
#include "app/state/pane_places.h"
#include "app/state/pane_views.h"
#include "app/viewer/editing/actions.h"
#include "app/viewer/editing/closer_look.h"
#include "app/viewer/editing/view_edits.h"
#include "app/viewer/lessons/lesson.h"
#include "tests/viewer/editing/panes_under_test.h"

namespace texelscope::test {
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
    double zoom() const { return target_view(state_.scene, state_.scene.active).zoom(); }
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

TEST_F(CloserLook, FourMethodsDoSoInEachPane) {
    find_action("preset.four-methods")->perform(state_);
    ASSERT_EQ(state_.scene.panes.size(), 4u);
    for (int pane = 0; pane < 4; ++pane) EXPECT_EQ(target_view(state_.scene, pane).zoom(), 4);
    EXPECT_TRUE(shows_detail());
}

TEST_F(CloserLook, AViewThatTheUserChoseStaysAndAnOfferIsMade) {
    press("Ctrl+1");
    ASSERT_EQ(zoom(), 1);
    press("2");
    EXPECT_EQ(zoom(), 1);
    ASSERT_TRUE(offered());
    const auto accept = state_.messages.back().accept;
    accept(state_);
    EXPECT_EQ(zoom(), 4);
}

TEST_F(CloserLook, PanesSideBySideOnlyOffer) {
    press("G");
    EXPECT_EQ(state_.scene.panes.size(), 2u);
    EXPECT_LT(zoom(), 0.5);
    EXPECT_TRUE(offered());
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
