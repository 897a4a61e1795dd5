// The kernel of every kind of job, and the reason that is shown for it. What is expected are the rules, as
// docs/performance-notebook.md has measured them and resample_job.h describes the kernels.

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "gpu/method/kernel_choice.h"

namespace texelscope::test {
namespace {

struct Job : ResampleJob {
    explicit Job(const View& view, SampleType sample_type = SampleType::u8, int channels = 4) {
        source.width = source.height = 4096;
        source.channels = output.channels = channels;
        source.type = sample_type;
        source.row_bytes = size_t(4096) * size_t(channels) * size_t(bytes_per_sample(sample_type));
        output.width = 1920;
        output.height = 1080;
        positions = sampling_affine(view, 4096, 4096, output.width, output.height);
    }
    Job by(FetchPath path) const {
        Job other = *this;
        other.spec.path = path;
        return other;
    }
    Job with(bool ResampleJob::*flag) const {
        Job other = *this;
        other.*flag = true;
        return other;
    }
    Job signal() const {
        Job other = *this;
        other.source.one_dimensional = true;
        return other;
    }
    Job at_points() const {
        static constexpr double somewhere[2] = {};
        Job other = *this;
        other.points = PointsView::pairs(somewhere, size_t(1920) * 1080);
        return other;
    }
    Job linear_light() const {
        Job other = *this;
        other.output.encode_srgb = true;
        return other;
    }
};

// By weights from a table, of a method of so many taps.
TabulatedJob tabulated(const Job& job, int taps, double stretch) {
    TabulatedJob result{job, {}, {}, false};
    result.x.radius = result.y.radius = float(taps) / 2;
    result.x.stretch = result.y.stretch = float(stretch);
    return result;
}

const DeviceLimits hopper = *limits_of_card(90), turing = *limits_of_card(75);
const View straight{0, 0, 0.5, 0}, one_to_one{0, 0, 1, 0}, at_ten_degrees{0, 0, 0.5, 10}, shrunk{0, 0, 3, 0},
    shrunk_and_rotated{0, 0, 3, 30};

bool no_code() { return false; }

struct Expected {
    KernelChoice choice;
    ResampleKernel kernel;
    std::string_view word;  // of the reason
    FetchPath path = FetchPath::automatic;
};

void expect_all(std::initializer_list<Expected> all) {
    int row = 0;
    for (const Expected& each : all) {
        ++row;
        EXPECT_EQ(name_of(each.choice.kernel), name_of(each.kernel)) << "row " << row;
        EXPECT_NE(each.choice.reason.find(each.word), std::string_view::npos)
            << "row " << row << ": " << each.choice.reason;
        EXPECT_EQ(each.choice.path, each.path) << "row " << row;
    }
}

TEST(ChosenKernels, OfAMethodsOwnTapsOnAGpu) {
    using enum ResampleKernel;
    using enum FetchPath;
    const auto gpu = [](const Job& job, int taps, int fetches = 1, bool texture = false,
                        const DeviceLimits& limits = hopper) {
        return choose({job, WeightsFrom::method, taps, fetches}, {&limits, [=] { return texture; }});
    };
    expect_all({
        {gpu(Job(straight), 4), march, "no rotation"},
        {gpu(Job(straight, SampleType::f32, 1), 8), march, "no rotation"},
        {gpu(Job(straight).linear_light(), 4), march, "no rotation"},
        {gpu(Job(at_ten_degrees), 4), tile, "shared memory"},
        {gpu(Job(at_ten_degrees).linear_light(), 4), tile, "shared memory"},
        {gpu(Job(one_to_one), 2), tile, "no row read twice"},
        {gpu(Job(straight), 2), march, "no rotation"},
        {gpu(Job(one_to_one, SampleType::f32), 2), march, "no rotation"},
        {gpu(Job(one_to_one, SampleType::u8, 1), 2), march, "no rotation"},
        // A tile of 32 × 32 pixels 7 samples apart: 2 · (31 · 7)² · 16 bytes are more than 100 KiB.
        {gpu(Job({0, 0, 7, 30}, SampleType::f32), 4), simple, "does not fit"},
        {gpu(Job({0, 0, 7, 30}, SampleType::f32), 2), direct, "few taps"},
        {gpu(Job({0, 0, 20, 0}), 2), march, "does not fit"},
        // One tap: the texture cache, if it can be had.
        {gpu(Job(one_to_one), 1, 1, true), direct, "texture cache", lookup},
        {gpu(Job(at_ten_degrees), 1, 1, true), direct, "texture cache", lookup},
        {gpu(Job(one_to_one), 1), march, "no rotation"},
        {gpu(Job(at_ten_degrees), 1), direct, "few taps"},
        {gpu(Job(at_ten_degrees).linear_light(), 1), simple, "linear light"},
        {gpu(Job(straight), 4, 1, true), march, "no rotation"},
        // Paths that were asked for: pixels side by side share nothing.
        {gpu(Job(at_ten_degrees).by(global), 2), direct, "few taps", global},
        {gpu(Job(at_ten_degrees).by(global), 4), simple, "many taps", global},
        {gpu(Job(straight).by(lookup), 2), direct, "few taps", lookup},
        {gpu(Job(straight).by(lookup), 4), simple, "many taps", lookup},
        {gpu(Job(straight).by(hardware), 4, 2), direct, "few taps", hardware},
        {gpu(Job(straight).by(hardware), 4, 3), simple, "many taps", hardware},
        {gpu(Job(straight).by(hardware).linear_light(), 4, 2), simple, "linear light", hardware},
        // What the fast kernels cannot do.
        {gpu(Job(straight).with(&ResampleJob::simple), 4), simple, "asked for"},
        {gpu(Job(one_to_one).with(&ResampleJob::simple), 1, 1, true), simple, "asked for"},
        {gpu(Job(straight).signal(), 4), simple, "single row"},
        {gpu(Job(straight).signal(), 1, 1, true), simple, "single row"},
        {gpu(Job(straight).at_points(), 4), simple, "points"},
        {gpu(Job({1e9, 0, 1, 0}), 4), simple, "fixed-point"},
    });
}

TEST(ChosenKernels, OfWeightsFromATableOnAGpu) {
    using enum ResampleKernel;
    const auto gpu = [](const TabulatedJob& job, const DeviceLimits& limits = hopper, bool (*has_code)() = nullptr) {
        return choose(KernelQuestion::of(job), {&limits, {}, has_code});
    };
    const Job at_an_angle(shrunk_and_rotated), upright(shrunk);
    TabulatedJob pieces = tabulated(at_an_angle, 4, 3), derivative = tabulated(Job(at_ten_degrees), 4, 1),
                 warped = tabulated(at_an_angle.at_points(), 4, 1);
    const float piece[4] = {};
    pieces.x.pieces.pieces = reinterpret_cast<decltype(pieces.x.pieces.pieces)>(piece);
    derivative.x.derivative = true;
    warped.local_stretch = true;
    expect_all({
        {gpu(tabulated(upright, 4, 3)), shrink, "no rotation"},
        {gpu(tabulated(Job(shrunk, SampleType::f32), 8, 3)), shrink, "no rotation"},
        {gpu(tabulated(upright, 1, 3)), table, "too few"},
        {gpu(tabulated(at_an_angle, 4, 3)), rotated, "tensor cores"},
        {gpu(tabulated(at_an_angle, 4, 3), hopper, no_code), rotated_any, "rotated"},
        {gpu(tabulated(at_an_angle, 4, 3), turing), rotated_any, "rotated"},
        {gpu(tabulated(Job(shrunk_and_rotated, SampleType::u16), 4, 3)), rotated_any, "rotated"},
        {gpu(tabulated(Job(shrunk_and_rotated, SampleType::f32, 1), 4, 3)), rotated_any, "rotated"},
        {gpu(tabulated(Job({0, 0, 1.05, 30}, SampleType::f32), 4, 1.05)), table, "too few"},
        {gpu(tabulated(at_an_angle.with(&ResampleJob::simple), 4, 3)), table, "asked for"},
        {gpu(tabulated(upright.with(&ResampleJob::simple), 4, 3)), table, "asked for"},
        {gpu(tabulated(upright.signal(), 4, 3)), table, "single row"},
        {gpu(warped), table, "points"},
        {gpu(pieces), table, "pieces"},
        {gpu(derivative), table, "derivative"},
    });
}

TEST(ChosenKernels, OnTheCpu) {
    using enum ResampleKernel;
    using enum FetchPath;
    const auto cpu = [](const Job& job, int taps) { return choose({job, WeightsFrom::method, taps}, {}); };
    const auto by_table = [](const Job& job) {
        const TabulatedJob tabulated_job = tabulated(job, 4, 3);
        return choose(KernelQuestion::of(tabulated_job), {});
    };
    expect_all({
        {cpu(Job(straight), 4), separable, "no rotation"},
        {cpu(Job(straight).by(lookup), 4), separable, "no rotation", lookup},
        {cpu(Job(straight).signal(), 4), separable, "no rotation"},
        {cpu(Job(one_to_one), 1), separable, "no rotation"},
        {cpu(Job({0, 0, 2, 0}), 4), separable, "no rotation"},
        {cpu(Job({0, 0, 2.1, 0}), 4), blocks, "too far apart"},
        {cpu(Job(at_ten_degrees), 4), blocks, "rotated"},
        {cpu(Job(straight).at_points(), 4), blocks, "points"},
        {cpu(Job(straight).at_points().signal(), 4), simple, "signal"},
        {cpu(Job(straight).by(hardware), 4), simple, "emulated", hardware},
        {cpu(Job(straight).with(&ResampleJob::simple), 4), simple, "asked for"},
        {cpu(Job(straight), 0), simple, "polynomials"},
        {by_table(Job(shrunk)), separable, "no rotation"},
        {by_table(Job({0, 0, 9, 0})), separable, "no rotation"},
        {by_table(Job(shrunk).signal()), separable, "no rotation"},
        {by_table(Job(shrunk_and_rotated)), blocks, "rotated"},
        {by_table(Job(shrunk).by(hardware)), separable, "no rotation", hardware},
        {by_table(Job(shrunk).at_points()), blocks, "points"},
        {by_table(Job(shrunk).at_points().signal()), table, "signal"},
        {by_table(Job(shrunk).with(&ResampleJob::simple)), table, "asked for"},
    });
}

TEST(ChosenKernels, OfMethodsThatHaveTheirOwn) {
    using enum ResampleKernel;
    const Job job(at_ten_degrees);
    for (const DeviceLimits* gpu : {&hopper, static_cast<const DeviceLimits*>(nullptr)})
        expect_all({{choose({job, WeightsFrom::distance}, {gpu}), polar, "distance"},
                    {choose({job, WeightsFrom::own_kernel}, {gpu}), own, "one's own"}});
}

// Compiled code is asked for only if all else allows it: that may take a driver seconds.
TEST(ChosenKernels, AskForMatrixCodeLast) {
    static int asked;
    asked = 0;
    const DeviceFacts facts{&hopper, {}, [] { return ++asked > 0; }};
    const TabulatedJob floats = tabulated(Job(shrunk_and_rotated, SampleType::f32), 4, 3),
                       bytes = tabulated(Job(shrunk_and_rotated), 4, 3), upright = tabulated(Job(shrunk), 4, 3);
    choose(KernelQuestion::of(floats), facts);
    choose(KernelQuestion::of(upright), facts);
    EXPECT_EQ(asked, 0);
    choose(KernelQuestion::of(bytes), facts);
    EXPECT_EQ(asked, 1);
}

// Making one may take memory: only a single tap is better read through it.
TEST(ChosenKernels, AskForATextureOnlyForASingleTap) {
    int asked = 0;
    const DeviceFacts facts{&hopper, [&] { return ++asked > 0; }};
    for (const char* id : {"bilinear", "bspline", "nearest"}) {
        ResampleJob job = Job(one_to_one);
        job.spec = default_spec(parse_method(id));
        const KernelChoice choice = choose({job}, facts);
        EXPECT_EQ(choice.path == FetchPath::lookup, id == std::string_view("nearest")) << id;
    }
    EXPECT_EQ(asked, 1);
}

TEST(ChosenKernels, HaveDifferentNames) {
    using enum ResampleKernel;
    std::set<std::string_view> names;
    for (int kernel = 0; kernel <= int(float64); ++kernel) names.insert(name_of(ResampleKernel(kernel)));
    EXPECT_EQ(int(names.size()), int(float64) + 1);
}

}  // namespace
}  // namespace texelscope::test
