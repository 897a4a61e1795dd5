#include "app/files/writing/image_writer.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <iterator>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include "app/files/bytes/file_io.h"
#include "app/files/bytes/naming.h"
#include "app/files/codecs/codecs.h"
#include "app/files/codecs/png.h"
#include "app/files/reading/image_files.h"
#include "gpu/core/errors.h"
#include "gpu/core/image.h"
#include "gpu/core/text.h"

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

namespace fs = std::filesystem;

namespace texelscope {
namespace {

std::string lower_extension(const fs::path& path) { return lower_case(path.extension().string()); }

std::string joined(const std::vector<std::string>& words) { return fmt::format(".{}", fmt::join(words, " .")); }

// The name whose extension chooses the format. A stream without an extension gets a PNG.
fs::path choosing_name(const fs::path& path, const WriteOptions& options) {
    if (!options.format.empty()) return "file." + options.format;
    return is_stream(path) && !path.has_extension() ? "file.png" : path;
}

const Codec& output_codec(const fs::path& path, const WriteOptions& options = {}) {
    const fs::path choosing = choosing_name(path, options);
    const Codec* codec = codec_of_extension(choosing);
    const std::string extension = lower_extension(choosing);
    if (codec && writable(*codec) && extension != ".pbm") return *codec;
    const std::string what = !path.has_filename() ? "the name of a file is missing"
                             : extension.empty()  ? "its name has no extension, which chooses the format"
                                                  : fmt::format("texelscope cannot write {} files", extension);
    throw UsageError(fmt::format("{}: {}; it writes {}", path.string(), what, joined(writable_extensions())));
}

void check_type(const Codec& codec, SampleType type, const fs::path& path) {
    if (codec.writing.types & bit_of(type)) return;
    std::string held;
    for (const SampleType each : all_sample_types)
        if (codec.writing.types & bit_of(each)) held += fmt::format("{}{}", held.empty() ? "" : ", ", name_of(each));
    throw UsageError(fmt::format("{}: {} files do not hold {} samples; they hold {}", path.string(), codec.name,
                                 name_of(type), held));
}

// `rows` are those of the file.
void check_room(const Codec& codec, const RowSource& rows, const fs::path& path) {
    const uint64_t pixels = uint64_t(rows.width) * uint64_t(rows.height), most = pixels * 4 * sizeof(float);
    const std::string why = why_no_room(codec, rows.width, rows.height, rows.row_bytes() * uint64_t(rows.height));
    if (why.empty()) return;
    std::vector<std::string> roomy;  // the usual extension of each
    for (const Codec* other : codecs())
        if (writable(*other) && why_no_room(*other, rows.width, rows.height, most).empty())
            roomy.emplace_back(other->extensions.substr(0, other->extensions.find(' ')));
    throw UsageError(fmt::format("{}: {}, the picture has {}×{}{}", path.string(), why, rows.width, rows.height,
                                 roomy.empty() ? "" : fmt::format("; write {}", joined(roomy))));
}

std::string_view channels_held(const Codec& codec, const fs::path& path, const WriteOptions& options) {
    const std::string extension = lower_extension(choosing_name(path, options));
    return extension == ".pgm" ? "1" : extension == ".ppm" ? "3" : codec.writing.channels;
}

void check_band(const Image& band, int rows, const RowSource& picture) {
    if (band.width() != picture.width || band.height() != rows || band.channels() != picture.channels ||
        band.type() != picture.type || band.alpha() != picture.alpha)
        throw Error(fmt::format("{} rows were promised, {} came", rows, describe(band)));
}

// The rows that go into the file; losses are counted, unless `losses` is null. The picture need not fit the format; all
// arguments must outlive the result.
RowSource fitted_rows(const Codec& codec, const RowSource& picture, SampleType type, std::string_view channels,
                      Losses* losses = nullptr, const std::function<void(double)>& progress = {}) {
    const Image pixel = fitted(codec, Image(1, 1, picture.channels, picture.type, picture.alpha), type, channels);
    const auto rows = [=, &codec, &picture](int first, int last) {
        if (progress) progress(double(first) / picture.height);
        const Image band = picture.rows(first, last);
        check_band(band, last - first, picture);
        return fitted(codec, band, type, channels, losses);
    };
    return {picture.width,
            picture.height,
            pixel.channels(),
            pixel.type(),
            pixel.alpha(),
            rows,
            written_profile(codec, picture),
            picture.dimensions};
}

// The fitted_rows() for a file of this name, whose format is checked first.
RowSource planned(const RowSource& picture, const fs::path& path, const WriteOptions& options,
                  Losses* losses = nullptr) {
    if (picture.width < 1 || picture.height < 1) throw FileError(path.string(), "there is no image to write");
    const Codec& codec = output_codec(path, options);
    const SampleType type = options.type.value_or(default_type(codec, picture.type));
    check_type(codec, type, path);
    return naming(path, [&] {
        RowSource rows =
            fitted_rows(codec, picture, type, channels_held(codec, path, options), losses, options.progress);
        check_room(codec, rows, path);
        return rows;
    });
}

}  // namespace

void check_output_name(const fs::path& path, const WriteOptions& options) {
    const Codec& codec = output_codec(path, options);
    if (options.type) check_type(codec, *options.type, path);
    if (is_standard_output(path) && ::isatty(STDOUT_FILENO))
        throw FileError("standard output", "is a terminal; send the picture to a file or a program: > FILE, | PROGRAM");
}

SampleType written_type(const fs::path& path, const WriteOptions& options) {
    return options.type.value_or(default_type(output_codec(path, options), SampleType::f32));
}

bool writes_integers(const fs::path& path, const WriteOptions& options) {
    const SampleType type = written_type(path, options);
    return is_normalised(type);
}

void check_rows(const RowSource& picture, const fs::path& path, const WriteOptions& options) {
    static_cast<void>(planned(picture, path, options));
}

Losses write_rows(const RowSource& picture, const fs::path& path, const WriteOptions& options) {
    Losses losses;
    const RowSource rows = planned(picture, path, options, &losses);
    naming(path, [&] {
        OutputFile output(path);  // first: report problems with writing before the work
        const Codec& codec = output_codec(path, options);
        codec.writing.encode(codec, rows, output);
        if (options.last_check) options.last_check();
        output.commit();
    });
    return losses;
}

Losses write_image(const Image& image, const fs::path& path, const WriteOptions& options) {
    return write_rows(rows_of(image), path, options);
}

WriteOptions options_for(const fs::path& path, SampleType stored, std::optional<SampleType> chosen,
                         const std::string& format) {
    WriteOptions options;
    options.format = format;
    options.type = chosen;
    if (chosen || stored != SampleType::u16) return options;
    if (default_type(output_codec(path, options), stored) == stored) options.type = stored;
    return options;
}

std::vector<std::byte> encoded_png(const Image& image) {
    const Codec& codec = output_codec("image.png");
    const RowSource picture = rows_of(image);
    std::vector<std::byte> bytes;
    encode_png(fitted_rows(codec, picture, default_type(codec, image.type()), codec.writing.channels),
               [&](ByteSpan more) { bytes.insert(bytes.end(), more.begin(), more.end()); });
    return bytes;
}

namespace {

std::string base64(const std::vector<std::byte>& bytes) {
    static constexpr char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (size_t i = 0; i < bytes.size(); i += 3) {
        const auto at = [&](size_t k) { return k < bytes.size() ? std::to_integer<uint32_t>(bytes[k]) : 0u; };
        const uint32_t three = at(i) << 16 | at(i + 1) << 8 | at(i + 2);
        text += digits[three >> 18];
        text += digits[three >> 12 & 63];
        text += i + 1 < bytes.size() ? digits[three >> 6 & 63] : '=';
        text += i + 2 < bytes.size() ? digits[three & 63] : '=';
    }
    return text;
}

}  // namespace

std::string png_as_url(const Image& image) { return "data:image/png;base64," + base64(encoded_png(image)); }

std::vector<std::string> writable_extensions() {
    std::vector<std::string> result = extensions_where(writable);
    std::erase(result, "pbm");
    return result;
}

}  // namespace texelscope
