// Outside::background shows the background if a position is outside the samples' extent
// [−0.5, w − 0.5) × [−0.5, h − 0.5), and nothing else there.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "gpu/backend/source_image.h"
#include "tests/support/backends.h"
#include "tests/support/compare.h"
#include "tests/support/images.h"
#include "tests/support/tolerances.h"

namespace texelscope::test {
namespace {

class Background : public OnMethod {
protected:
    RenderRequest outside_request(int width, int height, int margin) const {
        RenderRequest request = beyond_borders(spec(), width, height, margin);
        request.outside = Outside::background;
        return request;
    }
    std::array<int, 4> pixel(const Image& image, int x, int y) const {
        const uint8_t* p = image.row_as<uint8_t>(y) + 4 * x;
        return {p[0], p[1], p[2], p[3]};
    }
};

constexpr std::array<int, 4> grey = {32, 32, 32, 255};  // #202020

TEST_P(Background, IsGrey32AroundTheImageOnTheScreen) {
    for (int channels = 1; channels <= 4; ++channels)
        for (const AddressMode mode : all_address_modes) {
            const Image image = noise(11, 9, channels, SampleType::u8, 81);
            RenderRequest request = outside_request(11, 9, 5);
            request.spec.address = {mode, mode};
            const Image out = SourceImage(backend_, image).render_to_rgba8(request);
            RenderRequest inside = request;
            inside.outside = Outside::extend;
            const Image extended = SourceImage(backend_, image).render_to_rgba8(inside);
            for (int y = 0; y < out.height(); ++y)
                for (int x = 0; x < out.width(); ++x) {
                    const bool is_inside = x >= 5 && x < 16 && y >= 5 && y < 14;
                    ASSERT_EQ(pixel(out, x, y), is_inside ? pixel(extended, x, y) : grey)
                        << x - 5 << ", " << y - 5 << " " << describe_request(image, request);
                }
        }
}

// Positions here are multiples of 1/4, exact in binary: −1/2 belongs to the image, w − 1/2 does not.
TEST_P(Background, StartsAtTheEdgeOfTheExtentLeftEdgeIncludedRightEdgeExcluded) {
    Image image(4, 4, 1, SampleType::u8);
    std::fill_n(reinterpret_cast<uint8_t*>(image.data()), 16, uint8_t(255));
    RenderRequest request = outside_request(4, 4, 0);
    request.view.scale = 0.25;
    request.width = request.height = 25;  // positions 1.5 + (i − 12)/4: −1.5 … 4.5
    SourceImage source(backend_, image);
    for (const int turns : {0, 1, 2, 3}) {  // quarter turns, exact too, take the code for rotated views
        request.view.rotate = 90 * turns;
        const Image out = source.render_to_rgba8(request);
        for (int j = 0; j < 25; ++j)
            for (int i = 0; i < 25; ++i) {
                const auto p = reference::position(request.view, 4, 4, 25, 25, i, j);
                const bool inside = p.x >= -0.5 && p.x < 3.5 && p.y >= -0.5 && p.y < 3.5;
                ASSERT_EQ(pixel(out, i, j) == grey, !inside)
                    << double(p.x) << ", " << double(p.y) << ", turns " << turns;
            }
    }
}

TEST_P(Background, FollowsARotatedExtent) {
    const Image image = noise(30, 20, 3, SampleType::f32, 82);
    RenderRequest request = outside_request(30, 20, 10);
    request.view = {3.3, -2.1, 0.7, 37};
    const Image out = SourceImage(backend_, image).render_to_rgba8(request);
    for (int y = 0; y < out.height(); ++y)
        for (int x = 0; x < out.width(); ++x) {
            const auto p = reference::position(request.view, 30, 20, request.width, request.height, x, y);
            const bool inside = p.x >= -0.5 && p.x < 29.5 && p.y >= -0.5 && p.y < 19.5;
            if (!inside) {
                ASSERT_EQ(pixel(out, x, y), grey) << x << ", " << y;
            }
        }
}

// The values inside do not depend on what is outside: the image is still extended under the taps.
TEST_P(Background, LeavesTheInsideAsItIs) {
    if (path() == FetchPath::hardware) GTEST_SKIP() << "not exact";
    const Image image = noise(13, 8, 2, SampleType::u16, 83);
    for (const AddressPair& address : all_address_pairs()) {
        RenderRequest request = outside_request(13, 8, 3);
        request.spec.address = address;
        request.view = {0.2, 0.3, 0.8, address.x == address.y ? 0.0 : -12.0};
        RenderRequest extend = request;
        extend.outside = Outside::extend;
        SourceImage source(backend_, image);
        const Image out = source.render_to_image(request), extended = source.render_to_image(extend);
        for (int y = 0; y < out.height(); ++y)
            for (int x = 0; x < out.width(); ++x) {
                const auto p = reference::position(request.view, 13, 8, request.width, request.height, x, y);
                if (p.x < -0.5 || p.x >= 12.5 || p.y < -0.5 || p.y >= 7.5) continue;
                for (int c = 0; c < 2; ++c) ASSERT_EQ(out.value(x, y, c), extended.value(x, y, c));
            }
    }
}

ON_EVERY_BACKEND_AND_METHOD(Background, every_path());

}  // namespace
}  // namespace texelscope::test
