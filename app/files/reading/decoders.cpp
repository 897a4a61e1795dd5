#include "app/files/reading/decoders.h"

#include <memory>

#include <fmt/format.h>

#include "app/files/bytes/mapped_file.h"
#include "app/files/codecs/codecs.h"
#include "app/files/codecs/damage.h"
#include "app/files/codecs/jpeg.h"
#include "app/files/codecs/jxl_module.h"
#include "app/files/codecs/oiio_module.h"
#include "app/files/codecs/openjpeg_module.h"
#include "app/files/codecs/openslide_module.h"
#include "app/files/codecs/png.h"
#include "app/files/codecs/stb.h"
#include "app/files/codecs/webp.h"
#include "app/files/colour/colour_tags.h"
#include "app/files/decoding/not_in_parts.h"
#include "app/files/metadata/metadata.h"
#include "app/files/reading/frames.h"
#include "app/files/reading/profile_question.h"

namespace texelscope {
namespace {

// These are checked by OpenImageIO alone.
bool checked_by_library(const Format& format) {
    using enum FormatId;
    const FormatId id = format.id;
    return by_oiio(format) && (id == other || id == hdr || id == psd || id == webp);
}

// A slide that is a TIFF inside is read as one if OpenSlide is missing or does not know it.
const Format& reader_of_slide(const Format& slide, const EncodedFile& file) {
    const Format* inside = format_of_signature(bytes_of(file.descriptor)(0, signature_bytes));
    if (!inside || inside->id != FormatId::tiff || !by_oiio(*inside)) return slide;
    try {
        return openslide_module().knows(file) ? slide : *inside;
    } catch (const Error&) {
        return *inside;
    }
}

const Format& format_of(const EncodedFile& file) {
    const Format& format = formats().at(size_t(file.format));
    return by_openslide(format) ? reader_of_slide(format, file) : format;
}

void decode_without_oiio(const EncodedFile& jpeg2000, DecodingTarget& target) {
    try {
        openjpeg_module().decode(jpeg2000, target);
    } catch (const NotInParts& why) {
        throw Error(
            fmt::format("such JPEG 2000 files need OpenImageIO, which this build does not have ({})", why.what()));
    }
}

void decode(const EncodedFile& file, DecodingTarget& target) {
    const Format& format = format_of(file);
    const MappedFile content(file.descriptor, file.bytes);
    if (!checked_by_library(format)) check_whole(format, content.bytes());
    if (format.id == FormatId::jpeg) return decode_jpeg(format, file, content.bytes(), target);
#if TEXELSCOPE_WITH_WEBP
    if (by_libwebp(format)) return decode_webp(format, file.choice, content.bytes(), target);
#endif
    if (by_libjxl(format)) return jxl_module().decode(file.choice, content.bytes(), target);
    if (by_openslide(format)) return openslide_module().decode(file, target);
    if (by_openjpeg(format) && !by_oiio(format)) return decode_without_oiio(file, target);
    if (decode_frame(format, file.choice, content.bytes(), target)) return;
    if (format.id == FormatId::png) return decode_png(format, file.choice, content.bytes(), target);
    if (by_oiio(format)) return oiio_module().decode(format, file, content.bytes(), target);
    decode_with_stb(format, file.choice, content.bytes(), target);
}

bool opens_file(int format) {
    const Format& asked = formats().at(size_t(format));
    try {
        return by_openslide(asked) || (by_oiio(asked) && !oiio_module().reads_memory(asked));
    } catch (const Error&) {  // `decode` says it
        return false;
    }
}

void prepare(uint32_t modules) {
    const auto load = [modules](uint32_t module, auto& get) {
        if (modules & module) try {
                get();
            } catch (const Error&) {  // each file that needs it says so
            }
    };
    load(of_oiio, oiio_module);
    load(of_libjxl, jxl_module);
    load(of_openslide, openslide_module);
    load(of_openjpeg, openjpeg_module);
}

const OpenJpegModule& openjpeg_if_there() {
    try {
        return openjpeg_module();
    } catch (const Error& error) {  // it can still be read as a whole
        throw NotInParts(error.what());
    }
}

std::vector<MetadataRow> describe(const EncodedFile& file, const PictureFacts& facts) {
    if (file.companions) return {};  // its own bytes are a preview or a list of the others
    const MappedFile content(file.descriptor, file.bytes);
    return rows_of_content(format_of(file), file, content.bytes(), facts);
}

std::unique_ptr<const TileSource> open_regions(const EncodedFile& file) {
    const Format& format = format_of(file);
    if (by_openslide(format)) return openslide_module().open_regions(file);
    if (by_openjpeg(format)) return openjpeg_if_there().open_regions(file);
    if (!by_oiio(format)) throw NotInParts(fmt::format("it is a {} file", format.name));
    return oiio_module().open_regions(format, file);
}

}  // namespace

const Decoder& foreign_decoder() {
    static constexpr Decoder decoder{prepare, decode, opens_file, describe, answer_profile_question, open_regions};
    return decoder;
}

}  // namespace texelscope
