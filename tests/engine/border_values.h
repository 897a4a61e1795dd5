#pragma once
// Values beyond a border, and the images that they continue.

#include <algorithm>
#include <vector>

#include "gpu/backend/source_image.h"
#include "tests/support/backends.h"
#include "tests/support/images.h"
#include "tests/support/reference.h"

namespace texelscope::test {

// Border along one axis at least.
inline std::vector<AddressPair> border_pairs() {
    std::vector<AddressPair> pairs;
    for (const AddressPair& pair : all_address_pairs())
        if (pair.has_border()) pairs.push_back(pair);
    return pairs;
}

// Levels of the pyramid of an image of even sides fall on those of the larger one; prefilters have decayed after it.
inline constexpr int border_margin = 96;

// Straight colour, as a value is given.
inline constexpr float beyond_border[] = {-0.75f, 1.5f, 0.4f, 0.6f};

inline BorderValue value_for(int channels) {
    BorderValue border;
    border.count = channels;
    std::copy_n(beyond_border, channels, border.value);
    return border;
}

// Samples and values are in [−0.75, 1.5], and errors grow with their range.
inline constexpr double value_range = 2.25;

// The image with border_margin samples on each side, premultiplied: the value beyond a border of either axis, and else what the
// other modes say.
inline Image continued(const Image& image, const AddressPair& address) {
    const bool alpha = image.alpha() != Alpha::none;
    const int channels = image.channels(), w = image.width(), h = image.height();
    const int above = image.one_dimensional() ? 0 : border_margin;
    Image result(w + 2 * border_margin, h + 2 * above, channels, SampleType::f32,
                 alpha ? Alpha::premultiplied : Alpha::none);
    for (int y = 0; y < result.height(); ++y)
        for (int x = 0; x < result.width(); ++x) {
            const int column = int(reference::extended(address.x, x - border_margin, w));
            const int row = image.one_dimensional() ? 0 : int(reference::extended(address.y, y - above, h));
            const bool beyond = column < 0 || row < 0;
            const auto straight = [&](int c) {
                return beyond ? double(address.border.value[c]) : double(image.value(column, row, c));
            };
            const double a = alpha ? straight(channels - 1) : 1;
            for (int c = 0; c < channels; ++c)
                set_value(result, x, y, c, straight(c) * (alpha && c + 1 < channels ? a : 1));
        }
    result.set_one_dimensional(image.one_dimensional());
    return result;
}

// The request that reads the continued image as `request` reads the image.
inline RenderRequest of_continued(RenderRequest request, const Image& image) {
    request.positions = positions_of(request, image.width(), image.height());
    request.positions->x0 += border_margin;
    if (!image.one_dimensional()) request.positions->y0 += border_margin;
    request.spec.address = {};
    return request;
}

inline RenderRequest with_value(const MethodSpec& spec, const AddressPair& address, int channels, const View& view,
                                int width = 15, int height = 11) {
    RenderRequest request = request_of(spec, width, height);
    request.spec.address = with_modes({{}, {}, value_for(channels)}, address);
    request.view = view;
    return request;
}

inline constexpr View turned{1.7, -2.1, 1.37, 33}, upright{-3.1, 2.3, 1.21, 0};

}  // namespace texelscope::test
