// Which CUDA device computes, and why not another: over made-up machines, and over this one.

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "gpu/backend/device_choice.h"
#include "gpu/backend/source_image.h"
#include "gpu/core/errors.h"
#include "tests/support/backends.h"
#include "tests/support/images.h"
#include "tests/support/reference.h"
#include "tests/support/tolerances.h"

namespace texelscope::test {
namespace {

// Device k fails with refusals[k]; devices not in it answer.
class MadeUpDevices final : public Devices {
public:
    MadeUpDevices(int count, std::map<int, std::string> refusals) : count_(count), refusals_(std::move(refusals)) {}
    int count(std::string& why_none) override {
        if (count_ == 0) why_none = "no CUDA device is visible";
        return count_;
    }
    DeviceAnswer ask(int device) override {
        asked.push_back(device);
        DeviceAnswer answer;
        answer.index = device;
        answer.name = "card " + std::to_string(device);
        if (refusals_.contains(device)) answer.why_not = refusals_[device];
        else answer.code = "compiled for compute capability 9.0";
        return answer;
    }
    std::vector<int> asked;

private:
    int count_;
    std::map<int, std::string> refusals_;
};

TEST(DeviceChoice, TakesTheFirstThatAnswersAndAsksNoOther) {
    MadeUpDevices devices(3, {});
    const DeviceChoice choice = choose_device(devices);
    ASSERT_TRUE(choice.taken);
    EXPECT_EQ(choice.taken->index, 0);
    EXPECT_EQ(choice.reason, "");
    EXPECT_FALSE(choice.refused);
    EXPECT_EQ(devices.asked, std::vector<int>{0}) << "asking makes a context, which takes memory";
}

TEST(DeviceChoice, TakesTheSecondWhereTheFirstCannotBeUsedAndSaysWhy) {
    MadeUpDevices devices(3, {{0, "its memory is full"}});
    const DeviceChoice choice = choose_device(devices);
    ASSERT_TRUE(choice.taken);
    EXPECT_EQ(choice.taken->index, 1);
    EXPECT_EQ(choice.reason, "CUDA device 0 (card 0): its memory is full");
    EXPECT_TRUE(choice.refused);
}

TEST(DeviceChoice, NamesEveryDeviceWhereNoneAnswers) {
    MadeUpDevices devices(2, {{0, "its memory is full"}, {1, "no code"}});
    const DeviceChoice choice = choose_device(devices);
    EXPECT_FALSE(choice.taken);
    EXPECT_EQ(choice.reason, "CUDA device 0 (card 0): its memory is full; CUDA device 1 (card 1): no code");
    EXPECT_TRUE(choice.refused);
}

TEST(DeviceChoice, SaysWhyThereIsNone) {
    MadeUpDevices devices(0, {});
    const DeviceChoice choice = choose_device(devices);
    EXPECT_FALSE(choice.taken);
    EXPECT_EQ(choice.reason, "no CUDA device is visible");
    EXPECT_FALSE(choice.refused);
}

TEST(DeviceChoice, AsksThePreferredFirstInTheirOrder) {
    MadeUpDevices devices(4, {{2, "x"}, {1, "y"}});
    const DeviceChoice choice = choose_device(devices, {.preferred = {2, 1}});
    ASSERT_TRUE(choice.taken);
    EXPECT_EQ(choice.taken->index, 0);
    EXPECT_EQ(devices.asked, (std::vector<int>{2, 1, 0}));
    EXPECT_EQ(choice.reason, "CUDA device 2 (card 2): x; CUDA device 1 (card 1): y");
}

TEST(DeviceChoice, PreferredDevicesThatAreNotThereAreLeftOut) {
    MadeUpDevices devices(2, {});
    const DeviceChoice choice = choose_device(devices, {.preferred = {5, -1, 1, 1}});
    ASSERT_TRUE(choice.taken);
    EXPECT_EQ(choice.taken->index, 1);
    EXPECT_EQ(devices.asked, std::vector<int>{1});
}

TEST(DeviceChoice, DoesNotAskWhatIsAvoided) {
    MadeUpDevices devices(2, {});
    const DeviceChoice choice = choose_device(devices, {.preferred = {0}, .avoid = {{0, "it stopped answering"}}});
    ASSERT_TRUE(choice.taken);
    EXPECT_EQ(choice.taken->index, 1);
    EXPECT_EQ(choice.reason, "CUDA device 0: it stopped answering");
    EXPECT_EQ(devices.asked, std::vector<int>{1});
}

TEST(DeviceChoice, TakesNoOtherThanTheOneThatWasAskedFor) {
    MadeUpDevices devices(3, {{1, "its memory is full"}});
    EXPECT_EQ(choose_device(devices, {.only = 2}).taken.value().index, 2);
    const DeviceChoice refused = choose_device(devices, {.only = 1});
    EXPECT_FALSE(refused.taken);
    EXPECT_EQ(refused.reason, "CUDA device 1 (card 1): its memory is full");
    const DeviceChoice missing = choose_device(devices, {.only = 3});
    EXPECT_FALSE(missing.taken);
    EXPECT_EQ(missing.reason, "there is no device 3: this machine's are 0 to 2");
    EXPECT_EQ(devices.asked, (std::vector<int>{2, 1}));
}

TEST(DeviceFaults, StandInForDevicesThatFail) {
    MadeUpDevices devices(4, {});
    DevicesWithFaults faulty(devices, "0=no-code,1=out-of-memory,2=no-context");
    const DeviceChoice choice = choose_device(faulty);
    ASSERT_TRUE(choice.taken);
    EXPECT_EQ(choice.taken->index, 3);
    for (const char* words : {"CUDA device 0: no code for", "CUDA device 1: its memory is full",
                              "CUDA device 2: no CUDA context can be made there"})
        EXPECT_NE(choice.reason.find(words), std::string::npos) << choice.reason;
    EXPECT_EQ(devices.asked, std::vector<int>{3});
    DevicesWithFaults all(devices, "*=old-driver");
    EXPECT_FALSE(choose_device(all).taken);
    DevicesWithFaults none(devices, "none");
    EXPECT_FALSE(choose_device(none).taken);
    EXPECT_FALSE(choose_device(none).refused);
    for (const char* wrong : {"0", "0=", "=no-code", "x=no-code", "0=slow", "-1=no-code", "0 =no-code"})
        EXPECT_THROW(DevicesWithFaults(devices, wrong), UsageError) << wrong;
}

TEST(DeviceFaults, AreSaidSoThatOneKnowsWhatToDo) {
    DeviceLimits limits;
    limits.compute_capability = 61;
    const std::string no_code = words_of_fault(ProbeFault::no_code, limits, "75-virtual 90", "CUDA's words");
    EXPECT_NE(no_code.find("6.1"), std::string::npos) << no_code;
    EXPECT_NE(no_code.find("CMAKE_CUDA_ARCHITECTURES=75-virtual 90"), std::string::npos) << no_code;
    const std::string driver = words_of_fault(ProbeFault::old_driver, limits, "75-virtual", "unsupported PTX");
    EXPECT_NE(driver.find("(unsupported PTX); update the NVIDIA driver"), std::string::npos) << driver;
    std::set<std::string> all;
    for (const ProbeFault fault : {ProbeFault::no_code, ProbeFault::old_driver, ProbeFault::no_context,
                                   ProbeFault::out_of_memory, ProbeFault::wrong_answer})
        EXPECT_TRUE(all.insert(words_of_fault(fault, limits, "90", "words")).second);
}

// binaryVersion and ptxVersion as cudaFuncGetAttributes gives them, for what CMake makes of each list of architectures.
TEST(DeviceCode, IsMachineCodeOnlyWhereTheBuildHasIt) {
    EXPECT_EQ(words_of_code({90, 75}, "75-virtual"), "compiled by the driver from PTX 7.5");
    EXPECT_EQ(words_of_code({90, 90}, "75-virtual 90-real"), "compiled for compute capability 9.0");
    EXPECT_EQ(words_of_code({90, 90}, "90"), "compiled for compute capability 9.0");
    EXPECT_EQ(words_of_code({90, 90}, "75-real 90-virtual"), "compiled by the driver from PTX 9.0");
    EXPECT_EQ(words_of_code({80, 80}, "80-real 90"), "compiled for compute capability 8.0");  // on a card of 8.6
    EXPECT_EQ(words_of_code({86, 80}, "80"), "compiled by the driver from PTX 8.0");          // when that was forced
    EXPECT_EQ(words_of_code({120, 120}, "all-major"), "compiled for compute capability 12.0");
    EXPECT_EQ(words_of_code({130, 120}, "all-major"), "compiled by the driver from PTX 12.0");
    EXPECT_EQ(words_of_code({89, 89}, "native"), "compiled for compute capability 8.9");
    EXPECT_EQ(words_of_code({90, 90}, "90a-real"), "compiled for compute capability 9.0");
    EXPECT_EQ(words_of_code({90, 90}, "900"), "compiled by the driver from PTX 9.0");
}

TEST(MakeBackend, SaysWhyItIsNotCuda) {
    std::string reason = "left over";
    EXPECT_EQ(make_backend(BackendChoice::cpu, {}, &reason)->info().kind, BackendKind::cpu);
    EXPECT_EQ(reason, "the CPU backend was requested");
    const auto backend = make_backend(BackendChoice::automatic, {}, &reason);
    EXPECT_EQ(backend->info().kind == BackendKind::cpu, !why_no_cuda().empty());
    if (backend->info().kind == BackendKind::cpu) {
        EXPECT_EQ(reason, why_no_cuda());
    }
}

TEST(MakeBackend, OnADeviceThatIsNotThereFallsOrIsRefused) {
    std::string reason;
    EXPECT_EQ(make_backend(BackendChoice::automatic, {.device = 1000}, &reason)->info().kind, BackendKind::cpu);
    EXPECT_FALSE(reason.empty());
    EXPECT_THROW(make_backend(BackendChoice::cuda, {.device = 1000}), Unavailable);
}

class OnChosenDevice : public OnBackend {};

TEST_P(OnChosenDevice, ItAnswersAndIsNotLost) {
    EXPECT_EQ(backend_->why_lost(), "");
    backend_->allocate(1 << 20);
    backend_->synchronize();
    EXPECT_EQ(backend_->why_lost(), "");
    stay_on_device_of(*backend_);
    if (GetParam() == BackendKind::cpu) return;
    const BackendInfo& info = backend_->info();
    const DeviceAnswer answer = machine_devices().ask(info.device_index);
    EXPECT_TRUE(answer.usable()) << answer.why_not;
    EXPECT_EQ(answer.name, info.device);
    EXPECT_TRUE(answer.code.starts_with("compiled ")) << answer.code;
    EXPECT_EQ(answer.limits.compute_capability, info.limits.compute_capability);
    std::string reason = "left over";
    EXPECT_EQ(make_backend(BackendChoice::automatic, {.device = info.device_index}, &reason)->info().kind,
              BackendKind::cuda);
    EXPECT_EQ(reason, "");
}

ON_EVERY_BACKEND(OnChosenDevice);

}  // namespace

// A GPU with less shared memory and fewer multiprocessors gives the same pictures: each method on each path under the
// limits of the cards that people have, against what the device here does without them. Skips without a GPU.

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
