// What a picture is compared with: the formula of a test image, or another image of the same field.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "app/files/reading/image_files.h"
#include "app/picture/comparison.h"
#include "app/picture/pane_picture.h"
#include "app/picture/reference_values.h"

namespace texelscope::test {
namespace {

// The truth that a formula gives: its values under a view, what is masked, and what it says of methods.

constexpr double pi = std::numbers::pi;

Rendition truth_of(const std::string& source, const View& view, int width, int height) {
    Rendition rendition;
    rendition.image = std::make_shared<const Image>(load_image(source));
    rendition.request.spec = parse_spec("bspline");
    rendition.request.view = view;
    rendition.request.width = width;
    rendition.request.height = height;
    rendition.float64 = true;
    rendition.formula = formula_of(source);
    return rendition;
}

TEST(FormulaValues, AreThoseOfTheViewsPositions) {
    const View view{3.25, -1.5, 0.3, 25};
    const double c = std::cos(25 * pi / 180), s = std::sin(25 * pi / 180);
    const auto values = formula_values(truth_of("@zone-plate:64x48", view, 50, 40));
    for (int j = 0; j < 40; ++j)
        for (int i = 0; i < 50; ++i) {
            const double u = i - 24.5, v = j - 19.5;
            const double dx = 3.25 + 0.3 * (c * u - s * v), dy = -1.5 + 0.3 * (s * u + c * v);
            ASSERT_NEAR(values[size_t(j) * 50 + size_t(i)], 0.5 + 0.5 * std::cos(pi * (dx * dx + dy * dy) / 64), 1e-12);
        }
}

TEST(FormulaValues, AreReadThroughTheWarp) {
    Rendition truth = truth_of("@parabola:65", {0, 0, 0.5, 0}, 40, 40);
    truth.request.warp = {Warp::Kind::barrel, 0.3};
    const auto values = formula_values(truth);
    const double u = 0.5 * (7 - 19.5), v = 0.5 * (31 - 19.5), r2 = (u * u + v * v) / (32.5 * 32.5);
    EXPECT_NEAR(values[31 * 40 + 7], (1 + 0.3 * r2) * (1 + 0.3 * r2) * (u * u + v * v) / 2048, 1e-12);
}

TEST(FormulaValues, BeyondTheEdgesAreTheBackgroundOrNothing) {
    Rendition truth = truth_of("@ramp:16", {0, 0, 1, 0}, 20, 16);
    truth.request.outside = Outside::nan;
    EXPECT_TRUE(std::isnan(formula_values(truth)[0]));
    EXPECT_EQ(formula_values(truth)[2], 0);
    truth.request.outside = Outside::extend;
    EXPECT_NEAR(formula_values(truth)[0], -2 / 15.0, 1e-15) << "the formula goes on";
}

TEST(FormulaValues, ArePremultiplied) {
    const auto values = formula_values(truth_of("@alpha:64", {0, 25, 1, 0}, 1, 1));  // in the soft rim
    const double alpha = values[3];
    ASSERT_TRUE(alpha > 0.01 && alpha < 0.99);
    EXPECT_LT(values[2], alpha);
}

std::vector<bool> mask_of(Rendition truth) {
    truth.masked = true;
    std::vector<bool> mask;
    for (const double v : formula_values(truth)) mask.push_back(std::isnan(v));
    return mask;
}

// Zoomed out by 2 and rotated by 90°: the frequency along each output axis is twice dx / N, at most ½ up to N / 4.
TEST(FormulaValues, AboveTheOutputsNyquistAreMasked) {
    const auto mask = mask_of(truth_of("@zone-plate:64", {0, 0, 2, 90}, 32, 32));
    for (int j = 0; j < 32; ++j)
        for (int i = 0; i < 32; ++i) {
            const double dx = 2 * (i - 15.5), dy = 2 * (j - 15.5);
            EXPECT_EQ(mask[size_t(j) * 32 + size_t(i)], std::abs(dx) > 16 || std::abs(dy) > 16) << i << ' ' << j;
        }
}

TEST(FormulaValues, AboveTheSamplesNyquistAreMaskedAtAnyZoom) {
    Rendition truth = truth_of("@zone-plate:64", {0, 0, 0.25, 0}, 300, 1);
    truth.request.view.translate_y = 0;
    const auto mask = mask_of(truth);
    for (int i = 0; i < 300; ++i) EXPECT_EQ(mask[size_t(i)], std::abs(0.25 * (i - 149.5)) > 32) << i;
    for (const bool masked : mask_of(truth_of("@zone-plate:64", {0, 0, 1, 0}, 64, 64))) EXPECT_FALSE(masked);
}

// Between the two samples beside a jump nobody can know where it is.
TEST(FormulaValues, BesideAJumpAreMasked) {
    const auto mask = mask_of(truth_of("@step:8", {0, 0, 0.1, 0}, 70, 1));
    for (int i = 0; i < 70; ++i) EXPECT_EQ(mask[size_t(i)], std::abs(0.1 * (i - 34.5)) < 0.5 - 1e-9) << i;
    for (const bool masked : mask_of(truth_of("@step:8", {}, 8, 8))) EXPECT_FALSE(masked) << "samples are known";
    // An edge one sample wide is too narrow for pixels that are further apart.
    for (const bool masked : mask_of(truth_of("@rings:64", {0, 0, 0.25, 0}, 100, 100))) EXPECT_FALSE(masked);
    const auto rings = mask_of(truth_of("@rings:64", {0.5, 0.5, 2, 0}, 16, 16));
    EXPECT_TRUE(rings[8 * 16 + 8 + 2]) << "5 samples from the centre, 0.25 from the ring's rim";
    EXPECT_FALSE(rings[8 * 16 + 8]) << "1 sample from the centre";
}

// Figures of one pane against the formula, over the middle of the picture.
class Truth : public testing::Test {
protected:
    double rmse(const std::string& source, const std::string& spec, const View& view, bool float64 = false) {
        Rendition truth = truth_of(source, view, 64, 64);
        truth.masked = true;
        Rendition shown = truth;
        shown.formula.reset();
        shown.masked = false;
        shown.float64 = float64;
        shown.request.spec = parse_spec(spec);
        return PaneRenderer(sources_).measure(shown, truth, {}).rmse;
    }
    SourceCache sources_{make_cpu_backend()};
};

TEST_F(Truth, OrdersMethodsOnABandLimitedPicture) {
    double before = 1;
    for (const char* spec : {"nearest", "bilinear", "catmull-rom", "bspline", "quintic"}) {
        const double error = rmse("@waves", spec, {0.3, 0.1, 0.23, 10});
        EXPECT_LT(error, 0.5 * before) << spec;
        before = error;
    }
    EXPECT_LT(before, 1e-4);
}

// exp(πi r² / N): with four times N and twice the field in samples, the same field at half the distance of samples.
TEST_F(Truth, ShowsTheOrderOfEachMethod) {
    const std::pair<const char*, double> orders[] = {{"nearest", 1}, {"bilinear", 2}, {"catmull-rom", 3},
                                                     {"bspline", 4}, {"omoms", 4},    {"quintic", 6}};
    for (const auto& [spec, order] : orders) {
        const double coarse = rmse("@complex-chirp:64", spec, {0, 0, 0.21, 0}, true),
                     fine = rmse("@complex-chirp:256", spec, {0, 0, 0.42, 0}, true);
        EXPECT_NEAR(std::log2(coarse / fine), order, 0.35) << spec;
    }
}

TEST_F(Truth, IsNotRoundedAsTheSamplesAre) {
    // At samples, what is left is rounding: even between ±½ of a level.
    EXPECT_NEAR(rmse("@zone-plate:64", "bspline", {}), 1 / (255 * std::sqrt(12.0)), 2e-4);
    EXPECT_LT(rmse("@waves:64", "bspline", {}), 1e-6);
}

class TruthOfPanes : public testing::Test {
protected:
    void SetUp() override {
        state_.scene.panes = {{parse_spec("nearest")}, {parse_spec("bspline")}};
        for (const char* source : {"@zone-plate:64", "@text:64"}) {
            Document& document = state_.scene.documents.emplace_back();
            document.source = source;
            document.image = std::make_shared<const Image>(load_image(source));
        }
        state_.scene.current = 0;
        state_.scene.arrangement = Arrangement::columns;
        state_.scene.reference.kind = Reference::Kind::truth;
        state_.places.picture = {0, 0, 200, 100};
    }
    AppState state_;
};

TEST_F(TruthOfPanes, IsMaskedInDifferencesAndWholeWhileShiftIsHeld) {
    state_.scene.panes[0].difference = true;
    const PanePicture picture = pane_picture(state_, 0);
    ASSERT_TRUE(picture.against && picture.against->formula);
    EXPECT_TRUE(picture.against->masked);
    state_.pointer.reference = state_.pointer.inside = true;
    const Rendition shown = pane_picture(state_, 0).shown;
    EXPECT_TRUE(shown.formula);
    EXPECT_FALSE(shown.masked);
}

TEST_F(TruthOfPanes, IsMissingForAPictureThatIsNoFunction) {
    EXPECT_EQ(why_no_reference(state_, 0), "");
    state_.scene.panes[1].source = "@text:64";
    EXPECT_TRUE(reference_rendition(state_, 0));
    EXPECT_FALSE(reference_rendition(state_, 1));
    EXPECT_NE(why_no_reference(state_, 1).find("@text:64 is not made by a formula"), std::string::npos)
        << why_no_reference(state_, 1);
}

// Hatched, not the colour of NaN.
TEST_F(TruthOfPanes, ShowsTheMaskInTheDifference) {
    state_.scene.documents[0].view.scale = 2;
    state_.scene.panes[0].difference = true;
    SourceCache sources(make_cpu_backend());
    const Image image = PaneRenderer(sources).render_to_rgba8(pane_picture(state_, 0));
    const int x = image.width() / 2 + 14, y = image.height() / 2;  // 28 of 32 samples from the centre
    for (int k = 0; k < 8; ++k) {
        const uint8_t* pixel = image.row_as<uint8_t>(y - k) + 4 * x;
        EXPECT_TRUE(pixel[0] == 44 || pixel[0] == 92) << int(pixel[0]);
        EXPECT_EQ(pixel[0], pixel[1]);
        EXPECT_EQ(pixel[0], pixel[2]);
    }
}

// Which images can show the same field, and how one is read over the field of the other.

Image image(int width, int height) { return Image(width, height, 1, SampleType::u8); }

TEST(SameField, NeedsSidesOfTheSameRatioUpToRounding) {
    const auto alike = [](int w, int h, int ow, int oh) {
        EXPECT_EQ(same_shape(image(w, h), image(ow, oh)), same_shape(image(ow, oh), image(w, h)));
        return same_shape(image(w, h), image(ow, oh));
    };
    EXPECT_TRUE(alike(16, 12, 64, 48));
    EXPECT_TRUE(alike(16, 12, 16, 12));
    EXPECT_TRUE(alike(16, 12, 65, 49)) << "65 / 4 and 49 / 4, rounded";
    EXPECT_TRUE(alike(1000, 667, 6000, 4000)) << "rounded to nearest";
    EXPECT_TRUE(alike(1000, 666, 6000, 4000)) << "rounded down";
    EXPECT_TRUE(alike(1001, 667, 6001, 4000)) << "rounded up";
    EXPECT_TRUE(alike(1, 1, 300, 200)) << "a single sample";
    EXPECT_FALSE(alike(1000, 665, 6000, 4000));
    EXPECT_FALSE(alike(16, 12, 64, 40));
    EXPECT_FALSE(alike(16, 12, 48, 64));
    EXPECT_FALSE(alike(16, 12, 16, 13)) << "cut off";
    Image signal = image(100, 1), longer = image(150, 1);
    signal.set_one_dimensional(true);
    EXPECT_FALSE(same_shape(signal, longer));
    longer.set_one_dimensional(true);
    EXPECT_TRUE(same_shape(signal, longer));
}

TEST(SameField, OuterEdgesAgree) {
    Rendition shown;
    shown.image = std::make_shared<const Image>(image(16, 12));
    shown.request.view = {1.5, -2, 0.3, 30};
    shown.request.width = shown.request.height = 20;
    shown.request.spec = parse_spec("nearest:address=wrap");
    shown.request.warp = {Warp::Kind::ripple, 2};
    const Rendition over = over_same_field(shown, std::make_shared<const Image>(image(65, 47)));
    const Affine a = positions_of(shown.request, 16, 12), b = positions_of(over.request, 65, 47);
    for (const Point& pixel : {Point{0, 0}, Point{19, 3}, Point{7, 19}}) {
        const Point p = apply(a, pixel.x, pixel.y), q = apply(b, pixel.x, pixel.y);
        EXPECT_NEAR((p.x + 0.5) / 16, (q.x + 0.5) / 65, 1e-12);
        EXPECT_NEAR((p.y + 0.5) / 12, (q.y + 0.5) / 47, 1e-12);
    }
    EXPECT_TRUE(over.float64);
    EXPECT_EQ(over.request.warp.strength, 2 * 65 / 16.0) << "in samples";
}

// With another size the method is always the same, so that all panes are measured against one picture.
TEST(SameField, OfAnotherSizeIsReadAlikeForEveryMethod) {
    Rendition shown;
    shown.image = std::make_shared<const Image>(image(16, 12));
    shown.request.antialias = false;
    for (const char* spec : {"nearest:address=wrap", "lanczos3:path=hardware,address=wrap"}) {
        shown.request.spec = parse_spec(spec);
        const RenderRequest over = over_same_field(shown, std::make_shared<const Image>(image(32, 24))).request;
        EXPECT_EQ(to_string(over.spec), "bspline:path=global,address=wrap,prefilter=iir");
        EXPECT_TRUE(over.antialias);
        const RenderRequest same = over_same_field(shown, std::make_shared<const Image>(image(16, 12))).request;
        EXPECT_EQ(same, shown.request) << "interpolated like the pane";
    }
}

}  // namespace
}  // namespace texelscope::test
