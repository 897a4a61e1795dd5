// From scale 8 on a smaller image of a pyramid is read: the transition must not be visible, and images of any size at
// any scale must work.

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "gpu/backend/source_image.h"
#include "gpu/method/polar_method.h"
#include "gpu/prefilter/prefilter.h"
#include "tests/support/backends.h"
#include "tests/support/images.h"
#include "tests/support/reference.h"
#include "tests/support/tolerances.h"

namespace texelscope::test {
namespace {

class Pyramid : public OnMethod {
protected:
    RenderRequest zoomed_out(double scale, int width, int height, const AddressPair& address) const {
        RenderRequest request = request_of(spec(), width, height);
        request.view = {0.3, -0.2, scale, 0};
        request.antialias = true;
        request.spec.address = address;
        return request;
    }
    static Image constant(int width, int height) {
        Image image(width, height, 2, SampleType::f32);
        for (int y = 0; y < height; ++y)
            for (int x = 0; x < width; ++x)
                image.row_as<float>(y)[2 * x] = 0.25f, image.row_as<float>(y)[2 * x + 1] = -3;
        return image;
    }
};

constexpr double scales[] = {7.999, 8, 8.001, 23, 64, 10000};
constexpr std::pair<int, int> sizes[] = {{1, 1}, {1, 37}, {41, 1}, {2, 3}, {61, 47}, {64, 64}};

TEST_P(Pyramid, LeavesAConstantConstantAtAnyScaleAndSize) {
    for (const auto& [width, height] : sizes) {
        SourceImage source(backend_, constant(width, height));
        for (const AddressMode mode :
             {AddressMode::clamp, AddressMode::wrap, AddressMode::mirror, AddressMode::reflect101})
            for (const double scale : scales) {
                RenderRequest request = zoomed_out(scale, 3, 2, {mode, mode});
                request.view.rotate = scale < 20 ? 30 : 0;
                const Image out = source.render_to_image(request);
                for (int j = 0; j < 2; ++j)
                    for (int i = 0; i < 3; ++i) {
                        ASSERT_NEAR(out.value(i, j, 0), 0.25, tolerance::widened)
                            << width << "×" << height << " scale " << scale << " " << name_of(mode);
                        ASSERT_NEAR(out.value(i, j, 1), -3, 4 * tolerance::widened);
                    }
            }
    }
}

// Zero all around: far outside nothing is left, and the picture's values stay within those of the image and zero.
TEST_P(Pyramid, FadesToZeroInBorderMode) {
    for (const auto& [width, height] : sizes) {
        SourceImage source(backend_, constant(width, height));
        for (const double scale : scales) {
            RenderRequest request = zoomed_out(scale, 41, 3, {AddressMode::border, AddressMode::border});
            const Image out = source.render_to_image(request);
            for (int i = 0; i < 41; ++i) {
                const double v = out.value(i, 1, 0);
                ASSERT_TRUE(v > -0.1 && v < 0.45)
                    << v << " " << width << "×" << height << " scale " << scale << " pixel " << i;
                if (i < 10 || i > 30) {  // ten pixels of the output away and more, where no support reaches
                    ASSERT_NEAR(v, 0, scale <= 64 ? 1e-4 : 2e-3)
                        << width << "×" << height << " scale " << scale << " pixel " << i;
                }
            }
        }
    }
}

// Periodic with the image's own period, whatever its size.
TEST_P(Pyramid, KeepsThePeriodsOfTheRepeatingModes) {
    for (const auto& [width, height] : {std::pair{61, 47}, {64, 32}, {7, 1}, {1, 9}, {15, 16}})
        for (const AddressMode mode : {AddressMode::wrap, AddressMode::mirror, AddressMode::reflect101})
            for (const double scale : {7.3, 11.0, 500.0}) {
                SourceImage source(backend_, noise(width, height, 1, SampleType::f32, 5));
                RenderRequest request = zoomed_out(scale, 4, 3, {mode, mode});
                const Image here = source.render_to_image(request);
                const int periods = mode == AddressMode::wrap ? 1 : 2, less = mode == AddressMode::reflect101 ? 2 : 0;
                request.view.translate_x += periods * width - less;
                request.view.translate_y -= periods * height - less;
                ASSERT_LE(between(here, source.render_to_image(request)).error, 2e-5)
                    << width << "×" << height << " scale " << scale << " " << name_of(mode);
            }
}

// About the end samples of a whole-sample mirror, and half a sample beyond those of the other one, left is right.
TEST_P(Pyramid, KeepsTheSymmetriesOfTheMirrors) {
    if (method().smoothness < 0) GTEST_SKIP() << "a box has one of its two ends only";
    for (const auto& [width, height] : {std::pair{61, 1}, {64, 32}, {2, 9}, {15, 16}, {3, 3}})
        for (const AddressMode mode : {AddressMode::mirror, AddressMode::reflect101})
            for (const double scale : {7.3, 11.0, 40.0, 500.0}) {
                SourceImage source(backend_, noise(width, height, 1, SampleType::f32, 15));
                const double half = (width - (mode == AddressMode::reflect101 ? 1 : 0)) / 2.0;
                for (const double end : {-half, half}) {
                    RenderRequest request = zoomed_out(scale, 10, 3, {mode, AddressMode::clamp});
                    request.view = {end, 0, scale, 0};
                    const Image out = source.render_to_image(request);
                    for (int j = 0; j < 3; ++j)
                        for (int i = 0; i < 5; ++i)
                            ASSERT_NEAR(out.value(i, j, 0), out.value(9 - i, j, 0), 2e-5)
                                << width << "×" << height << " scale " << scale << " " << name_of(mode);
                }
            }
}

// The extent that has no background is the image's, however small a level is read.
TEST_P(Pyramid, HasTheExtentOfTheImage) {
    for (const int width : {2, 3, 40, 41})
        for (const AddressMode mode : all_address_modes)
            for (const double scale : {7.3, 9.0, 50.0}) {
                SourceImage source(backend_, noise(width, width, 1, SampleType::f32, 16));
                RenderRequest request = zoomed_out(scale, 1, 1, {mode, mode});
                request.outside = Outside::background;
                for (const double from_edge : {-0.01, 0.01, 0.3, 0.6}) {
                    for (const bool left : {false, true}) {
                        const double x = left ? -0.5 + from_edge : width - 0.5 - from_edge;
                        request.positions = Affine{scale, 0, x, 0, scale, width / 2.0};
                        RenderRequest extended = request;
                        extended.outside = Outside::extend;
                        const float expected =
                            from_edge < 0 ? background_level : source.render_to_image(extended).value(0, 0, 0);
                        ASSERT_EQ(source.render_to_image(request).value(0, 0, 0), expected)
                            << width << " scale " << scale << " " << name_of(mode) << " at " << x;
                    }
                }
            }
}

// Seen from very far a whole-sample mirror is the mean of its period, in which the end samples are once and all others
// twice; to the gain of the levels' filter, which does not cancel as it does for sizes that are powers of two.
TEST_P(Pyramid, OfAWholeSampleMirrorIsNearlyTheMeanOfItsPeriodFromVeryFar) {
    const Image image = noise(65, 34, 1, SampleType::f32, 17);
    double mean = 0;
    for (int y = 0; y < 34; ++y)
        for (int x = 0; x < 65; ++x) mean += image.value(x, y, 0) * (x % 64 ? 2 : 1) * (y % 33 ? 2 : 1) / (128.0 * 66);
    SourceImage source(backend_, image);
    for (const double scale : {1000.0, 10000.0}) {
        const RenderRequest request = zoomed_out(scale, 3, 3, {AddressMode::reflect101, AddressMode::reflect101});
        EXPECT_NEAR(source.render_to_image(request).value(1, 1, 0), mean, 4e-3);
    }
}

// Seen from very far a repeating image is its mean. Sizes are powers of two: then every sample has the same weight.
TEST_P(Pyramid, IsTheMeanFromVeryFar) {
    const Image image = noise(64, 32, 1, SampleType::f32, 6);
    double mean = 0;
    for (int y = 0; y < 32; ++y)
        for (int x = 0; x < 64; ++x) mean += image.value(x, y, 0) / (64 * 32);
    SourceImage source(backend_, image);
    for (const AddressMode mode : {AddressMode::wrap, AddressMode::mirror})
        for (const double scale : {1000.0, 10000.0})
            EXPECT_NEAR(source.render_to_image(zoomed_out(scale, 3, 3, {mode, mode})).value(1, 1, 0), mean,
                        tolerance::widened)
                << name_of(mode);
}

// The picture just below scale 8 and at it: inside the image they differ by the gain of the pyramid's filter, 3 %, and
// by how much less smooth the widened weight function of half as many samples is, of the deviations from the mean.
TEST_P(Pyramid, BeginsWithoutAVisibleStep) {
    if (method().smoothness < 0) GTEST_SKIP() << "a box over 4 samples jumps at other places than one over 8";
    constexpr double visible = 0.05;
    const Image image = noise(600, 500, 1, SampleType::f32, 7);
    SourceImage source(backend_, image);
    for (const double rotate : {0.0, 20.0}) {
        RenderRequest request = zoomed_out(8 * (1 - 1e-9), 48, 40, {AddressMode::mirror, AddressMode::mirror});
        request.view.rotate = rotate;
        const Image before = source.render_to_image(request);
        request.view.scale = 8 * (1 + 1e-9);
        const Image after = source.render_to_image(request);
        double difference = 0, deviation = 0;
        for (int j = 0; j < 40; ++j)
            for (int i = 0; i < 48; ++i) {
                difference += std::pow(before.value(i, j, 0) - after.value(i, j, 0), 2);
                deviation += std::pow(before.value(i, j, 0) - 0.5, 2);
            }
        RecordProperty("relative_difference", std::to_string(std::sqrt(difference / deviation)));
        EXPECT_LE(std::sqrt(difference / deviation), visible) << "rotated by " << rotate;
    }
}

// A signal has no second axis to halve.
TEST_P(Pyramid, OfASignalHalvesItAlone) {
    const Image image = signal(1000, [](int k) { return k % 2 ? 1.0 : 0.0; });
    SourceImage source(backend_, image);
    RenderRequest request = zoomed_out(20, 20, 1, {AddressMode::mirror, AddressMode::border});
    const Image out = source.render_to_image(request);
    for (int i = 0; i < 20; ++i) EXPECT_NEAR(out.value(i, 0, 0), 0.5, 0.02) << i;
}

TEST_P(Pyramid, OfASignalIsThatOfAPictureOfEqualRows) {
    Random random(12);
    for (const auto& [samples, pixels] : {std::pair{37, 3}, {96, 8}, {1000, 41}}) {
        const Image row = signal(samples, [&](int) { return random.unit(); });
        Image rows(samples, 5, 1, SampleType::f32);
        for (int y = 0; y < 5; ++y) std::copy_n(row.row_as<float>(0), samples, rows.row_as<float>(y));
        SourceImage of_row(backend_, row), of_rows(backend_, rows);
        const Image a = of_row.render_to_image(resize_request(of_row.samples(), spec(), pixels, 1)),
                    b = of_rows.render_to_image(resize_request(of_rows.samples(), spec(), pixels, 5));
        for (int i = 0; i < pixels; ++i)
            ASSERT_NEAR(a.value(i, 0, 0), b.value(i, 2, 0), tolerance::widened) << samples << " to " << pixels;
    }
}

// Two axes that shrink by different factors, of which one alone is halved: a wave along the other is damped as if that
// one did not shrink.
TEST_P(Pyramid, OfOneAxisFiltersTheOtherAsWithoutIt) {
    if (is_polar(method())) GTEST_SKIP() << "the weights of its rows depend on how wide its ellipse is";
    Image image(96, 480, 1, SampleType::f32);
    for (int y = 0; y < 480; ++y)
        std::fill_n(image.row_as<float>(y), 96, float(std::cos(2 * M_PI * (y + 0.5) / 480 * 29.5)));
    SourceImage source(backend_, image);
    MethodSpec mirrored = spec();
    mirrored.address = {AddressMode::mirror, AddressMode::mirror};
    const Image both = source.render_to_image(resize_request(source.samples(), mirrored, 8, 118)),
                one = source.render_to_image(resize_request(source.samples(), mirrored, 96, 118));
    for (int j = 0; j < 118; ++j) ASSERT_NEAR(both.value(4, j, 0), one.value(48, j, 0), 2 * tolerance::widened) << j;
}

// Along an axis that is not zoomed out the picture is that of the method, prefiltered as usual, however far the other
// one is zoomed out.
TEST_P(Pyramid, OfOneAxisLeavesTheOtherAsItIs) {
    if (is_polar(method())) GTEST_SKIP() << "the weights of its rows depend on how wide its ellipse is";
    Image image(400, 30, 1, SampleType::f32);
    Random random(9);
    for (int y = 0; y < 30; ++y) std::fill_n(image.row_as<float>(y), 400, float(random.unit()));  // constant along x
    SourceImage source(backend_, image);
    for (const double scale : {7.5, 8.5, 40.0}) {
        RenderRequest request = request_of(spec(), 5, 40);
        request.antialias = true;
        request.positions = Affine{scale, 0, 180, 0, 0.71, 0.27};
        const Image out = source.render_to_image(request);
        const reference::Interpolant interpolant(image, request.spec);
        for (int j = 0; j < 40; ++j)
            ASSERT_NEAR(out.value(2, j, 0), interpolant.at({200, 0.71 * j + 0.27})[0], tolerance::widened)
                << "x by " << scale << ", row " << j;
    }
}

ON_EVERY_BACKEND_AND_KIND(Pyramid, auto_path());

// What a prefilter makes of a wave on the samples, and the widened weights of its coefficients: in float64, on an image
// without end. fir: of so many taps.
double gain_of_widened(const MethodInfo& method, const Prefilter& prefilter, double turn, double scale,
                       double position) {
    const MethodParameters parameters = method.standard_parameters();
    const PrefilterKernel kernel = prefilter_kernel(prefilter, method.poles);
    double filter = 0;
    if (prefilter.kind == Prefilter::Kind::iir) {
        for (int k = -8; k <= 8; ++k) filter += method.weight(k, parameters) * std::cos(k * turn);
        filter = 1 / filter;
    } else {
        for (int k = 0; k <= kernel.half_taps; ++k)
            filter += (k == 0 ? 1 : 2) * kernel.taps[size_t(k)] * std::cos(k * turn);
    }
    double sum = 0, weights = 0;
    const int reach = int(method.taps * scale / 2) + 1, centre = int(std::floor(position));
    for (int k = centre - reach; k <= centre + reach + 1; ++k) {
        const double w = method.weight((position - k) / scale, parameters);
        sum += w * std::cos(k * turn);
        weights += w;
    }
    return filter * sum / weights;
}

class PrefilterOnLevels : public OnBackend {
protected:
    // A picture of waves that are `share` of the pixels' Nyquist frequency along each axis, shrunk by these factors: the
    // largest deviation from the float64 product, inside.
    double deviation(const MethodSpec& spec, double scale_x, double scale_y, double share) {
        constexpr int pixels = 24;
        const int width = int(std::lround(pixels * scale_x)), height = int(std::lround(pixels * scale_y));
        const double turn_x = M_PI * share / scale_x, turn_y = M_PI * share / scale_y;
        Image image(width, height, 1, SampleType::f32);
        for (int y = 0; y < height; ++y)
            for (int x = 0; x < width; ++x)
                image.row_as<float>(y)[x] = float(std::cos(x * turn_x) * std::cos(y * turn_y));
        SourceImage source(backend_, image);
        const RenderRequest request = resize_request(source.samples(), spec, pixels, pixels);
        const Affine p = *request.positions;
        const Image out = source.render_to_image(request);
        double largest = 0;
        for (int j = 8; j < 16; ++j)
            for (int i = 8; i < 16; ++i) {
                const double expected = gain_of_widened(*spec.method, spec.prefilter, turn_x, p.xx, p.x0 + i * p.xx) *
                                        gain_of_widened(*spec.method, spec.prefilter, turn_y, p.yy, p.y0 + j * p.yy);
                largest = std::max(largest, std::abs(double(out.value(i, j, 0)) - expected));
            }
        return largest;
    }
    static MethodSpec with_prefilter(const MethodInfo& method, const Prefilter& prefilter) {
        MethodSpec spec = default_spec(method);
        spec.prefilter = prefilter;
        spec.address = {AddressMode::mirror, AddressMode::mirror};
        return spec;
    }
    static std::vector<const MethodInfo*> splines() {
        std::vector<const MethodInfo*> all;
        for (const MethodInfo* method : all_methods())
            if (!method->poles.empty() && !method->custom) all.push_back(method);
        return all;
    }
};

// By whatever factors the axes shrink, of which one, both or none are read from a level, halved as often or not.
TEST_P(PrefilterOnLevels, MeansWhatItMeansOnTheSamples) {
    constexpr double levels = 0.006;  // Lanczos 3, by which they are made, lets waves pass to that
    for (const MethodInfo* const method : splines())
        for (const Prefilter& prefilter : {Prefilter{Prefilter::Kind::iir}, Prefilter{Prefilter::Kind::fir, 5}})
            for (const auto& [x, y] :
                 {std::pair{12.0, 12.0}, {12.0, 4.0}, {4.0, 12.0}, {9.0, 40.0}, {20.0, 8.5}, {33.0, 1.0}})
                for (const double share : {0.0, 0.25, 0.5, 1.0})
                    EXPECT_LE(deviation(with_prefilter(*method, prefilter), x, y, share), levels)
                        << method->id << ", " << to_string(prefilter) << ", " << x << " and " << y << ", " << share
                        << " of Nyquist";
}

// From scale 8 on as well.
TEST_P(PrefilterOnLevels, HasAnEffectAtAnyScale) {
    const Image image = noise(400, 400, 1, SampleType::f32, 19);
    SourceImage source(backend_, image);
    for (const double scale : {7.0, 9.0, 14.0, 20.0}) {
        const int side = int(400 / scale);
        const auto rendered = [&](const Prefilter& prefilter) {
            return source.render_to_image(
                resize_request(source.samples(), with_prefilter(*find_method("septic"), prefilter), side, side));
        };
        const Image exact = rendered({}), none = rendered({Prefilter::Kind::none}),
                    few = rendered({Prefilter::Kind::fir, 3});
        EXPECT_GT(between(exact, none).error, 2e-5) << scale;
        EXPECT_GT(between(exact, few).error, 1e-5) << scale;
    }
}

// The same in float64, which is what figures and tests are measured against.
TEST_P(PrefilterOnLevels, AgreesWithItsReference) {
    const Image image = noise(300, 260, 2, SampleType::f32, 20);
    SourceImage source(backend_, image);
    for (const MethodInfo* const method : splines())
        for (const auto& [width, height] : {std::pair{20, 60}, {30, 20}, {9, 7}}) {
            const RenderRequest request = resize_request(source.samples(), default_spec(*method), width, height);
            const Image out = source.render_to_image(request);
            const size_t bytes = size_t(width) * size_t(height) * 2 * sizeof(double);
            const auto memory = backend_->allocate(bytes);
            ASSERT_TRUE(source.render_reference(request, static_cast<double*>(memory.get())));
            std::vector<double> expected(bytes / sizeof(double));
            backend_->read_back(expected.data(), memory.get(), bytes);
            double largest = 0;
            for (int j = 0; j < height; ++j)
                for (int i = 0; i < width; ++i)
                    for (int c = 0; c < 2; ++c)
                        largest = std::max(largest,
                                           std::abs(double(out.value(i, j, c)) -
                                                    expected[(size_t(j) * size_t(width) + size_t(i)) * 2 + size_t(c)]));
            EXPECT_LE(largest, tolerance::widened) << method->id << " to " << width << "×" << height;
        }
}

ON_EVERY_BACKEND(PrefilterOnLevels);

class SlowPyramid : public Pyramid {};

// A cost that does not grow with the scale.
TEST_P(SlowPyramid, IsQuickAtAnyScaleInEveryAddressMode) {
    const Image image = noise(700, 500, 1, SampleType::u8, 8);
    SourceImage source(backend_, image);
    const auto start = std::chrono::steady_clock::now();
    for (const AddressMode mode : all_address_modes)
        for (const double scale : {20.0, 10000.0}) {
            RenderRequest request = zoomed_out(scale, 64, 64, {mode, mode});
            request.view.rotate = 15;
            source.render_to_image(request);
        }
    EXPECT_LT(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(), 10);
}

ON_EVERY_BACKEND_AND_METHOD(SlowPyramid, auto_path());

}  // namespace
}  // namespace texelscope::test
