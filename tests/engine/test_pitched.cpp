// Library images with rows apart and sub-views of larger ones: only their own samples are read, whatever is beside
// them, and however odd their width.

#include <gtest/gtest.h>

#include "gpu/backend/source_image.h"
#include "tests/support/backends.h"
#include "tests/support/compare.h"
#include "tests/support/exact_tolerance.h"
#include "tests/support/hardware_bound.h"
#include "tests/support/images.h"
#include "tests/support/placed.h"

namespace texelscope::test {
namespace {

size_t rounded_up(size_t n, size_t step) { return (n + step - 1) / step * step; }

class Pitched : public OnMethod {
protected:
    void compare(const Image& image, const RenderRequest& request, size_t row_bytes, size_t before) {
        const Placed here = placed(*backend_, image, row_bytes, before);
        const Image adopted = SourceImage(backend_, here.view).render_to_image(request);
        const Image expected = SourceImage(shared_backend(BackendKind::cpu), image).render_to_image(request);
        ASSERT_LE(between(adopted, expected).error, devices_tolerance(image, request.spec))
            << between(adopted, expected) << describe_request(image, request) << ", rows " << row_bytes
            << " bytes apart, " << before << " before the first";
    }

    RenderRequest request_for(Random& random, const Image& image, double scale) {
        RenderRequest request = request_of(spec(), 150, 110);
        request.spec.address = random.pick(all_address_pairs());
        const double reach_x = image.width() * 0.55, reach_y = image.height() * 0.55;
        request.view = {random.between(-reach_x, reach_x) + 0.123, random.between(-reach_y, reach_y) + 0.456, scale,
                        random.between(-180, 180)};
        request.outside = random.chance(0.2) ? Outside::background : Outside::extend;
        return request;
    }
};

TEST_P(Pitched, EqualsThePackedImageOnTheCpuForEveryFormatAndWidth) {
    int residue = 0;
    for (const SampleType type : {SampleType::u8, SampleType::u16, SampleType::f16, SampleType::f32})
        for (const int channels : {1, 2, 4}) {
            Random random(700 + 10 * int(type) + channels);
            residue = (residue + 1) % 4;
            const Image image =
                noise(200 + 4 * random.integer(0, 200) + residue, random.integer(40, 90), channels, type, 5);
            const size_t texel = size_t(channels) * size_t(bytes_per_sample(type));
            // Rows of whole vectors, as libraries make them; every other image begins and continues anywhere.
            const bool whole = random.chance(0.5);
            const size_t row = whole ? rounded_up(image.row_bytes() + size_t(random.integer(0, 90)) * texel, 16)
                                     : image.row_bytes() + size_t(random.integer(0, 90)) * texel;
            const size_t before = size_t(random.integer(0, 9)) * (whole ? 16 : texel);
            compare(image, request_for(random, image, random.between(0.2, 3)), row, before);
        }
}

// The image whose padding was once read: 1000 × 1000 with 1096 samples from row to row, rotated by 45°.
TEST_P(Pitched, ReadsNoPaddingOfAThousandByThousandImage) {
    if (method().taps > 4 || method().id == "nearest") GTEST_SKIP() << "two and four taps show it";
    const Image image = noise(1000, 1000, 1, SampleType::f32, 9);
    RenderRequest request = request_of(spec(), 500, 500);
    for (const double translate : {0.0, 250.0}) {
        request.view = {translate, translate, 1, 45};
        compare(image, request, 1096 * sizeof(float), 0);
    }
}

// Owned images have padding as well: a stored width of 1 mod 4.
TEST_P(Pitched, ReadsNoPaddingOfItsOwn) {
    if (path() == FetchPath::hardware) GTEST_SKIP() << "exact paths";
    const Image image = noise(1001, 1001, 1, SampleType::f32, 11);
    RenderRequest request = request_of(spec(), 640, 480);
    request.view = {0, 0, 1.7139, -24.97};
    const Image here = SourceImage(backend_, image).render_to_image(request);
    RenderRequest simple = request;
    simple.simple = true;
    const Image expected = SourceImage(shared_backend(BackendKind::cpu), image).render_to_image(simple);
    ASSERT_LE(between(here, expected).error, exact_tolerance(spec())) << between(here, expected);
}

ON_EVERY_BACKEND_AND_METHOD(Pitched, auto_and_every_path());

}  // namespace
}  // namespace texelscope::test
