#pragma once
// OpenImageIO, which reads and writes most formats. With the two hundred libraries that it brings it takes longer to load
// than most pictures take to decode, so it is a module (app/files/oiio) that is loaded by the first file that needs it.

#include <vector>

#include "app/files/bytes/file_io.h"
#include "app/files/bytes/row_source.h"
#include "app/files/codecs/codecs.h"
#include "app/files/decoding/decoder.h"

namespace texelscope {

// What the module can do.
struct OiioModule {
    // u8, u16, f16 and f32 as stored, anything else as f32; the chosen part and channels, turned upright if that is chosen.
    // Throws Error or OutOfMemory.
    void (*decode)(const Format& format, const EncodedFile& file, ByteSpan content, DecodingTarget& target);
    // Whether its reader takes the file from memory. The others open /proc/self/fd/N.
    bool (*reads_memory)(const Format& format);
    // Asks for the rows from the first to the last, each once. Large TIFFs in tiles, see tiff_layout(). Throws Error, and
    // what the file throws.
    void (*encode)(const Format& format, const RowSource& image, OutputFile& file);
    // What the header of one part says: IPTC, XMP, the attributes of OpenEXR, … `own_exif`: without what exif_rows says.
    // Throws nothing that is not std::exception.
    std::vector<MetadataRow> (*describe)(const Format& format, const EncodedFile& file, ByteSpan content, int part,
                                         bool own_exif);
    // The picture by regions: tiled files, strips and blocks of rows of a reasonable size, and the smaller images that they
    // hold of it. Read for as long as the file's descriptor is open. Throws Error, NotInParts.
    std::unique_ptr<const TileSource> (*open_regions)(const Format& format, const EncodedFile& file);
};

// Loads it at the first call, which opens files. From any thread. Throws Error if it cannot be loaded, then and at every
// other call, and in builds without OpenImageIO.
const OiioModule& oiio_module();

// What the library can say of a file besides our own readers, by the file's first `head_for_oiio` bytes or more: IPTC, XMP,
// notes of Canon's cameras in a JPEG, and all of a format that only it reads.
bool described_by_oiio(const Format& format, ByteSpan content);
inline constexpr size_t head_for_oiio = size_t(1) << 20;

}  // namespace texelscope
