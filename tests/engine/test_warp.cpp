// Warps: built-in ones, and maps of coordinates.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "gpu/backend/source_image.h"
#include "gpu/method/polar_method.h"
#include "tests/support/backends.h"
#include "tests/support/images.h"
#include "tests/support/reference.h"
#include "tests/support/tolerances.h"

namespace texelscope::test {
namespace {

// Built-in warps against their formulas in float64, under any view, and with the weight function widened by the local
// stretch.

// The text of gpu/core/view.h, in polar coordinates.
Point warped_by_formula(const Warp& warp, Point p, int width, int height) {
    const double cx = (width - 1) / 2.0, cy = (height - 1) / 2.0, radius = std::min(width, height) / 2.0;
    double r = std::hypot(p.x - cx, p.y - cy), angle = std::atan2(p.y - cy, p.x - cx);
    const double share = r / radius;
    if (warp.kind == Warp::Kind::swirl && share < 1)
        angle += warp.strength * std::numbers::pi / 180 * (1 - share) * (1 - share);
    if (warp.kind == Warp::Kind::barrel) r *= 1 + warp.strength * share * share;
    if (warp.kind == Warp::Kind::ripple) r += warp.strength * std::sin(2 * std::numbers::pi * 8 * share);
    return {cx + r * std::cos(angle), cy + r * std::sin(angle)};
}

const Warp warps[] = {{Warp::Kind::swirl, 180},   {Warp::Kind::swirl, -55},  {Warp::Kind::barrel, 0.3},
                      {Warp::Kind::barrel, -0.4}, {Warp::Kind::ripple, 2.5}, {Warp::Kind::ripple, -1}};

class Warps : public OnMethod {};

TEST_P(Warps, ReadWhereTheirFormulaSays) {
    const Image image = noise(46, 31, 2, SampleType::f32, 3);
    SourceImage source(backend_, image);
    for (const Warp& warp : warps)
        for (const double rotate : {0.0, 25.0}) {
            RenderRequest request = request_of(spec(), 23, 17);
            request.view = {1.37, 0.61, 1.931, rotate};
            request.warp = warp;
            request.spec.address = {rotate == 0 ? AddressMode::mirror : AddressMode::reflect101, AddressMode::clamp};
            const Image out = source.render_to_image(request);
            const reference::Interpolant interpolant(image, request.spec);
            for (int j = 0; j < 17; j += 2)
                for (int i = 0; i < 23; i += 2) {
                    const auto viewed = reference::position(request.view, 46, 31, 23, 17, i, j);
                    const Point p = warped_by_formula(warp, {double(viewed.x), double(viewed.y)}, 46, 31);
                    ASSERT_NEAR(out.value(i, j, 1), interpolant.at({p.x, p.y})[1], exact_tolerance(spec()))
                        << name_of(warp.kind) << " " << warp.strength << " at " << p.x << ", " << p.y;
                }
        }
}

TEST_P(Warps, OfStrengthZeroChangeNothing) {
    const Image image = noise(46, 31, 3, SampleType::u8, 4);
    SourceImage source(backend_, image);
    RenderRequest request = request_of(spec(), 23, 17);
    request.view = {1.37, 0.61, 0.7, 12};
    const Image plain = source.render_to_image(request);
    for (const Warp::Kind kind : {Warp::Kind::swirl, Warp::Kind::barrel, Warp::Kind::ripple}) {
        request.warp = {kind, 0};
        EXPECT_LE(between(plain, source.render_to_image(request)).error, tolerance::exact_path) << name_of(kind);
    }
}

// The stretch at a pixel: how far apart the points of the next pixels, to the right and below, are along each axis.
TEST_P(Warps, WithAntialiasWidenTheWeightFunctionByTheLocalStretch) {
    if (is_polar(method())) GTEST_SKIP() << "its footprints are ellipses: test_polar_and_perspective.cpp";
    const Image image = noise(46, 31, 1, SampleType::f32, 5);
    SourceImage source(backend_, image);
    for (const Warp& warp : warps) {
        RenderRequest request = request_of(spec(), 21, 15);
        request.view = {0.37, 0.61, 2.231, 8};
        request.warp = warp;
        request.antialias = true;
        request.spec.address = {AddressMode::mirror, warp.strength > 0 ? AddressMode::wrap : AddressMode::reflect101};
        const Image out = source.render_to_image(request);
        const reference::Widened widened(image, request.spec);
        const auto point = [&](int i, int j) {
            const auto viewed = reference::position(request.view, 46, 31, 21, 15, i, j);
            return warped_by_formula(warp, {double(viewed.x), double(viewed.y)}, 46, 31);
        };
        for (int j = 0; j < 14; j += 3)
            for (int i = 0; i < 20; i += 3) {
                const Point p = point(i, j), right = point(i + 1, j), below = point(i, j + 1);
                const double sx = std::hypot(right.x - p.x, below.x - p.x),
                             sy = std::hypot(right.y - p.y, below.y - p.y);
                const double expected = widened.at({p.x, p.y}, std::clamp(sx, 1.0, 8.0), std::clamp(sy, 1.0, 8.0))[0];
                ASSERT_NEAR(out.value(i, j, 0), expected, tolerance::widened)
                    << name_of(warp.kind) << " " << warp.strength << " stretched by " << sx << ", " << sy;
            }
    }
}

// A warp that moves nothing gives the same as none: the local stretch is the view's, on the image or on a level of it.
TEST_P(Warps, OfStrengthZeroWithAntialiasWidenLikeTheView) {
    const Image image = noise(46, 31, 1, SampleType::f32, 6);
    SourceImage source(backend_, image);
    for (const AddressMode mode : all_address_modes)
        for (const double scale : {2.231, 9.7, 30.0}) {
            RenderRequest request = request_of(spec(), 21, 15);
            request.view = {0.37, 0.61, scale, 8};
            request.antialias = true;
            request.spec.address = {mode, mode};
            const Image plain = source.render_to_image(request);
            request.warp = {Warp::Kind::ripple, 0};
            EXPECT_LE(between(plain, source.render_to_image(request)).error, 2 * tolerance::widened)
                << name_of(mode) << " scale " << scale;
        }
}

TEST_P(Warps, ShowTheBackgroundWhereTheyReadOutside) {
    if (path() == FetchPath::hardware) GTEST_SKIP() << "not exact";
    const Image image = noise(30, 30, 1, SampleType::f32, 7);
    RenderRequest request = request_of(spec(), 30, 30);
    request.warp = {Warp::Kind::barrel, 1.5};
    request.outside = Outside::background;
    const Image out = SourceImage(backend_, image).render_to_image(request);
    EXPECT_EQ(out.value(0, 0, 0), background_level);
    const Point centre = warped_by_formula(request.warp, {15, 15}, 30, 30);
    EXPECT_NEAR(out.value(15, 15, 0), reference::Interpolant(image, spec()).at({centre.x, centre.y})[0], 1e-4);
}

ON_EVERY_BACKEND_AND_KIND(Warps, auto_path());

class WarpSizes : public OnBackend {};

TEST_P(WarpSizes, ImagesAndPicturesOfOnePixelAreWarpedToo) {
    for (const auto& [width, height] : {std::pair{1, 1}, {1, 9}, {9, 1}}) {
        SourceImage source(backend_, noise(width, height, 1, SampleType::f32, 8));
        for (const Warp& warp : warps)
            for (const bool antialias : {false, true}) {
                RenderRequest request = request_of(spec_of("bspline"), 1, 1);
                request.warp = warp;
                request.antialias = antialias;
                const float v = source.render_to_image(request).value(0, 0, 0);
                EXPECT_TRUE(v > -0.5 && v < 1.5) << v << " " << name_of(warp.kind);
            }
    }
}

TEST_P(WarpSizes, HaveTheRangeThatTheirRecordSays) {
    for (const Warp::Kind kind : all_warps) {
        const WarpInfo info = info_of(kind);
        EXPECT_LE(info.minimum, info.standard);
        EXPECT_LE(info.standard, info.maximum);
        EXPECT_EQ(name_of(kind), info.name);
    }
}

ON_EVERY_BACKEND(WarpSizes);

// Maps of coordinates, antialiased: each pixel is widened as far as a view that zooms out as far is.

class Maps : public OnMethod {
protected:
    static constexpr int width = 23, height = 17;

    template <class Position> Image mapped(SourceImage& source, Position position, const MethodSpec& spec) const {
        std::vector<double> points;
        for (int j = 0; j < height; ++j)
            for (int i = 0; i < width; ++i) {
                const Point p = position(i, j);
                points.insert(points.end(), {p.x, p.y});
            }
        SampleRequest request;
        request.spec = spec;
        return source.render_map(request, PointsView::pairs(points.data(), points.size() / 2), width, height);
    }
};

// Both pictures are made on the same level, with the same stretch.
TEST_P(Maps, ThatAreViewsGiveTheirPictures) {
    SourceImage source(backend_, noise(520, 430, 2, SampleType::f32, 6));
    for (const AddressMode mode : {AddressMode::clamp, AddressMode::mirror, AddressMode::reflect101})
        for (const Affine& a : {Affine{2.231, 0, 31.2, 0, 2.231, 42.7}, Affine{9.7, 0, 31.2, 0, 9.7, 42.7},
                                Affine{20, 0, 31.2, 0, 20, 42.7}, Affine{19, -5, 50.2, 6, 20, -12.7},
                                Affine{20, 0, 31.2, 0, 1.5, 200.7}, Affine{1, 0, 31.2, 0, 45, -13.7}}) {
            RenderRequest request = request_of(spec(), width, height);
            request.spec.address = {mode, mode};
            request.positions = a;
            request.antialias = true;
            const Image viewed = source.render_to_image(request),
                        by_map = mapped(
                            source, [&](int i, int j) { return apply(a, i, j); }, request.spec);
            EXPECT_LE(between(by_map, viewed).error, 2 * tolerance::widened)
                << name_of(mode) << ", steps " << a.xx << ", " << a.yy;
        }
}

// The left points are close together, the others far apart: each pixel is as in a map that is all like its part.
TEST_P(Maps, ReadForEachPixelTheLevelThatItNeeds) {
    SourceImage source(backend_, noise(520, 430, 1, SampleType::f32, 7));
    const int middle = 11;
    const auto near = [](int i, int j) { return Point{200 + 1.5 * (i - middle), 40 + 1.5 * j}; };
    const auto far = [](int i, int j) { return Point{200 + 24.0 * (i - middle), 40 + 1.5 * j}; };
    const auto both = [&](int i, int j) { return i < middle ? near(i, j) : far(i, j); };
    const Image mixed = mapped(source, both, spec()), close = mapped(source, near, spec()),
                apart = mapped(source, far, spec());
    for (int j = 0; j < height; ++j)
        for (int i = 0; i < width; ++i) {
            if (std::abs(i - middle) <= 1) continue;  // pixels between the two parts
            ASSERT_EQ(mixed.value(i, j, 0), (i < middle ? close : apart).value(i, j, 0)) << i << ", " << j;
        }
}

// Points that are far apart on one side only, where a map begins anew, are no reason to read the smallest level.
TEST_P(Maps, DoNotTakeASeamForAStretch) {
    SourceImage source(backend_, noise(520, 430, 1, SampleType::f32, 8));
    const auto cut = [](int i, int j) { return Point{i < 11 ? 20 + 1.5 * i : 480 - 1.5 * i, 40 + 1.5 * j}; };
    const auto deviation = [](const Image& picture, int column) {
        double sum = 0;
        for (int j = 0; j < height; ++j) sum += std::pow(picture.value(column, j, 0) - 0.5, 2);
        return std::sqrt(sum / height);
    };
    const Image picture = mapped(source, cut, spec());
    EXPECT_GT(deviation(picture, 11), 0.5 * deviation(picture, 16));  // the first one behind the seam
}

TEST_P(Maps, OfPointsThatAreNoNumbersAreHarmless) {
    SourceImage source(backend_, noise(52, 43, 1, SampleType::f32, 9));
    const double odd[] = {std::nan(""), HUGE_VAL, -HUGE_VAL, 1e300, 12};
    const Image picture = mapped(
        source,
        [&](int i, int j) {
            return Point{odd[i % 5], odd[j % 5]};
        },
        spec());
    EXPECT_TRUE(std::isnan(picture.value(0, 0, 0)));
    EXPECT_TRUE(std::isfinite(picture.value(4, 4, 0)));
}

ON_EVERY_BACKEND_AND_KIND(Maps, auto_path());

}  // namespace
}  // namespace texelscope::test
