#pragma once
// OpenImageIO, which reads and writes many formats. With the two hundred libraries that it brings it takes longer to load
// than most pictures take to decode, so it is a module (app/files/codecs/oiio) that is loaded by the first file that needs it.

#include <vector>

#include "app/files/codecs/codec.h"

namespace texelscope {

// What the module can do.
struct OiioModule {
    // u8, u16, f16 and f32 as stored, anything else as f32; the chosen part and channels, turned upright if that is chosen.
    // Throws Error or OutOfMemory.
    void (*decode)(const Codec& codec, const EncodedFile& file, ByteSpan content, DecodingTarget& target);
    // Whether its reader takes the file from memory. The others open /proc/self/fd/N.
    bool (*reads_memory)(const Codec& codec);
    // Asks for the rows from the first to the last, each once. Large TIFFs in tiles, see tiff_layout(). Throws Error, and
    // what the file throws.
    void (*encode)(const Codec& codec, const RowSource& image, OutputFile& file);
    // What the header of one part says: IPTC, XMP, … `own_exif`: without what exif_rows says.
    // Throws nothing that is not std::exception.
    std::vector<MetadataRow> (*describe)(const Codec& codec, const EncodedFile& file, ByteSpan content, int part,
                                         bool own_exif);
};

// Loads it at the first call, which opens files. From any thread. Throws Error if it cannot be loaded, then and at every
// other call, and in builds without OpenImageIO.
const OiioModule& oiio_module();

// For the records of codecs: the file's own format by the module's functions.
void decode_by_oiio(const EncodedFile& file, ByteSpan content, DecodingTarget& target);
// What a reader of ours leaves to the library, of files that are of this codec.
void decode_others_by_oiio(const EncodedFile& file, ByteSpan content, DecodingTarget& target);
void encode_by_oiio(const Codec& codec, const RowSource& image, OutputFile& file);
bool oiio_opens_file(const Codec& codec);

// These in builds that have OpenImageIO, null in others.
template <class Function> constexpr Function* with_oiio(Function* function) {
    return TEXELSCOPE_WITH_OIIO ? function : nullptr;
}
inline constexpr uint32_t module_of_oiio = TEXELSCOPE_WITH_OIIO ? of_oiio : 0;

// What the library can say of a file besides our own readers, by the file's first `head_for_oiio` bytes or more: IPTC, XMP,
// notes of Canon's cameras in a JPEG, and all of a format that only it reads.
bool described_by_oiio(const Codec& codec, ByteSpan content);
inline constexpr size_t head_for_oiio = size_t(1) << 20;

// Whether a JPEG or a WebP holds such metadata.
bool has_segments_for_oiio(ByteSpan jpeg);
bool has_chunks_for_oiio(ByteSpan webp);

}  // namespace texelscope
