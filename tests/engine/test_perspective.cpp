// Perspective: homographies, and what mip levels and anisotropic filtering do about minification.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "gpu/backend/source_image.h"
#include "tests/support/backends.h"
#include "tests/support/images.h"
#include "tests/support/reference.h"
#include "tests/support/tolerances.h"

namespace texelscope::test {
namespace {

// Where the ray through p meets a floor that is tilted about the level line through its centre, seen from 2 R away.
Point on_tilted_plane(double degrees, Point p, int width, int height) {
    const double cx = (width - 1) / 2.0, cy = (height - 1) / 2.0, radius = std::min(width, height) / 2.0, eye = 2;
    const double u = (p.x - cx) / radius, v = (p.y - cy) / radius, tilt = degrees * std::numbers::pi / 180;
    const double c = std::cos(tilt), s = std::sin(tilt);
    const double along = eye * c / (v * s + eye * c);  // of the ray (u, v, eye)
    if (!(along > 0)) return {INFINITY, INFINITY};
    return {cx + radius * along * u, cy + radius * (along * v * c - (along * eye - eye) * s)};
}

Warp homography(const std::array<double, 9>& numbers) {
    Warp warp{.kind = Warp::Kind::homography};
    std::copy(numbers.begin(), numbers.end(), warp.matrix);
    return warp;
}

class Perspective : public OnBackend {};

TEST_P(Perspective, HomographiesReadWhereTheirNumbersSay) {
    const Image image = noise(46, 31, 1, SampleType::f32, 13);
    SourceImage source(backend_, image);
    const std::array<double, 9> m = {0.8, 0.1, 2, -0.05, 0.7, 5, 0.001, 0.02, 0.9};
    for (const char* id : {"nearest", "bilinear", "bspline"})
        for (const bool plane : {false, true}) {
            RenderRequest request = request_of(default_spec(parse_method(id)), 46, 31);
            request.warp = plane ? Warp{.kind = Warp::Kind::plane, .strength = 65} : homography(m);
            request.spec.address = {AddressMode::mirror, AddressMode::mirror};
            const Image out = source.render_to_image(request);
            const reference::Interpolant interpolant(image, request.spec);
            for (int j = 0; j < 31; ++j)
                for (int i = 0; i < 46; i += 3) {
                    const double w = m[6] * i + m[7] * j + m[8];
                    const Point p = plane ? on_tilted_plane(65, {double(i), double(j)}, 46, 31)
                                          : Point{(m[0] * i + m[1] * j + m[2]) / w, (m[3] * i + m[4] * j + m[5]) / w};
                    if (!std::isfinite(p.x)) continue;
                    ASSERT_NEAR(out.value(i, j, 0), interpolant.at({p.x, p.y})[0], tolerance::exact_path)
                        << id << " at " << p.x << ", " << p.y;
                }
        }
}

TEST_P(Perspective, ThereIsNothingAboveTheHorizon) {
    Image white(64, 64, 1, SampleType::f32);
    for (int y = 0; y < 64; ++y) std::fill_n(white.row_as<float>(y), 64, 1.0f);
    SourceImage source(backend_, white);
    RenderRequest request = request_of(default_spec(parse_method("bilinear")), 64, 64);
    request.warp = {.kind = Warp::Kind::plane, .strength = 80};
    request.outside = Outside::background;
    const Image out = source.render_to_image(request);
    int above = 0;
    for (int j = 0; j < 64; ++j) {
        const bool floor = std::isfinite(on_tilted_plane(80, {31.5, double(j)}, 64, 64).x);
        above += floor ? 0 : 1;
        if (!floor) {
            EXPECT_EQ(out.value(31, j, 0), background_level) << j;
        }
    }
    EXPECT_GT(above, 10);
    EXPECT_EQ(out.value(31, 40, 0), 1);
}

// A slope is the same on every level: where pixels read, and that probes lie evenly about that, shows in its values.
TEST_P(Perspective, LevelsAndProbesLieWhereThePixelDoes) {
    Image image(256, 256, 1, SampleType::f32);
    for (int y = 0; y < 256; ++y)
        for (int x = 0; x < 256; ++x) image.row_as<float>(y)[x] = float(x + 2 * y) / 1024;
    SourceImage source(backend_, image);
    for (const Mip mip : all_values<Mip>) {
        if (mip == Mip::level) continue;
        RenderRequest request = request_of(default_spec(parse_method("bilinear")), 24, 24);
        request.spec.mip = mip;
        request.positions = Affine{3.7, 0.4, 80.3, 0.9, 1.3, 90.1};
        const Image out = source.render_to_image(request);
        for (int j = 0; j < 24; ++j)
            for (int i = 0; i < 24; ++i) {
                const double x = 3.7 * i + 0.4 * j + 80.3, y = 0.9 * i + 1.3 * j + 90.1;
                ASSERT_NEAR(out.value(i, j, 0), (x + 2 * y) / 1024, 2e-6) << name_of(mip) << ' ' << i << ' ' << j;
            }
    }
}

TEST_P(Perspective, TheLevelIsTheLogarithmOfTheLongerStep) {
    SourceImage source(backend_, noise(512, 512, 1, SampleType::u8, 14));
    RenderRequest request = request_of(default_spec(parse_method("bilinear")), 60, 60);
    request.spec.mip = Mip::level;
    request.positions = Affine{0.6, 5.1, 10, 0.2, 2.5, 20};
    const double level = std::log2(std::hypot(5.1, 2.5)) / 8;
    const Image out = source.render_to_image(request);
    for (int j = 0; j < 60; j += 7) EXPECT_NEAR(out.value(j, j, 0), level, 1e-6);
    request.positions.reset();
    request.view.scale = 8;
    request.warp = {.kind = Warp::Kind::plane, .strength = 60};
    const Image floor = source.render_to_image(request);
    const auto point = [](int i, int j) {
        return on_tilted_plane(60, {255.5 + 8 * (i - 29.5), 255.5 + 8 * (j - 29.5)}, 512, 512);
    };
    for (int j = 30; j < 60; ++j) {
        const Point p = point(20, j - j % 2), below = point(20, j - j % 2 + 1), left = point(20, j),
                    right = point(21, j);
        const double step =
            std::max(std::hypot(below.x - p.x, below.y - p.y), std::hypot(right.x - left.x, right.y - left.y));
        EXPECT_NEAR(floor.value(20, j, 0), std::clamp(std::log2(step), 0.0, 9.0) / 8, 1e-6) << j;
    }
}

// A wave along x, under pixels eight times as high as wide: only what reads along their longer side alone keeps it.
TEST_P(Perspective, AnisotropicFilteringKeepsWhatIsSharpAlongTheShorterSide) {
    Image image(256, 256, 1, SampleType::f32);
    for (int y = 0; y < 256; ++y)
        for (int x = 0; x < 256; ++x) image.row_as<float>(y)[x] = float(std::cos(2 * std::numbers::pi * x / 8.0));
    SourceImage source(backend_, image);
    const auto amplitude = [&](Mip mip) {
        RenderRequest request = request_of(default_spec(parse_method("bilinear")), 64, 16);
        request.spec.mip = mip;
        request.positions = Affine{1, 0, 64, 0, 8, 64};
        const Image out = source.render_to_image(request);
        double most = 0;
        for (int i = 0; i < 64; ++i) most = std::max(most, std::abs(double(out.value(i, 8, 0))));
        return most;
    };
    EXPECT_LT(amplitude(Mip::linear), 0.1);
    EXPECT_GT(amplitude(Mip::x8), 0.999);
    EXPECT_GT(amplitude(Mip::x4), amplitude(Mip::x2));
    EXPECT_LT(amplitude(Mip::x4), 0.9);
}

// Against the mean over each pixel, of 24 × 24 points in float64: each way is nearer than the one before.
TEST_P(Perspective, EachWayOfMinificationIsNearerToTheMeanOfThePixel) {
    constexpr int size = 64, points = 24;
    Image image(512, 512, 1, SampleType::u8);
    for (int y = 0; y < 512; ++y)
        for (int x = 0; x < 512; ++x)
            image.row_as<uint8_t>(y)[x] = uint8_t(x % 32 < 2 || y % 32 < 2 ? 20 : (x / 32 + y / 32) % 2 ? 90 : 220);
    SourceImage source(backend_, image);
    MethodSpec bilinear = default_spec(parse_method("bilinear"));
    bilinear.address = {AddressMode::wrap, AddressMode::wrap};
    RenderRequest request = request_of(bilinear, size, size);
    request.view.scale = 8;
    request.warp = {.kind = Warp::Kind::plane, .strength = 60};
    const reference::Interpolant exact(image, bilinear);
    std::vector<double> truth;
    for (int j = 36; j < size; ++j)
        for (int i = 0; i < size; i += 5) {
            double sum = 0;
            for (int b = 0; b < points; ++b)
                for (int a = 0; a < points; ++a) {
                    const double x = i - 31.5 + (a + 0.5) / points - 0.5, y = j - 31.5 + (b + 0.5) / points - 0.5;
                    const Point p = on_tilted_plane(60, {255.5 + 8 * x, 255.5 + 8 * y}, 512, 512);
                    sum += exact.at({p.x, p.y})[0];
                }
            truth.push_back(sum / (points * points));
        }
    const auto error = [&](const MethodSpec& spec, bool antialias) {
        request.spec = spec;
        request.antialias = antialias;
        const Image out = source.render_to_image(request);
        double squares = 0;
        size_t k = 0;
        for (int j = 36; j < size; ++j)
            for (int i = 0; i < size; i += 5) squares += std::pow(out.value(i, j, 0) - truth[k++], 2);
        return std::sqrt(squares / double(k));
    };
    const auto with = [&](Mip mip) {
        MethodSpec spec = bilinear;
        spec.mip = mip;
        return spec;
    };
    const double none = error(bilinear, false), trilinear = error(with(Mip::linear), false),
                 anisotropic = error(with(Mip::x16), false);
    EXPECT_LT(trilinear, 0.7 * none);
    EXPECT_LT(anisotropic, 0.7 * trilinear);
}

ON_EVERY_BACKEND(Perspective);

}  // namespace
}  // namespace texelscope::test
