// Methods that a text defines give the picture of their formula: that of the built-in method with the same weights, and
// for all others plain float64 sums.

#include <gtest/gtest.h>

#include <cmath>

#include "gpu/backend/source_image.h"
#include "gpu/core/address.h"
#include "gpu/core/errors.h"
#include "gpu/method/custom_method.h"
#include "tests/support/backends.h"
#include "tests/support/images.h"
#include "tests/support/reference.h"

namespace texelscope::test {
namespace {

// Both are within 2e-6 of float64, or equal to rounding where the same code runs.
constexpr double same_picture = 2e-6;

class CustomMethods : public OnBackend {
protected:
    Image rendered(const Image& image, const MethodSpec& spec, const View& view, bool antialias = false,
                   Derivative derivative = Derivative::none) {
        RenderRequest request;
        request.spec = spec;
        request.view = view;
        request.width = 37;
        request.height = 23;
        request.antialias = antialias;
        request.derivative = derivative;
        return SourceImage(backend_, image).render_to_image(request);
    }
};

struct Twin {
    std::string_view built_in;
    std::string text;
};

const Twin twins[] = {
    {"bilinear", "radius = 1\nw(x) = 1 - abs(x)"},
    {"bspline", "radius = 2\nw(x) = abs(x) < 1 ? 2/3 - x^2 + abs(x)^3/2 : (2 - abs(x))^3/6"},
    {"catmull-rom",
     "radius = 2\nw(x) = abs(x) < 1 ? 1.5*abs(x)^3 - 2.5*x^2 + 1 : "
     "-0.5*(abs(x)^3 - 5*x^2 + 8*abs(x) - 4)"},
    {"lanczos3", "radius = 3\nw(x) = sinc(x)*sinc(x/3)\nnormalise = yes"},
};

const View custom_views[] = {{0, 0, 1, 0}, {1.3, -0.7, 0.41, 0}, {0.4, 0.2, 0.73, 31}};

TEST_P(CustomMethods, AreEqualToTheBuiltInMethodWithTheirWeights) {
    const Image image = noise(41, 31, 3, SampleType::u8, 5);
    for (const Twin& twin : twins)
        for (const FetchPath path : auto_and_every_path())
            for (const View& view : custom_views)
                for (const AddressPair& address : {AddressPair{AddressMode::clamp, AddressMode::mirror},
                                                   AddressPair{AddressMode::wrap, AddressMode::border},
                                                   AddressPair{AddressMode::reflect101, AddressMode::reflect101}}) {
                    MethodSpec built_in = parse_spec(twin.built_in), custom = default_spec(custom_method(twin.text));
                    built_in.path = custom.path = path;
                    built_in.address = custom.address = address;
                    // The 8-bit fraction of the texture unit may be rounded to the other side.
                    const double allowed = path == FetchPath::hardware ? 0.02 : same_picture;
                    const Difference d = between(rendered(image, custom, view), rendered(image, built_in, view));
                    EXPECT_LE(d.error, allowed) << twin.built_in << " " << name_of(path) << ": " << d;
                }
}

TEST_P(CustomMethods, AreWidenedAndDifferentiatedAsTheBuiltInMethodIs) {
    const Image image = noise(61, 47, 1, SampleType::f32, 6);
    for (const Twin& twin : twins) {
        const MethodSpec built_in = parse_spec(twin.built_in), custom = default_spec(custom_method(twin.text));
        for (const View& view : {View{0.3, 0.1, 2.7, 0}, View{0, 0, 5.1, 17}, View{0, 0, 13, 0}}) {
            const Difference d = between(rendered(image, custom, view, true), rendered(image, built_in, view, true));
            EXPECT_LE(d.error, same_picture) << twin.built_in << " " << view.scale << ": " << d;
        }
        if (!built_in.method->slope) {
            EXPECT_FALSE(custom.method->slope) << twin.built_in;
            continue;
        }
        for (const Derivative derivative : {Derivative::x, Derivative::y}) {
            const Difference d = between(rendered(image, custom, custom_views[2], false, derivative),
                                         rendered(image, built_in, custom_views[2], false, derivative));
            EXPECT_LE(d.error, 5e-6) << twin.built_in << ": " << d;  // slopes of up to 2 per sample
        }
    }
}

// Uneven, discontinuous, not summing to one, and of up to sixteen taps.
const std::string odd_ones[] = {
    "radius = 2\nw(x) = x < 0.31 ? 0.4 + 0.1*x : -0.05*x",
    "radius = 1.5\nw(x) = exp(-x*x) * (1 + 0.3*x)",
    "radius = 2\nw(x) = max(0, 1.37 - abs(x))",
    "radius = 8\nw(x) = sinc(x)*sinc(x/8)",
    "radius = 5\nw(x) = x < -1.7 ? 0.01 : x < 2.9 ? sinc(x) : 0",
};

TEST_P(CustomMethods, OfAnyShapeAreSumsOverTheirFormula) {
    const Image image = noise(33, 29, 1, SampleType::f32, 7);
    const auto sample = [&](int i, int j, const AddressPair& address) {
        const int x = addressed(address.x, i, 33), y = addressed(address.y, j, 29);
        return x < 0 || y < 0 ? 0.0 : double(reinterpret_cast<const float*>(image.row(y))[x]);
    };
    for (const std::string& text : odd_ones)
        for (const View& view : {View{0.317, -0.711, 0.413, 0}, View{0.417, 0.211, 0.737, 31}})
            for (const AddressPair& address : {AddressPair{AddressMode::clamp, AddressMode::border},
                                               AddressPair{AddressMode::mirror, AddressMode::wrap},
                                               AddressPair{AddressMode::reflect101, AddressMode::mirror}}) {
                MethodSpec spec = default_spec(custom_method(text + "\nprefilter = none"));
                spec.address = address;
                const MethodInfo& method = *spec.method;
                for (const FetchPath path : auto_and_every_path()) {
                    spec.path = path;
                    const Image picture = rendered(image, spec, view);
                    RenderRequest request;
                    request.view = view;
                    request.width = 37;
                    request.height = 23;
                    const Affine a = positions_of(request, 33, 29);
                    for (int j = 0; j < 23; ++j)
                        for (int i = 0; i < 37; ++i) {
                            const double x = a.xx * i + a.xy * j + a.x0, y = a.yx * i + a.yy * j + a.y0;
                            double sum = 0;
                            const int reach = method.taps / 2, cx = int(std::floor(x)), cy = int(std::floor(y));
                            for (int n = cy - reach; n <= cy + reach + 1; ++n)
                                for (int m = cx - reach; m <= cx + reach + 1; ++m)
                                    sum += method.weight(x - m, spec.parameters) *
                                           method.weight(y - n, spec.parameters) * sample(m, n, address);
                            const double got = double(reinterpret_cast<const float*>(picture.row(j))[i]);
                            ASSERT_NEAR(got, sum, 3e-6)
                                << text << ", path " << name_of(path) << " at " << i << ", " << j;
                        }
                }
            }
}

TEST_P(CustomMethods, FloatRenderingsAgreeWithTheirFloat64Reference) {
    const Image image = noise(33, 29, 1, SampleType::f32, 8);
    std::vector<std::string> texts(std::begin(odd_ones), std::end(odd_ones));
    for (const Twin& twin : twins) texts.push_back(twin.text);
    texts.push_back("radius = 3.6\nw(x) = sinc(x/1.2)*sinc(x/3.6)/1.2");
    for (const std::string& text : texts)
        for (const View& view :
             {View{0.317, -0.711, 0.413, 0}, View{0.417, 0.211, 0.737, 31}, View{0.1, 0.2, 2.317, 0}}) {
            RenderRequest request;
            request.spec = default_spec(custom_method(text));
            request.view = view;
            request.width = 37;
            request.height = 23;
            request.antialias = true;
            SourceImage source(backend_, image);
            const Image picture = source.render_to_image(request);
            std::vector<double> values(size_t(37) * 23);
            const std::shared_ptr<void> memory = backend_->allocate(values.size() * sizeof(double));
            source.render_reference(request, static_cast<double*>(memory.get()));
            backend_->read_back(values.data(), memory.get(), values.size() * sizeof(double));
            for (int j = 0; j < 23; ++j)
                for (int i = 0; i < 37; ++i)
                    ASSERT_NEAR(double(reinterpret_cast<const float*>(picture.row(j))[i]),
                                values[size_t(j) * 37 + size_t(i)], 3e-6)
                        << text << " scale " << view.scale << " at " << i << ", " << j;
        }
}

// The derived prefilter, recursive or a convolution, in all address modes: every sample is passed through.
TEST_P(CustomMethods, PassThroughTheSamplesWithTheirDerivedPrefilter) {
    const Image image = noise(37, 23, 1, SampleType::f32, 9);
    for (const std::string& text :
         {std::string("radius = 3.6\nw(x) = sinc(x/1.2)*sinc(x/3.6)/1.2"),
          std::string("radius = 2.5\nw(x) = exp(-1.5*x^2)"),
          std::string("radius = 2\nw(x) = 2*(abs(x) < 1 ? 2/3 - x^2 + abs(x)^3/2 : (2 - abs(x))^3/6)"), twins[1].text})
        for (const AddressPair& address : all_address_pairs()) {
            MethodSpec spec = default_spec(custom_method(text));
            ASSERT_TRUE(spec.method->has_prefilter()) << text;
            spec.address = address;
            const Difference d = between(rendered(image, spec, View{}), image);
            EXPECT_LE(d.error, 4e-6) << text << " " << to_string(address) << ": " << d;
        }
}

// A stated prefilter: the coefficients are sums over the samples as the address mode extends them, whatever the weights are.

// b(0) … b(far) of recursions forth and back at these poles: the inverse transform of Π (1 − z)² / (1 − 2z cos ω + z²).
std::vector<double> response_of(const std::vector<double>& poles) {
    constexpr int far = 60, parts = 4096;
    std::vector<double> b(far + 1, 0.0);
    for (int n = 0; n < parts; ++n) {
        const double omega = 2 * std::acos(-1.0) * n / parts;
        double gain = 1;
        for (const double z : poles) gain *= (1 - z) * (1 - z) / (1 - 2 * z * std::cos(omega) + z * z);
        for (int k = 0; k <= far; ++k) b[size_t(k)] += gain * std::cos(omega * k) / parts;
    }
    return b;
}

TEST_P(CustomMethods, HaveTheCoefficientsOfAStatedPrefilter) {
    constexpr int width = 33, height = 21;
    const Image image = noise(width, height, 1, SampleType::f32, 10);
    const struct {
        std::string text;
        std::vector<double> b;
    } cases[] = {{"prefilter = poles sqrt(3) - 2", response_of({std::sqrt(3.0) - 2})},
                 {"prefilter = poles 0.3, -0.45", response_of({0.3, -0.45})},
                 {"prefilter = taps -1/6, 4/3, -1/6", {4.0 / 3, -1.0 / 6}},
                 {"prefilter = taps 5 of (1 + 2*abs(x)) * 0.5^abs(x)", {1, 1.5, 1.25}}};
    for (const auto& stated : cases)
        for (const AddressPair& address :
             {AddressPair{AddressMode::clamp, AddressMode::border}, AddressPair{AddressMode::mirror, AddressMode::wrap},
              AddressPair{AddressMode::reflect101, AddressMode::clamp}}) {
            MethodSpec spec = default_spec(custom_method(twins[1].text + "\n" + stated.text));
            spec.address = address;
            const auto sample = [&](int i, int j) {
                const int x = addressed(address.x, i, width), y = addressed(address.y, j, height);
                return x < 0 || y < 0 ? 0.0 : double(image.value(x, y, 0));
            };
            // Along one axis after the other: rows first, of all the samples that the columns need.
            const int far = int(stated.b.size()) - 1;
            const auto coefficient = [&](int i, int j) {
                double sum = 0;
                for (int n = -far; n <= far; ++n)
                    for (int m = -far; m <= far; ++m)
                        sum += stated.b[size_t(std::abs(n))] * stated.b[size_t(std::abs(m))] * sample(i + m, j + n);
                return sum;
            };
            const View view{0.317, -0.211, 0.413, 0};
            const Image picture = rendered(image, spec, view);
            RenderRequest request = request_of(spec, 37, 23);
            request.view = view;
            const Affine a = positions_of(request, width, height);
            for (const auto& [i, j] : {std::pair{0, 0}, {36, 0}, {5, 11}, {18, 22}, {36, 22}}) {
                const Point p = apply(a, i, j);
                double sum = 0;
                for (int n = int(std::floor(p.y)) - 1; n <= int(std::floor(p.y)) + 2; ++n)
                    for (int m = int(std::floor(p.x)) - 1; m <= int(std::floor(p.x)) + 2; ++m)
                        sum += spec.method->weight(p.x - m, spec.parameters) *
                               spec.method->weight(p.y - n, spec.parameters) * coefficient(m, n);
                EXPECT_NEAR(picture.value(i, j, 0), sum, 6e-6)
                    << stated.text << " " << to_string(address) << " " << i << ", " << j;
            }
        }
}

TEST_P(CustomMethods, AreEqualToTheBuiltInSplineIfTheyStateItsPoles) {
    const Image image = noise(41, 31, 3, SampleType::u8, 11);
    const std::string poles[] = {"-0.26794919243112270647", "-0.43057534709997379185, -0.043096288203264653823"};
    for (const View& view : custom_views)
        for (const int k : {0, 1}) {
            const MethodSpec built_in = parse_spec(k == 0 ? "bspline" : "quintic");
            const std::string text = weights_text(built_in) + "prefilter = poles " + poles[k];
            const Difference d =
                between(rendered(image, default_spec(custom_method(text)), view), rendered(image, built_in, view));
            EXPECT_LE(d.error, 4e-6) << text << ": " << d;
        }
}

ON_EVERY_BACKEND(CustomMethods);

// Weight functions that do not sum to 1, beyond the edges of an image: there all samples are the same one, and the sum
// of the weights at the fraction of the position remains, however far outside it is.

// A parabola of radius 1: w(t) + w(1 − t) = 1 + 2·t·(1 − t).
constexpr const char* parabola = "radius = 1\nw(x) = 1 - x^2";
// Two taps that are no polynomials of the distance on one side: read by pieces.
constexpr const char* skewed = "radius = 1\nw(x) = 1 - x^2 + 0.125*x";

double sum_at(double x, bool is_skewed) {
    const double t = x - std::floor(x);
    return 1 + 2 * t * (1 - t) + (is_skewed ? 0.125 * (2 * t - 1) : 0);
}

class CustomSums : public OnBackend {
protected:
    static Image ones(int width, int height) {
        Image image(width, height, 1, SampleType::f32);
        std::fill_n(image.row_as<float>(0), size_t(width) * size_t(height), 1.0f);
        return image;
    }
    static MethodSpec custom(const char* text, AddressMode mode) {
        MethodSpec spec = default_spec(custom_method(std::string(text) + "\nprefilter = none"));
        spec.address = {mode, mode};
        return spec;
    }
};

constexpr double far_places[] = {120.25,  204.25,  1000.5,  262143.75,  3e6 + 0.125,
                                 -100.25, -140.75, -5000.5, -4e8 - 0.25};

TEST_P(CustomSums, DependOnTheFractionHoweverFarOutside) {
    for (const char* text : {parabola, skewed})
        for (const FetchPath path : exact_paths())
            for (const double border : {0.0, 0.6})  // 0: clamped
                for (const double x : far_places)
                    for (const bool reference : {false, true}) {
                        SourceImage source(backend_, ones(4, 3));
                        RenderRequest request;
                        request.spec = custom(text, border == 0 ? AddressMode::clamp : AddressMode::border);
                        request.spec.path = path;
                        request.spec.address.border = {{float(border)}, 1};
                        request.positions = Affine{1, 0, x, 0, 1, 1.25};
                        double got = 0;
                        if (reference) {
                            const auto memory = backend_->allocate(sizeof got);
                            source.render_reference(request, static_cast<double*>(memory.get()));
                            backend_->read_back(&got, memory.get(), sizeof got);
                        } else {
                            got = source.render_to_image(request).value(0, 0, 0);
                        }
                        const bool uneven = text == skewed;
                        const double level = border == 0 ? 1 : double(float(border));
                        ASSERT_NEAR(got, level * sum_at(x, uneven) * sum_at(1.25, uneven), 2e-6)
                            << text << " at " << x << ", " << name_of(path) << (reference ? ", float64" : "");
                    }
}

TEST_P(CustomSums, OfPointsDependOnTheFractionToo) {
    SourceImage source(backend_, ones(4, 3));
    SampleRequest request;
    request.spec = custom(parabola, AddressMode::clamp);
    std::vector<double> points;
    for (const double x : far_places) points.insert(points.end(), {x, 1 - x});
    const auto values = source.sample_to_host(request, PointsView::pairs(points.data(), std::size(far_places)));
    for (size_t k = 0; k < std::size(far_places); ++k)
        EXPECT_NEAR(values[k], sum_at(far_places[k], false) * sum_at(1 - far_places[k], false), 2e-6) << far_places[k];
    const double infinite[] = {HUGE_VAL, 1, -HUGE_VAL, 1};
    for (const float value : source.sample_to_host(request, PointsView::pairs(infinite, 2)))
        EXPECT_NEAR(value, 1, 2e-6) << "no fraction at infinity";
}

// Two of the views are rotated, so that rows of pixels leave the image along both axes.
TEST_P(CustomSums, OfRotatedViewsDependOnTheFraction) {
    for (const char* text : {parabola, skewed})
        for (const FetchPath path : exact_paths())
            for (const View& view : {View{0.3, 0.2, 0.25, 20}, View{0.3, 0.2, 1.5, -35}, View{0.3, 0.2, 0.25, 0}}) {
                RenderRequest request = request_of(custom(text, AddressMode::clamp), 64, 48);
                request.spec.path = path;
                request.view = view;
                const Image out = SourceImage(backend_, ones(8, 8)).render_to_image(request);
                const Affine a = positions_of(request, 8, 8);
                for (int j = 0; j < 48; ++j)
                    for (int i = 0; i < 64; ++i) {
                        const Point p = apply(a, i, j);
                        ASSERT_NEAR(out.value(i, j, 0), sum_at(p.x, text == skewed) * sum_at(p.y, text == skewed), 3e-6)
                            << text << " at " << p.x << ", " << p.y << ", " << name_of(path);
                    }
            }
}

ON_EVERY_BACKEND(CustomSums);

}  // namespace
}  // namespace texelscope::test
