// Perspective, and polar methods: the footprints of views, resized pictures and warps, against sums in float64 over all samples whose
// distance is measured by the singular values of the map.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
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

constexpr std::string_view ids[] = {"ewa-lanczos", "ewa-lanczossharp", "ewa-robidoux", "ewa-robidouxsharp"};

struct Matrix {
    double a, b, c, d;  // x = a·i + b·j, y = c·i + d·j
};

// The distance of (x, y) from the centre of a pixel, in units of the radial function: along each principal direction of the
// map divided by its singular value, which counts as 1 at least and as 4, from where smaller images are read, at most.
double distance_under(const Matrix& m, double x, double y) {
    const double angle = std::atan2(2 * (m.a * m.c + m.b * m.d), m.a * m.a + m.b * m.b - m.c * m.c - m.d * m.d) / 2;
    const double u = std::cos(angle), v = std::sin(angle);
    const double along = std::hypot(m.a * u + m.c * v, m.b * u + m.d * v);
    const double across = std::hypot(-m.a * v + m.c * u, -m.b * v + m.d * u);
    return std::hypot((x * u + y * v) / std::clamp(along, 1.0, 4.0), (-x * v + y * u) / std::clamp(across, 1.0, 4.0));
}

double expected_value(const reference::Interpolant& picture, Point p, const Matrix& m) {
    const int reach = 16;  // radius 3.24 and the largest stretch of 4
    double sum = 0, weights = 0;
    for (int y = int(std::floor(p.y)) - reach; y <= p.y + reach; ++y)
        for (int x = int(std::floor(p.x)) - reach; x <= p.x + reach; ++x) {
            const double distance = distance_under(m, x - p.x, y - p.y);
            if (distance >= picture.kernel().polar_radius) continue;
            const double w = picture.kernel().weight(distance);
            weights += w;
            sum += w * picture.extended_sample(x, y)[0];
        }
    return sum / weights;
}

class Polar : public OnBackend {
protected:
    // Float32 and float64 against the sums.
    template <class PointAt, class MatrixAt>
    void expect(const Image& image, const RenderRequest& request, PointAt point_at, MatrixAt matrix_at) {
        SourceImage source(backend_, image);
        const Image got = source.render_to_image(request);
        const std::shared_ptr<void> memory =
            backend_->allocate(size_t(request.width) * size_t(request.height) * sizeof(double));
        source.render_reference(request, static_cast<double*>(memory.get()));
        std::vector<double> exact(size_t(request.width) * size_t(request.height));
        backend_->read_back(exact.data(), memory.get(), exact.size() * sizeof(double));
        const reference::Interpolant picture(image, request.spec);
        double error = 0, exact_error = 0;
        for (int j = 0; j < request.height; ++j)
            for (int i = 0; i < request.width; ++i) {
                const double right = expected_value(picture, point_at(i, j), matrix_at(i, j));
                error = std::max(error, std::abs(double(got.value(i, j, 0)) - right));
                exact_error = std::max(exact_error, std::abs(exact[size_t(j * request.width + i)] - right));
            }
        EXPECT_LE(error, request.spec.method->tolerance) << to_string(request.spec);
        EXPECT_LE(exact_error, 1e-11) << to_string(request.spec);
    }
};

TEST_P(Polar, ShrunkAndShearedPicturesHaveEllipticalFootprints) {
    Random random(3);
    const Image image = noise(60, 50, 1, SampleType::f32, 5);
    for (const std::string_view id : ids)
        for (const Affine& a : {Affine{3, 0, 1.2, 0, 1.5, 0.7}, Affine{0.4, 0, 3.3, 0, 3.7, 2.1},
                                Affine{2.1, 1.3, 4.5, -0.9, 1.7, 20.2}, Affine{0.3, -2.9, 40.4, 0.2, 1.1, 5.5}}) {
            RenderRequest request;
            request.spec = spec_of(id);
            request.spec.address = {AddressMode::mirror, AddressMode::clamp};
            request.width = 14;
            request.height = 11;
            request.antialias = true;
            request.positions = a;
            expect(
                image, request, [&](int i, int j) { return apply(a, i, j); },
                [&](int, int) {
                    return Matrix{a.xx, a.xy, a.yx, a.yy};
                });
            request.antialias = false;
            expect(
                image, request, [&](int i, int j) { return apply(a, i, j); },
                [&](int, int) {
                    return Matrix{1, 0, 0, 1};
                });
        }
}

TEST_P(Polar, WarpsHaveAFootprintAtEachPixel) {
    const Image image = noise(64, 64, 1, SampleType::u16, 6);
    for (const std::string_view id : ids)
        for (const Warp& warp :
             {Warp{Warp::Kind::swirl, 200}, Warp{Warp::Kind::barrel, 0.8}, Warp{Warp::Kind::ripple, 3}}) {
            RenderRequest request;
            request.spec = spec_of(id);
            request.spec.address = {AddressMode::wrap, AddressMode::mirror};
            request.width = request.height = 24;
            request.view.scale = 1.7;
            request.view.rotate = 20;
            request.antialias = true;
            request.warp = warp;
            const Affine a = sampling_affine(request.view, 64, 64, 24, 24);
            const auto point = [&](int i, int j) { return warped(warp, apply(a, i, j), 64, 64); };
            const auto matrix = [&](int i, int j) {  // to the next pixel, from the one before at the end
                const Point p = point(i, j), right = point(i < 23 ? i + 1 : i - 1, j),
                            down = point(i, j < 23 ? j + 1 : j - 1);
                return Matrix{right.x - p.x, down.x - p.x, right.y - p.y, down.y - p.y};
            };
            expect(image, request, point, matrix);
        }
}

// From scale 4 on a level of the pyramid is read, on which the footprint is between 2 and 4 samples wide.
TEST_P(Polar, FarShrunkPicturesKeepTheirMean) {
    const Image image = noise(300, 280, 3, SampleType::u8, 8);
    for (const std::string_view id : ids)
        for (const double scale : {3.9, 4.1, 17.0, 60.0}) {
            SourceImage source(backend_, image);
            RenderRequest request;
            request.spec = spec_of(id);
            request.spec.address = {AddressMode::wrap, AddressMode::wrap};
            request.view.scale = scale;
            request.width = request.height = 3;
            request.antialias = true;
            const Image got = source.render_to_image(request);
            for (int c = 0; c < 3; ++c) EXPECT_NEAR(got.value(1, 1, c), 0.5, 0.9 / scale) << id << ", scale " << scale;
        }
}

// What Robidoux and LanczosSharp are made for: a picture of only columns is not changed, or hardly, at its samples.
TEST_P(Polar, ColumnsAreKeptAtTheSamples) {
    Image image(40, 40, 1, SampleType::f32);
    Random random(4);
    for (int x = 0; x < 40; ++x) {
        const float value = float(random.between(0, 1));
        for (int y = 0; y < 40; ++y) image.row_as<float>(y)[x] = value;
    }
    const auto largest_change = [&](std::string_view id) {
        SourceImage source(backend_, image);
        RenderRequest request;
        request.spec = spec_of(id);
        request.width = request.height = 40;
        const Image got = source.render_to_image(request);
        double largest = 0;
        for (int x = 8; x < 32; ++x)
            largest = std::max(largest, std::abs(double(got.value(x, 20, 0)) - double(image.value(x, 20, 0))));
        return largest;
    };
    EXPECT_LT(largest_change("ewa-lanczossharp"), 0.02);
    EXPECT_LT(largest_change("ewa-robidoux"), 1e-6);
    EXPECT_LT(largest_change("ewa-lanczossharp"), largest_change("ewa-lanczos"));
}

TEST_P(Polar, EveryPathIsTheSame) {
    const Image image = noise(33, 29, 4, SampleType::u8, 9);
    SourceImage source(backend_, image);
    for (const std::string_view id : ids) {
        RenderRequest request;
        request.spec = spec_of(id);
        request.width = 40;
        request.height = 31;
        request.view = {0.3, -0.2, 0.6, 12};
        const Image first = source.render_to_image(request);
        for (const FetchPath path : all_fetch_paths) {
            request.spec.path = path;
            const Image other = source.render_to_image(request);
            EXPECT_EQ(std::memcmp(first.data(), other.data(), first.size_bytes()), 0) << name_of(path);
        }
    }
}

TEST_P(Polar, ADerivativeIsRefused) {
    SourceImage source(backend_, noise(9, 9, 1, SampleType::u8, 1));
    RenderRequest request;
    request.spec = spec_of("ewa-lanczos");
    request.width = request.height = 4;
    request.derivative = Derivative::x;
    EXPECT_THROW(source.render_to_image(request), Error);
}

ON_EVERY_BACKEND(Polar);

// Perspective: homographies, and what mip levels and anisotropic filtering do about minification.

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
