// Antialiasing, linear light, warps and signals: from the state to what is rendered.

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "app/picture/pane_picture.h"
#include "app/picture/rendition.h"
#include "app/picture/source_cache.h"
#include "app/state/panes.h"
#include "app/viewer/editing/actions.h"
#include "app/viewer/editing/method_edits.h"
#include "app/viewer/editing/pane_edits.h"
#include "app/viewer/editing/view_edits.h"
#include "app/viewer/loop/frame_times.h"
#include "gpu/backend/source_image.h"
#include "tests/support/patience.h"

namespace texelscope::test {
namespace {

AppState state_showing(Image image) {
    AppState state;
    state.scene.panes = {{default_spec(*find_method("bspline"))}, {default_spec(*find_method("nearest"))}};
    state.places.picture = {320, 28, 200, 100};
    state.ui.animate = false;
    Document document;
    document.source = "@constant";
    document.image = std::make_shared<const Image>(std::move(image));
    document.keep_fit = false;
    state.scene.documents.push_back(document);
    state.scene.current = 0;
    return state;
}

AppState with_image(int side = 1024) { return state_showing(Image(side, side, 1, SampleType::u8)); }

AppState with_signal(int samples) {
    Image image(samples, 1, 1, SampleType::f32);
    for (int i = 0; i < samples; ++i) image.row_as<float>(0)[i] = float(i * 37 % 11) / 10;
    image.set_one_dimensional(true);
    return state_showing(std::move(image));
}

void zoom_out_to(AppState& state, double scale, double rotate = 0) { set_view(state, {0, 0, scale, rotate}); }

const KeyStroke key_m{Key::none, U'm', {}, false, false}, key_l{Key::none, U'l', {}, false, false},
    key_w{Key::none, U'w', {}, false, false};

TEST(Sampling, AntialiasedStoredAndUnwarpedAtFirst) {
    const RenderRequest request = pane_request(with_image(), 0);
    EXPECT_TRUE(request.antialias);
    EXPECT_EQ(request.warp, Warp{});
    EXPECT_EQ(plan_frame(with_image(), 1).pictures.at(0).picture.shown.light, Light::stored);
}

TEST(Sampling, KeysReachWhatIsRendered) {
    AppState state = with_image();
    const FramePlan before = plan_frame(state, 1);
    ASSERT_TRUE(run_shortcut(state, key_m));
    EXPECT_FALSE(pane_request(state, 0).antialias);
    EXPECT_FALSE(plan_frame(state, 1).same_pixels(before));
    run_shortcut(state, key_m);
    EXPECT_TRUE(plan_frame(state, 1).same_pixels(before));

    ASSERT_TRUE(run_shortcut(state, key_l));
    EXPECT_EQ(plan_frame(state, 1).pictures.at(0).picture.shown.light, Light::linear);
    EXPECT_FALSE(plan_frame(state, 1).same_pixels(before));
    run_shortcut(state, key_l);

    for (Warp::Kind kind :
         {Warp::Kind::swirl, Warp::Kind::barrel, Warp::Kind::ripple, Warp::Kind::plane, Warp::Kind::none}) {
        ASSERT_TRUE(run_shortcut(state, key_w));
        EXPECT_EQ(pane_request(state, 0).warp, (Warp{kind, info_of(kind).standard}));
    }
    EXPECT_TRUE(plan_frame(state, 1).same_pixels(before));
}

TEST(Sampling, TheKeyForLightActsOnPanesWithALightOfTheirOwn) {
    AppState state = with_image();
    state.scene.panes[1].light = Light::linear;
    state.scene.active = 1;
    for (const Light expected : {Light::stored, Light::linear}) {
        find_action("view.linear-light")->run(state);
        for (const int pane : {0, 1}) EXPECT_EQ(pane_picture(state, pane).shown.light, expected);
    }
}

TEST(Sampling, DifferenceAndReferenceAreSampledAlike) {
    AppState state = with_image();
    state.scene.light = Light::linear;
    choose_warp(state.scene, Warp::Kind::swirl);
    state.scene.pane().difference = true;
    const PanePicture picture = plan_frame(state, 1).pictures.at(0).picture;
    ASSERT_TRUE(picture.against);
    for (const Rendition& each : {picture.shown, *picture.against}) {
        EXPECT_TRUE(each.request.antialias);
        EXPECT_EQ(each.request.warp, state.scene.warp);
        EXPECT_EQ(each.light, Light::linear);
    }
    state.pointer.reference = true;
    EXPECT_EQ(plan_frame(state, 1).pictures.at(0).picture.shown.request.warp, state.scene.warp);
}

TEST(Sampling, TheWarpChosenAgainKeepsItsStrength) {
    AppState state = with_image();
    choose_warp(state.scene, Warp::Kind::barrel);
    state.scene.warp.strength = 1.25;
    choose_warp(state.scene, Warp::Kind::barrel);
    EXPECT_EQ(state.scene.warp.strength, 1.25);
}

// r′ = r·(1 + k·(r/R)²) with R half the shorter side; worked out by hand for a 101×201 image, R = 50.5.
TEST(Sampling, TheCursorReadsTheWarpedPoint) {
    AppState state = state_showing(Image(101, 201, 1, SampleType::u8));
    state.places.picture = {0, 0, 101, 201};
    EXPECT_NEAR(shown_point(state, 80, 100).x, 80, 1e-12);
    state.scene.warp = {Warp::Kind::barrel, 0.5};
    const double r = 30, factor = 1 + 0.5 * (r / 50.5) * (r / 50.5);
    EXPECT_NEAR(shown_point(state, 80, 100).x, 50 + factor * r, 1e-9);
    EXPECT_NEAR(shown_point(state, 80, 100).y, 100, 1e-9);
    state.scene.warp = {Warp::Kind::swirl, 90};
    const double angle = std::numbers::pi / 2 * (1 - r / 50.5) * (1 - r / 50.5);
    EXPECT_NEAR(shown_point(state, 80, 100).x, 50 + r * std::cos(angle), 1e-9);
    EXPECT_NEAR(shown_point(state, 80, 100).y, 100 + r * std::sin(angle), 1e-9);
}

// A pixel of an image zoomed out by s covers s² samples for each tap of the method; from 8 on the image is halved.
TEST(Widening, CostsGrowWithTheScaleUpToEight) {
    const MethodInfo& bspline = *find_method("bspline");
    const struct {
        double scale, rotate, taps;
        int halved;
    } table[] = {{2, 0, 64, 0}, {4, 0, 256, 0}, {4, 30, 256, 0}, {8, 0, 256, 1}, {16, 0, 256, 2}, {64, 45, 256, 4}};
    for (const auto& expected : table) {
        AppState state = with_image();
        zoom_out_to(state, expected.scale, expected.rotate);
        const ReadPlan reading = shown_reading(state);
        EXPECT_TRUE(reading.widened()) << expected.scale;
        EXPECT_NEAR(widened_taps(bspline, reading, false), expected.taps, 1e-6) << expected.scale;
        EXPECT_EQ(reading.level.x, expected.halved) << expected.scale;
        EXPECT_EQ(reading.level.y, expected.halved) << expected.scale;
    }
}

TEST(Widening, NoneWhereNothingIsZoomedOutOrItIsOff) {
    AppState state = with_image();
    for (double scale : {1.0, 0.25}) {
        for (double rotate : {0.0, 10.0, 45.0, 90.0}) {
            zoom_out_to(state, scale, rotate);
            EXPECT_FALSE(shown_reading(state).widened()) << scale << " " << rotate;
        }
    }
    zoom_out_to(state, 4);
    state.scene.antialias = false;
    EXPECT_FALSE(shown_reading(state).widened());
}

TEST(Widening, UnderAWarpItDiffersFromPlaceToPlace) {
    AppState state = with_image();
    choose_warp(state.scene, Warp::Kind::ripple);
    EXPECT_TRUE(shown_reading(state).widened());
    EXPECT_TRUE(shown_reading(state).local_stretch);
}

// On a level of the pyramid it has the gain that it has on the samples: with a warp as without.
TEST(Widening, APrefilterActsOnSmallerImagesAndIsNamed) {
    for (const Warp::Kind warp : {Warp::Kind::none, Warp::Kind::swirl}) {
        AppState state = with_image();
        choose_warp(state.scene, warp);
        for (const double scale : {4.0, 16.0}) {
            zoom_out_to(state, scale);
            SourceImage source(make_cpu_backend(), *state.scene.documents[0].image);
            const bool acts = source.plan(pane_request(state, 0)).reading.prefiltered;
            EXPECT_EQ(shown_words(state).find("exact prefilter") != std::string::npos, acts)
                << shown_words(state) << " at " << scale;
            EXPECT_TRUE(acts);
        }
    }
}

TEST(Widening, WhatDoesNotActIsNotNamed) {
    AppState state = with_image();
    EXPECT_EQ(shown_words(state), "Cubic B-spline · exact prefilter");
    zoom_out_to(state, 4);
    EXPECT_EQ(shown_words(state), "Cubic B-spline · exact prefilter · antialiased");
    zoom_out_to(state, 16);
    state.scene.light = Light::linear;
    EXPECT_EQ(shown_words(state), "Cubic B-spline · exact prefilter · antialiased by a pyramid · linear light");
    state.scene.antialias = false;
    state.scene.warp = {Warp::Kind::swirl, 90};
    EXPECT_EQ(shown_words(state), "Cubic B-spline · exact prefilter · linear light · swirl 90°");
}

class Drafts : public testing::Test {
protected:
    void SetUp() override {
        state_ = with_image();
        zoom_out_to(state_, 4);
        state_.report.frame.antialiased_ms = 5 * draft_above_ms;
        frame(0);
    }
    void frame(double now) {
        state_.now = now;
        update_draft(state_);
    }
    void pan() { pan_by(state_, 10, 0, false); }
    AppState state_;
};

TEST_F(Drafts, WhileTheViewMovesAndUntilItHasRested) {
    EXPECT_FALSE(state_.draft.active);
    pan();
    frame(10);
    EXPECT_TRUE(state_.draft.active);
    EXPECT_FALSE(plan_frame(state_, 1).pictures.at(0).picture.shown.request.antialias);
    EXPECT_TRUE(state_.scene.antialias);
    EXPECT_NEAR(patience_of(wake_for_draft, state_), draft_rest_seconds, 1e-9);
    frame(10 + 0.9 * draft_rest_seconds);
    EXPECT_TRUE(state_.draft.active);
    frame(10 + 1.1 * draft_rest_seconds);
    EXPECT_FALSE(state_.draft.active);
    EXPECT_LT(patience_of(wake_for_draft, state_), 0);
    EXPECT_TRUE(plan_frame(state_, 1).pictures.at(0).picture.shown.request.antialias);
}

TEST_F(Drafts, NotWhereTheMachineIsFastEnough) {
    state_.report.frame.antialiased_ms = 0.5 * draft_above_ms;
    pan();
    frame(10);
    EXPECT_FALSE(state_.draft.active);
    state_.report.frame.antialiased_ms = 5 * draft_above_ms;
    state_.machine.on_gpu = true;
    pan();
    frame(20);
    EXPECT_FALSE(state_.draft.active);
}

TEST_F(Drafts, WhileTheViewOfAPaneMovesThatIsNotTheActiveOne) {
    add_pane(state_.scene);
    unlink_view(state_, 1);
    state_.scene.active = 0;
    state_.pointer.inside = true;
    state_.pointer.pane = 1;
    frame(5);
    EXPECT_FALSE(state_.draft.active);
    pan();
    frame(10);
    EXPECT_TRUE(state_.draft.active);
    frame(11);
    EXPECT_FALSE(state_.draft.active);
    state_.scene.active = 1;
    frame(12);
    EXPECT_FALSE(state_.draft.active) << "another pane became the active one, nothing moved";
}

TEST_F(Drafts, FlippingIsNoMotion) {
    flip_panes(state_.scene);
    frame(10);
    EXPECT_FALSE(state_.draft.active);
}

TEST_F(Drafts, NothingToSaveWhereNothingIsWidened) {
    zoom_out_to(state_, 0.5);
    frame(10);
    EXPECT_FALSE(state_.draft.active);
}

TEST_F(Drafts, NeverInPicturesThatAreKept) {
    state_.draft.permitted = false;
    pan();
    frame(10);
    EXPECT_FALSE(state_.draft.active);
}

// Half-way between black and white: half of the light, which IEC 61966-2-1 codes as 1.055·0.5^(1/2.4) − 0.055.
TEST(Sources, OneOfEachLight) {
    auto image = std::make_shared<Image>(2, 1, 1, SampleType::u8);
    image->row_as<uint8_t>(0)[1] = 255;
    SourceCache cache(make_cpu_backend());
    const MethodSpec spec = default_spec(*find_method("bilinear"));
    const std::shared_ptr<const Image> shared = image;
    EXPECT_NEAR(cache.at(shared).value_at(spec, {0.5, 0})[0], 0.5, 1e-6);
    EXPECT_NEAR(cache.at(shared, Light::linear).value_at(spec, {0.5, 0})[0], 1.055 * std::pow(0.5, 1 / 2.4) - 0.055,
                1e-6);
    SourceImage* stored = &cache.at(shared);
    cache.at(shared, Light::linear);
    EXPECT_EQ(&cache.at(shared), stored);
}

TEST(Signal, FillsThePictureAreaWithItsRow) {
    AppState state = with_signal(40);
    state.places.picture = {0, 0, 64, 16};
    SourceImage source(make_cpu_backend(), *state.scene.document()->image);
    for (const MethodInfo* method : all_methods())
        for (AddressMode mode : all_address_modes)
            for (double scale : {0.125, 3.0}) {
                set_view(state, {2.25, 9, scale, 0});
                choose_method(state.scene, *method);
                choose_address(state.scene, {mode, mode});
                const Image picture = source.render_to_image(pane_request(state, 0));
                for (int x = 0; x < picture.width(); x += 7) {
                    ASSERT_TRUE(std::isfinite(picture.value(x, 0, 0))) << method->id;
                    ASSERT_EQ(picture.value(x, 0, 0), picture.value(x, 15, 0)) << method->id;
                }
            }
}

TEST(Signal, EachPixelShowsTheSampleUnderIt) {
    AppState state = with_signal(40);
    fit(state);
    choose_method(state.scene, *find_method("nearest"));
    EXPECT_NEAR(shown_view(state).scale, 40.0 / 200, 1e-12);
    const Image& signal = *state.scene.document()->image;
    SourceImage source(make_cpu_backend(), signal);
    const Image picture = source.render_to_image(pane_request(state, 0));
    for (int x = 0; x < 200; ++x) EXPECT_EQ(picture.value(x, 70, 0), signal.value(x / 5, 0, 0)) << x;
}

TEST(Signal, HasNoPlaneToWarpAndOneAxisToPayFor) {
    AppState state = with_signal(40);
    state.scene.warp = {Warp::Kind::swirl, 180};
    EXPECT_EQ(pane_request(state, 0).warp, Warp{});
    EXPECT_EQ(fetches(*find_method("bspline"), FetchPath::global, shows_signal(state)), 4);
    EXPECT_EQ(fetches(*find_method("bspline"), FetchPath::hardware, shows_signal(state)), 2);
    zoom_out_to(state, 4);
    EXPECT_NEAR(widened_taps(*find_method("bspline"), shown_reading(state), true), 16, 1e-9);
    EXPECT_FALSE(find_action("view.warp")->is_enabled(state));
}

}  // namespace
}  // namespace texelscope::test
