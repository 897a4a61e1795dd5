// Interpolating methods pass through every sample of the extended image: at the border, in the corners, and beyond.

#include <gtest/gtest.h>

#include <cstring>

#include "gpu/backend/source_image.h"
#include "tests/support/backends.h"
#include "tests/support/compare.h"
#include "tests/support/exact_tolerance.h"
#include "tests/support/hardware_bound.h"
#include "tests/support/images.h"
#include "tests/support/tolerances.h"

namespace texelscope::test {
namespace {

class Knots : public OnMethod {
protected:
    void SetUp() override {
        OnMethod::SetUp();
        if (IsSkipped()) return;
        if (!method().interpolating) GTEST_SKIP() << method().id << " does not pass through the samples";
    }

    // The path's tolerance at a knot. A prefiltered method's knots are between the fractions of 8 bits.
    double allowed(const Image& image, const MethodSpec& with_address) const {
        const bool coarse = method().has_prefilter() && path() == FetchPath::hardware;
        return coarse ? hardware_bound(image, with_address) : exact_tolerance(with_address);
    }

    // Renders the image with `margin` samples of its surroundings and compares each pixel with its sample.
    void check(const Image& image, const AddressPair& address, int margin) {
        RenderRequest request = beyond_borders(spec(), image.width(), image.height(), margin);
        request.spec.address = address;
        const Image out = SourceImage(backend_, image).render_to_image(request);
        const reference::Interpolant interpolant(image, request.spec);
        const double tolerance = allowed(image, request.spec);
        for (int y = 0; y < out.height(); ++y)
            for (int x = 0; x < out.width(); ++x)
                for (int c = 0; c < image.channels(); ++c)
                    ASSERT_NEAR(out.value(x, y, c), interpolant.extended_sample(x - margin, y - margin)[c], tolerance)
                        << "sample (" << x - margin << ", " << y - margin << ") of "
                        << describe_request(image, request);
    }
};

TEST_P(Knots, AreReproducedAtEverySampleInAllSixteenAddressPairs) {
    const Image image = noise(23, 17, 1, SampleType::f32, 21);
    for (const AddressPair& address : all_address_pairs()) check(image, address, 0);
}

// 45 samples beyond: past every margin of true coefficients, and several periods of the repeating modes.
TEST_P(Knots, AreReproducedFarBeyondTheBordersInAllSixteenAddressPairs) {
    const Image image = noise(9, 7, 1, SampleType::f32, 22);
    for (const AddressPair& address : all_address_pairs()) check(image, address, 45);
}

TEST_P(Knots, AreReproducedOfImagesSmallerThanTheSupport) {
    for (const auto& [width, height] : {std::pair{1, 1}, {1, 2}, {2, 1}, {2, 2}, {3, 1}, {1, 40}, {3, 2}})
        for (const AddressPair& address : all_address_pairs())
            check(noise(width, height, 1, SampleType::f32, 23), address, 20);
}

// The worst case for a border: a step exactly there. `border` makes one around every image that is not black.
TEST_P(Knots, AreReproducedOfAWhiteImage) {
    Image image(12, 12, 2, SampleType::u8);
    std::memset(image.data(), 255, image.size_bytes());
    for (const AddressPair& address : all_address_pairs()) check(image, address, 20);
}

ON_EVERY_BACKEND_AND_METHOD(Knots, every_path());

}  // namespace
}  // namespace texelscope::test
