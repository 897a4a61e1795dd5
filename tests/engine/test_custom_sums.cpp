// Weight functions that do not sum to 1, beyond the edges of an image: there all samples are the same one, and the sum
// of the weights at the fraction of the position remains, however far outside it is.

#include <gtest/gtest.h>

#include <cmath>

#include "gpu/backend/source_image.h"
#include "gpu/method/custom_method.h"
#include "tests/support/backends.h"
#include "tests/support/images.h"

namespace texelscope::test {
namespace {

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

constexpr double places[] = {120.25, 204.25, 1000.5, 262143.75, 3e6 + 0.125, -100.25, -140.75, -5000.5, -4e8 - 0.25};

TEST_P(CustomSums, DependOnTheFractionHoweverFarOutside) {
    for (const char* text : {parabola, skewed})
        for (const FetchPath path : exact_paths())
            for (const double border : {0.0, 0.6})  // 0: clamped
                for (const double x : places)
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
    for (const double x : places) points.insert(points.end(), {x, 1 - x});
    const auto values = source.sample_to_host(request, PointsView::pairs(points.data(), std::size(places)));
    for (size_t k = 0; k < std::size(places); ++k)
        EXPECT_NEAR(values[k], sum_at(places[k], false) * sum_at(1 - places[k], false), 2e-6) << places[k];
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
