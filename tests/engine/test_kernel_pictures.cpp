// Pictures of kernels of one's own on every backend: texts that say what built-in methods do against those, and the examples
// against their formulas in float64.

#include <gmock/gmock.h>

#include <cmath>
#include <functional>

#include "gpu/backend/source_image.h"
#include "gpu/core/address.h"
#include "gpu/method/kernel_method.h"
#include "tests/support/backends.h"
#include "tests/support/images.h"
#include "tests/support/kernels.h"
#include "tests/support/reference.h"

namespace texelscope::test {
namespace {

// Of 16 taps by weights along an axis, which `weight` gives for a distance d ≥ 0.
std::string separable_kernel(const std::string& weight) {
    return "float weight(float d) {\n    d = fabsf(d);\n    " + weight + "\n}\n" +
           kernel_text(
               "    int i0 = whole(x) - 1, j0 = whole(y) - 1;\n"
               "    Array<float, 4> u;\n"
               "    for (int k = 0; k < u.size(); ++k) u(k) = weight(part(x) + 1 - k);\n"
               "    float4 sum = {};\n"
               "    for (int j = 0; j < 4; ++j) {\n"
               "        float4 row = make_float4(0, 0, 0, 0);\n"
               "        for (int i = 0; i < 4; ++i) row += u(i) * s.tap(i0 + i, j0 + j);\n"
               "        sum += weight(part(y) + 1 - j) * row;\n"
               "    }\n"
               "    return sum;");
}

const std::pair<const char*, std::string> same_as_built_in[] = {
    {"nearest", kernel_text("    return s.tap(whole(x + 0.5), whole(y + 0.5));")},
    {"bilinear", example_kernel("bilinear")},
    {"catmull-rom",
     separable_kernel(
         "if (d >= 2) return 0;\n    return d < 1 ? (1.5f * d - 2.5f) * d * d + 1 : ((2.5f - 0.5f * d) * d - 4) * d + 2;")},
    {"bspline:prefilter=none",
     separable_kernel(
         "switch ((int)d) {\n        case 0: return (0.5f * d - 1) * d * d + 2.0f / 3;\n        case 1: d = 2 - d; return d * d * d / 6;\n"
         "        default: return 0;\n    }")},
};

class KernelPictures : public OnKernels {};

TEST_P(KernelPictures, AreThoseOfTheBuiltInMethodThatTheTextSays) {
    const std::vector<AddressPair> addresses = {{AddressMode::clamp, AddressMode::wrap},
                                                {AddressMode::mirror, AddressMode::border}};
    for (const auto& [name, text] : same_as_built_in)
        for (const int channels : {1, 2, 3, 4})
            for (const AddressPair& address : addresses)
                for (const Light light : {Light::stored, Light::linear}) {
                    const Alpha alpha = channels % 2 == 0 ? Alpha::straight : Alpha::none;
                    const Image image = noise(37, 29, channels, SampleType::u8, 21, alpha);
                    RenderRequest request = request_of(parse_spec(name), 83, 61);
                    request.view = {0.4, -1.2, 0.53, 17};
                    request.spec.address = address;
                    for (const Warp::Kind warp : {Warp::Kind::none, Warp::Kind::swirl}) {
                        request.warp = {warp, 180};
                        RenderRequest own = request;
                        own.spec = spec(text);
                        own.spec.address = address;
                        const Difference d = between(rendered(image, own, light), rendered(image, request, light));
                        // Catmull–Rom's weights sum to 1.25 in absolute value along each axis; sRGB is steep in the dark.
                        EXPECT_LE(d.error, (light == Light::linear ? 12.92 : 1) * 1.6 * same_picture)
                            << name << ", " << channels << " channels: " << d;
                    }
                }
}

// An example in float64, of values whose taps continue by clamp.
struct Model {
    using Value = std::array<double, 4>;
    const Image& image;
    double scale;
    int i, j;

    Value tap(int x, int y) const {
        const float* const v =
            image.row_as<float>(std::clamp(y, 0, image.height() - 1)) + 4 * std::clamp(x, 0, image.width() - 1);
        return {v[0], v[1], v[2], v[3]};
    }
    static Value mixed(const Value& a, const Value& b, double t) {
        Value v;
        for (size_t c = 0; c < 4; ++c) v[c] = a[c] + t * (b[c] - a[c]);
        return v;
    }
    Value bilinear(int x, int y, double t, double u) const {
        return mixed(mixed(tap(x, y), tap(x + 1, y), t), mixed(tap(x, y + 1), tap(x + 1, y + 1), t), u);
    }
};

using Formula = std::function<Model::Value(const Model&, double x, double y)>;

Model::Value bilateral(const Model& m, double x, double y) {
    const int i0 = int(std::floor(x)), j0 = int(std::floor(y));
    const Model::Value here = m.bilinear(i0, j0, x - i0, y - j0);
    Model::Value sum{};
    double weights = 0;
    for (int j = j0 - 2; j <= j0 + 3; ++j)
        for (int i = i0 - 2; i <= i0 + 3; ++i) {
            const Model::Value tap = m.tap(i, j);
            double colour = 0;
            for (size_t c = 0; c < 3; ++c) colour += std::pow(tap[c] - here[c], 2);
            const double weight = std::exp(-0.5 * ((std::pow(i - x, 2) + std::pow(j - y, 2)) / 0.49 + colour / 0.0225));
            for (size_t c = 0; c < 4; ++c) sum[c] += weight * tap[c];
            weights += weight;
        }
    for (double& v : sum) v /= weights;
    return sum;
}

// Three rounds of multiplications and shifts, as docs/kernels.md does not say but every picture must repeat.
double chance(uint32_t i, uint32_t j, uint32_t k) {
    uint32_t h = i * 2654435761u ^ j * 2246822519u ^ k * 3266489917u;
    for (const auto& [shift, factor] : {std::pair{16, 2146121005u}, {15, 2221713035u}}) h = (h ^ h >> shift) * factor;
    return ((h ^ h >> 16) >> 8) / 16777216.0;
}

Model::Value dithered(const Model& m, double x, double y) {
    const double dx = chance(uint32_t(m.i), uint32_t(m.j), 0) - 0.5, dy = chance(uint32_t(m.i), uint32_t(m.j), 1) - 0.5;
    return m.tap(int(std::floor(x + dx + 0.5)), int(std::floor(y + dy + 0.5)));
}

Model::Value pixel_art(const Model& m, double x, double y) {
    const int i = int(std::floor(x + 0.5)), j = int(std::floor(y + 0.5)), r = x < i ? -1 : 1, d = y < j ? -1 : 1;
    const auto apart = [](const Model::Value& a, const Model::Value& b) {
        std::array<double, 4> o;
        for (size_t c = 0; c < 4; ++c) o[c] = a[c] - b[c];
        return std::abs(0.2126 * o[0] + 0.7152 * o[1] + 0.0722 * o[2]) +
               0.25 * (std::abs(o[0] - o[1]) + std::abs(o[2] - o[1])) + std::abs(o[3]);
    };
    const Model::Value here = m.tap(i, j), side = m.tap(i + r, j), below = m.tap(i, j + d),
                       corner = m.tap(i + r, j + d);
    const double along = 4 * apart(side, below) + apart(here, m.tap(i + r, j - d)) + apart(here, m.tap(i - r, j + d)) +
                         apart(corner, m.tap(i + 2 * r, j)) + apart(corner, m.tap(i, j + 2 * d));
    const double across = 4 * apart(here, corner) + apart(below, m.tap(i - r, j)) + apart(side, m.tap(i, j - d)) +
                          apart(below, m.tap(i + r, j + 2 * d)) + apart(side, m.tap(i + 2 * r, j + d));
    if (along >= across) return here;
    const double cut = (std::abs(x - i) + std::abs(y - j) - 0.5) / std::max(0.02, 0.7 * m.scale) + 0.5;
    return Model::mixed(here, apart(here, side) < apart(here, below) ? side : below, std::clamp(cut, 0.0, 1.0));
}

TEST_P(KernelPictures, OfTheExamplesAreTheirFormulas) {
    const Image image = noise(41, 31, 4, SampleType::f32, 33);
    const Formula bilinear = [](const Model& m, double x, double y) {
        const double i = std::floor(x), j = std::floor(y);
        return m.bilinear(int(i), int(j), x - i, y - j);
    };
    const std::pair<const char*, Formula> all[] = {
        {"bilinear", bilinear}, {"bilateral", bilateral}, {"dithered-nearest", dithered}, {"pixel-art", pixel_art}};
    for (const auto& [name, formula] : all) {
        const int width = 97, height = 75;
        const View view{0.31, -0.17, 0.43, 23};
        RenderRequest request = request_of(spec(example_kernel(name)), width, height);
        request.view = view;
        const Image picture = rendered(image, request);
        const double angle = view.rotate * 3.14159265358979323846 / 180, cos = view.scale * std::cos(angle),
                     sin = view.scale * std::sin(angle);
        double worst = 0;
        for (int j = 0; j < height; ++j)
            for (int i = 0; i < width; ++i) {
                const double dx = i - (width - 1) / 2.0, dy = j - (height - 1) / 2.0;
                const double x = (image.width() - 1) / 2.0 + view.translate_x + cos * dx - sin * dy;
                const double y = (image.height() - 1) / 2.0 + view.translate_y + sin * dx + cos * dy;
                const Model::Value expected = formula({image, view.scale, i, j}, x, y);
                for (size_t c = 0; c < 4; ++c)
                    worst =
                        std::max(worst, std::abs(double(picture.row_as<float>(j)[4 * size_t(i) + c]) - expected[c]));
            }
        EXPECT_LE(worst, same_picture) << name;
    }
}

TEST_P(KernelPictures, ResizedOnesAreThoseOfTheBuiltInMethod) {
    const Image image = noise(23, 19, 3, SampleType::u16, 8);
    for (const auto& [name, text] : same_as_built_in)
        for (const Outside outside : {Outside::extend, Outside::nan}) {
            RenderRequest request = request_of(parse_spec(name), 131, 1);
            request.height = 57;
            request.outside = outside;
            request.view.scale = 23.0 / 131;
            RenderRequest own = request;
            own.spec = spec(text);
            const Image mine = rendered(image, own), expected = rendered(image, request);
            for (int y = 0; y < 57; ++y)
                for (int x = 0; x < 3 * 131; ++x) {
                    const float a = mine.row_as<float>(y)[x], b = expected.row_as<float>(y)[x];
                    ASSERT_EQ(std::isnan(a), std::isnan(b)) << name;
                    if (std::isnan(a)) continue;
                    ASSERT_NEAR(a, b, 1.6 * same_picture) << name << " " << x << " " << y;
                }
        }
}

ON_EVERY_BACKEND(KernelPictures);

}  // namespace
}  // namespace texelscope::test
