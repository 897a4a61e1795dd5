// A GPU with less shared memory and fewer multiprocessors gives the same pictures: each method on each path under the
// limits of the cards that people have, against what the device here does without them. Skips without a GPU.

#include <gtest/gtest.h>

#include <algorithm>

#include <fmt/format.h>

#include "gpu/backend/source_image.h"
#include "tests/support/backends.h"
#include "tests/support/compare.h"
#include "tests/support/images.h"
#include "tests/support/tolerances.h"

namespace texelscope::test {
namespace {

class UnderLimits : public ::testing::TestWithParam<std::tuple<KnownCard, const MethodInfo*, FetchPath>> {
protected:
    void SetUp() override {
        limited_ = backend_like(std::get<0>(GetParam()));
        unlimited_ = shared_backend(BackendKind::cuda);
        if (!limited_) GTEST_SKIP() << "no CUDA here: " << why_no_cuda();
        spec_ = default_spec(*std::get<1>(GetParam()));
        spec_.path = std::get<2>(GetParam());
    }

    void compare(const Image& image, const RenderRequest& request) {
        SourceImage limited(limited_, image), unlimited(unlimited_, image);
        const Image a = limited.render_to_image(request), b = unlimited.render_to_image(request);
        ASSERT_LE(between(a, b).error, devices_tolerance(image, request.spec))
            << between(a, b) << describe_request(image, request);
        const Image shown = limited.render_to_rgba8(request), expected = unlimited.render_to_rgba8(request);
        if (spec_.path == FetchPath::hardware) return;
        for (size_t k = 0; k < shown.size_bytes(); ++k)
            ASSERT_LE(std::abs(int(shown.data()[k]) - int(expected.data()[k])), 1) << describe_request(image, request);
    }

    std::shared_ptr<Backend> limited_, unlimited_;
    MethodSpec spec_;
};

TEST_P(UnderLimits, ReportsNoMoreThanTheCardHas) {
    const DeviceLimits& card = std::get<0>(GetParam()).limits;
    const DeviceLimits& limits = limited_->info().limits;
    EXPECT_LE(limits.shared_bytes_per_block, card.shared_bytes_per_block);
    EXPECT_LE(limits.multiprocessors, card.multiprocessors);
}

// Rotated views of all formats, up to scales whose tiles fit no card; the fault was seen from scale 1.2 on.
TEST_P(UnderLimits, GivesTheSamePicturesRotatedStraightAndMinified) {
    Random random(40);
    for (const SampleType type : {SampleType::u8, SampleType::u16, SampleType::f16, SampleType::f32})
        for (const int channels : {1, 2, 3, 4}) {
            const Image image = noise(random.integer(90, 260), random.integer(90, 260), channels, type, 41,
                                      channels == 4 && random.chance(0.5) ? Alpha::straight : Alpha::none);
            for (const double scale : {0.4, 1.2, 1.9, 2.6, 4.5}) {
                RenderRequest request = request_of(spec_, 100, 70);
                request.spec.address = random.pick(all_address_pairs());
                request.spec.prefilter = random.pick(all_prefilters(*spec_.method));
                request.view = {random.between(-40, 40), random.between(-40, 40), scale,
                                random.chance(0.25) ? 0 : random.between(-180, 180)};
                request.outside = random.chance(0.3) ? Outside::background : Outside::extend;
                request.antialias = random.chance(0.2);
                compare(image, request);
            }
        }
}

// Coefficients of images on both sides of where the convolution ends and the recursion begins.
TEST_P(UnderLimits, GivesTheSameCoefficientsByConvolutionAndRecursion) {
    if (!spec_.method->has_prefilter() || spec_.path != FetchPath::automatic)
        GTEST_SKIP() << "once a method with a prefilter";
    for (const auto& [width, height, channels] : {std::tuple{333, 257, 1}, {1400, 1100, 1}, {700, 500, 4}}) {
        const Image image = noise(width, height, channels, SampleType::f32, 43);
        for (const AddressMode mode : all_address_modes) {
            RenderRequest request = request_of(spec_, 300, 200);
            request.spec.address = {mode, mode};
            request.view = {100.3, 50.7, 1.3, 20};
            compare(image, request);
        }
    }
}

// An image larger than the textures of the device: exact all the same, but on the paths that need a texture, which say so.
class SmallTextures : public OnBackend {};

TEST_P(SmallTextures, LeaveTheImageToLinearMemory) {
    DeviceLimits limits = backend_->info().limits;
    limits.texture_width = limits.texture_height = 64;
    limits.texture_1d = limits.texture_1d_linear = 64;
    const auto backend = make_backend(BackendChoice::cuda, {.limits = limits});
    const Image image = noise(65, 40, 4, SampleType::u8, 44), line = signal(65, [](int k) { return k % 7; });
    for (const MethodInfo* method : every_method())
        for (const FetchPath path : all_fetch_paths) {
            MethodSpec spec = default_spec(*method);
            spec.path = path;
            SourceImage picture(backend, image), wave(backend, line);
            const RenderRequest of_picture = beyond_borders(spec, 65, 40, 3), of_wave = request_of(spec, 90, 1);
            if (spec.effective_path() == FetchPath::lookup || spec.effective_path() == FetchPath::hardware) {
                EXPECT_THROW(picture.render_to_image(of_picture), Error) << to_string(spec);
                EXPECT_THROW(wave.render_to_image(of_wave), Error) << to_string(spec);
                continue;
            }
            SourceImage on_cpu(shared_backend(BackendKind::cpu), image),
                wave_on_cpu(shared_backend(BackendKind::cpu), line);
            EXPECT_LE(between(picture.render_to_image(of_picture), on_cpu.render_to_image(of_picture)).error,
                      exact_tolerance(spec))
                << to_string(spec);
            EXPECT_LE(between(wave.render_to_image(of_wave), wave_on_cpu.render_to_image(of_wave)).error,
                      7 * exact_tolerance(spec))
                << to_string(spec);
        }
}

INSTANTIATE_TEST_SUITE_P(Cuda, SmallTextures, ::testing::Values(BackendKind::cuda), backend_name);

std::string name_of_case(const ::testing::TestParamInfo<UnderLimits::ParamType>& test) {
    const auto& [card, method, path] = test.param;
    std::string name = fmt::format("{}_{}_{}", card.limits.compute_capability, method->id, name_of(path));
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
}

INSTANTIATE_TEST_SUITE_P(Cuda, UnderLimits,
                         ::testing::Combine(::testing::ValuesIn(known_cards().begin(), known_cards().end()),
                                            ::testing::ValuesIn(every_method()),
                                            ::testing::ValuesIn(auto_and_every_path())),
                         name_of_case);

}  // namespace
}  // namespace texelscope::test
