#include "app/files/codecs/codecs.h"

#include <algorithm>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>

#include "app/files/codecs/npy.h"
#include "app/files/codecs/pfm.h"
#include "app/files/codecs/pnm.h"
#include "gpu/core/ascii.h"

#ifndef TEXELSCOPE_WITH_OIIO
#define TEXELSCOPE_WITH_OIIO 0
#endif
#ifndef TEXELSCOPE_WITH_WEBP
#define TEXELSCOPE_WITH_WEBP 0
#endif
#ifndef TEXELSCOPE_WITH_JXL
#define TEXELSCOPE_WITH_JXL 0
#endif
#ifndef TEXELSCOPE_WITH_OPENSLIDE
#define TEXELSCOPE_WITH_OPENSLIDE 0
#endif
#ifndef TEXELSCOPE_WITH_OPENJPEG
#define TEXELSCOPE_WITH_OPENJPEG 0
#endif

using namespace std::string_view_literals;

namespace texelscope {
namespace {

struct Signature {
    std::string_view format;
    size_t at;
    std::string_view bytes;
};

// TGA has none. Camera raw files and most slides are TIFF inside and are recognised by their extension.
constexpr Signature signatures[] = {
    {"PNG", 0, "\x89PNG\r\n\x1a\n"sv},
    {"JPEG", 0, "\xff\xd8\xff"sv},
    {"GIF", 0, "GIF87a"sv},
    {"GIF", 0, "GIF89a"sv},
    {"BMP", 0, "BM"sv},
    {"TIFF", 0, "II*\0"sv},
    {"TIFF", 0, "MM\0*"sv},
    {"TIFF", 0, "II+\0"sv},
    {"TIFF", 0, "MM\0+"sv},
    {"OpenEXR", 0, "v/1\x01"sv},
    {"Radiance HDR", 0, "#?RADIANCE"sv},
    {"Radiance HDR", 0, "#?RGBE"sv},
    {"WebP", 8, "WEBP"sv},
    {"PSD", 0, "8BPS"sv},
    {"DPX", 0, "SDPX"sv},
    {"DPX", 0, "XPDS"sv},
    {"Cineon", 0, "\x80\x2a\x5f\xd7"sv},
    {"SGI", 0, "\x01\xda"sv},
    {"DDS", 0, "DDS "sv},
    {"FITS", 0, "SIMPLE  ="sv},
    {"IFF", 8, "CIMG"sv},
    {"DICOM", 128, "DICM"sv},
    {"JPEG 2000", 4, "jP  \r\n\x87\n"sv},
    {"JPEG 2000", 0, "\xff\x4f\xff\x51"sv},
    {"JPEG XL", 0, "\xff\x0a"sv},
    {"JPEG XL", 4, "JXL \r\n\x87\n"sv},
    {"HEIF", 4, "ftypheic"sv},
    {"HEIF", 4, "ftypheix"sv},
    {"HEIF", 4, "ftypmif1"sv},
    {"HEIF", 4, "ftypavif"sv},
    {"HEIF", 4, "ftypheim"sv},
    {"HEIF", 4, "ftypheis"sv},
    {"HEIF", 4, "ftypmsf1"sv},  // sequences, from here on
    {"HEIF", 4, "ftyphevc"sv},
    {"HEIF", 4, "ftypavis"sv},
    {"ICO", 0, "\0\0\1\0"sv},
};

const Format* named(std::string_view name) {
    for (const Format& format : formats())
        if (format.name == name) return &format;
    return nullptr;
}

bool has_extension(const Format& format, std::string_view extension) {
    std::string_view rest = format.extensions;
    while (!rest.empty()) {
        const size_t end = std::min(rest.find(' '), rest.size());
        if (rest.substr(0, end) == extension) return true;
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return false;
}

bool has_signature(const Format& format) {
    return is_own(format) ||
           std::any_of(std::begin(signatures), std::end(signatures), [&](auto& s) { return s.format == format.name; });
}

}  // namespace

const std::vector<Format>& formats() {
    using enum FormatId;
    constexpr Alpha none = Alpha::none, straight = Alpha::straight, premultiplied = Alpha::premultiplied;
    constexpr unsigned integers = holds_u8 | holds_u16;
    static const std::vector<Format> table = {
        {png, "PNG", "png", "", false, false, integers, "1234", straight},
        {jpeg, "JPEG", "jpg jpeg jpe jfif", "jpeg", false, false, holds_u8, "13", none},
        {tiff, "TIFF", "tif tiff", "tiff", false, false, integers | holds_f32, "1234", straight},
        {other, "OpenEXR", "exr", "openexr", false, false, holds_f16 | holds_f32, "1234", premultiplied},
        {hdr, "Radiance HDR", "hdr rgbe", "hdr", true, true, holds_f32, "3", none},
        {webp, "WebP", "webp", "webp", false, false, holds_u8, "3", none},
        {bmp, "BMP", "bmp dib", "bmp", true, true, holds_u8, "3", none},
        {tga, "TGA", "tga", "targa", true, true, holds_u8, "134", straight},
        {npy, "NumPy", "npy", "", false, false, holds_f32, "1234", straight},
        {pnm, "PNM", "pnm ppm pgm pbm", "", false, false, integers, "13", none},
        {pam, "PAM", "pam", "", false, false, integers, "1234", straight},
        {pfm, "PFM", "pfm", "", false, false, holds_f32, "134", none},
        {gif, "GIF", "gif", "", true, false, 0, "", none},
        {psd, "PSD", "psd", "psd", true, false, 0, "", none},
        {other, "JPEG 2000", "jp2 j2k j2c jpx", "jpeg2000", false, false, 0, "", none},
        {jxl, "JPEG XL", "jxl", "", false, false, 0, "", none},
        {other, "HEIF", "heic heif hif avif", "heif", false, false, 0, "", none},
        {other, "DPX", "dpx", "dpx", false, false, 0, "", none},
        {other, "Cineon", "cin", "cineon", false, false, 0, "", none},
        {other, "SGI", "sgi rgb rgba bw", "sgi", false, false, 0, "", none},
        {other, "DDS", "dds", "dds", false, false, 0, "", none},
        {other, "FITS", "fits fit", "fits", false, false, 0, "", none},
        {other, "IFF", "iff", "iff", false, false, 0, "", none},
        {other, "ICO", "ico", "ico", false, false, 0, "", none},
        {other, "DICOM", "dcm", "dicom", false, false, 0, "", none},
        {other, "camera raw", "dng cr2 cr3 nef arw orf rw2 raf pef srw", "raw", false, false, 0, "", none},
        {slide, "slide", "svs ndpi scn bif mrxs vms vmu svslide", "", false, false, 0, "", none},
    };
    return table;
}

const Format* format_of_extension(const std::filesystem::path& path) {
    const std::string extension = lower_case(path.extension().string());
    if (extension.size() < 2) return nullptr;
    for (const Format& format : formats())
        if (has_extension(format, std::string_view(extension).substr(1))) return &format;
    return nullptr;
}

const Format* recognise(ByteSpan head, const std::filesystem::path& path) {
    const Format* by_name = format_of_extension(path);
    if (by_name && (by_name->name == "camera raw" || by_openslide(*by_name))) return by_name;
    if (const Format* signed_so = format_of_signature(head)) return signed_so;
    return by_name && !has_signature(*by_name) ? by_name : nullptr;
}

const Format* format_of_signature(ByteSpan head) {
    if (is_npy(head)) return named("NumPy");
    if (is_pfm(head)) return named("PFM");
    if (is_pnm(head)) return named("PNM");
    for (const Signature& signature : signatures)
        if (head.size() >= signature.at && text_of(head.subspan(signature.at)).starts_with(signature.bytes))
            return named(signature.format);
    return nullptr;
}

bool is_own(const Format& format) {
    using enum FormatId;
    return format.id == pnm || format.id == pam || format.id == pfm || format.id == npy;
}

bool by_oiio(const Format& format) { return written_by_oiio(format) && !by_libwebp(format); }

// PNG and JPEG have one reader and one writer in every build (png_files.h, jpeg_files.h).
bool written_by_oiio(const Format& format) { return known_to_oiio(format) && format.id != FormatId::jpeg; }

bool known_to_oiio(const Format& format) { return TEXELSCOPE_WITH_OIIO && !format.oiio.empty(); }

bool by_libwebp(const Format& format) { return TEXELSCOPE_WITH_WEBP && format.id == FormatId::webp; }
bool by_libjxl(const Format& format) { return TEXELSCOPE_WITH_JXL && format.id == FormatId::jxl; }
bool by_openslide(const Format& format) { return TEXELSCOPE_WITH_OPENSLIDE && format.id == FormatId::slide; }
bool by_openjpeg(const Format& format) { return TEXELSCOPE_WITH_OPENJPEG && format.name == "JPEG 2000"; }

Beside files_beside(const std::filesystem::path& path) {
    if (const Format* format = format_of_extension(path); !format || !by_openslide(*format)) return Beside::nothing;
    const std::string extension = lower_case(path.extension().string());
    return extension == ".mrxs"                         ? Beside::folder
           : extension == ".vms" || extension == ".vmu" ? Beside::files
                                                        : Beside::nothing;
}

std::shared_ptr<const Companions> companions_of(const std::filesystem::path& path) {
    const Beside beside = files_beside(path);
    if (beside == Beside::nothing) return nullptr;
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));  // a pipe of this name: no waiting
    return companions_of(file.number(), beside);
}

uint32_t modules_for(const Format& format) {
    const bool perhaps_tiff = TEXELSCOPE_WITH_OIIO && by_openslide(format);
    return (by_oiio(format) || perhaps_tiff ? of_oiio : 0) | (by_libjxl(format) ? of_libjxl : 0) |
           (by_openslide(format) ? of_openslide : 0) | (by_openjpeg(format) ? of_openjpeg : 0);
}

bool readable(const Format& format) {
    return is_own(format) || by_oiio(format) || by_libwebp(format) || by_libjxl(format) || by_openslide(format) ||
           by_openjpeg(format) || format.stb_reads || format.id == FormatId::png || format.id == FormatId::jpeg;
}

std::string words_of_unreadable(const Format& format) {
    const auto [library, package] = format.id == FormatId::webp    ? std::pair("libwebp", "libwebp-dev")
                                    : format.id == FormatId::jxl   ? std::pair("libjxl", "libjxl-dev")
                                    : format.id == FormatId::slide ? std::pair("OpenSlide", "libopenslide-dev")
                                                                   : std::pair("OpenImageIO", "libopenimageio-dev");
    return fmt::format("{} files need {}, which this build does not have; install {} and build again", format.name,
                       library, package);
}

bool writable(const Format& format) { return writable_types(format) != 0; }

unsigned writable_types(const Format& format) {
    const bool always = is_own(format) || format.id == FormatId::png || format.id == FormatId::jpeg;
    const bool written = always || written_by_oiio(format) || format.stb_writes;
    return written ? format.types : 0;
}

unsigned bit_of(SampleType type) { return 1u << unsigned(type); }

std::string why_no_room(const Format& format, int64_t width, int64_t height, uint64_t bytes) {
    using enum FormatId;
    if (width > max_image_side || height > max_image_side)
        return fmt::format("pictures have at most {} pixels per side", max_image_side);
    const int64_t side = format.id == jpeg   ? 65500
                         : format.id == webp ? 16383
                         : format.id == tga  ? 65535
                                             : max_image_side;
    if (width > side || height > side)
        return fmt::format("{} files have at most {} pixels per side", format.name, side);
    // OpenImageIO writes rows as they come; stb needs all of them, and computes sizes as int.
    const bool held = format.stb_writes && !written_by_oiio(format);
    const uint64_t gibibytes = held ? 1 : 4, headers = 1024, padding = 4 * uint64_t(height);
    if ((held || format.id == bmp || format.id == tga) && bytes + headers + padding > gibibytes << 30)
        return fmt::format("{} files have at most {} GiB{}", format.name, gibibytes, held ? " in this build" : "");
    return {};
}

std::vector<std::string> extensions_where(bool (*wanted)(const Format&)) {
    std::vector<std::string> result;
    for (const Format& format : formats()) {
        if (!wanted(format)) continue;
        for (std::string_view rest = format.extensions; !rest.empty();) {
            const size_t end = std::min(rest.find(' '), rest.size());
            result.emplace_back(rest.substr(0, end));
            rest.remove_prefix(std::min(end + 1, rest.size()));
        }
    }
    return result;
}

}  // namespace texelscope
