// The key D: every pane's difference is from what its figure is against, for two photographs as for methods.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/picture/comparison.h"
#include "app/picture/pane_picture.h"
#include "app/state/panes.h"
#include "app/state/view_math.h"
#include "app/viewer/editing/actions.h"
#include "app/viewer/editing/comparison_edits.h"
#include "app/viewer/editing/pane_edits.h"
#include "app/viewer/editing/view_edits.h"
#include "tests/viewer/editing/panes_under_test.h"

namespace texelscope::test {
namespace {

using ::testing::Each;
using ::testing::HasSubstr;

class Differences : public testing::Test {
protected:
    void SetUp() override {
        for (const char* source : {"/a.png", "/b.png"}) {
            Document& document = state_.scene.documents.emplace_back();
            document.source = source;
            document.image = std::make_shared<const Image>(64, 48, 1, SampleType::u8);
            document.view.scale = 0.3;
        }
        state_.scene.current = 0;
        state_.scene.panes = {{parse_spec("nearest")}, {parse_spec("bspline")}};
        state_.scene.reference = {Reference::Kind::method, parse_spec("quintic"), {}};
        state_.places.picture = {0, 0, 300, 200};
    }
    // As undo leaves a document that was closed, until it has been read again.
    void forget_images() {
        for (Document& document : state_.scene.documents) document.image.reset();
    }
    void press_d() { find_action("compare.difference")->run(state_); }
    void apply(std::string_view preset) { find_action(fmt::format("preset.{}", preset))->run(state_); }

    // What the panes show: "A", "B − A".
    std::string shown() const {
        std::string text;
        for (int pane = 0; pane < int(state_.scene.panes.size()); ++pane) {
            text += (pane > 0 ? ", " : "") + pane_name(pane);
            if (pane_picture(state_, pane).against) text += " − " + reference_name(state_.scene, pane);
        }
        return text;
    }
    AppState state_;
};

TEST_F(Differences, AreFromTheReferenceBetweenMethodsAndBetweenPhotographs) {
    for (const bool photographs : {false, true}) {
        if (photographs) apply("images");
        for (const Arrangement arrangement : {Arrangement::columns, Arrangement::wipe}) {
            state_.scene.arrangement = arrangement;
            press_d();
            EXPECT_EQ(shown(), photographs ? "A, B − a.png" : "A − quintic B-spline, B − quintic B-spline");
            press_d();
            EXPECT_EQ(shown(), "A, B");
        }
    }
}

// The figure on a chip and the picture below it are one comparison.
TEST_F(Differences, AreFromWhatTheFigureIsAgainst) {
    const auto expect_one_comparison = [&](const std::string& when) {
        state_.report.findings.panes.resize(state_.scene.panes.size());
        for (PaneReport& report : state_.report.findings.panes)
            report.metrics = Metrics{.rmse = 0.01, .psnr = 40, .pixels = 1};
        for (int pane = 0; pane < int(state_.scene.panes.size()); ++pane) {
            const PanePicture picture = pane_picture(state_, pane);
            if (!picture.against) continue;
            EXPECT_EQ(picture.against, reference_rendition(state_, pane)) << when << ", " << pane_name(pane);
            EXPECT_THAT(chip_figures(state_, pane, Named::here).front(),
                        HasSubstr("against " + reference_name(state_.scene, pane) + ":"))
                << when << ", " << pane_name(pane);
        }
    };
    state_.scene.arrangement = Arrangement::columns;
    press_d();
    expect_one_comparison("two methods");
    apply("four-methods");
    press_d();
    EXPECT_EQ(shown(), "A − quintic B-spline, B − quintic B-spline, C − quintic B-spline, D − quintic B-spline");
    EXPECT_EQ(shared_reference(state_, true), "quintic B-spline");
    expect_one_comparison("four methods");
    state_.scene.panes[2].against = 0;
    EXPECT_EQ(shown(), "A, B − quintic B-spline, C − A, D − quintic B-spline") << "chosen for one pane";
    EXPECT_EQ(shared_reference(state_, true), "") << "each pane must name it";
    EXPECT_EQ(comparison_words(state_, true, false).front(), "differences from what each label names");
    EXPECT_EQ(against_of(state_, 2).name, "A");
    expect_one_comparison("another pane");
    for (const int pane : {0, 1, 3}) state_.scene.panes[size_t(pane)].difference = false;
    EXPECT_EQ(comparison_words(state_, true, false).front(), "absolute difference against A") << "the only one shown";
    apply("images");
    press_d();
    expect_one_comparison("two photographs");
}

// A bare "31.1 dB" stands only where the legend says against what.
TEST_F(Differences, FiguresNameWhatTheLegendDoesNot) {
    apply("four-methods");
    state_.report.findings.panes.resize(4);
    for (PaneReport& report : state_.report.findings.panes) {
        report.metrics = Metrics{.psnr = 31.06, .pixels = 1};
        report.outdated = false;
    }
    EXPECT_THAT(chip_figures(state_, 0, Named::here), Each(HasSubstr("against quintic B-spline")));
    EXPECT_EQ(chip_figures(state_, 0, Named::elsewhere).back(), "31.1 dB");
    EXPECT_THAT(comparison_words(state_, false, true), Each(HasSubstr("against quintic B-spline")));
    EXPECT_EQ(comparison_words(state_, true, true).front(), "absolute difference and dB against quintic B-spline");
    EXPECT_TRUE(comparison_words(state_, false, false).empty());
}

TEST_F(Differences, FlippedEachShowsItself) {
    for (const bool photographs : {false, true}) {
        if (photographs) apply("images");
        state_.scene.arrangement = Arrangement::single;
        press_d();
        for (const char* expected : {"A", "B"}) {
            const int active = state_.scene.active;
            EXPECT_EQ(pane_name(active), expected);
            EXPECT_TRUE(pane_picture(state_, active).against);
            flip_panes(state_.scene);
        }
        press_d();
    }
}

TEST_F(Differences, FollowTheReferenceThatIsChosen) {
    state_.scene.arrangement = Arrangement::columns;
    choose_reference(state_.scene, state_.ui, {Reference::Kind::method, parse_spec("lanczos3"), {}});
    press_d();
    EXPECT_EQ(shown(), "A − Lanczos 3, B − Lanczos 3");
    measure_against_pane(state_.scene, state_.ui, 0);
    EXPECT_EQ(shown(), "A, B − nearest neighbour") << "the reference keeps its picture";
}

TEST_F(Differences, SaySoIfThereAreNone) {
    state_.scene.arrangement = Arrangement::columns;
    state_.scene.panes[1].spec = state_.scene.panes[0].spec;
    measure_against_pane(state_.scene, state_.ui, 0);
    press_d();
    EXPECT_EQ(shown(), "A, B");
    ASSERT_EQ(state_.messages.size(), 1u);
    EXPECT_THAT(state_.messages[0].text, HasSubstr("No difference to show"));
}

TEST_F(Differences, OfOnePaneAreItsOwn) {
    state_.scene.arrangement = Arrangement::columns;
    choose_reference(state_.scene, state_.ui, {Reference::Kind::method, parse_spec("lanczos3"), {}});
    toggle_difference(state_.scene, 1);
    EXPECT_EQ(shown(), "A, B − Lanczos 3");
    press_d();
    EXPECT_EQ(shown(), "A, B") << "D ends it";
}

TEST_F(Differences, WaitForAnImageThatIsNotThereYet) {
    press_d();
    for (const int against : {Pane::reference_pane, 1}) {
        state_.scene.pane().against = against;
        forget_images();
        EXPECT_FALSE(why_no_difference(state_, 0).empty());
        EXPECT_FALSE(pane_labels(state_, 0).empty());
    }
}

}  // namespace

// Crops of one frame: where they lie in panes and in differences, and what fits the window.

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
    const SampleRegion frame = frame_around(*image_of(state.scene, pane));
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
            const Image& image = *image_of(state.scene, pane);
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

// "Which is best?" counts files that panes show as results of other programs if they are named after an open picture of their size.
TEST(PaneResults, AreFoundByTheirNames) {
    Scene scene;
    const auto open = [&](const char* source, int size) {
        Document& document = scene.documents.emplace_back();
        document.source = source;
        document.image = std::make_shared<const Image>(size, size, 1, SampleType::u8);
        scene.panes.push_back({parse_spec("nearest")});
        scene.panes.back().source = source;
    };
    for (const char* source : {"/d/a.png", "/d/b.png", "/made/a.png", "/d/b-waifu2x=2.png", "/d/band.png"})
        open(source, 32);
    open("/made/b.png", 16);
    const auto result = [&](size_t k) { return result_in_pane(scene, scene.documents[k]); };
    for (const size_t k : {0, 1, 4, 5}) EXPECT_FALSE(result(k)) << scene.documents[k].source;
    ASSERT_TRUE(result(2) && result(3));
    EXPECT_EQ(result(2)->original, &scene.documents[0]);
    EXPECT_EQ(result(2)->name, "made");
    EXPECT_EQ(result(2)->pattern, "/made/{name}.png");
    EXPECT_EQ(result(3)->original, &scene.documents[1]);
    EXPECT_EQ(result(3)->name, "waifu2x-2");
    EXPECT_EQ(result(3)->pattern, "/d/{name}-waifu2x=2.png");
    EXPECT_EQ(judged_documents(scene).size(), 4u);

    scene.active = 2;  // what is restored is what it is a result of
    EXPECT_EQ(restored_document(scene), &scene.documents[0]);
    scene.reference = {Reference::Kind::image, {}, "/made/a.png"};  // then it is the original
    EXPECT_FALSE(result(2));
    ASSERT_TRUE(result(0));
    EXPECT_EQ(result(0)->original, &scene.documents[2]);
    scene.reference = {};
    scene.panes[2].source.clear();  // no pane shows it
    EXPECT_FALSE(result(2));
}

// Both panes read the same positions of the signal, though one has no position in the window.
TEST(Plan, ASignalsDifferenceToAPaneOutOfView) {
    AppState state = with_panes(2);
    Image signal(100, 1, 1, SampleType::u8);
    signal.set_one_dimensional(true);
    state.scene.documents[0].image = std::make_shared<const Image>(std::move(signal));
    state.scene.panes[0].difference = true;
    state.scene.panes[0].against = 1;
    const PanePicture picture = pane_picture(state, 0);
    ASSERT_TRUE(picture.against);
    EXPECT_EQ(picture.against->request.positions, picture.shown.request.positions);
    EXPECT_EQ(picture.against->request.width, picture.shown.request.width);
}

}  // namespace
}  // namespace texelscope::test
