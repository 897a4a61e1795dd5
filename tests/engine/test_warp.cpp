// Built-in warps against their formulas in float64, under any view, and with the weight function widened by the local
// stretch.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "gpu/backend/source_image.h"
#include "gpu/method/polar_method.h"
#include "tests/support/backends.h"
#include "tests/support/compare.h"
#include "tests/support/exact_tolerance.h"
#include "tests/support/images.h"
#include "tests/support/tolerances.h"
#include "tests/support/widened_reference.h"

namespace texelscope::test {
namespace {

// The text of gpu/core/warp.h, in polar coordinates.
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
    if (is_polar(method())) GTEST_SKIP() << "its footprints are ellipses: test_polar.cpp";
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

ON_EVERY_BACKEND_AND_METHOD(Warps, auto_path());

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

}  // namespace
}  // namespace texelscope::test
