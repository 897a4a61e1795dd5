#include "app/files/codecs/codecs.h"

#include <algorithm>
#include <iterator>

#include <fcntl.h>
#include <fmt/format.h>

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
    return fmt::format("{} files need {}, which this build does not have; install {} and build again", codec.name,
                       codec.library, codec.package);
}

std::string why_no_room(const Codec& codec, int64_t width, int64_t height, uint64_t bytes) {
    if (width > max_image_side || height > max_image_side)
        return fmt::format("pictures have at most {} pixels per side", max_image_side);
    const auto& [most_side, most_gibibytes] = std::pair(codec.writing.most_side, codec.writing.most_gibibytes);
    if (width > most_side || height > most_side)
        return fmt::format("{} files have at most {} pixels per side", codec.name, most_side);
    const uint64_t headers = 1024, padding = 4 * uint64_t(height);
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

}  // namespace texelscope
