// The GPU and the CPU backend give the same picture: within 2e-6 as float, and in 8 bits equal except one level in at
// most 0.01 % of values. Skips without a GPU.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "gpu/backend/source_image.h"
#include "tests/support/backends.h"
#include "tests/support/compare.h"
#include "tests/support/hardware_bound.h"
#include "tests/support/images.h"
#include "tests/support/tolerances.h"

namespace texelscope::test {
namespace {

class EqualsCpu : public OnMethod {
protected:
    // Nearest jumps at ties, so random positions, which never meet one, are compared everywhere.
    RenderRequest request_for(Random& random, const Image& image) {
        RenderRequest request;
        request.spec = spec();
        request.spec.address = random.pick(all_address_pairs());
        request.spec.prefilter = random.pick(all_prefilters(method()));
        request.view = random_view(random, image.width(), image.height());
        request.view.translate_x += 0.123;
        request.view.translate_y += 0.456;
        request.outside = random.chance(0.3) ? Outside::background : Outside::extend;
        return request;
    }
};

TEST_P(EqualsCpu, InFloatTo2e6) {
    for (int n = 0; n < 150; ++n) {
        Random random(100 + n);
        const Image image = random_image(random);
        RenderRequest request = request_for(random, image);
        request.width = random.integer(1, 64);
        request.height = random.integer(1, 64);
        const Image cuda = SourceImage(backend_, image).render_to_image(request);
        const Image cpu = SourceImage(shared_backend(BackendKind::cpu), image).render_to_image(request);
        ASSERT_LE(between(cuda, cpu).error, devices_tolerance(image, request.spec))
            << between(cuda, cpu) << describe_request(image, request);
    }
}

TEST_P(EqualsCpu, InEightBitsButForOneLevelInOneOfTenThousandValues) {
    if (path() == FetchPath::hardware) GTEST_SKIP() << "measured, not promised";
    const Image image = noise(500, 400, 3, SampleType::u8, 200);
    SourceImage on_cuda(backend_, image), on_cpu(shared_backend(BackendKind::cpu), image);
    long long values = 0, different = 0;
    for (int n = 0; n < 6; ++n) {
        Random random(300 + n);
        RenderRequest request = request_for(random, image);
        request.width = 320;
        request.height = 240;
        const Image cuda = on_cuda.render_to_rgba8(request), cpu = on_cpu.render_to_rgba8(request);
        for (size_t b = 0; b < cuda.size_bytes(); ++b) {
            const int difference = std::abs(int(cuda.data()[b]) - int(cpu.data()[b]));
            ASSERT_LE(difference, 1) << describe_request(image, request);
            different += difference;
            ++values;
        }
    }
    EXPECT_LE(double(different), double(values) * tolerance::cuda_against_cpu_8bit_share);
}

INSTANTIATE_TEST_SUITE_P(Cuda, EqualsCpu,
                         ::testing::Combine(::testing::Values(BackendKind::cuda), ::testing::ValuesIn(every_method()),
                                            ::testing::ValuesIn(every_path())),
                         method_case_name);

}  // namespace
}  // namespace texelscope::test
