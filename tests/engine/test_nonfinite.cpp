// NaN and infinity in float images keep their positions and do not spread further than the method's support. A tap of
// weight zero does not count, so at the identity view an interpolating method changes no other pixel.
//
// The prefilter takes a neighbour instead. That changes finite values as far as prefilter and weight function reach
// together: K samples more for 2K+1 taps, and for the exact filter, whose response never ends, tolerance::iir_horizon
// samples more.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "gpu/backend/source_image.h"
#include "gpu/method/polar_method.h"
#include "tests/support/backends.h"
#include "tests/support/compare.h"
#include "tests/support/images.h"
#include "tests/support/tolerances.h"

namespace texelscope::test {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float nan = std::numeric_limits<float>::quiet_NaN();
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
    for (const float bad : {nan, infinity, -infinity}) {
        const Image image = with(bad), out = rendered(image, {}, spec());
        EXPECT_EQ(std::isnan(out.value(bad_x, bad_y, 0)), std::isnan(bad));
        EXPECT_EQ(between(out, image).error,
                  std::isnan(bad) ? infinity : 0);  // only the NaN itself differs from itself
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
    const Image out = rendered(with(nan), {0.25, 0, 1, 0}, spec());
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            if (y != bad_y) {
                ASSERT_TRUE(std::isfinite(out.value(x, y, 0))) << x << ", " << y;
            }
    EXPECT_FALSE(std::isfinite(out.value(bad_x, bad_y, 0)));
}

TEST_P(NonFinite, ReachesExactlyThePixelsWhoseTapsItIs) {
    if (path() == FetchPath::hardware) GTEST_SKIP() << "see SpreadsNoFurtherThanTheSupport";
    for (const float bad : {nan, infinity}) {
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
        for (const float bad : {nan, infinity, -infinity})
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
    const Image out = rendered(with(nan), view, spec()), good = rendered(with(0.5f), view, spec());
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
        const Image out = rendered(with(nan, 0, 0), {}, in_mode);
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

ON_EVERY_BACKEND_AND_METHOD(NonFinite, every_path());

}  // namespace
}  // namespace texelscope::test
