// What is outside the image and linear light are the same by whichever kernel `auto` chooses as by the simple one, for
// views of every kind.

#include <gtest/gtest.h>

#include <cmath>

#include "gpu/backend/source_image.h"
#include "tests/support/backends.h"
#include "tests/support/images.h"
#include "tests/support/tolerances.h"

namespace texelscope::test {
namespace {

class FastOutputs : public OnBackend {
protected:
    static void expect_same(SourceImage& source, RenderRequest request, const std::string& what) {
        const Image fast = source.render_to_image(request);
        request.simple = true;
        const Image simple = source.render_to_image(request);
        int not_finite = 0;
        double largest = 0;
        for (int y = 0; y < fast.height(); ++y)
            for (int x = 0; x < fast.width(); ++x)
                for (int c = 0; c < fast.channels(); ++c) {
                    const float a = fast.value(x, y, c), b = simple.value(x, y, c);
                    ASSERT_EQ(std::isnan(a), std::isnan(b))
                        << what << " at " << x << ", " << y << ": " << a << ", " << b;
                    if (std::isnan(a)) ++not_finite;
                    else largest = std::max(largest, std::abs(double(a) - double(b)));
                }
        EXPECT_LE(largest, tolerance::exact_path) << what;
        EXPECT_EQ(not_finite > 0, request.outside == Outside::nan) << what;
    }

    void expect_same_views(SourceImage& source, Outside outside, const std::string& what) {
        for (const char* method : {"nearest", "bilinear", "catmull-rom", "bspline", "lanczos3"})
            for (const FetchPath path : {FetchPath::automatic, FetchPath::global})
                for (const double angle : {0.0, 10.0, 180.0, 217.3}) {
                    RenderRequest request;
                    request.spec = default_spec(parse_method(method));
                    request.spec.path = path;
                    request.width = 170;
                    request.height = 130;
                    request.view = {3.1, -2.7, 0.6, angle};  // wider than the image
                    request.outside = outside;
                    expect_same(source, request, fmt::format("{}, {}, {} degrees", what, method, angle));
                }
    }
};

TEST_P(FastOutputs, NanOutsideIsThatOfTheSimpleKernel) {
    for (const int channels : {1, 3, 4}) {
        const Image image = noise(71, 53, channels, SampleType::f32, 21);
        SourceImage source(backend_, image);
        expect_same_views(source, Outside::nan, fmt::format("{} channels", channels));
    }
}

TEST_P(FastOutputs, LinearLightIsThatOfTheSimpleKernel) {
    for (const int channels : {1, 3, 4}) {
        const Image image = noise(71, 53, channels, SampleType::u8, 22, channels == 4 ? Alpha::straight : Alpha::none);
        SourceImage source(backend_, image, Light::linear);
        expect_same_views(source, Outside::background, fmt::format("{} channels in linear light", channels));
    }
}

// Whole positions on the last samples are inside, one step beyond is not.
TEST_P(FastOutputs, NanOutsideBeginsRightBeyondTheLastSample) {
    const Image image = noise(16, 12, 1, SampleType::f32, 23);
    SourceImage source(backend_, image);
    RenderRequest request;
    request.spec = default_spec(parse_method("catmull-rom"));
    request.width = 80;
    request.height = 64;
    request.positions = Affine{0.25, 0, -2, 0, 0.25, -2};
    request.outside = Outside::nan;
    const Image result = source.render_to_image(request);
    for (int y = 0; y < request.height; ++y)
        for (int x = 0; x < request.width; ++x) {
            const double px = -2 + 0.25 * x, py = -2 + 0.25 * y;
            const bool inside = px >= 0 && px <= 15 && py >= 0 && py <= 11;
            ASSERT_EQ(!std::isnan(result.value(x, y, 0)), inside) << px << ", " << py;
        }
}

ON_EVERY_BACKEND(FastOutputs);

}  // namespace
}  // namespace texelscope::test
