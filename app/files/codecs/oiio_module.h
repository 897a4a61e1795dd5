#pragma once
// OpenImageIO, which reads and writes many formats. With the two hundred libraries that it brings it takes longer to load
// than most pictures take to decode, so it is a module (app/files/codecs/oiio), loaded by the first file that needs it.

#include <vector>

#include "app/files/codecs/codec.h"

namespace texelscope {

// The functions of the module.
struct OiioModule {
    // Delivers u8, u16, f16 and f32 as stored, anything else as f32; the chosen part and channels, upright if that is
    // chosen. Throws Error or OutOfMemory.
    void (*decode)(const Codec& codec, const EncodedFile& file, ByteSpan content, DecodingTarget& target);
    // Whether its reader takes the file from memory. The others open /proc/self/fd/N.
    bool (*reads_memory)(const Codec& codec);
    // Loads the dictionary of DICOM, which is a file on the disk. Throws nothing.
    void (*prepare_dicom)();
    // Writes a file; asks for the rows from the first to the last, each once. Large TIFFs get tiles, see tiff_layout().
    // Throws Error, and what the file throws.
    void (*encode)(const Codec& codec, const RowSource& image, OutputFile& file);
    // Metadata in the header of one part: IPTC, XMP, … `own_exif`: leaves out what exif_rows reads.
    // Throws nothing that is not std::exception.
    std::vector<MetadataRow> (*describe)(const Codec& codec, const EncodedFile& file, ByteSpan content, int part,
                                         bool own_exif);
};

// Loads the module at the first call, which opens files. Callable from any thread. Throws Error if it cannot be loaded,
// then and at every other call, and in builds without OpenImageIO.
const OiioModule& oiio_module();

// Functions for the records of codecs: they call the module for the file's own format.
void decode_by_oiio(const EncodedFile& file, ByteSpan content, DecodingTarget& target);
// Decodes files of a codec that our own reader leaves to the library.
void decode_others_by_oiio(const EncodedFile& file, ByteSpan content, DecodingTarget& target);
void encode_by_oiio(const Codec& codec, const RowSource& image, OutputFile& file);
bool oiio_opens_file(const Codec& codec);

// The function in builds that have OpenImageIO, null in others.
template <class Function> constexpr Function* with_oiio(Function* function) {
    return TEXELSCOPE_WITH_OIIO ? function : nullptr;
}
inline constexpr uint32_t module_of_oiio = TEXELSCOPE_WITH_OIIO ? of_oiio : 0;

// Whether the library finds metadata that our own readers do not, judged by the file's first `head_for_oiio` bytes:
// IPTC, XMP, notes of Canon's cameras in a JPEG, and everything in a format that only it reads.
bool described_by_oiio(const Codec& codec, ByteSpan content);
inline constexpr size_t head_for_oiio = size_t(1) << 20;

// Whether a JPEG or a WebP holds such metadata.
bool has_segments_for_oiio(ByteSpan jpeg);
bool has_chunks_for_oiio(ByteSpan webp);

}  // namespace texelscope
