// Samples of every type, and those that are not finite.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "gpu/backend/source_image.h"
#include "gpu/core/tile_source.h"
#include "gpu/method/polar_method.h"
#include "gpu/tiles/tiled_image.h"
#include "tests/support/backends.h"
#include "tests/support/images.h"
#include "tests/support/reference.h"
#include "tests/support/tolerances.h"

namespace texelscope::test {
namespace {

// Samples of types that the engine does not read in place are held as floats, and give the same pictures as these.

constexpr SampleType number_types[] = {SampleType::i8,  SampleType::i16, SampleType::i32, SampleType::u32,
                                       SampleType::i64, SampleType::u64, SampleType::f64};

double largest(SampleType type) {
    switch (type) {
        case SampleType::i8: return 127;
        case SampleType::i16: return 32767;
        case SampleType::i32: return 0x1p31 - 1;
        case SampleType::u32: return 0x1p32 - 1;
        case SampleType::i64: return 0x1p62;
        case SampleType::u64: return 0x1p63;
        default: return 1e30;
    }
}

// Noise over the range of the type, of both signs if it has them.
Image numbers(int width, int height, int channels, SampleType type, uint64_t seed) {
    Random random(seed);
    const bool below_zero = name_of(type)[0] != 'u';
    Image image(width, height, channels, type);
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            for (int c = 0; c < channels; ++c)
                set_value(image, x, y, c, std::floor(random.between(below_zero ? -1 : 0, 1) * largest(type)));
    return image;
}

// The image's numbers, each rounded to float.
Image floats_of(const Image& image) {
    const reference::Samples samples(image);
    Image floats(image.width(), image.height(), image.channels(), SampleType::f32);
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            for (int c = 0; c < image.channels(); ++c)
                floats.row_as<float>(y)[x * image.channels() + c] = float(samples.at(x, y)[c]);
    return floats;
}

std::vector<RenderRequest> requests(const Image& image) {
    std::vector<RenderRequest> all;
    for (const char* spec : {"nearest", "bilinear", "bspline:address=mirror/border", "catmull-rom:path=lookup",
                             "lanczos3:path=global", "bilinear:path=hardware"}) {
        RenderRequest request = beyond_borders(parse_spec(spec), image.width(), image.height(), 4);
        request.view = {0.3, 0.2, 0.8, 12};
        all.push_back(request);
        request.view = {0.3, 0.2, 3, 0};
        request.antialias = request.spec.path != FetchPath::hardware;
        all.push_back(request);
    }
    return all;
}

class NumberTypes : public OnBackend {};

TEST_P(NumberTypes, GiveThePicturesOfTheirFloats) {
    for (const SampleType type : number_types)
        for (int channels = 1; channels <= 4; ++channels) {
            const Image image = numbers(37, 23, channels, type, 50 + uint64_t(channels));
            SourceImage source(backend_, image), floats(backend_, floats_of(image));
            for (const RenderRequest& request : requests(image))
                ASSERT_EQ(between(source.render_to_image(request), floats.render_to_image(request)).error, 0)
                    << describe_request(image, request);
        }
}

TEST_P(NumberTypes, AgreeWithFloat64) {
    for (const SampleType type : number_types) {
        const Image image = numbers(37, 23, 2, type, 61);
        for (const RenderRequest& request : requests(image)) {
            if (request.antialias || request.spec.path == FetchPath::hardware) continue;
            const Difference difference = render_and_compare(backend_, image, request, 200);
            // The samples lie in [−1, 1] instead of [0, 1], and are rounded to float.
            const double tolerance = (2 * exact_tolerance(request.spec) + 0x1p-24 * 8) * largest(type);
            EXPECT_LE(difference.error, tolerance) << difference;
        }
    }
}

TEST_P(NumberTypes, ByRegionsTooTheyAreHeldAsFloats) {
    for (const SampleType type : number_types) {
        const auto image = std::make_shared<const Image>(numbers(150, 130, 3, type, 71));
        SourceImage source(backend_, *image);
        TiledImage tiled(backend_, std::make_shared<ImageTiles>(image, 32), {.memory = least_tiled_memory});
        for (const RenderRequest& request : requests(*image)) {
            const double error = between(tiled.render_to_image(request), source.render_to_image(request)).error;
            EXPECT_LE(error, 2 * exact_tolerance(request.spec) * largest(type)) << describe_request(*image, request);
        }
    }
}

TEST_P(NumberTypes, StraightAlphaMultipliesThem) {
    Image image = numbers(8, 8, 4, SampleType::i16, 81), floats = floats_of(image);
    image.set_alpha(Alpha::straight);
    floats.set_alpha(Alpha::straight);
    const RenderRequest request = beyond_borders(parse_spec("bilinear"), 8, 8, 0);
    EXPECT_EQ(between(SourceImage(backend_, image).render_to_image(request),
                      SourceImage(backend_, floats).render_to_image(request))
                  .error,
              0);
}

// Numbers of these types take as much memory as floats.
TEST_P(NumberTypes, TheirMemoryIsThatOfFloats) {
    for (const SampleType type : number_types)
        EXPECT_EQ(backend_->upload(numbers(64, 16, 1, type, 91))->size_bytes(),
                  backend_->upload(numbers(64, 16, 1, SampleType::i32, 92))->size_bytes());
    const auto shared = std::make_shared<const Image>(numbers(64, 16, 1, SampleType::f64, 93));
    EXPECT_FALSE(backend_->reads_in_place(*shared));
    EXPECT_GE(backend_->upload(shared)->size_bytes(), size_t(64 * 16 * 4));
}

TEST_P(NumberTypes, AreNotReadInPlace) {
    const Image image = numbers(8, 8, 1, SampleType::i32, 95);
    try {
        backend_->adopt(view_of(image));
        ADD_FAILURE() << "i32 was read as f32";
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("i32"), std::string::npos) << error.what();
    }
}

TEST_P(NumberTypes, ASignalOfThemIsInterpolated) {
    Image line(3, 1, 1, SampleType::i64);
    const int64_t values[] = {-4, 0, 8};
    std::copy_n(values, 3, line.row_as<int64_t>(0));
    line.set_one_dimensional(true);
    SourceImage source(backend_, line);
    EXPECT_EQ(sampled(source, parse_spec("bilinear"), {0, 0.5, 1.5, 2}), (std::vector<float>{-4, -2, 4, 8}));
}

ON_EVERY_BACKEND(NumberTypes);

// NaN and infinity in float images keep their positions and do not spread further than the method's support. A tap of
// weight zero does not count, so at the identity view an interpolating method changes no other pixel.
//
// The prefilter takes a neighbour instead. That changes finite values as far as prefilter and weight function reach
// together: K samples more for 2K+1 taps, and for the exact filter, whose response never ends, tolerance::iir_horizon
// samples more.

constexpr float float_infinity = std::numeric_limits<float>::infinity();
constexpr float float_nan = std::numeric_limits<float>::quiet_NaN();
constexpr int width = 90, height = 80, bad_x = 45, bad_y = 38;

class NonFinite : public OnMethod {
protected:
    static Image with(float bad, int x = bad_x, int y = bad_y) {
        Image image = noise(width, height, 1, SampleType::f32, 71);
        image.row_as<float>(y)[x] = bad;
        return image;
    }

    Image rendered(const Image& image, const View& view, const MethodSpec& with_spec) {
        RenderRequest request = beyond_borders(with_spec, width, height, 0);
        request.view = view;
        return SourceImage(backend_, image).render_to_image(request);
    }

    // How far along each axis a sample may act, including its end.
    static double reach(const MethodSpec& spec) {
        const Prefilter prefilter = spec.effective_prefilter();
        return spec.method->taps / 2.0 + (prefilter.kind == Prefilter::Kind::none  ? 0
                                          : prefilter.kind == Prefilter::Kind::fir ? prefilter.taps / 2
                                                                                   : tolerance::iir_horizon);
    }
};

TEST_P(NonFinite, StaysInItsPixelAtTheIdentityViewOfAnInterpolatingMethod) {
    if (!method().interpolating || method().has_prefilter()) GTEST_SKIP() << "the samples are not the taps";
    if (path() == FetchPath::hardware) GTEST_SKIP() << "the texture unit multiplies taps of weight zero too";
    for (const float bad : {float_nan, float_infinity, -float_infinity}) {
        const Image image = with(bad), out = rendered(image, {}, spec());
        EXPECT_EQ(std::isnan(out.value(bad_x, bad_y, 0)), std::isnan(bad));
        EXPECT_EQ(between(out, image).error,
                  std::isnan(bad) ? float_infinity : 0);  // only the NaN itself differs from itself
        for (int y = 0; y < height; ++y)
            for (int x = 0; x < width; ++x)
                if (x != bad_x || y != bad_y) {
                    ASSERT_EQ(out.value(x, y, 0), image.value(x, y, 0)) << x << ", " << y;
                }
    }
}

// If only one coordinate is an integer, only the taps of that line count.
TEST_P(NonFinite, StaysInItsRowWhereTheRowsAreMet) {
    if (!method().interpolating || method().has_prefilter()) GTEST_SKIP() << "the samples are not the taps";
    if (path() == FetchPath::hardware) GTEST_SKIP() << "the texture unit multiplies taps of weight zero too";
    const Image out = rendered(with(float_nan), {0.25, 0, 1, 0}, spec());
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            if (y != bad_y) {
                ASSERT_TRUE(std::isfinite(out.value(x, y, 0))) << x << ", " << y;
            }
    EXPECT_FALSE(std::isfinite(out.value(bad_x, bad_y, 0)));
}

TEST_P(NonFinite, ReachesExactlyThePixelsWhoseTapsItIs) {
    if (path() == FetchPath::hardware) GTEST_SKIP() << "see SpreadsNoFurtherThanTheSupport";
    for (const float bad : {float_nan, float_infinity}) {
        MethodSpec plain = spec();
        plain.prefilter = {Prefilter::Kind::none};
        const View view{0.3, -0.4, 0.13, 20};
        const Image out = rendered(with(bad), view, plain);
        const reference::Kernel kernel = reference::kernel_of(plain);
        for (int y = 0; y < height; ++y)
            for (int x = 0; x < width; ++x) {
                const auto p = reference::position(view, width, height, width, height, x, y);
                const double dx = double(p.x - bad_x), dy = double(p.y - bad_y);
                const double weight =
                    is_polar(method()) ? kernel.weight(std::hypot(dx, dy)) : kernel.weight(dx) * kernel.weight(dy);
                if (weight == 0) {
                    ASSERT_TRUE(std::isfinite(out.value(x, y, 0))) << x << ", " << y;
                }
                if (std::abs(weight) > 1e-3) {
                    ASSERT_FALSE(std::isfinite(out.value(x, y, 0))) << x << ", " << y;
                }
            }
    }
}

TEST_P(NonFinite, SpreadsNoFurtherThanTheSupport) {
    std::vector<Prefilter> prefilters = {{Prefilter::Kind::none}};
    if (method().has_prefilter()) prefilters.insert(prefilters.end(), {fir(3), fir(15), fir(31), Prefilter{}});
    for (const Prefilter& prefilter : prefilters)
        for (const float bad : {float_nan, float_infinity, -float_infinity})
            for (const View& view : {View{}, View{0.3, -0.4, 1, 0}, View{0.3, -0.4, 0.9, 20}}) {
                MethodSpec filtered = spec();
                filtered.prefilter = prefilter;
                const double far = filtered.method->taps / 2.0;
                const Image out = rendered(with(bad), view, filtered);
                for (int y = 0; y < height; ++y)
                    for (int x = 0; x < width; ++x) {
                        const auto p = reference::position(view, width, height, width, height, x, y);
                        const double distance = std::max(std::abs(double(p.x - bad_x)), std::abs(double(p.y - bad_y)));
                        if (distance > far) {
                            ASSERT_TRUE(std::isfinite(out.value(x, y, 0)))
                                << x << ", " << y << " is " << distance << " samples away; " << to_string(filtered);
                        }
                    }
                if (view == View{}) {
                    EXPECT_FALSE(std::isfinite(out.value(bad_x, bad_y, 0))) << to_string(filtered);
                }
            }
}

// Beyond its reach the picture is the one without the bad sample.
TEST_P(NonFinite, LeavesThePictureBeyondItsReachAsItWas) {
    const View view{0.3, -0.4, 0.9, 20};
    const Image out = rendered(with(float_nan), view, spec()), good = rendered(with(0.5f), view, spec());
    const double far = reach(spec()) + 1;
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            const auto p = reference::position(view, width, height, width, height, x, y);
            if (std::max(std::abs(double(p.x - bad_x)), std::abs(double(p.y - bad_y))) > far) {
                ASSERT_NEAR(out.value(x, y, 0), good.value(x, y, 0), tolerance::exact_path) << x << ", " << y;
            }
        }
}

// −FLT_MAX marks missing data in many scientific files. It is finite, but the exact filter's gain makes it infinite.
TEST_P(NonFinite, TheLargestFloatSpreadsNoFurtherThanInfinityDoes) {
    constexpr float largest = std::numeric_limits<float>::max();
    for (const float bad : {largest, -largest}) {
        const Image out = rendered(with(bad), View{0.3, -0.4, 1, 0}, spec());
        for (int y = 0; y < height; ++y)
            for (int x = 0; x < width; ++x)
                if (std::max(std::abs(x + 0.3 - bad_x), std::abs(y - 0.4 - bad_y)) > reach(spec())) {
                    ASSERT_TRUE(std::isfinite(out.value(x, y, 0))) << x << ", " << y;
                }
    }
}

// In a corner the address mode copies the sample; border's zeros outside stay zeros.
TEST_P(NonFinite, InACornerStaysThereToo) {
    for (const AddressMode mode : all_address_modes) {
        MethodSpec in_mode = spec();
        in_mode.address = {mode, mode};
        const double far = reach(in_mode);
        const Image out = rendered(with(float_nan, 0, 0), {}, in_mode);
        for (int y = 0; y < height; ++y)
            for (int x = 0; x < width; ++x) {
                const int dx = mode == AddressMode::wrap ? std::min(x, width - x) : x;
                const int dy = mode == AddressMode::wrap ? std::min(y, height - y) : y;
                if (std::max(dx, dy) > far) {
                    ASSERT_TRUE(std::isfinite(out.value(x, y, 0))) << x << ", " << y << name_of(mode);
                }
            }
    }
}

ON_EVERY_BACKEND_AND_KIND(NonFinite, every_path());

}  // namespace
}  // namespace texelscope::test
