// Method × path × address pair × prefilter over random images and views, against the float64 reference.

#include <gtest/gtest.h>

#include "gpu/backend/source_image.h"
#include "tests/support/backends.h"
#include "tests/support/compare.h"
#include "tests/support/exact_tolerance.h"
#include "tests/support/images.h"

namespace texelscope::test {
namespace {

class AgainstReference : public OnMethod {
protected:
    RenderRequest random_request(Random& random, const Image& image) const {
        RenderRequest request;
        request.spec = spec();
        request.view = random_view(random, image.width(), image.height());
        request.width = random.integer(1, 40);
        request.height = random.integer(1, 40);
        return request;
    }
};

// Every address pair and prefilter; image, size, type, channels and view are random, another seed for each.
TEST_P(AgainstReference, RandomImagesAndViewsInEveryAddressPairAndPrefilter) {
    uint64_t seed = 1000 * uint64_t(method().rank);
    for (const AddressPair& address : all_address_pairs())
        for (const Prefilter& prefilter : all_prefilters(method())) {
            Random random(++seed);
            const Image image = random_image(random);
            RenderRequest request = random_request(random, image);
            request.spec.address = address;
            request.spec.prefilter = prefilter;
            const Difference difference = render_and_compare(backend_, image, request, 40);
            ASSERT_LE(difference.error, exact_tolerance(request.spec)) << "seed " << seed << ": " << difference;
        }
}

// The shape most used: an ordinary image, magnified about its corners, where the borders show.
TEST_P(AgainstReference, CornersMagnifiedInEveryAddressPair) {
    const Image image = noise(61, 47, 3, SampleType::u8, 31);
    SourceImage source(backend_, image);
    for (const AddressPair& address : all_address_pairs())
        for (const int corner : {0, 1, 2, 3}) {
            RenderRequest request = beyond_borders(spec(), 20, 20, 0);
            request.spec.address = address;
            request.view = {corner & 1 ? 30.0 : -30.0, corner & 2 ? 23.0 : -23.0, 0.37, 15.0 * corner};
            const Difference difference = against_reference(source.render_to_image(request), image, request, 30);
            ASSERT_LE(difference.error, exact_tolerance(request.spec)) << difference;
        }
}

// One SourceImage used for many requests: its cache gives each the coefficients that fit.
TEST_P(AgainstReference, OneSourceServesManyDifferentRequests) {
    Random random(32);
    const Image image = noise(40, 30, 2, SampleType::f32, 33);
    SourceImage source(backend_, image);
    const auto pairs = all_address_pairs();
    const auto prefilters = all_prefilters(method());
    for (int n = 0; n < 60; ++n) {
        RenderRequest request = random_request(random, image);
        request.spec.address = random.pick(pairs);
        request.spec.prefilter = random.pick(prefilters);
        const Difference difference = against_reference(source.render_to_image(request), image, request, 20);
        ASSERT_LE(difference.error, exact_tolerance(request.spec)) << "request " << n << ": " << difference;
    }
}

// Output rows as long and as short as they come: vector loops have remainders.
TEST_P(AgainstReference, EveryOutputWidthUpTo40) {
    const Image image = noise(37, 29, 4, SampleType::u8, 34);
    SourceImage source(backend_, image);
    for (int width = 1; width <= 40; ++width)
        for (const double rotate : {0.0, 31.0}) {
            RenderRequest request;
            request.spec = spec();
            request.view = {3.3, -2.7, 0.61, rotate};
            request.width = width;
            request.height = 3;
            const Difference difference = against_reference(source.render_to_image(request), image, request, 30);
            ASSERT_LE(difference.error, exact_tolerance(request.spec)) << difference;
        }
}

ON_EVERY_BACKEND_AND_METHOD(AgainstReference, exact_paths());

class SlowAgainstReference : public AgainstReference {};

// 4096²: the whole image is prefiltered and a part rendered, once looked at from afar, once closely in a corner.
TEST_P(SlowAgainstReference, LargeImagesAgreeWithFloat64) {
    const Image image = noise(4096, 4096, 1, SampleType::u8, 35);
    SourceImage source(backend_, image);
    const View views[] = {{0, 0, 4.1, 11}, {2040, -2040, 0.05, -70}, {-2050, 2050, 1, 0}};
    for (const View& view : views) {
        RenderRequest request;
        request.spec = spec();
        request.spec.address = {AddressMode::wrap, AddressMode::mirror};
        request.view = view;
        request.width = 1024;
        request.height = 700;
        const Difference difference = against_reference(source.render_to_image(request), image, request, 1500);
        EXPECT_LE(difference.error, exact_tolerance(request.spec)) << difference;
    }
}

ON_EVERY_BACKEND_AND_METHOD(SlowAgainstReference, exact_paths());

class SlowWholeImage : public AgainstReference {};

TEST_P(SlowWholeImage, A4096SquareIsRight) {
    const Image image = noise(4096, 4096, 1, SampleType::u16, 36);
    RenderRequest request;
    request.spec = spec();
    request.view.rotate = 10;
    request.width = request.height = 4096;
    const Difference difference = render_and_compare(backend_, image, request, 3000);
    EXPECT_LE(difference.error, exact_tolerance(request.spec)) << difference;
}

ON_EVERY_BACKEND_AND_METHOD(SlowWholeImage, auto_path());

}  // namespace
}  // namespace texelscope::test
