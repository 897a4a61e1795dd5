// Polar methods: the footprints of views, resized pictures and warps, against sums in float64 over all samples whose
// distance is measured by the singular values of the map.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

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

}  // namespace
}  // namespace texelscope::test
