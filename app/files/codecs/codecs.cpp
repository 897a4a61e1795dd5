#include "app/files/codecs/codecs.h"

#include <fcntl.h>
#include <zlib.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/files/bytes/rows.h"
#include "app/files/codecs/png.h"
#include "app/files/decoding/decoder.h"
#include "gpu/core/text.h"

namespace texelscope {

extern const Codec png_codec, jpeg_codec, tiff_codec, openexr_codec, radiance_codec, webp_codec, bmp_codec, tga_codec,
    npy_codec, pnm_codec, pam_codec, pfm_codec, qoi_codec, gif_codec, psd_codec, jpeg2000_codec, jxl_codec, heif_codec,
    dpx_codec, cineon_codec, sgi_codec, dds_codec, fits_codec, iff_codec, ico_codec, dicom_codec, camera_raw_codec,
    slide_codec;

namespace {

constexpr const Codec* table[] = {
    &png_codec, &jpeg_codec,     &tiff_codec, &openexr_codec, &radiance_codec, &webp_codec,       &bmp_codec,
    &tga_codec, &npy_codec,      &pnm_codec,  &pam_codec,     &pfm_codec,      &qoi_codec,        &gif_codec,
    &psd_codec, &jpeg2000_codec, &jxl_codec,  &heif_codec,    &dpx_codec,      &cineon_codec,     &sgi_codec,
    &dds_codec, &fits_codec,     &iff_codec,  &ico_codec,     &dicom_codec,    &camera_raw_codec, &slide_codec,
};

// Calls `use` with each name of a list until it returns true; returns whether it did.
template <class Use> bool any_name(std::string_view rest, const Use& use) {
    while (!rest.empty()) {
        const size_t end = std::min(rest.find(' '), rest.size());
        if (use(rest.substr(0, end))) return true;
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return false;
}

bool looks_like(const Codec& codec, const Codec& other) {
    return any_name(codec.looks_like, [&](std::string_view name) { return name == other.name; });
}

bool has_signature(const Codec& codec) { return codec.recognise || !codec.signatures[0].bytes.empty(); }

bool signs(const Codec& codec, ByteSpan head) {
    if (codec.recognise && codec.recognise(head)) return true;
    return std::ranges::any_of(codec.signatures, [&](const Signature& signature) {
        return !signature.bytes.empty() && head.size() >= signature.at &&
               text_of(head.subspan(signature.at)).starts_with(signature.bytes);
    });
}

}  // namespace

std::span<const Codec* const> codecs() { return table; }

int place_of(const Codec& codec) { return int(std::ranges::find(table, &codec) - std::begin(table)); }

const Codec& codec_of(const EncodedFile& file) {
    if (file.format < 0 || size_t(file.format) >= std::size(table)) throw Error("a format that is not known");
    return *table[file.format];
}

const Codec* codec_of_extension(const std::filesystem::path& path) {
    const std::string extension = lower_case(path.extension().string());
    if (extension.size() < 2) return nullptr;
    for (const Codec* codec : table)
        if (any_name(codec->extensions,
                     [&](std::string_view each) { return each == std::string_view(extension).substr(1); }))
            return codec;
    return nullptr;
}

const Codec* recognise(ByteSpan head, const std::filesystem::path& path) {
    const Codec *by_name = codec_of_extension(path), *by_content = codec_of_signature(head);
    if (by_name && readable(*by_name) && !by_name->looks_like.empty() &&
        (!by_content || looks_like(*by_name, *by_content)))
        return by_name;
    if (by_content) return by_content;
    if (by_name && !has_signature(*by_name)) return by_name;
    const auto found =
        std::ranges::find_if(table, [&](const Codec* each) { return each->plausible && each->plausible(head); });
    return found == std::end(table) ? nullptr : *found;
}

const Codec* codec_of_signature(ByteSpan head) {
    const auto found = std::ranges::find_if(table, [&](const Codec* codec) { return signs(*codec, head); });
    return found == std::end(table) ? nullptr : *found;
}

Beside files_beside(const std::filesystem::path& path) {
    if (codec_of_extension(path) != &slide_codec || !readable(slide_codec)) return Beside::nothing;
    const std::string extension = lower_case(path.extension().string());
    return extension == ".mrxs"                         ? Beside::folder
           : extension == ".vms" || extension == ".vmu" ? Beside::files
                                                        : Beside::nothing;
}

std::shared_ptr<const Companions> companions_of(const std::filesystem::path& path) {
    const Beside beside = files_beside(path);
    if (beside == Beside::nothing) return nullptr;
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));  // does not wait if it is a pipe
    return companions_of(file.number(), beside);
}

std::string words_of_unreadable(const Codec& codec) {
    return fmt::format("{} files need {}, which this build does not have; {}", codec.name, codec.library,
                       remedy_without(codec.package));
}

std::string why_no_room(const Codec& codec, int64_t width, int64_t height, uint64_t bytes) {
    if (width > max_image_side || height > max_image_side)
        return fmt::format("pictures have at most {} pixels per side", max_image_side);
    const auto& [most_side, most_gibibytes] = std::pair(codec.writing.most_side, codec.writing.most_gibibytes);
    if (width > most_side || height > most_side)
        return fmt::format("{} files have at most {} pixels per side", codec.name, most_side);
    const uint64_t headers = 2048, padding = 4 * uint64_t(height);
    if (most_gibibytes > 0 && bytes + headers + padding > most_gibibytes << 30)
        return fmt::format("{} files have at most {} GiB{}", codec.name, most_gibibytes,
                           most_gibibytes == 1 ? " in this build" : "");
    return {};
}

std::vector<std::string> extensions_where(bool (*wanted)(const Codec&)) {
    std::vector<std::string> result;
    for (const Codec* codec : table)
        if (wanted(*codec))
            any_name(codec->extensions, [&](std::string_view extension) {
                result.emplace_back(extension);
                return false;
            });
    return result;
}

namespace {

struct Range {
    double least, most;        // range of the file's samples
    double slack;              // excess that is still rounded into the range
    bool all = false;          // holds NaN and infinite values as well
    bool to_infinity = false;  // finite values beyond the range become infinite
};

Range range_of(const Codec& codec, SampleType type) {
    constexpr double unlimited = std::numeric_limits<double>::infinity();
    if (codec.writing.positive) return {0, 0x1p127, 0};
    const auto whole = [](auto number) {
        using Limits = std::numeric_limits<decltype(number)>;
        return Range{double(Limits::min()), double(Limits::max()), 0.5};
    };
    switch (type) {
        case SampleType::u8: return {0, 1, 0.5 / 255};
        case SampleType::u16: return {0, 1, 0.5 / 65535};
        case SampleType::f16: return {-65504, 65504, 15.99, true, true};
        case SampleType::i8: return whole(int8_t());
        case SampleType::i16: return whole(int16_t());
        case SampleType::i32: return whole(int32_t());
        case SampleType::u32: return whole(uint32_t());
        case SampleType::i64: return whole(int64_t());
        case SampleType::u64: return whole(uint64_t());
        case SampleType::f32:
        case SampleType::f64: break;
    }
    return {-unlimited, unlimited, 0, true};
}

// Counts without a branch, since hardly any values are outside.
size_t count_outside(std::span<const float> values, float least, float most) {
    size_t found = 0;
    for (const float value : values) found += !(value >= least && value <= most);
    return found;
}

bool is_hidden_colour(const Image& image, int x, int y) {
    constexpr float least_colour = 0.5f / 65535;
    const int alpha = image.channels() - 1;
    if (image.value(x, y, alpha) != 0) return false;
    for (int c = 0; c < alpha; ++c)
        if (std::abs(image.value(x, y, c)) > least_colour) return true;
    return false;
}

}  // namespace

uint64_t count_hidden_colours(const Image& image) {
    if (image.alpha() != Alpha::straight) return 0;
    uint64_t found = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x) found += is_hidden_colour(image, x, y);
    return found;
}

uint64_t count_too_large(const Image& image) {
    if (image.type() != SampleType::f64) return 0;
    const size_t row = size_t(image.width()) * size_t(image.channels());
    uint64_t found = 0;
    for (int y = 0; y < image.height(); ++y)
        for (const double value : std::span(image.row_as<double>(y), row))
            found += std::isfinite(value) && std::isinf(float(value));
    return found;
}

void count_lost_pixels(const Codec& codec, const Image& picture, Losses& losses) {
    const bool loses_hidden = picture.alpha() == Alpha::straight        ? codec.writing.alpha != Alpha::straight
                              : picture.alpha() == Alpha::premultiplied ? codec.writing.alpha != Alpha::premultiplied
                                                                        : false;
    if (!loses_hidden) return;
    losses.format = codec.name;
    for (int y = 0; y < picture.height(); ++y)
        for (int x = 0; x < picture.width(); ++x)
            if (codec.writing.alpha == Alpha::none)
                losses.over_black += picture.value(x, y, picture.channels() - 1) != 1;
            else losses.hidden += is_hidden_colour(picture, x, y);
}

void count_lost_samples(const Codec& codec, const Image& samples, SampleType type, Losses& losses) {
    const Range range = range_of(codec, type);
    losses.least = range.least;
    losses.most = range.most;
    losses.to_infinity = range.to_infinity;
    if (is_normalised(samples.type()) || (range.all && (samples.type() == type || std::isinf(range.most)))) return;
    const auto least = float(range.least - range.slack), most = float(range.most + range.slack);
    std::vector<float> values(size_t(samples.width()) * size_t(samples.channels()));
    for (int y = 0; y < samples.height(); ++y) {
        read_floats(samples.row(y), values.size(), samples.type(), values.data());
        if (count_outside(values, least, most) == 0) continue;
        for (const float value : values) {
            if (value >= least && value <= most) continue;
            if (std::isnan(value)) losses.nan += !range.all;
            else if (std::isinf(value)) losses.infinite += !range.all;
            else ++losses.beyond;
        }
    }
}

std::string words_of(const Losses& losses) {
    const auto were = [](uint64_t count, const char* one, const char* what) {
        return fmt::format("{} {}{} {} {}", count, one, count == 1 ? "" : "s", count == 1 ? "was" : "were", what);
    };
    const std::string beyond = fmt::format("beyond {} to {}", losses.least, losses.most);
    std::vector<std::string> words;
    if (losses.nan) words.push_back(fmt::format("{} NaN became 0", losses.nan));
    if (losses.infinite) words.push_back(were(losses.infinite, "infinite value", "clamped"));
    if (losses.beyond && losses.to_infinity)
        words.push_back(fmt::format("{} {} became infinite", losses.beyond, beyond));
    else if (losses.beyond)
        words.push_back(fmt::format("{} value{} {} {} clamped", losses.beyond, losses.beyond == 1 ? "" : "s", beyond,
                                    losses.beyond == 1 ? "was" : "were"));
    if (losses.too_large)
        words.push_back(fmt::format("{} too large for 32-bit floats became infinite",
                                    losses.too_large == 1 ? "1 value" : fmt::format("{} values", losses.too_large)));
    if (losses.hidden) words.push_back(were(losses.hidden, "transparent pixel", "made black"));
    if (losses.unused)
        words.push_back(fmt::format("the colour{} of {} transparent pixel{} {} not interpolated",
                                    losses.unused == 1 ? "" : "s", losses.unused, losses.unused == 1 ? "" : "s",
                                    losses.unused == 1 ? "was" : "were"));
    if (losses.over_black)
        words.push_back(fmt::format("{}, since {} is written without alpha",
                                    were(losses.over_black, "pixel", "put over black"), losses.format));
    if (losses.fourth_channel) words.push_back("the fourth channel was left out");
    return fmt::format("{}", fmt::join(words, "; "));
}

namespace {

uint32_t crc32(ByteSpan bytes) {
    return uint32_t(::crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

}  // namespace

// The chunks that make the pixels must be undamaged; anything may follow them.
void check_png(ByteSpan bytes) {
    PngChunks chunks(bytes);
    uint64_t needed = 0, compressed = 0, width = 0, height = 0;
    bool first = true;
    while (const auto chunk = chunks.next()) {
        const auto& [at, type, data, whole, sum] = *chunk;
        if (first != (type == "IHDR") || (first && whole && data.size() != 13))
            throw Error("the PNG is damaged: it does not begin with a header");
        const bool picture = type == "IDAT" || type == "fdAT";
        if (!whole && !picture && compressed == 0) throw_truncated(bytes.size(), "PNG");
        const bool critical = ((type[0] & 0x20) == 0 && type != "IEND") || type == "tRNS";
        if (critical && sum && *sum != crc32(bytes.subspan(at + 4, data.size() + 4)))
            throw Error(fmt::format("the PNG is damaged: the checksum of the chunk at byte {} is wrong", at));
        if (first) {
            width = be32(data, 0);
            height = be32(data, 4);
            const uint32_t depth = byte_at(data, 8), colour = byte_at(data, 9);
            const uint32_t channels = colour == 2 ? 3 : colour == 4 ? 2 : colour == 6 ? 4 : 1;
            check_dimensions(width, height, 4, depth == 16 ? SampleType::u16 : SampleType::u8);
            needed = height * (width * channels * depth / 8);
        }
        if (type == "IDAT") compressed += data.size();
        first = false;
    }
    if (compressed == 0 && !chunks.has_end()) {
        if (chunks.ends_early()) throw_truncated(bytes.size(), "PNG");
        throw Error(fmt::format("the PNG is damaged: no chunk at byte {}", chunks.at()));
    }
    if (chunks.ends_early()) return check_plausible(bytes.size(), width, height, 4, SampleType::u8);
    check_claim(needed / 1032 <= compressed, width, height, bytes.size());  // deflate expands 1032 : 1 at most
}

void check_jpeg(ByteSpan bytes) {
    const auto [end, ends_early, width, height] = extent_of_jpeg(bytes);
    check_dimensions(width, height, 4, SampleType::u8);
    // A block of 8×8 takes at least one bit; twice that leaves a margin. A small picture may be there only in part.
    constexpr uint64_t small = uint64_t(1) << 26, pixels_per_byte = 1024;
    const uint64_t pixels = uint64_t(width) * height;
    check_claim(pixels <= small || pixels / pixels_per_byte <= bytes.size(), width, height, bytes.size());
}

namespace {

constexpr bool is_letter(char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }

}  // namespace

PngChunks::PngChunks(ByteSpan file) : file_(file) {
    if (file.size() < at_) throw_truncated(file.size(), "PNG");
}

std::optional<PngChunk> PngChunks::next() {
    constexpr uint32_t longest = (1u << 31) - 1;
    if (has_end_ || ends_early_) return {};
    ByteSpan rest = file_.subspan(at_);
    ends_early_ = rest.size() < 8;
    if (ends_early_) return {};
    const uint32_t length = be32(rest, 0);
    PngChunk chunk{at_, text_of(rest.subspan(4, 4)), {}};
    if (length > longest || !std::ranges::all_of(chunk.type, is_letter)) return {};
    rest = rest.subspan(8);
    chunk.data = rest.first(std::min<size_t>(length, rest.size()));
    chunk.whole = chunk.data.size() == length;
    rest = rest.subspan(chunk.data.size());
    if (rest.size() >= 4) chunk.sum = be32(rest, 0);
    at_ = file_.size() - rest.size() + std::min<size_t>(4, rest.size());
    has_end_ = chunk.type == "IEND";
    ends_early_ = !chunk.whole;
    return chunk;
}

namespace {

constexpr size_t header_end = 8 + 8 + 13 + 4;  // signature and IHDR

void append_number(Bytes& bytes, uint32_t number) {
    for (int shift = 24; shift >= 0; shift -= 8) bytes.push_back(std::byte(number >> shift & 255));
}

void append(Bytes& bytes, std::string_view text) {
    for (const char c : text) bytes.push_back(std::byte(c));
}

void append_chunk(Bytes& bytes, const std::string& content) {
    const std::string chunk = "tEXt" + content;
    append_number(bytes, uint32_t(content.size()));
    append(bytes, chunk);
    append_number(bytes, uint32_t(crc32_z(0, reinterpret_cast<const Bytef*>(chunk.data()), chunk.size())));
}

}  // namespace

Bytes with_texts(ByteSpan png, const PngTexts& texts) {
    Bytes bytes(png.begin(), png.begin() + ptrdiff_t(header_end));
    for (const auto& [keyword, text] : texts) append_chunk(bytes, keyword + '\0' + text);
    bytes.insert(bytes.end(), png.begin() + ptrdiff_t(header_end), png.end());
    return bytes;
}

}  // namespace texelscope
