// Methods that a text defines give the picture of their formula: that of the built-in method with the same weights, and
// for all others plain float64 sums.

#include <cmath>

#include <gtest/gtest.h>

#include "gpu/backend/source_image.h"
#include "gpu/core/address.h"
#include "gpu/method/custom_method.h"
#include "tests/support/backends.h"
#include "tests/support/compare.h"
#include "tests/support/images.h"

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

const View views[] = {{0, 0, 1, 0}, {1.3, -0.7, 0.41, 0}, {0.4, 0.2, 0.73, 31}};

TEST_P(CustomMethods, AreEqualToTheBuiltInMethodWithTheirWeights) {
    const Image image = noise(41, 31, 3, SampleType::u8, 5);
    for (const Twin& twin : twins)
        for (const FetchPath path : auto_and_every_path())
            for (const View& view : views)
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
            const Difference d = between(rendered(image, custom, views[2], false, derivative),
                                         rendered(image, built_in, views[2], false, derivative));
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

ON_EVERY_BACKEND(CustomMethods);

}  // namespace
}  // namespace texelscope::test
