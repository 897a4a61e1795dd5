// The values under the cursor: immediately, or some frames later if the backend must not be waited for.

#include "app/picture/frame/cursor_readouts.h"

#include <chrono>
#include <cmath>
#include <thread>

#include "app/picture/inspect/profile.h"
#include "app/picture/pane_picture.h"
#include "app/state/panes.h"
#include "gpu/backend/source_image.h"
#include "gpu/core/tile_source.h"
#include "gpu/method/position.h"
#include "tests/engine/flip_by_definition.h"
#include "tests/gui/viewer_test.h"
#include "tests/support/images.h"
#include "tests/support/patience.h"

namespace texelscope::test {
namespace {

class Readouts : public Frame {
protected:
    void SetUp() override {
        Frame::SetUp();
        if (IsSkipped()) return;
        renderer_.emplace(make_presenter(BackendChoice::cpu));
        state_ = grid_of(3, "@dead-leaves:300x200");
        point_at(40, 30);
    }
    void TearDown() override { renderer_.reset(); }

    void point_at(int x, int y) {
        state_.pointer.inside = true;
        state_.pointer.x = x;
        state_.pointer.y = y;
    }

    // The library's value for the pane's pixel.
    std::array<float, 3> expected(int pane, int x, int y) {
        SourceImage source(make_cpu_backend(), *state_.scene.documents[0].image);
        const Image image = source.render_to_image(pane_request(state_, pane));
        return {image.value(x, y, 0), image.value(x, y, 1), image.value(x, y, 2)};
    }
    void expect_readouts(int x, int y) {
        for (int pane = 0; pane < 3; ++pane) {
            const auto& readout = state_.report.findings.panes[size_t(pane)].readout;
            ASSERT_TRUE(readout) << pane;
            for (size_t c = 0; c < 3; ++c)
                EXPECT_NEAR(readout->interpolated[c], expected(pane, x, y)[c], 1e-6) << pane << " " << c;
            const Point p = shown_point(state_, x, y, pane);
            EXPECT_EQ(readout->position.x, p.x);
            EXPECT_EQ(readout->position.y, p.y);
        }
    }

    bool arrived_ = false;
    ReportFiller late_{late_copies(arrived_)};
    AppState state_;
    std::optional<FrameRenderer> renderer_;
};

TEST_F(Readouts, AreThereAtOnceWhereTheBackendNeedsNoWaiting) {
    ReportFiller filler;
    filler.fill(state_, *renderer_);
    expect_readouts(40, 30);
    EXPECT_FALSE(filler.has_news());
    EXPECT_LT(patience_of(filler, state_), 0);
}

TEST_F(Readouts, ComeWithALaterFrameWhereTheyAreUnderWay) {
    late_.fill(state_, *renderer_);
    EXPECT_FALSE(state_.report.findings.panes[0].readout);
    EXPECT_FALSE(late_.has_news());
    EXPECT_GE(patience_of(late_, state_), 0) << "the loop must look again";
    late_.fill(state_, *renderer_);
    EXPECT_FALSE(state_.report.findings.panes[0].readout);
    arrived_ = true;
    EXPECT_TRUE(late_.has_news());
    late_.fill(state_, *renderer_);
    expect_readouts(40, 30);
    EXPECT_FALSE(late_.has_news());
    EXPECT_LT(patience_of(late_, state_), 0) << "nothing more is to come";
}

TEST_F(Readouts, FollowACursorThatMovesOnMeanwhile) {
    late_.fill(state_, *renderer_);
    point_at(90, 60);
    late_.fill(state_, *renderer_);
    arrived_ = true;
    EXPECT_TRUE(late_.has_news());
    late_.fill(state_, *renderer_);  // takes the first and, as this copy no longer waits, the second
    expect_readouts(90, 60);
    EXPECT_LT(patience_of(late_, state_), 0);
}

// A lesson holds the cursor at a position: not the middle of a pixel.
TEST_F(Readouts, AreThoseOfThePointThatALessonPointsAt) {
    for (Pane& pane : state_.scene.panes) pane.spec = default_spec(*find_method("bilinear"));
    const Point held{140.3, 90.6};
    state_.ui.cursor = held;
    const Point pixel = apply_inverse(current_affine(state_, 0), held);
    point_at(int(std::lround(pixel.x)), int(std::lround(pixel.y)));
    ReportFiller filler;
    filler.fill(state_, *renderer_);
    const Image& image = *state_.scene.documents[0].image;
    for (int pane = 0; pane < 3; ++pane) {
        const auto& readout = state_.report.findings.panes[size_t(pane)].readout;
        ASSERT_TRUE(readout) << pane;
        EXPECT_NEAR(readout->position.x, held.x, 1e-9);
        EXPECT_NEAR(readout->position.y, held.y, 1e-9);
        for (int c = 0; c < 3; ++c) {
            const auto v = [&](int x, int y) { return double(image.value(x, y, c)); };
            const double above = 0.7 * v(140, 90) + 0.3 * v(141, 90), below = 0.7 * v(140, 91) + 0.3 * v(141, 91);
            EXPECT_NEAR(double(readout->interpolated[size_t(c)]), 0.4 * above + 0.6 * below, 1e-5);
        }
    }
    state_.ui.cursor.reset();  // the mouse points at a pixel
    filler.fill(state_, *renderer_);
    expect_readouts(state_.pointer.x, state_.pointer.y);
}

TEST_F(Readouts, AreDroppedWhereTheCursorHasLeft) {
    late_.fill(state_, *renderer_);
    state_.pointer.inside = false;
    late_.fill(state_, *renderer_);
    arrived_ = true;
    late_.fill(state_, *renderer_);
    EXPECT_FALSE(state_.report.findings.panes[0].readout);
    EXPECT_FALSE(late_.has_news()) << "the loop would never rest";
    EXPECT_LT(patience_of(late_, state_), 0);
    point_at(40, 30);
    late_.fill(state_, *renderer_);
    expect_readouts(40, 30);
}

// An area of one colour, transparent around: its alpha overshoots at the edges, and the colour stays what it is.
TEST_F(Readouts, ShowTheSameStraightColourAsTheProfile) {
    state_ = grid_of(1, "@dead-leaves:24x24");
    state_.scene.panes[0].spec = default_spec(*find_method("catmull-rom"));
    auto image = std::make_shared<Image>(24, 24, 2, SampleType::f32, Alpha::straight);
    for (int y = 0; y < 24; ++y)
        for (int x = 0; x < 24; ++x) {
            image->row_as<float>(y)[2 * x] = 0.75f;
            image->row_as<float>(y)[2 * x + 1] = x >= 8 && x < 16 ? 1 : 0;
        }
    Document& document = state_.scene.documents[0];
    document.image = image;
    document.view.scale = 1.0 / 32;
    SourceImage source(make_cpu_backend(), *image);
    ReportFiller filler;
    int below = 0, above = 0, zero = 0;
    for (int x = 2; x < width; x += 7) {
        point_at(x, height / 2);
        filler.fill(state_, *renderer_);
        const auto& readout = state_.report.findings.panes[0].readout;
        ASSERT_TRUE(readout);
        const Point p = readout->position;
        ProfileReport profile = profile_along({ProfileLine::Along::line, true, p, {p.x + 1, p.y}}, *image);
        place_points(profile, *image, 0, 1, 4);
        add_curve(profile, 0, source, state_.scene.panes[0].spec);
        const auto& there = profile.curves[0].values[0];
        const float alpha = readout->interpolated[1];
        below += alpha < -0.01f;
        above += alpha > 1.01f;
        zero += alpha == 0;
        EXPECT_NEAR(there[1], alpha, 1e-6) << x;
        if (alpha != 0 && std::abs(alpha) < 1e-3f) continue;  // rounding
        EXPECT_NEAR(readout->interpolated[0], alpha == 0 ? 0 : 0.75, 1e-4) << x << ", alpha " << alpha;
        EXPECT_NEAR(there[0], readout->interpolated[0], 1e-4) << x << ", alpha " << alpha;
    }
    EXPECT_GT(below, 0);
    EXPECT_GT(above, 0);
    EXPECT_GT(zero, 0);
}

// The samples of an image that is not in memory, where their numbers have room, are listed as they are stored.
TEST_F(Readouts, ListTheSamplesOfALargeImage) {
    for (const Alpha alpha : {Alpha::straight, Alpha::none}) {
        const auto image = std::make_shared<const Image>(noise(200, 150, 4, SampleType::u8, 12, alpha));
        state_ = grid_of(1, "@dead-leaves:200x150");
        Document& document = state_.scene.documents[0];
        document.image = std::make_shared<const Image>(std::make_shared<ImageTiles>(image, 32));
        document.view = {30.3, -20.7, 1 / 40.0, 0};
        state_.ui.pixel_values = true;
        FrameRenderer renderer(make_presenter(BackendChoice::cpu));
        renderer.prepare_beside([] {});
        ReportFiller filler;
        const SamplesInView& samples = state_.report.findings.panes.emplace_back().samples;
        for (int ms = 0; ms < 20000 && !samples.values; ++ms) {
            filler.fill(state_, renderer);
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        ASSERT_TRUE(samples.values);
        const Point corner = shown_point(state_, 0, 0, 0), end = shown_point(state_, width - 1, height - 1, 0);
        EXPECT_TRUE(samples.have(int(std::round(corner.x)), int(std::round(corner.y))));
        EXPECT_TRUE(samples.have(int(std::round(end.x)), int(std::round(end.y))));
        EXPECT_FALSE(samples.have(int(std::round(corner.x)) - 2, int(std::round(corner.y))));
        EXPECT_LT(samples.values->width(), width / 40 + 3);
        for (int y = 0; y < samples.values->height(); ++y)
            for (int x = 0; x < samples.values->width(); ++x)
                for (int c = 0; c < 4; ++c) {
                    const int of_x = samples.x + x, of_y = samples.y + y;
                    if (alpha == Alpha::straight && c < 3 && image->value(of_x, of_y, 3) < 0.01f) continue;
                    EXPECT_NEAR(samples.values->value(x, y, c), image->value(of_x, of_y, c), 1e-6);
                }
        document.view.scale = 0.5;
        filler.fill(state_, renderer);
        EXPECT_FALSE(samples.values) << "there is no room for numbers";
    }
}

// A pane that shows a difference: that of its pixel, from the reference in float64, from another pane, from a formula.
TEST_F(Readouts, GiveTheDifferenceThatThePaneShows) {
    state_ = grid_of(2, "@parabola:256");
    ReportFiller filler;
    PaneRenderer pictures(renderer_->sources());
    const auto expect_difference = [&](const std::string& when) {
        filler.fill(state_, *renderer_);
        const auto& readout = state_.report.findings.panes[0].readout;
        ASSERT_TRUE(readout && readout->compared) << when;
        // As the figure is measured, over a selection around this pixel alone.
        const Rendition shown = pane_rendition(state_, 0);
        const Point p = readout->position;
        const double half = 0.45 * state_.scene.documents[0].view.scale;
        const MeasureJob::Selection pixel{positions_of(shown.request, 256, 256), p.x - half, p.y - half, p.x + half,
                                          p.y + half};
        const Metrics metrics = pictures.measure(shown, *pane_picture(state_, 0).against, pixel);
        ASSERT_EQ(metrics.pixels, 1) << when;
        const double difference = std::abs(readout->compared->value[0] - readout->compared->reference[0]);
        EXPECT_NEAR(difference, metrics.max_abs, 1e-9) << when;
        EXPECT_EQ(float(readout->compared->value[0]), readout->interpolated[0]) << when;
    };
    state_.scene.documents[0].view.rotate = 0;
    state_.scene.panes[0].spec = default_spec(*find_method("bilinear"));
    point_at(41, 33);
    filler.fill(state_, *renderer_);
    EXPECT_FALSE(state_.report.findings.panes[0].readout->compared) << "its picture is on the screen";
    state_.scene.panes[0].difference = true;
    expect_difference("reference");
    EXPECT_NE(state_.report.findings.panes[0].readout->compared->reference[0],
              state_.report.findings.panes[0].readout->compared->value[0]);
    EXPECT_FALSE(state_.report.findings.panes[1].readout->compared);
    state_.scene.panes[0].against = 1;
    expect_difference("other pane");
    state_.scene.panes[0].against = Pane::reference_pane;
    state_.scene.reference = {Reference::Kind::truth, {}, {}};
    expect_difference("formula");
    state_.pointer.reference = true;
    filler.fill(state_, *renderer_);
    EXPECT_FALSE(state_.report.findings.panes[0].readout->compared) << "Shift shows the reference";
}

// A pixel in float64 would need the coefficients of the whole image at every movement of the mouse.
TEST_F(Readouts, TakeTheReferenceFromThePictureThatIsShown) {
    FrameRenderer renderer(make_presenter(BackendChoice::cpu));
    renderer.prepare_beside([] {});
    state_ = grid_of(2, "@dead-leaves:400x300");
    state_.scene.panes[0].difference = true;
    point_at(41, 33);
    ReportFiller filler, alone;
    filler.fill(state_, renderer);
    ASSERT_TRUE(state_.report.findings.panes[0].readout);
    EXPECT_FALSE(state_.report.findings.panes[0].readout->compared) << "no difference has been drawn";
    drawn(renderer, plan_frame(state_, 1));
    filler.fill(state_, renderer);
    ASSERT_TRUE(state_.report.findings.panes[0].readout->compared);
    const auto compared = *state_.report.findings.panes[0].readout->compared;
    state_.report.findings = {};
    alone.fill(state_, *renderer_);
    const auto& expected = state_.report.findings.panes[0].readout->compared;
    ASSERT_TRUE(expected);
    for (size_t c = 0; c < 3; ++c) EXPECT_NEAR(compared.reference[c], expected->reference[c], 1e-12);
}

// Of each kind: the number of the whole map, which the engine makes of the two panes' values; of FLIP also by its definition.
TEST_F(Readouts, GiveTheValueOfTheMapThatThePaneShows) {
    state_ = grid_of(2, "@dead-leaves:300x200");
    state_.scene.documents[0].view.rotate = 0;
    for (const auto& [pane, spec] : {std::pair(0, "bilinear"), std::pair(1, "nearest")})
        state_.scene.panes[size_t(pane)].spec = default_spec(*find_method(spec));
    state_.scene.panes[0].difference = true;
    state_.scene.panes[0].against = 1;
    PaneRenderer pictures(renderer_->sources());
    ReportFiller filler;
    for (const DifferenceKind kind : all_difference_kinds) {
        if (!is_map(kind)) continue;
        state_.scene.difference.kind = kind;
        const PanePicture picture = pane_picture(state_, 0);
        const int across = picture.shown.request.width, down = picture.shown.request.height;
        const std::vector<float> map = pictures.map_of(picture);
        const auto value = [&] { return state_.report.findings.panes[0].readout->map; };
        point_at(3, 3);
        state_.report.findings = {};
        filler.fill(state_, *renderer_);
        ASSERT_TRUE(state_.report.findings.panes[0].readout);
        EXPECT_FALSE(value()) << name_of(kind) << ": no map has been drawn";
        ASSERT_FALSE(renderer_->update(plan_frame(state_, 1)));
        int numbers = 0;
        for (const auto& [x, y] :
             {std::pair(3, 3), std::pair(across / 2, down / 3), std::pair(across / 2 + 1, down / 3)}) {
            point_at(x, y);
            filler.fill(state_, *renderer_);
            ASSERT_TRUE(value()) << name_of(kind);
            const float right = map[size_t(y) * size_t(across) + size_t(x)];
            EXPECT_TRUE(*value() == right || (std::isnan(*value()) && std::isnan(right))) << name_of(kind);
            numbers += !std::isnan(right);
            EXPECT_FALSE(state_.report.findings.panes[1].readout->map) << "its own picture is on the screen";
        }
        EXPECT_GE(numbers, 2) << name_of(kind);
    }
}

// FLIP of a pixel is a matter of the pixels around it.
TEST_F(Readouts, OfFlipAreThoseOfItsDefinition) {
    state_ = grid_of(2, "@dead-leaves:300x200");
    state_.scene.documents[0].view.rotate = 0;
    state_.scene.panes[0] = {default_spec(*find_method("bilinear"))};
    state_.scene.panes[1] = {default_spec(*find_method("nearest"))};
    state_.scene.panes[0].difference = true;
    state_.scene.panes[0].against = 1;
    state_.scene.difference.kind = DifferenceKind::flip;
    ASSERT_FALSE(renderer_->update(plan_frame(state_, 1)));
    SourceImage source(make_cpu_backend(), *state_.scene.documents[0].image);
    const Image a = source.render_to_image(pane_request(state_, 0)),
                r = source.render_to_image(pane_request(state_, 1));
    constexpr int reach = 24, side = 2 * reach + 1;  // more than its filters reach at 67 pixels per degree
    const int x = a.width() / 2, y = a.height() / 2;
    const auto around = [&](const Image& picture) {
        ColourPlane plane{side, side, {}};
        for (int j = -reach; j <= reach; ++j)
            for (int i = -reach; i <= reach; ++i) {
                Triple& pixel = plane.v.emplace_back();
                for (int c = 0; c < 3; ++c) {
                    const double v = std::clamp(double(picture.value(x + i, y + j, c)), 0.0, 1.0);
                    pixel[size_t(c)] = v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
                }
            }
        return plane;
    };
    point_at(x, y);
    ReportFiller filler;
    filler.fill(state_, *renderer_);
    ASSERT_TRUE(state_.report.findings.panes[0].readout && state_.report.findings.panes[0].readout->map);
    EXPECT_NEAR(double(*state_.report.findings.panes[0].readout->map),
                flip_by_definition(around(a), around(r), double(usual_pixels_per_degree))[size_t(side * reach + reach)],
                1e-4);
}

// Shift over a picture that is a function: its value there, which no method has between the samples.
TEST_F(Readouts, ShowTheFormulasValueWhileTheTruthIsHeld) {
    state_ = grid_of(1, "@parabola:256");
    state_.scene.panes[0].spec = default_spec(*find_method("bilinear"));
    state_.scene.reference = {Reference::Kind::truth, {}, {}};
    ReportFiller filler;
    for (const bool held : {false, true, false}) {
        state_.pointer.reference = held;
        point_at(41, 33);
        filler.fill(state_, *renderer_);
        const auto& readout = state_.report.findings.readout;
        ASSERT_TRUE(readout);
        const auto from_middle = [](double x) { return (x - 127.5) * (x - 127.5); };
        const double truth = (from_middle(readout->position.x) + from_middle(readout->position.y)) / (256 * 256 / 2);
        if (held) EXPECT_NEAR(readout->interpolated[0], truth, 1e-7);
        else EXPECT_GT(readout->interpolated[0], truth + 1e-6) << "a chord lies above the parabola";
    }
}

}  // namespace
}  // namespace texelscope::test
