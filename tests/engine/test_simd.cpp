// The CPU's vector code: every set of instructions that this processor has, against float64, over all methods, sample
// types, channels, address modes and kinds of views. The other suites run only on the best set.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <sys/mman.h>
#include <unistd.h>

#include "gpu/backend/cpu_backend.h"
#include "gpu/backend/source_image.h"
#include "gpu/compare/compared_pixel.h"
#include "gpu/core/errors.h"
#include "gpu/method/axis_weights.h"
#include "gpu/method/polar_method.h"
#include "tests/support/backends.h"
#include "tests/support/images.h"
#include "tests/support/reference.h"
#include "tests/support/tolerances.h"

namespace texelscope::simd {  // how GoogleTest prints them
static void PrintTo(Instructions instructions, std::ostream* out) {
    *out << (instructions > best_instructions() ? "missing" : kernels(instructions).name);
}
}  // namespace texelscope::simd

namespace texelscope::test {
namespace {

using simd::Instructions;

constexpr Instructions all_instructions[] = {Instructions::baseline, Instructions::avx2, Instructions::avx512};

std::string level_name(Instructions level) {
    return level == Instructions::baseline ? "baseline" : level == Instructions::avx2 ? "avx2" : "avx512";
}

std::shared_ptr<Backend> backend_of(Instructions level) {
    if (level > simd::best_instructions()) return nullptr;
    static std::array<std::shared_ptr<Backend>, 3> made;
    std::shared_ptr<Backend>& backend = made[size_t(level)];
    if (!backend) backend = make_cpu_backend(level);
    return backend;
}

// Zoomed, rotated by right and other angles, shrunk until output rows share no input, and mostly beyond the edges.
constexpr View views[] = {{0.3, -0.7, 0.61, 0},  {0.3, -0.7, 0.61, 31}, {-0.21, 0.4, 0.9, 180},
                          {0.17, 0.39, 0.7, 90}, {1.7, -0.3, 3.3, 0},   {1.7, -0.3, 2.3, 200},
                          {35, -20, 1.1, 0},     {-30, 33, 0.8, -50},   {0, 0, 0.3, 45}};

class VectorCode : public ::testing::TestWithParam<std::tuple<Instructions, const MethodInfo*>> {
protected:
    void SetUp() override {
        backend_ = backend_of(std::get<0>(GetParam()));
        if (!backend_) GTEST_SKIP() << "this processor has no " << level_name(std::get<0>(GetParam()));
    }
    const MethodInfo& method() const { return *std::get<1>(GetParam()); }
    MethodSpec spec() const { return default_spec(method()); }

    std::shared_ptr<Backend> backend_;
};

TEST_P(VectorCode, IsFloat64MathematicsForEveryTypeChannelsViewAndAddressMode) {
    Random random(500);
    for (const SampleType type : {SampleType::u8, SampleType::u16, SampleType::f16, SampleType::f32})
        for (int channels = 1; channels <= 4; ++channels) {
            const Image image =
                noise(random.integer(17, 40), random.integer(17, 40), channels, type, random.integer(1, 1000));
            SourceImage source(backend_, image);
            for (const View& view : views) {
                RenderRequest request = request_of(spec(), random.integer(50, 90), random.integer(3, 12));
                request.view = view;
                request.spec.address = random.pick(all_address_pairs());
                request.spec.prefilter = random.pick(all_prefilters(method()));
                request.outside = random.chance(0.3) ? Outside::background : Outside::extend;
                const reference::Value grey{background_level, background_level, background_level, background_level};
                const Difference difference =
                    against_reference(source.render_to_image(request), image, request, 30, grey);
                ASSERT_LE(difference.error, exact_tolerance(request.spec)) << difference;
            }
        }
}

// At both ends and the middle of every parameter's range.
TEST_P(VectorCode, HasTheWeightsOfTheMethodWhateverItsParameters) {
    if (is_polar(method()) || method().is_wide()) GTEST_SKIP() << "it has no polynomials";
    constexpr int count = simd::block;
    for (size_t parameter = 0; parameter <= method().parameters.size(); ++parameter)
        for (const double share : {0.0, 0.5, 1.0}) {
            MethodSpec varied = spec();
            if (parameter < method().parameters.size()) {
                const ParameterInfo& info = method().parameters[parameter];
                varied.parameters.value[parameter] = info.minimum + share * (info.maximum - info.minimum);
            }
            const AxisWeights axis = axis_weights(method(), varied.parameters);
            ASSERT_EQ(axis.taps, method().taps) << to_string(varied);
            if (axis.taps == 1) continue;
            double positions[count];
            int first[count];
            alignas(64) float w[simd::max_taps][count];
            for (int n = 0; n < count; ++n) positions[n] = 100 + n / double(count - 1);
            simd::kernels(std::get<0>(GetParam())).weights(axis, positions, count, 0, first, w);
            const reference::Kernel kernel = reference::kernel_of(varied);
            for (int n = 0; n < count; ++n)
                for (int k = 0; k < axis.taps; ++k)
                    ASSERT_NEAR(w[k][n], kernel.weight(positions[n] - (first[n] + k)), 5e-7)
                        << to_string(varied) << " at " << positions[n] << ", tap " << k;
        }
}

// Fewer samples than a vector, or than a method, has.
TEST_P(VectorCode, ReadsNothingBeyondTinyImages) {
    for (const AddressMode mode : all_address_modes)
        for (int channels = 1; channels <= 4; ++channels)
            for (const auto& [width, height] : {std::pair{1, 1}, {2, 1}, {1, 9}, {9, 1}, {3, 2}, {7, 8}}) {
                const Image image = noise(width, height, channels, SampleType::f32, 17);
                for (const double rotate : {0.0, 23.0}) {
                    RenderRequest request = request_of(spec(), 21, 13);
                    request.view = {0.4, -0.3, 0.71, rotate};
                    request.spec.address = {mode, mode};
                    const Difference difference = render_and_compare(backend_, image, request, 25);
                    ASSERT_LE(difference.error, exact_tolerance(request.spec)) << difference;
                }
            }
}

// The image ends where a page begins that must not be read.
Image before_a_guard(const Image& image) {
    static const size_t page = size_t(::sysconf(_SC_PAGESIZE));
    const auto pages = [](size_t bytes) { return (bytes + page - 1) / page * page; };
    Image result(image.width(), image.height(), image.channels(), image.type(), image.alpha(), [&](size_t bytes) {
        void* all = ::mmap(nullptr, pages(bytes) + page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (all == MAP_FAILED) throw OutOfMemory("no memory for an image before a guard");
        auto* first = static_cast<std::byte*>(all);
        if (::mprotect(first, pages(bytes), PROT_READ | PROT_WRITE) != 0) throw Error("no guard");
        const auto release = [](std::byte* data, size_t size) noexcept {
            const size_t whole = (size + page - 1) / page * page;
            ::munmap(data + size - whole, whole + page);
        };
        return SampleMemory(first + pages(bytes) - bytes, bytes, release);
    });
    std::copy_n(image.data(), image.size_bytes(), result.data());
    return result;
}

// Pictures are read where they lie, with nothing around them.
TEST_P(VectorCode, ReadsNothingBeyondTheLastByteOfAPicture) {
    for (const SampleType type : {SampleType::u8, SampleType::u16, SampleType::f16, SampleType::f32})
        for (int channels = 1; channels <= 4; ++channels)
            for (const int width : {5, 33}) {
                const Image image = noise(width, 21, channels, type, 53);
                SourceImage source(backend_, std::make_shared<const Image>(before_a_guard(image)));
                SourceImage copy(backend_, image);
                for (const double rotate : {0.0, 11.0})
                    for (const double scale : {0.7, 1.9}) {
                        RenderRequest request = request_of(spec(), 40, 24);
                        request.view = {0.3, 0.4, scale, rotate};
                        request.antialias = scale > 1;
                        const Image there = source.render_to_image(request), right = copy.render_to_image(request);
                        ASSERT_TRUE(std::equal(right.data(), right.data() + right.size_bytes(), there.data()))
                            << describe_request(image, request);
                    }
            }
}

TEST_P(VectorCode, TakesViewsOfAnyScale) {
    const Image image = noise(31, 29, 1, SampleType::f32, 19);
    for (const AddressMode mode : {AddressMode::clamp, AddressMode::border})
        for (const double scale : {1e-9, 70.0, 1e5})
            for (const double rotate : {0.0, 37.0}) {
                RenderRequest request = request_of(spec(), 5, 9);
                request.view = {0.4, -0.3, scale, rotate};
                request.spec.address = {mode, mode};
                const Difference difference = render_and_compare(backend_, image, request);
                ASSERT_LE(difference.error, exact_tolerance(request.spec)) << difference;
                request.view.scale = 1e12;  // beyond a double's precision for the position
                ASSERT_TRUE(std::isfinite(SourceImage(backend_, image).render_to_image(request).value(2, 4, 0)));
            }
}

// Longer than a tile of columns and than the part of a row that the prefilter takes in one step.
TEST_P(VectorCode, JoinsTilesOfLongRowsAndColumns) {
    for (const auto& [width, height] : {std::pair{9001, 5}, {5, 4500}}) {
        const Image image = noise(width, height, 1, SampleType::u8, 23);
        SourceImage source(backend_, image);
        for (const double rotate : {0.0, 0.01}) {
            RenderRequest request = request_of(spec(), std::min(width, 700), std::min(height, 700));
            request.view = {width > height ? -400.3 : 0.2, width > height ? 0.2 : 77.7, 0.93, rotate};
            const Difference difference = against_reference(source.render_to_image(request), image, request, 60);
            ASSERT_LE(difference.error, exact_tolerance(request.spec)) << difference;
        }
    }
}

// 8 bits are the float values, clamped and rounded, over grey if there is alpha.
TEST_P(VectorCode, RoundsToTheNearestOf256Levels) {
    for (int channels = 1; channels <= 4; ++channels)
        for (const Alpha alpha : {Alpha::none, Alpha::premultiplied}) {
            if (alpha != Alpha::none && channels % 2 != 0) continue;
            const Image image = noise(30, 20, channels, SampleType::u8, 29, alpha);
            SourceImage source(backend_, image);
            for (const double rotate : {0.0, 12.0}) {
                RenderRequest request = request_of(spec(), 83, 9);
                request.view = {0.4, -0.3, 0.4, rotate};
                const Image values = source.render_to_image(request), levels = source.render_to_rgba8(request);
                for (int y = 0; y < request.height; ++y)
                    for (int x = 0; x < request.width; ++x) {
                        const double over =
                            alpha == Alpha::none ? 0 : (1 - values.value(x, y, channels - 1)) * background_level;
                        const int colours = channels - (alpha != Alpha::none);
                        for (int c = 0; c < 3; ++c) {
                            const bool absent = colours == 2 && c == 2;
                            const double v = (absent ? 0 : values.value(x, y, colours == 1 ? 0 : c)) + over;
                            ASSERT_NEAR(levels.row_as<uint8_t>(y)[4 * x + c], std::clamp(v, 0.0, 1.0) * 255, 0.5 + 1e-4)
                                << x << ", " << y << " of " << channels << " channels, rotated by " << rotate;
                        }
                        ASSERT_EQ(levels.row_as<uint8_t>(y)[4 * x + 3], 255);
                    }
            }
        }
}

TEST_P(VectorCode, LeavesNanInItsPixelWhereSamplesAreMet) {
    if (!method().interpolating || method().has_prefilter()) GTEST_SKIP() << "the samples are not the taps";
    for (int channels = 1; channels <= 4; ++channels) {
        Image image = noise(70, 20, channels, SampleType::f32, 31);
        image.row_as<float>(9)[33 * channels] = std::numeric_limits<float>::quiet_NaN();
        image.row_as<float>(4)[60 * channels] = std::numeric_limits<float>::infinity();
        SourceImage source(backend_, image);
        for (int turns = 0; turns < 4; ++turns) {
            const bool upright = turns % 2 == 0;
            RenderRequest request = request_of(spec(), upright ? 70 : 20, upright ? 20 : 70);
            request.view.rotate = 90 * turns;
            const Affine positions = sampling_affine(request.view, 70, 20, request.width, request.height);
            const Image out = source.render_to_image(request);
            for (int y = 0; y < request.height; ++y)
                for (int x = 0; x < request.width; ++x) {
                    const Point p = apply(positions, x, y);
                    const float expected = float(image.value(int(p.x), int(p.y), 0)), got = float(out.value(x, y, 0));
                    ASSERT_TRUE(got == expected || (std::isnan(got) && std::isnan(expected)))
                        << x << ", " << y << " after " << turns << " quarter turns: " << got << ", not " << expected;
                }
        }
    }
}

TEST_P(VectorCode, GivesTheSameAtPoints) {
    const Image image = noise(29, 31, 2, SampleType::u16, 37);
    SourceImage source(backend_, image);
    const reference::Interpolant exact(image, spec());
    Random random(38);
    std::vector<double> points;
    for (int n = 0; n < 150; ++n) {
        points.push_back(random.between(-40, 70));
        points.push_back(random.between(-5, 36));
    }
    const std::vector<float> values = source.sample_to_host({.spec = spec()}, PointsView::pairs(points.data(), 150));
    for (int n = 0; n < 150; ++n) {
        const double x = points[size_t(2 * n)], y = points[size_t(2 * n + 1)];
        for (int c = 0; c < 2; ++c)
            ASSERT_NEAR(values[size_t(2 * n + c)], exact.at({x, y})[size_t(c)], exact_tolerance(spec()))
                << x << ", " << y;
    }
}

TEST_P(VectorCode, WidensTheWeightFunctionWhereAViewShrinks) {
    if (is_polar(method())) GTEST_SKIP() << "its footprints are ellipses: test_polar_and_perspective.cpp";
    Random random(41);
    for (int channels = 1; channels <= 4; ++channels)
        for (const SampleType type : {SampleType::u8, SampleType::f16})
            for (const double rotate : {0.0, 27.0}) {
                const Image image = noise(90, 80, channels, type, 43);
                RenderRequest request = request_of(spec(), 21, 19);
                request.antialias = true;
                request.spec.prefilter = {Prefilter::Kind::none};
                request.spec.address = random.pick(all_address_pairs());
                request.view = {0.7, -1.3, random.between(1.2, 7.8), rotate};
                const Image out = SourceImage(backend_, image).render_to_image(request);
                const Affine a = sampling_affine(request.view, 90, 80, request.width, request.height);
                const reference::Stretch stretch = reference::stretch_of(a);
                const reference::Widened widened(image, request.spec);
                for (int n = 0; n < 12; ++n) {
                    const int i = n * 7 % request.width, j = n * 5 % request.height;
                    const Point p = apply(a, i, j);
                    const reference::Value expected = widened.at({p.x, p.y}, stretch.x, stretch.y);
                    for (int c = 0; c < channels; ++c)
                        ASSERT_NEAR(out.value(i, j, c), expected[size_t(c)], tolerance::widened)
                            << describe_request(image, request);
                }
            }
}

std::string name_of_vector_case(const ::testing::TestParamInfo<VectorCode::ParamType>& test) {
    std::string name = level_name(std::get<0>(test.param)) + "_" + std::string(std::get<1>(test.param)->id);
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
}

INSTANTIATE_TEST_SUITE_P(Cpu, VectorCode,
                         ::testing::Combine(::testing::ValuesIn(all_instructions),
                                            ::testing::ValuesIn(one_of_each_kind())),
                         name_of_vector_case);
INSTANTIATE_TEST_SUITE_P(SlowCpu, VectorCode,
                         ::testing::Combine(::testing::ValuesIn(all_instructions), ::testing::ValuesIn(all_others())),
                         name_of_vector_case);

TEST(VectorInstructions, AreNamedByTheBackendThatUsesThem) {
    const std::string best = simd::kernels(simd::best_instructions()).name;
    EXPECT_NE(make_cpu_backend()->info().detail.find(best), std::string::npos) << make_cpu_backend()->info().detail;
    EXPECT_NE(make_cpu_backend(Instructions::baseline)->info().detail.find(simd::kernels(Instructions::baseline).name),
              std::string::npos);
}

// Recipes round as their libraries do: the same bits by all instructions, also where rows are narrower than vectors.
TEST(VectorInstructions, ComputeRecipesToTheSameBits) {
    for (const auto& [width, height] : {std::pair{1, 9}, {5, 3}, {37, 41}})
        for (int channels = 1; channels <= 4; ++channels)
            for (const SampleType type : {SampleType::u8, SampleType::u16}) {
                const Image image = noise(width, height, channels, type, 11);
                for (const char* text : {"like:pillow/bicubic", "like:opencv/linear", "like:opencv/cubic",
                                         "like:opencv/area", "like:opencv/nearest"})
                    for (const double factor : {0.25, 0.4, 2.1}) {
                        const int columns = std::max(1, int(width * factor)), rows = std::max(1, int(height * factor));
                        const auto made = [&](Instructions level) {
                            SourceImage source(backend_of(level), image);
                            return source.render_to_image(
                                resize_request(source.samples(), parse_spec(text), columns, rows));
                        };
                        const Image simple = made(Instructions::baseline), best = made(simd::best_instructions());
                        for (int y = 0; y < rows; ++y)
                            for (int x = 0; x < columns; ++x)
                                for (int c = 0; c < channels; ++c)
                                    ASSERT_EQ(simple.value(x, y, c), best.value(x, y, c))
                                        << text << ' ' << width << ' ' << channels << ' ' << factor;
                    }
            }
}

// Greys, equal colours, corners of the cube and dark ones among them. Greys have a hue of rounding errors, whose product with
// the other's chroma is below 1e-6.
TEST(VectorInstructions, TellColoursApartAsTheFormulaOfDeltaE2000Does) {
    constexpr int count = 5000;
    Random random(12);
    std::vector<double> colours[6];
    for (int n = 0; n < count; ++n) {
        double pair[6];
        for (double& v : pair) v = random.between(0, 1);
        if (n % 3 == 1)
            for (int c = 0; c < 3; ++c) pair[3 + c] = std::min(1.0, pair[c] + random.between(0, 1e-3));
        if (n % 7 == 0) pair[4] = pair[5] = pair[3];
        if (n % 13 == 0) std::copy_n(pair, 3, pair + 3);
        if (n % 17 == 0)
            for (double& v : pair) v = std::round(v);
        if (n % 19 == 0)
            for (double& v : pair) v *= 0.02;
        for (int c = 0; c < 6; ++c) colours[c].push_back(pair[c]);
    }
    const double* planes[6];
    for (int c = 0; c < 6; ++c) {
        colours[c].resize(count + simd::padding);
        planes[c] = colours[c].data();
    }
    for (const Instructions level : all_instructions)
        for (const bool linear : {false, true}) {
            if (level > simd::best_instructions()) continue;
            std::vector<float> differences(count + simd::padding);
            simd::kernels(level).colour_differences(planes, linear, count, differences.data());
            for (int n = 0; n < count; ++n) {
                const auto lab = [&](int of) {
                    const double r = planes[of][n], g = planes[of + 1][n], b = planes[of + 2][n];
                    return linear ? lab_of_linear(r, g, b) : lab_of_srgb(r, g, b);
                };
                const double expected = delta_e_2000(lab(0), lab(3));
                ASSERT_NEAR(differences[size_t(n)], expected, 1e-6 * std::max(1.0, expected))
                    << level_name(level) << ' ' << linear << ' ' << n;
            }
        }
}

TEST(VectorInstructions, ThatAreMissingAreRefused) {
    for (const Instructions level : all_instructions) {
        if (level > simd::best_instructions()) {
            EXPECT_THROW(make_cpu_backend(level), Error) << level_name(level);
        } else {
            EXPECT_NO_THROW(make_cpu_backend(level)) << level_name(level);
        }
    }
}

}  // namespace
}  // namespace texelscope::test
