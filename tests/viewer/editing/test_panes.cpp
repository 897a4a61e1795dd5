// Panes: how they share the picture area, their views, their commands.

#include <algorithm>
#include <optional>

#include <gtest/gtest.h>

#include "app/picture/pane_picture.h"
#include "app/state/panes.h"
#include "app/viewer/editing/actions.h"
#include "app/viewer/editing/method_edits.h"
#include "app/viewer/editing/pane_edits.h"
#include "app/viewer/editing/view_edits.h"
#include "gpu/core/tile_source.h"
#include "tests/viewer/editing/panes_under_test.h"

namespace texelscope::test {
namespace {

bool overlap(const PixelRect& a, const PixelRect& b) {
    return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

TEST(Panes, ShareThePictureWithoutOverlapAndAreOfOneSize) {
    for (int count = 1; count <= max_panes; ++count)
        for (const Arrangement arrangement : {Arrangement::columns, Arrangement::rows, Arrangement::grid}) {
            AppState state = with_panes(count);
            state.scene.arrangement = arrangement;
            const PixelRect& picture = state.places.picture;
            for (int a = 0; a < count; ++a) {
                const PixelRect rect = pane_rect(state, a);
                EXPECT_FALSE(rect.empty());
                EXPECT_EQ(rect.width, pane_rect(state, 0).width);
                EXPECT_EQ(rect.height, pane_rect(state, 0).height);
                EXPECT_GE(rect.x, picture.x);
                EXPECT_GE(rect.y, picture.y);
                EXPECT_LE(rect.x + rect.width, picture.x + picture.width);
                EXPECT_LE(rect.y + rect.height, picture.y + picture.height);
                for (int b = 0; b < a; ++b) EXPECT_FALSE(overlap(rect, pane_rect(state, b))) << a << b;
            }
        }
}

// At 100 % whole samples fall on whole pixels only if both sizes are even or both odd.
TEST(Panes, HaveTheParityOfTheImage) {
    for (const int side : {63, 64})
        for (int count = 2; count <= 9; ++count) {
            AppState state = with_panes(count);
            state.scene.documents[0] = document("@constant", side, side);
            state.scene.arrangement = Arrangement::grid;
            EXPECT_EQ((pane_rect(state, 0).width - side) % 2, 0) << count;
            EXPECT_EQ((pane_rect(state, 0).height - side) % 2, 0) << count;
        }
}

TEST(Panes, SingleShowsTheActiveOneAlone) {
    AppState state = with_panes(3);
    state.scene.active = 2;
    EXPECT_EQ(panes_in_view(state.scene), std::vector<int>{2});
    EXPECT_EQ(pane_rect(state, 2), state.places.picture);
    EXPECT_TRUE(pane_rect(state, 0).empty());
    flip_panes(state.scene);
    EXPECT_EQ(state.scene.active, 0);
}

TEST(Panes, AreLaidOutOnceAsEachIsByItself) {
    for (const Arrangement arrangement : all_arrangements) {
        const auto name = name_of(arrangement);
        AppState state = with_panes(3);
        state.scene.arrangement = arrangement;
        state.scene.active = 2;
        state.scene.panes[1].source = "@step";
        const PaneLayout layout = lay_out_panes(state);
        EXPECT_EQ(layout.in_view, panes_in_view(state.scene)) << name;
        for (int pane = 0; pane < 3; ++pane) {
            EXPECT_EQ(layout[pane].rect, pane_rect(state, pane)) << name;
            EXPECT_EQ(layout[pane].clip, pane_clip(state, pane)) << name;
            EXPECT_EQ(layout[pane].samples(), image_extent(state, pane)) << name;
            const bool seen = std::ranges::count(layout.in_view, pane) > 0;
            EXPECT_EQ(layout[pane].has_picture(), seen) << name;
            const PixelRect& clip = layout[pane].clip;
            EXPECT_EQ(layout.pane_at(clip.x, clip.y), seen ? std::optional(pane) : layout.pane_at(0, 0)) << name;
        }
        EXPECT_FALSE(layout.pane_at(319, 100)) << name;
        EXPECT_FALSE(layout[3].has_picture()) << "there is no such pane";
    }
}

TEST(Panes, TheDividerLeavesNothingOut) {
    AppState state = with_panes(3);
    state.scene.arrangement = Arrangement::wipe;
    EXPECT_EQ(panes_in_view(state.scene), (std::vector<int>{0, 1}));
    for (const bool horizontal : {false, true})
        for (const double at : {0.0, 0.3, 1.0}) {
            state.scene.wipe = {horizontal, false, at};
            const PixelRect a = pane_clip(state, 0), b = pane_clip(state, 1);
            EXPECT_FALSE(overlap(a, b));
            EXPECT_EQ(a.width * a.height + b.width * b.height, 600 * 400);
            EXPECT_EQ(horizontal ? a.height : a.width, int((horizontal ? 400 : 600) * at + 0.5));
        }
}

TEST(Panes, LinkedViewsShowTheSameField) {
    AppState state = with_panes(2);
    state.scene.arrangement = Arrangement::columns;
    state.scene.panes[1].source = "@step";  // twice the size
    set_view(state, {5, -3, 0.25, 20}, false, 0);
    const View other = pane_view(state, 1);
    EXPECT_EQ(other, (View{10, -6, 0.5, 20}));
    // A point at a fraction of one image is at the same fraction of the other.
    const Point a = apply(shown_affine(state, 0), 17, 40), b = apply(shown_affine(state, 1), 17, 40);
    EXPECT_NEAR((a.x + 0.5) / 64, (b.x + 0.5) / 128, 1e-12);
    EXPECT_NEAR((a.y + 0.5) / 64, (b.y + 0.5) / 128, 1e-12);
    // Zooming over the second pane moves the first with it.
    set_view(state, {2, 4, 1, 0}, false, 1);
    EXPECT_EQ(pane_view(state, 0), (View{1, 2, 0.5, 0}));
}

TEST(Panes, AnOffsetIsKeptAndAnUnlinkedViewIsItsOwn) {
    AppState state = with_panes(2);
    state.scene.panes[1].offset = {3, 0, 2, 10};
    set_view(state, {1, 1, 0.5, 0}, false, 0);
    EXPECT_EQ(pane_view(state, 1), (View{5, 2, 1, 10}));
    unlink_view(state, 1);
    set_view(state, {0, 0, 1, 0}, false, 0);
    EXPECT_EQ(pane_view(state, 1), (View{5, 2, 1, 10}));
    set_view(state, {7, 7, 7, 7}, false, 1);
    EXPECT_EQ(pane_view(state, 0), (View{0, 0, 1, 0}));
    link_view(state.scene, 1);
    EXPECT_EQ(pane_view(state, 1), pane_view(state, 0));
}

TEST(PaneCommands, AddedAndRemovedPanesKeepWhatTheyAreComparedWith) {
    AppState state = with_panes(3);
    state.scene.panes[2].against = 1;
    state.scene.active = 0;
    remove_pane(state.scene, 0);
    EXPECT_EQ(state.scene.panes[1].against, 0);
    remove_pane(state.scene, 0);
    EXPECT_EQ(state.scene.panes[0].against, Pane::reference_pane);
    remove_pane(state.scene, 0);
    EXPECT_EQ(state.scene.panes.size(), 1u);
    for (int i = 0; i < 40; ++i) add_pane(state.scene);
    EXPECT_EQ(state.scene.panes.size(), size_t(max_panes));
    EXPECT_EQ(state.scene.active, max_panes - 1);
}

TEST(PaneCommands, SwappedPanesAreStillComparedWithEachOther) {
    AppState state = with_panes(2);
    state.scene.panes[0].against = 1;
    const MethodSpec a = state.scene.panes[0].spec;
    swap_panes(state.scene);
    EXPECT_EQ(state.scene.panes[1].spec, a);
    EXPECT_EQ(state.scene.panes[1].against, 0);
}

TEST(PaneCommands, AMovedPaneTakesItsComparisonAlong) {
    AppState state = with_panes(4);
    const char* ids[] = {"nearest", "bilinear", "bspline", "lanczos3"};
    for (size_t k = 0; k < 4; ++k) state.scene.panes[k].spec = parse_spec(ids[k]);
    state.scene.panes[0].against = 3;
    state.scene.panes[3].against = 1;
    state.scene.active = 3;
    const auto order = [&] {
        std::string text;
        for (const Pane& pane : state.scene.panes) text += std::string(pane.spec.method->id) + " ";
        return text;
    };
    move_pane(state.scene, 3, 1);
    EXPECT_EQ(order(), "nearest lanczos3 bilinear bspline ");
    EXPECT_EQ(state.scene.active, 1);
    EXPECT_EQ(state.scene.panes[0].against, 1);
    EXPECT_EQ(state.scene.panes[1].against, 2);
    move_pane(state.scene, 1, 3);
    EXPECT_EQ(order(), "nearest bilinear bspline lanczos3 ");
    EXPECT_EQ(state.scene.panes[0].against, 3);
    EXPECT_EQ(state.scene.panes[3].against, 1);
    move_pane(state.scene, 0, 4);
    EXPECT_EQ(order(), "nearest bilinear bspline lanczos3 ") << "there is no fifth";
}

TEST(PaneCommands, ArrangingOnePaneMakesASecond) {
    for (const Arrangement arrangement : all_arrangements) {
        AppState state = with_panes(1);
        arrange(state.scene, arrangement);
        EXPECT_EQ(state.scene.panes.size(), arrangement == Arrangement::single ? 1u : 2u);
    }
    AppState state = with_panes(1);
    show_two_by_two(state.scene);
    EXPECT_EQ(state.scene.panes.size(), 4u);
    EXPECT_EQ(state.scene.arrangement, Arrangement::grid);
}

TEST(PaneCommands, TwoPanesAreAAndTheActiveOne) {
    for (const int active : {0, 1, 3}) {
        AppState state = with_panes(4);
        state.scene.arrangement = Arrangement::grid;
        state.scene.active = active;
        const MethodSpec first = state.scene.panes[0].spec, other = state.scene.panes[size_t(std::max(active, 1))].spec;
        find_action("compare.two")->run(state);
        ASSERT_EQ(state.scene.panes.size(), 2u) << active;
        EXPECT_EQ(state.scene.panes[0].spec, first) << active;
        EXPECT_EQ(state.scene.panes[1].spec, other) << active;
        EXPECT_EQ(state.scene.active, std::min(active, 1)) << "the same pane";
        EXPECT_EQ(state.scene.arrangement, Arrangement::columns);
    }
    AppState state = with_panes(1);
    show_two(state.scene);
    EXPECT_EQ(state.scene.panes.size(), 2u);
}

// The mouse is over a pane whose image no texture can hold; the active pane's image fits.
TEST(PaneCommands, TheNextPathIsThatOfTheActivePaneWhateverTheMouseIsOver) {
    AppState state = with_panes(2);
    state.scene.arrangement = Arrangement::columns;
    state.scene.panes[1].source = "@step";
    state.machine.limits.texture_width = state.machine.limits.texture_height = 100;
    state.pointer.inside = true;
    state.pointer.pane = 1;
    ASSERT_EQ(focused_pane(state), 1);
    state.scene.active = 0;
    state.scene.spec().path = FetchPath::global;
    find_action("method.path")->run(state);
    EXPECT_EQ(state.scene.panes[0].spec.path, FetchPath::lookup);
    state.scene.active = 1;
    state.pointer.pane = 0;
    state.scene.spec().path = FetchPath::global;
    find_action("method.path")->run(state);
    EXPECT_EQ(state.scene.panes[1].spec.path, FetchPath::automatic);
}

// Its windows fit where it does not.
TEST(PaneCommands, AnImageThatIsReadByRegionsMayBeLargerThanTextures) {
    AppState state = with_panes(1);
    state.machine.limits.texture_width = state.machine.limits.texture_height = 100;
    Document& document = state.scene.documents[0];
    document.image = std::make_shared<const Image>(400, 300, 1, SampleType::u8);
    EXPECT_NE(why_no_path(state, FetchPath::hardware), "");
    document.image = std::make_shared<const Image>(std::make_shared<ImageTiles>(document.image));
    EXPECT_EQ(why_no_path(state, FetchPath::hardware), "");
    EXPECT_EQ(why_no_path(state, FetchPath::lookup), "");
}

// G, whatever there is to arrange.
TEST(Arrangements, EachStepChangesWhatIsSeen) {
    for (const int panes : {1, 2, 3, 5}) {
        AppState state = with_panes(panes);
        const auto seen = [&] {
            std::vector<PixelRect> places;
            for (int pane = 0; pane < int(state.scene.panes.size()); ++pane) {
                places.push_back(pane_rect(state, pane));
                places.push_back(pane_clip(state, pane));
            }
            return places;
        };
        for (int step = 0; step < 6; ++step) {
            const auto before = seen();
            cycle_arrangement(state.scene);
            EXPECT_NE(seen(), before) << panes << " panes, " << name_of(state.scene.arrangement);
        }
    }
}

TEST_F(PaneInput, TheCursorIsAtTheSamePlaceOfEveryPane) {
    state_.scene.arrangement = Arrangement::columns;
    const PixelRect b = pane_rect(state_, 1);
    send(MouseMoved{double(b.x + 30), double(b.y + 50)});
    EXPECT_TRUE(state_.pointer.inside);
    EXPECT_EQ(focused_pane(state_), 1);
    EXPECT_EQ(state_.pointer.x, 30);
    EXPECT_EQ(state_.pointer.y, 50);
    EXPECT_EQ(state_.scene.active, 0);
    send(MousePressed{MouseButton::left, double(b.x + 30), double(b.y + 50), {}});
    EXPECT_EQ(state_.scene.active, 1);
    // A drag over the edge of its pane stays with it.
    const Point before = apply(shown_affine(state_, 0), 30, 50);
    send(MouseMoved{double(b.x - 20), double(b.y + 50)});
    EXPECT_NEAR(apply(shown_affine(state_, 0), -20, 50).x, before.x, 1e-9);
    send(MouseReleased{MouseButton::left, double(b.x - 20), double(b.y + 50)});
}

TEST_F(PaneInput, TheDividerFollowsTheMouseUnlessHeldOrDragging) {
    state_.scene.arrangement = Arrangement::wipe;
    send(MouseMoved{320 + 150, 100});
    EXPECT_EQ(wipe_at(state_), 150);
    send(MousePressed{MouseButton::left, 320 + 150, 100, {}});
    send(MouseMoved{320 + 200, 100});
    EXPECT_EQ(wipe_at(state_), 150);
    send(MouseReleased{MouseButton::left, 320 + 200, 100});
    EXPECT_EQ(wipe_at(state_), 200);
    state_.scene.wipe.held = true;
    send(MouseMoved{320 + 400, 100});
    EXPECT_EQ(wipe_at(state_), 200);
    EXPECT_EQ(focused_pane(state_), 1);
    send(MouseMoved{320 + 100, 100});
    EXPECT_EQ(focused_pane(state_), 0);
}

TEST_F(PaneInput, TheMinimapCentresTheView) {
    const auto minimap = minimap_of(state_, 1);
    ASSERT_TRUE(minimap);
    const double x = minimap->place.x + minimap->place.width * 0.75,
                 y = minimap->place.y + minimap->place.height * 0.25;
    send(MousePressed{MouseButton::left, x, y, {}});
    send(MouseReleased{MouseButton::left, x, y});
    // Three quarters across 64 samples: 47.5, 16 to the right of the centre 31.5.
    EXPECT_NEAR(pane_view(state_).translate_x, 16, 0.5);
    EXPECT_NEAR(pane_view(state_).translate_y, -16, 0.5);
    state_.scene.documents[0].view.scale = 1;
    EXPECT_FALSE(minimap_of(state_, 1)) << "all of the image is in view";
}

TEST_F(PaneInput, TheMinimapLeavesMostOfThePaneFree) {
    for (const float scale : {0.5f, 1.0f, 1.5f}) {
        const auto minimap = minimap_of(state_, scale);
        ASSERT_TRUE(minimap) << scale;
        const PixelRect pane = pane_rect(state_, minimap->pane);
        EXPECT_LE(minimap->place.width, 0.41 * pane.width) << scale;
        EXPECT_LE(minimap->place.height, 0.41 * pane.height) << scale;
        EXPECT_LE(std::max(minimap->place.width, minimap->place.height), 168 * scale + 1) << scale;
    }
    EXPECT_FALSE(minimap_of(state_, 10)) << "there is no room for one that could be read";
}

TEST_F(PaneInput, ADragEndsWithItsPane) {
    state_.scene.arrangement = Arrangement::columns;
    const PixelRect b = pane_rect(state_, 1);
    send(MousePressed{MouseButton::right, double(b.x + 30), double(b.y + 50), {}});
    remove_pane(state_.scene, 1);
    send(MouseMoved{double(b.x + 90), double(b.y + 90)});
    EXPECT_EQ(state_.pointer.drag, Pointer::Drag::none);
    EXPECT_EQ(state_.pointer.pane, 0);
    EXPECT_FALSE(state_.scene.selection);
}

// An unlinked pane over an image of twice the size that shows the same field: the same position of the current image.
TEST(Panes, RegionsLieOnTheCurrentImageWhateverThePaneShows) {
    AppState state = with_panes(2);
    state.scene.arrangement = Arrangement::columns;
    state.scene.panes[1].source = "@step";
    set_view(state, {4, 2, 0.25, 0}, false, 0);
    unlink_view(state, 1);
    const Affine a = current_affine(state, 0), b = current_affine(state, 1);
    EXPECT_NEAR(apply(a, 10, 20).x, apply(b, 10, 20).x, 1e-12);
    EXPECT_NEAR(apply(a, 10, 20).y, apply(b, 10, 20).y, 1e-12);
}

TEST(Panes, TurningAnUnlinkedPaneKeepsItsPlace) {
    AppState state = with_panes(2);
    state.scene.documents[0].keep_fit = true;
    unlink_view(state, 0);
    set_view(state, {20, 10, 0.1, 0}, false, 0);
    rotate_by(state, 10);
    EXPECT_EQ(pane_view(state, 0), (View{20, 10, 0.1, 10}));
}

// Walking through a folder changes the current image: the active pane must show that, and only panes that show the same
// picture go with it.
TEST(Panes, TheActiveOneTakesTheLeadOverThoseThatShowTheSame) {
    AppState state = with_panes(4);
    Scene& scene = state.scene;
    scene.documents.push_back(document("/photos/third.png", 64, 64));
    scene.panes[0].source = "@constant";
    for (const int pane : {1, 3}) scene.panes[size_t(pane)].source = "@step";
    scene.panes[2].source = "";  // the current one, @constant
    scene.documents[0].view = {3, 4, 0.5, 0};
    scene.active = 1;
    scene.arrangement = Arrangement::grid;
    const View before[] = {pane_view(state, 0), pane_view(state, 1)};
    follow_with_active_pane(state);
    EXPECT_EQ(scene.document()->source, "@step");
    for (const int pane : {1, 3}) EXPECT_EQ(scene.panes[size_t(pane)].source, "");
    for (const int pane : {0, 2}) EXPECT_EQ(scene.panes[size_t(pane)].source, "@constant");
    for (const int pane : {0, 1}) {
        EXPECT_DOUBLE_EQ(pane_view(state, pane).scale, before[pane].scale);
        EXPECT_DOUBLE_EQ(pane_view(state, pane).translate_x, before[pane].translate_x);
    }
    scene.current = 2;  // as walking does
    EXPECT_EQ(document_of(scene, scene.panes[1])->source, "/photos/third.png");
    EXPECT_EQ(document_of(scene, scene.panes[0])->source, "@constant");

    state = with_panes(2);
    scene.documents = {document("/photos/a.png", 64, 64), document("/photos/b.png", 64, 64)};
    scene.panes[0].source = "/photos/a.png";
    scene.panes[1].source = "/photos/b.png";
    scene.active = 1;
    for (const char* step : {"file.next", "folder.last"}) find_action(step)->run(state);
    EXPECT_EQ(state.tasks.size(), 2u);
    EXPECT_EQ(scene.document()->source, "/photos/b.png") << "from which the walk starts";
    EXPECT_EQ(scene.panes[1].source, "");

    state = with_panes(2);
    scene.panes[1].source = "@step";
    follow_with_active_pane(state);
    EXPECT_EQ(scene.panes[1].source, "@step") << "the active pane follows already";
    EXPECT_EQ(scene.document()->source, "@constant");
}

}  // namespace
}  // namespace texelscope::test
