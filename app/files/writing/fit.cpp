#include "app/files/writing/fit.h"

#include <array>
#include <cstring>

#include <fmt/format.h>

namespace texelscope {
namespace {

constexpr int zero = -1;

// Channel c of the result is channel sources[c] of the image, or zero.
Image rearranged(const Image& image, int count, std::array<int, 4> sources, Alpha alpha) {
    Image result(image.width(), image.height(), count, image.type(), alpha);
    const auto size = size_t(bytes_per_sample(image.type()));
    const size_t from_step = size * size_t(image.channels());
    for (int y = 0; y < image.height(); ++y) {
        const std::byte* from = image.row(y);
        std::byte* to = result.row(y);
        for (int x = 0; x < image.width(); ++x, from += from_step)
            for (int c = 0; c < count; ++c, to += size)
                if (sources[size_t(c)] != zero) std::memcpy(to, from + size_t(sources[size_t(c)]) * size, size);
    }
    return result;
}

bool has(std::string_view channels, int count) { return channels.find(char('0' + count)) != channels.npos; }

Image with_alpha_of(const Codec& codec, const Image& image) {
    if (image.alpha() == Alpha::none) return image;
    if (codec.writing.alpha == Alpha::straight) return unpremultiplied(image);
    const Image over_black = premultiplied(image);
    if (codec.writing.alpha == Alpha::premultiplied) return over_black;
    return rearranged(over_black, image.channels() - 1, {0, 1, 2, zero}, Alpha::none);
}

}  // namespace

SampleType default_type(const Codec& codec, SampleType stored) {
    if (codec.writing.data) return SampleType::f32;  // computed values are floats, whatever the numbers were
    const auto holds = [&](unsigned types) { return (codec.writing.types & types) != 0; };
    switch (stored) {
        case SampleType::u8:
            return holds(holds_u8) ? SampleType::u8 : holds(holds_f16) ? SampleType::f16 : SampleType::f32;
        case SampleType::u16:
            return holds(holds_u16) ? SampleType::u16 : holds(holds_f32) ? SampleType::f32 : SampleType::u8;
        case SampleType::f16:
            return holds(holds_f16) ? SampleType::f16 : holds(holds_f32) ? SampleType::f32 : SampleType::u8;
        default: break;
    }
    return holds(holds_f32) ? SampleType::f32 : SampleType::u8;
}

Image fitted(const Codec& codec, const Image& image, SampleType type, std::string_view channels, Losses* losses) {
    Image result = with_alpha_of(codec, image);
    if (losses) {
        count_lost_pixels(codec, image, *losses);
        count_lost_samples(codec, result, type, *losses);
    }
    const int count = result.channels();
    const bool alpha = result.alpha() != Alpha::none;
    // The second channel of a PNG always is alpha.
    const bool plain_pair = count == 2 && !alpha && (codec.writing.pair_is_alpha || !has(channels, 2));
    // A fourth channel always is alpha in PNG, TGA and QOI: the numbers are kept under another name.
    const bool becomes_alpha = codec.writing.fourth_is_alpha;
    if (plain_pair && has(channels, 3)) result = rearranged(result, 3, {0, 1, zero, zero}, Alpha::none);
    else if (count == 1 && !has(channels, 1)) result = rearranged(result, 3, {0, 0, 0, zero}, Alpha::none);
    else if (count == 2 && alpha && !has(channels, 2)) result = rearranged(result, 4, {0, 0, 0, 1}, result.alpha());
    else if (count == 4 && !alpha && !has(channels, 4)) {
        result = rearranged(result, 3, {0, 1, 2, zero}, Alpha::none);
        if (losses) losses->fourth_channel = true;
    }
    if (result.channels() == 4 && !alpha && becomes_alpha) result.set_alpha(Alpha::straight);
    if (!has(channels, result.channels()))
        throw Error(fmt::format("this kind of file holds only grey, but the image has {} channels; write .ppm or .png",
                                image.channels()));
    return converted(result, type);
}

}  // namespace texelscope
