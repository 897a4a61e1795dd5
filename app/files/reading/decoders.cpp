#include "app/files/reading/decoders.h"

#include <memory>

#include <fmt/format.h>
#include <sys/mman.h>

#include "app/files/bytes/raster.h"
#include "app/files/codecs/codecs.h"
#include "app/files/codecs/heif.h"
#include "app/files/codecs/modules.h"
#include "app/files/codecs/oiio_module.h"
#include "app/files/decoding/decoder.h"
#include "app/files/metadata/metadata.h"
#include "app/files/reading/profile_question.h"
#include "gpu/core/errors.h"

namespace texelscope {
namespace {

// The bytes of an open file without reading them first.

// If the file becomes shorter, looking at what is gone ends the process.
class MappedFile {
public:
    // Throws Error.
    MappedFile(int descriptor, size_t bytes)
        : data_(::mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE, descriptor, 0)), bytes_(bytes) {
        if (data_ == MAP_FAILED) throw Error("the file cannot be mapped into memory");
    }
    ~MappedFile() { ::munmap(data_, bytes_); }
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;

    ByteSpan bytes() const { return {static_cast<const std::byte*>(data_), bytes_}; }

private:
    void* data_;
    size_t bytes_;
};

// The file with the format that its content has, if the extension names another.
EncodedFile as_it_is(const EncodedFile& file) {
    const Codec& named = codec_of(file);
    if (!named.knows || named.knows(file)) return file;
    const Codec* inside = codec_of_signature(bytes_of(file.descriptor)(0, signature_bytes));
    if (!inside || !readable(*inside)) return file;
    EncodedFile result = file;
    result.format = place_of(*inside);
    result.format_name = inside->name;
    return result;
}

void decode(const EncodedFile& named, DecodingTarget& target) {
    const EncodedFile file = as_it_is(named);
    const Codec& codec = codec_of(file);
    const MappedFile content(file.descriptor, file.bytes);
    if (codec.check) codec.check(content.bytes());
    codec.decode(file, content.bytes(), target);
}

bool opens_file(int format) {
    const Codec& codec = *codecs()[size_t(format)];
    return codec.opens_file && codec.opens_file(codec);
}

void prepare(uint32_t modules) {
    const auto load = [modules](uint32_t module, const auto& get) {
        if (modules & module) try {
                get();
            } catch (const Error&) {  // each file that needs it says so
            }
    };
    load(of_oiio, oiio_module);
    load(of_dicom_terms, [] { oiio_module().prepare_dicom(); });  // takes as long as the module itself
    load(of_libjxl, jxl_module);
    load(of_openslide, openslide_module);
    load(of_openjpeg, openjpeg_module);
    load(of_libtiff, tiff_module);
    load(of_openexr, openexr_module);
    load(of_libheif, heif_module);
}

std::vector<MetadataRow> describe(const EncodedFile& named, const PictureFacts& facts) {
    if (named.companions) return {};  // its own bytes are a preview or a list of the others
    const EncodedFile file = as_it_is(named);
    const MappedFile content(file.descriptor, file.bytes);
    return rows_of_content(codec_of(file), file, content.bytes(), facts);
}

std::unique_ptr<const TileSource> open_regions(const EncodedFile& named) {
    const EncodedFile file = as_it_is(named);
    const Codec& codec = codec_of(file);
    if (!codec.open_regions) throw NotInParts(fmt::format("it is a {} file", codec.name));
    return codec.open_regions(file);
}

}  // namespace

const Decoder& foreign_decoder() {
    static constexpr Decoder decoder{prepare, decode, opens_file, describe, answer_profile_question, open_regions};
    return decoder;
}

}  // namespace texelscope
