#include "app/files/writing/fit.h"

#include <array>
#include <cstring>
#include <string_view>

#include <fmt/format.h>

#include "app/files/codecs/codecs.h"
#include "app/files/reading/image_files.h"
#include "gpu/core/errors.h"
#include "gpu/core/image.h"

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

namespace {

std::string_view words_of(SampleType type) {
    switch (type) {
        case SampleType::u8: return "8 bits";
        case SampleType::u16: return "16 bits";
        case SampleType::f16: return "half floats";
        case SampleType::f32: return "floats";
        case SampleType::f64: return "64-bit floats";
        default: return name_of(type);
    }
}

// Words for the kind of an image's samples that a format does not have.
std::string_view kind_of(SampleType stored) {
    return stored == SampleType::u16   ? "more"
           : stored == SampleType::f64 ? "64-bit floats"
           : is_float(stored)          ? "floats"
                                       : "integers that are numbers";
}

// Whether `type` loses what samples of type `stored` may say.
bool is_less(SampleType type, SampleType stored) {
    if (type == SampleType::u8) return stored != SampleType::u8;
    if (type == SampleType::u16) return !is_normalised(stored);
    return fits_float(type) && !fits_float(stored);
}

}  // namespace

WrittenDepth written_depth(const std::filesystem::path& path, SampleType stored, std::optional<SampleType> chosen) {
    const WriteOptions options = options_for(path, stored, chosen);
    check_output_name(path, options);
    const SampleType type = written_type(path, options);
    WrittenDepth depth{type, std::string(words_of(type)), is_less(type, stored)};
    if (chosen || !depth.less) return depth;
    const Codec& codec = *codec_of_extension(path);
    try {
        check_output_name(path, {stored});
        depth.words += ": choose another depth to keep more";
    } catch (const UsageError&) {
        depth.words += fmt::format(": {} has no {}", codec.name, kind_of(stored));
    }
    return depth;
}

std::shared_ptr<const ColourProfile> written_profile(const Codec& codec, const RowSource& picture) {
    constexpr size_t header = 128, space_at = 16;
    const ColourProfile* profile = picture.profile.get();
    if (!codec.writing.icc || !profile || profile->applied || profile->icc.size() < header) return nullptr;
    const int colours = picture.channels - (picture.alpha != Alpha::none ? 1 : 0);
    const std::string_view space = text_of(profile->icc).substr(space_at, 4);
    const bool fits = colours == 1 ? space == "GRAY" : colours == 3 && space == "RGB ";
    return fits ? picture.profile : nullptr;
}

bool carries_profile(const std::filesystem::path& path, const RowSource& picture) {
    const Codec* codec = codec_of_extension(path);
    const ColourProfile* profile = picture.profile.get();
    if (!codec || !profile || profile->applied || codec->writing.data) return true;
    const ColourProfile standard;
    if (profile->linear_light && profile->chromaticities == standard.chromaticities) return codec->writing.linear;
    return written_profile(*codec, picture) != nullptr;
}

}  // namespace texelscope
