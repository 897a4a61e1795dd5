#include "app/files/decoders.h"

#include <memory>

#include <fmt/format.h>

#include "app/files/damage.h"
#include "app/files/decoding/not_in_parts.h"
#include "app/files/formats.h"
#include "app/files/frames.h"
#include "app/files/jpeg_files.h"
#include "app/files/jxl_module.h"
#include "app/files/mapped_file.h"
#include "app/files/metadata/metadata.h"
#include "app/files/oiio_module.h"
#include "app/files/png_files.h"
#include "app/files/profile_question.h"
#include "app/files/stb_files.h"
#include "app/files/webp_files.h"

namespace texelscope {
namespace {

// These are checked by OpenImageIO alone.
bool checked_by_library(const Format& format) {
    using enum FormatId;
    const FormatId id = format.id;
    return by_oiio(format) && (id == other || id == hdr || id == psd || id == webp);
}

const Format& format_of(const EncodedFile& file) { return formats().at(size_t(file.format)); }

void decode(const EncodedFile& file, DecodingTarget& target) {
    const Format& format = format_of(file);
    const MappedFile content(file.descriptor, file.bytes);
    if (!checked_by_library(format)) check_whole(format, content.bytes());
    if (format.id == FormatId::jpeg) return decode_jpeg(format, file, content.bytes(), target);
#if TEXELSCOPE_WITH_WEBP
    if (by_libwebp(format)) return decode_webp(format, file.choice, content.bytes(), target);
#endif
    if (by_libjxl(format)) return jxl_module().decode(file.choice, content.bytes(), target);
    if (decode_frame(format, file.choice, content.bytes(), target)) return;
    if (format.id == FormatId::png) return decode_png(format, file.choice, content.bytes(), target);
    if (by_oiio(format)) return oiio_module().decode(format, file, content.bytes(), target);
    decode_with_stb(format, file.choice, content.bytes(), target);
}

bool opens_file(int format) {
    const Format& asked = formats().at(size_t(format));
    try {
        return by_oiio(asked) && !oiio_module().reads_memory(asked);
    } catch (const Error&) {  // `decode` says it
        return false;
    }
}

void prepare(uint32_t modules) {
    try {
        if (modules & of_oiio) oiio_module();
        if (modules & of_libjxl) jxl_module();
    } catch (const Error&) {  // each file that needs it says so
    }
}

std::vector<MetadataRow> describe(const EncodedFile& file, const PictureFacts& facts) {
    const MappedFile content(file.descriptor, file.bytes);
    return rows_of_content(format_of(file), file, content.bytes(), facts);
}

std::unique_ptr<const TileSource> open_regions(const EncodedFile& file) {
    const Format& format = format_of(file);
    if (!by_oiio(format)) throw NotInParts(fmt::format("it is a {} file", format.name));
    return oiio_module().open_regions(format, file);
}

}  // namespace

const Decoder& foreign_decoder() {
    static constexpr Decoder decoder{prepare, decode, opens_file, describe, answer_profile_question, open_regions};
    return decoder;
}

}  // namespace texelscope
