// Positions are right anywhere: far from the origin, zoomed deep, at ties.

#include <gtest/gtest.h>

#include <cmath>
#include <optional>

#include "gpu/backend/source_image.h"
#include "tests/support/backends.h"
#include "tests/support/compare.h"
#include "tests/support/images.h"
#include "tests/support/tolerances.h"

namespace texelscope::test {
namespace {

class Positions : public OnMethod {
protected:
    // Renders; empty if a CUDA device refuses a texture of that width, which the interface allows.
    std::optional<Image> rendered(const Image& image, const RenderRequest& request) {
        try {
            return SourceImage(backend_, image).render_to_image(request);
        } catch (const Error& error) {
            const bool texture = path() == FetchPath::lookup && backend_->info().kind == BackendKind::cuda;
            EXPECT_TRUE(texture) << error.what();
            return std::nullopt;
        }
    }
};

// float32 coordinates near 100 000 step by 1/128 texel; at zoom 512 that is four pixels.
TEST_P(Positions, AreExactAtCoordinate100000AtZoom512) {
    const Image image = noise(131072, 8, 1, SampleType::u8, 41);
    Random random(42);
    for (int n = 0; n < 6; ++n) {
        RenderRequest request;
        request.spec = spec();
        request.view = {random.between(35000, 65000), random.between(-4, 4), 1.0 / 512,
                        n % 2 ? random.between(0, 360) : 0.0};
        request.width = 200;
        request.height = 10;
        const std::optional<Image> out = rendered(image, request);
        if (!out) return;
        const Difference difference = against_reference(*out, image, request, 150);
        EXPECT_LE(difference.error, tolerance::exact_path) << difference;
    }
}

// Between 0 and 1 bilinear shows the fraction itself.
TEST_P(Positions, HaveFractionsExactTo24Bits) {
    if (method().id != "bilinear") return;
    Image stripes(131072, 1, 1, SampleType::u8);
    for (int x = 0; x < 131072; ++x) stripes.row_as<uint8_t>(0)[x] = x % 2 ? 255 : 0;
    Random random(43);
    for (int n = 0; n < 40; ++n) {
        RenderRequest request;
        request.spec = spec();
        request.view = {random.between(-65000, 65000), 0, std::exp(random.between(-7, 3)), 0};
        request.width = 64;
        request.spec.address = {AddressMode::mirror, AddressMode::clamp};
        const std::optional<Image> out = rendered(stripes, request);
        if (!out) return;
        const Difference difference = against_reference(*out, stripes, request);
        EXPECT_LE(difference.error, tolerance::position) << difference;
    }
}

// All positions here are exact in binary, so there is one right answer at a tie: floor(x + 0.5), the sample above.
TEST_P(Positions, TiesOfNearestGoToTheSampleAbove) {
    if (method().id != "nearest") return;
    const Image image = noise(16, 16, 1, SampleType::u8, 44);
    for (const AddressPair& address : all_address_pairs())
        for (const int turns : {0, 1, 2, 3}) {  // quarter turns, exact too, take the code for rotated views
            RenderRequest request;
            request.spec = spec();
            request.spec.address = address;
            request.view.scale = 0.5;
            request.view.rotate = 90 * turns;
            request.width = request.height = 81;  // positions −12.5, −12, …, 27.5
            const std::optional<Image> out = rendered(image, request);
            ASSERT_TRUE(out);
            const reference::Interpolant interpolant(image, request.spec);
            const auto above = [](long double x) { return (long long)(std::floor(x + 0.5L)); };
            for (int j = 0; j < 81; ++j)
                for (int i = 0; i < 81; ++i) {
                    const auto p = reference::position(request.view, 16, 16, 81, 81, i, j);
                    ASSERT_NEAR(out->value(i, j, 0), interpolant.extended_sample(above(p.x), above(p.y))[0], 1e-7)
                        << i << ", " << j << " " << describe_request(image, request);
                }
        }
}

// A million samples away the modes still extend as they should.
TEST_P(Positions, AreExactAMillionSamplesOutside) {
    const Image image = noise(61, 47, 2, SampleType::f32, 45);
    Random random(46);
    for (const AddressPair& address : all_address_pairs()) {
        RenderRequest request;
        request.spec = spec();
        request.spec.address = address;
        request.view = {random.between(-1e6, 1e6), random.between(-1e6, 1e6), 0.3, random.between(0, 360)};
        request.width = request.height = 12;
        const Difference difference = render_and_compare(backend_, image, request);
        EXPECT_LE(difference.error, tolerance::exact_path) << difference;
    }
}

// So far that no integer holds the index: clamp gives the corner, border zero, and nothing breaks.
TEST_P(Positions, BeyondEveryIntegerClampGivesTheCornerAndBorderZero) {
    const Image image = noise(9, 7, 1, SampleType::f32, 47);
    for (const double far : {3e9, 1e12, 1e18, 1e30, 1e300})
        for (const AddressMode mode : {AddressMode::clamp, AddressMode::border}) {
            RenderRequest request;
            request.spec = spec();
            request.spec.address = {mode, mode};
            request.view = {far, far, 1, 0};
            request.width = request.height = 4;
            const Image out = SourceImage(backend_, image).render_to_image(request);
            const double expected = mode == AddressMode::clamp ? image.value(8, 6, 0) : 0.0;
            EXPECT_NEAR(out.value(0, 0, 0), expected, tolerance::knot) << far << " " << name_of(mode);
            EXPECT_NEAR(out.value(3, 3, 0), expected, tolerance::knot) << far << " " << name_of(mode);
        }
}

// The fraction is lost there, but a repeating signal still shows its own values: nothing far larger, no NaN.
TEST_P(Positions, BeyondEveryIntegerRepeatingModesShowSomeValueOfTheImage) {
    const Image image = noise(9, 7, 1, SampleType::f32, 47);
    for (const double far : {3e9, 1e12, 1e18, 1e30, 1e300})
        for (const AddressMode mode : {AddressMode::wrap, AddressMode::mirror, AddressMode::reflect101})
            for (const View& view :
                 {View{far, -far, 1, 0}, View{far, far, 1, 30}, View{0, 0, far, 0}, View{0, 0, far, 45}}) {
                RenderRequest request;
                request.spec = spec();
                request.spec.address = {mode, mode};
                request.view = view;
                request.width = request.height = 4;
                const Image out = SourceImage(backend_, image).render_to_image(request);
                for (int y = 0; y < 4; ++y)
                    for (int x = 0; x < 4; ++x)  // overshoot of prefilter and weights stays below 3
                        ASSERT_LT(std::abs(out.value(x, y, 0)), 3) << describe_request(image, request);
            }
}

// An affine map in the request replaces the view, whatever that contains.
TEST_P(Positions, OfARequestStandInsteadOfTheView) {
    const Image image = noise(61, 47, 1, SampleType::u8, 48);
    SourceImage source(backend_, image);
    for (const double rotate : {0.0, 33.0}) {
        RenderRequest viewed = request_of(spec(), 20, 15);
        viewed.view = {3.7, -1.9, 0.83, rotate};
        RenderRequest placed = request_of(spec(), 20, 15);
        placed.view = {1e3, 5, 17, 12};
        placed.positions = sampling_affine(viewed.view, 61, 47, 20, 15);
        EXPECT_EQ(between(source.render_to_image(viewed), source.render_to_image(placed)).error, 0);
        placed.view.scale = NAN;  // not read
        EXPECT_EQ(between(source.render_to_image(viewed), source.render_to_image(placed)).error, 0);
    }
    // Sheared, mirrored, of different scales along the axes: not possible for a view.
    RenderRequest sheared = request_of(spec(), 20, 15);
    sheared.positions = Affine{-0.73, 0.41, 40.3137, 0.11, 1.9, 2.7137};  // never on a tie
    const Image out = source.render_to_image(sheared);
    const reference::Interpolant interpolant(image, sheared.spec);
    for (int j = 0; j < 15; j += 2)
        for (int i = 0; i < 20; i += 3) {
            const Point p = apply(*sheared.positions, i, j);
            ASSERT_NEAR(out.value(i, j, 0), interpolant.at({p.x, p.y})[0], tolerance::exact_path) << p.x << ", " << p.y;
        }
}

ON_EVERY_BACKEND_AND_METHOD(Positions, exact_paths());

}  // namespace
}  // namespace texelscope::test
