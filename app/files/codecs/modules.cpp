#include "app/files/codecs/modules.h"

#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>

#include <dlfcn.h>
#include <fmt/format.h>
#include <sys/auxv.h>

#include "app/files/codecs/codecs.h"
#include "app/files/decoding/decoder.h"
#include "gpu/core/errors.h"

using namespace std::string_view_literals;
namespace fs = std::filesystem;

namespace texelscope {
namespace {

fs::path own_program() {
    std::error_code unknown;
    const fs::path program = fs::read_symlink("/proc/self/exe", unknown);
    if (!program.empty()) return program;
    const auto* const started = reinterpret_cast<const char*>(::getauxval(AT_EXECFN));  // where there is no /proc
    return fs::canonical(started ? started : "", unknown);
}

// Beside the program, where builds have it, or where it is installed. Absolute, so that no other folder is searched.
fs::path place_of(const std::string& file) {
    std::error_code unknown;
    const fs::path folder = "/" / own_program().parent_path(), beside = folder / file;
    return fs::exists(beside, unknown) ? beside
                                       : (folder / TEXELSCOPE_MODULE_FOLDER / "modules" / file).lexically_normal();
}

}  // namespace

LoadedModule load_module(const std::string& name) {
    using Entry = const void* (*)(const char* version);
    const fs::path place = place_of(name + ".so");
    void* const library = ::dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library) return {nullptr, ::dlerror()};
    const auto find = reinterpret_cast<Entry>(::dlsym(library, name.c_str()));
    const void* const functions = find ? find(TEXELSCOPE_VERSION) : nullptr;
    if (!functions) return {nullptr, place.string() + " belongs to another version of texelscope"};
    return {functions, ""};
}

const void* functions_of(const LoadedModule& module, std::string_view library) {
    if (!module.functions)
        throw Error(fmt::format("{}, which such files need, cannot be loaded ({})", library, module.problem));
    return module.functions;
}

// APP13 with IPTC, APP1 with XMP, or EXIF data with notes that only the library reads.
bool has_segments_for_oiio(ByteSpan jpeg) {
    for (size_t at = 2; at + 4 <= jpeg.size();) {
        const uint32_t marker = byte_at(jpeg, at + 1), length = be16(jpeg, at + 2);
        if (marker == 0xff) {  // a filling byte
            ++at;
            continue;
        }
        if (byte_at(jpeg, at) != 0xff || marker == 0xda || marker == 0xd9 || length < 2) return false;
        const ByteSpan rest = jpeg.subspan(at + 4);
        const std::string_view data = text_of(rest.first(std::min<size_t>(length - 2, rest.size())));
        if (marker == 0xed) return true;
        if (marker == 0xe1 && (!data.starts_with("Exif\0"sv) || data.find("Canon") != data.npos)) return true;
        at += 2 + size_t(length);
    }
    return false;
}

// The flags of an extended header.
bool has_chunks_for_oiio(ByteSpan webp) {
    constexpr uint32_t animation = 2, xmp = 4;
    return webp.size() > 20 && text_of(webp.subspan(12, 4)) == "VP8X" && (byte_at(webp, 20) & (animation | xmp)) != 0;
}

const OiioModule& oiio_module() {
    return module_named<OiioModule>("texelscope_oiio", TEXELSCOPE_WITH_OIIO, "OpenImageIO");
}

void decode_by_oiio(const EncodedFile& file, ByteSpan content, DecodingTarget& target) {
    oiio_module().decode(codec_of(file), file, content, target);
}

void decode_others_by_oiio(const EncodedFile& file, ByteSpan content, DecodingTarget& target) {
    if (!TEXELSCOPE_WITH_OIIO)
        throw Error(fmt::format("{} files of this kind need OpenImageIO, which this build does not have; {}",
                                codec_of(file).name, remedy_without("libopenimageio-dev")));
    decode_by_oiio(file, content, target);
}

void encode_by_oiio(const Codec& codec, const RowSource& image, OutputFile& file) {
    oiio_module().encode(codec, image, file);
}

bool oiio_opens_file(const Codec& codec) {
    try {
        return !oiio_module().reads_memory(codec);
    } catch (const Error&) {  // `decode` reports it
        return false;
    }
}

bool described_by_oiio(const Codec& codec, ByteSpan content) {
    if (!TEXELSCOPE_WITH_OIIO || codec.oiio.empty()) return false;
    return !codec.more_in_oiio || codec.more_in_oiio(content.first(std::min(content.size(), head_for_oiio)));
}

// The formats that only a module reads.

// JPEG 2000: ISO/IEC 15444-1.

namespace {

const OpenJpegModule& module_for_parts() {
    try {
        return openjpeg_module();
    } catch (const Error& error) {  // it can still be read as a whole
        throw NotInParts(error.what());
    }
}

[[maybe_unused]] std::unique_ptr<const TileSource> open_regions_of_jpeg2000(const EncodedFile& file) {
    return module_for_parts().open_regions(file);
}

// The samples of a region and of the whole are the same wherever both can be read.
[[maybe_unused]] void decode_jpeg2000(const EncodedFile& file, ByteSpan content, DecodingTarget& target) {
    try {
        module_for_parts().decode(file, target);
    } catch (const NotInParts& why) {
        if (TEXELSCOPE_WITH_OIIO) return decode_by_oiio(file, content, target);
        throw Error(
            fmt::format("such JPEG 2000 files need OpenImageIO, which this build does not have ({})", why.what()));
    }
}

}  // namespace

extern const Codec jpeg2000_codec;
constinit const Codec jpeg2000_codec{
    .name = "JPEG 2000",
    .extensions = "jp2 j2k j2c jpx",
    .samples =
        "1 to 16 bits as 8 or 16, so that the largest value is 1; signed ones as numbers; alpha straight or "
        "premultiplied as its box says",
    .signatures = {{{4, "jP  \r\n\x87\n"sv}, {0, "\xff\x4f\xff\x51"sv}}},
    .modules = module_of_oiio | (TEXELSCOPE_WITH_OPENJPEG ? of_openjpeg : 0),
    .decode = TEXELSCOPE_WITH_OPENJPEG ? decode_jpeg2000 : with_oiio(decode_by_oiio),
    .opens_file = with_oiio(oiio_opens_file),
    .open_regions = TEXELSCOPE_WITH_OPENJPEG ? open_regions_of_jpeg2000 : nullptr,
    .oiio = "jpeg2000",
};

const OpenJpegModule& openjpeg_module() {
    return module_named<OpenJpegModule>("texelscope_openjpeg", TEXELSCOPE_WITH_OPENJPEG, "OpenJPEG");
}

// JPEG XL.

const JxlModule& jxl_module() { return module_named<JxlModule>("texelscope_jxl", TEXELSCOPE_WITH_JXL, "libjxl"); }

namespace {

[[maybe_unused]] void decode_jxl(const EncodedFile& file, ByteSpan content, DecodingTarget& target) {
    jxl_module().decode(file.choice, content, target);
}

}  // namespace

extern const Codec jxl_codec;
constinit const Codec jxl_codec{
    .name = "JPEG XL",
    .extensions = "jxl",
    .samples = "8 and 16 bits and 32-bit floats as stored",
    .signatures = {{{0, "\xff\x0a"sv}, {4, "JXL \r\n\x87\n"sv}}},
    .library = "libjxl",
    .package = "libjxl-dev",
    .modules = TEXELSCOPE_WITH_JXL ? of_libjxl : 0,
    .decode = TEXELSCOPE_WITH_JXL ? decode_jxl : nullptr,
};

// What a codec takes from its module, which is loaded at the first call.

namespace {

template <auto module>
[[maybe_unused]] void decode_by(const EncodedFile& file, ByteSpan content, DecodingTarget& target) {
    module().decode(file, content, target);
}

template <auto module> [[maybe_unused]] std::unique_ptr<const TileSource> regions_by(const EncodedFile& file) {
    return module().open_regions(file);
}

template <auto module> [[maybe_unused]] std::vector<MetadataRow> rows_by(ByteSpan content, int part) {
    return module().describe(content, part);
}

}  // namespace

// OpenEXR: https://openexr.com/en/latest/OpenEXRFileLayout.html

const OpenExrModule& openexr_module() {
    return module_named<OpenExrModule>("texelscope_openexr", TEXELSCOPE_WITH_OPENEXR, "OpenEXR");
}

extern const Codec openexr_codec;
constinit const Codec openexr_codec{
    .name = "OpenEXR",
    .extensions = "exr",
    .samples =
        "16- and 32-bit floats and unsigned 32-bit integers as stored, mixed ones as 32- or 64-bit floats; luminance "
        "and chroma as R, G and B",
    .signatures = {{{0, "v/1\x01"}}},
    .library = "OpenEXR",
    .package = "libopenexr-dev",
    .modules = TEXELSCOPE_WITH_OPENEXR ? of_openexr : 0,
    .decode = TEXELSCOPE_WITH_OPENEXR ? decode_by<openexr_module> : nullptr,
    .open_regions = TEXELSCOPE_WITH_OPENEXR ? regions_by<openexr_module> : nullptr,
    .describe = TEXELSCOPE_WITH_OPENEXR ? rows_by<openexr_module> : nullptr,
    .oiio = "openexr",
    .more_in_oiio = [](ByteSpan) { return false; },
    .writing = {.types = holds_f16 | holds_f32,
                .channels = "1234",
                .alpha = Alpha::premultiplied,
                .encode = with_oiio(encode_by_oiio),
                .linear = true},
};

// TIFF 6.0 and BigTIFF.

TiffLayout tiff_layout(const RowSource& picture) {
    constexpr uint64_t tiled_from = uint64_t(1) << 26, most_held = uint64_t(1) << 27;
    constexpr int tile = 256, lowest = 16;
    // Deflate adds less than a thousandth to what it cannot compress; tables and profile are small beside the rest.
    constexpr uint64_t most_in_classic = (uint64_t(1) << 32) - (uint64_t(1) << 27);
    TiffLayout layout;
    const uint64_t row_bytes = picture.row_bytes(), bytes = row_bytes * uint64_t(picture.height);
    if (bytes < tiled_from) return layout;
    layout.tile_width = layout.tile_height = tile;
    while (layout.tile_height > lowest && row_bytes * uint64_t(layout.tile_height) > most_held) layout.tile_height /= 2;
    const auto whole = [](int side, int step) {
        return (uint64_t(side) + uint64_t(step) - 1) / uint64_t(step) * uint64_t(step);
    };
    const uint64_t pixel = row_bytes / uint64_t(picture.width);
    layout.big = whole(picture.width, tile) * whole(picture.height, layout.tile_height) * pixel > most_in_classic;
    return layout;
}

extern const Codec tiff_codec;
constinit const Codec tiff_codec{
    .name = "TIFF",
    .extensions = "tif tiff",
    .samples =
        "integers of 1 to 16 bits as 8 or 16 bits, all others and floats as the numbers that they are; palettes, "
        "CMYK, Lab, YCbCr and LogLuv as RGB",
    .signatures = {{{0, "II*\0"sv}, {0, "MM\0*"sv}, {0, "II+\0"sv}, {0, "MM\0+"sv}}},
    .library = "libtiff",
    .package = "libtiff-dev",
    .modules = TEXELSCOPE_WITH_TIFF ? of_libtiff : 0,
    .decode = TEXELSCOPE_WITH_TIFF ? decode_by<tiff_module> : nullptr,
    .open_regions = TEXELSCOPE_WITH_TIFF ? regions_by<tiff_module> : nullptr,
    .oiio = "tiff",
    .texts = TEXELSCOPE_WITH_TIFF ? rows_by<tiff_module> : nullptr,
    .writing = {.types = holds_u8 | holds_u16 | holds_f32,
                .channels = "1234",
                .alpha = Alpha::straight,
                .encode = with_oiio(encode_by_oiio),
                .icc = true},
};

const TiffModule& tiff_module() { return module_named<TiffModule>("texelscope_tiff", TEXELSCOPE_WITH_TIFF, "libtiff"); }

// Whole-slide images.

const OpenSlideModule& openslide_module() {
    return module_named<OpenSlideModule>("texelscope_openslide", TEXELSCOPE_WITH_OPENSLIDE, "OpenSlide");
}

namespace {

[[maybe_unused]] bool is_slide(const EncodedFile& file) {
    try {
        return openslide_module().knows(file);
    } catch (const Error&) {
        return false;
    }
}

[[maybe_unused]] void decode_slide(const EncodedFile& file, ByteSpan, DecodingTarget& target) {
    openslide_module().decode(file, target);
}

[[maybe_unused]] bool always(const Codec&) { return true; }

}  // namespace

extern const Codec slide_codec;
constinit const Codec slide_codec{
    .name = "slide",
    .extensions = "svs ndpi scn bif mrxs vms vmu svslide",
    .samples = "8 bits; tiles are laid over the background",
    .looks_like = "TIFF JPEG",
    .knows = TEXELSCOPE_WITH_OPENSLIDE ? is_slide : nullptr,
    .library = "OpenSlide",
    .package = "libopenslide-dev",
    .modules = (TEXELSCOPE_WITH_OPENSLIDE ? of_openslide : 0) | (TEXELSCOPE_WITH_TIFF ? of_libtiff : 0),
    .decode = TEXELSCOPE_WITH_OPENSLIDE ? decode_slide : nullptr,
    .opens_file = TEXELSCOPE_WITH_OPENSLIDE ? always : nullptr,
    .open_regions = TEXELSCOPE_WITH_OPENSLIDE ? regions_by<openslide_module> : nullptr,
};

// Raw files of cameras, as LibRaw in OpenImageIO develops them.

extern const Codec camera_raw_codec;
constinit const Codec camera_raw_codec = read_by_oiio({
    .name = "camera raw",
    .extensions = "dng cr2 cr3 nef arw orf rw2 raf pef srw",
    .samples = "developed to 16 bits, gamma-coded",
    .looks_like = "TIFF",
    .oiio = "raw",
});

// Maya IFF (FOR4 CIMG).

extern const Codec iff_codec;
constinit const Codec iff_codec = read_by_oiio({
    .name = "IFF",
    .extensions = "iff",
    .samples = "Maya's files (FOR4, CIMG), not ILBM: 8 and 16 bits; straight alpha",
    .signatures = {{{8, "CIMG"sv}}},
    .oiio = "iff",
});

}  // namespace texelscope
