// Crops of one frame: where they lie in panes and in differences, and what fits the window.

#include <gtest/gtest.h>

#include "app/picture/pane_picture.h"
#include "app/picture/same_field.h"
#include "app/state/framed_view.h"
#include "app/state/pane_images.h"
#include "app/state/pane_places.h"
#include "app/state/pane_views.h"
#include "app/viewer/editing/view_edits.h"
#include "tests/viewer/editing/panes_under_test.h"

namespace texelscope::test {
namespace {

// A document whose first sample is at (left, top) of a frame of 200×100.
Document crop(const std::string& source, int left, int top, int width, int height) {
    Document result = document(source, width, height);
    Image image(width, height, 1, SampleType::u8);
    image.set_frame(SampleRegion{-left, -top, 200, 100});
    result.image = std::make_shared<const Image>(std::move(image));
    return result;
}

AppState two_crops() {
    AppState state = with_panes(2);
    state.scene.documents = {crop("@constant", 20, 10, 64, 32), crop("@step", 51, 33, 17, 40)};
    state.scene.panes[1].source = "@step";
    state.scene.arrangement = Arrangement::columns;
    return state;
}

Point in_frame_of(const AppState& state, int pane, Point p) {
    const SampleRegion frame = frame_around(*image_of(state, pane));
    return {p.x - double(frame.x), p.y - double(frame.y)};
}

TEST(Frames, PartsOfOneLieOnEachOther) {
    AppState state = two_crops();
    for (const View& view : {View{}, View{3, -7.5, 0.25, 0}, View{-40, 2, 1.5, 30}}) {
        set_view(state, view, false, 0);
        for (const Point& pixel : {Point{0, 0}, Point{150, 90}, Point{17, 301}}) {
            const Point a = in_frame_of(state, 0, apply(shown_affine(state, 0), pixel.x, pixel.y)),
                        b = in_frame_of(state, 1, apply(shown_affine(state, 1), pixel.x, pixel.y));
            EXPECT_NEAR(a.x, b.x, 1e-9);
            EXPECT_NEAR(a.y, b.y, 1e-9);
        }
        for (const int pane : {0, 1}) {
            const RenderRequest request = pane_request(state, pane);
            const Image& image = *image_of(state, pane);
            EXPECT_EQ(positions_of(request, image.width(), image.height()), shown_affine(state, pane));
        }
    }
}

// c_src of a view is the centre of the frame.
TEST(Frames, AViewIsAboutItsCentre) {
    AppState state = two_crops();
    state.scene.arrangement = Arrangement::single;
    set_view(state, {5, -3, 0.5, 0}, false, 0);
    const Extent output = output_extent(state, 0);
    const Point centre = apply(shown_affine(state, 0), (output.width - 1) / 2.0, (output.height - 1) / 2.0);
    EXPECT_EQ(in_frame_of(state, 0, centre), (Point{99.5 + 5, 49.5 - 3}));
}

TEST(Frames, FitShowsTheFrameAndRegionsAreOfSamples) {
    AppState state = two_crops();
    state.scene.arrangement = Arrangement::single;
    fit(state);
    EXPECT_EQ(state.scene.document()->view, (View{0, 0, 200.0 / 600, 0}));
    state.scene.selection = Region{0, 0, 63, 31};
    zoom_to_selection(state);
    const Extent output = output_extent(state, 0);
    const Point centre = apply(shown_affine(state, 0), (output.width - 1) / 2.0, (output.height - 1) / 2.0);
    EXPECT_NEAR(centre.x, 31.5, 1e-9);
    EXPECT_NEAR(centre.y, 15.5, 1e-9);
    centre_on(state, 0, {7, 3});
    const Point there = apply(shown_affine(state, 0), (output.width - 1) / 2.0, (output.height - 1) / 2.0);
    EXPECT_NEAR(there.x, 7, 1e-9);
    EXPECT_NEAR(there.y, 3, 1e-9);
}

TEST(Frames, AnImageWithoutOneIsItsOwn) {
    const Image image(31, 20, 1, SampleType::u8);
    EXPECT_EQ(frame_around(image), (SampleRegion{0, 0, 31, 20}));
    const View view{0.1, -7.3, 0.3, 12};
    EXPECT_EQ(about_samples(view, image), view);
}

// Beyond the other part there is nothing to compare with.
TEST(Frames, DifferencesLeaveOutWhatIsBeyondTheOtherPart) {
    AppState state = two_crops();
    state.scene.panes[0].difference = true;
    state.scene.panes[0].against = 1;
    ASSERT_TRUE(pane_picture(state, 0).against);
    EXPECT_EQ(pane_picture(state, 0).against->request.outside, Outside::nan);
    state.scene.outside = Outside::extend;
    EXPECT_EQ(pane_picture(state, 0).against->request.outside, Outside::extend);
    for (Document& each : state.scene.documents) {
        Image image(20, 20, 1, SampleType::u8);
        each.image = std::make_shared<const Image>(std::move(image));
    }
    state.scene.outside = Outside::background;
    EXPECT_EQ(pane_picture(state, 0).against->request.outside, Outside::background);
}

TEST(Frames, AReferenceThatIsAnotherPartLiesWhereItBelongs) {
    const AppState state = two_crops();
    Rendition shown;
    shown.image = state.scene.documents[0].image;
    shown.request.spec = parse_spec("catmull-rom");
    shown.request.view = {1, 2, 0.5, 10};
    shown.request.width = shown.request.height = 20;
    const auto other = state.scene.documents[1].image;
    ASSERT_TRUE(same_shape(*shown.image, *other));
    const Rendition over = over_same_field(shown, other);
    EXPECT_EQ(over.request.spec, shown.request.spec) << "of the same size, so by the same method";
    const Affine a = positions_of(shown.request, 64, 32), b = positions_of(over.request, 17, 40);
    for (const Point& pixel : {Point{0, 0}, Point{19, 3}}) {
        const Point p = apply(a, pixel.x, pixel.y), q = apply(b, pixel.x, pixel.y);
        EXPECT_NEAR(p.x + 20, q.x + 51, 1e-9);
        EXPECT_NEAR(p.y + 10, q.y + 33, 1e-9);
    }
}

}  // namespace
}  // namespace texelscope::test
