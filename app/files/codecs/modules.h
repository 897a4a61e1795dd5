#pragma once
// Our modules: libraries that are loaded by the first file that needs them, as loading them takes longer than most pictures
// take to decode; and what each of them can do.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "app/files/bytes/rows.h"
#include "app/files/codecs/codecs.h"
#include "app/files/decoding/decoder.h"

namespace texelscope {

struct LoadedModule {
    const void* functions = nullptr;  // what its entry function returned
    std::string problem;              // why there is none
};

// Loads NAME.so, which lies beside the program or where it is installed, for good, and calls its function NAME with this
// program's version. Opens files.
LoadedModule load_module(const std::string& name);

// Throws Error, which names the library in it, if it could not be loaded.
const void* functions_of(const LoadedModule& module, std::string_view library);

// The functions of the one module of this type, NAME.so, which is loaded at the first call. Throws Error if it cannot be,
// then and at every other call, and in builds without it.
template <class Module> const Module& module_named(const char* name, bool built, std::string_view library) {
    static const LoadedModule loaded = built ? load_module(name) : LoadedModule{nullptr, "this build does not have it"};
    return *static_cast<const Module*>(functions_of(loaded, library));
}

// OpenJPEG, which reads JPEG 2000: a module (app/files/codecs/openjpeg). What it does not read in parts, OpenImageIO
// reads as a whole.

// What the module can do.
struct OpenJpegModule {
    // One to four channels, with the smaller images that its wavelets hold: as numbers if all are signed, else of up to
    // 16 bits as u8 or u16. Read for as long as the file's descriptor is open. Throws Error; NotInParts for palettes,
    // YCC, channels of several sizes, and what is one huge tile.
    std::unique_ptr<const TileSource> (*open_regions)(const EncodedFile& file);
    // The whole picture, with the samples of open_regions. Throws Error, NotInParts or OutOfMemory.
    void (*decode)(const EncodedFile& file, DecodingTarget& target);
};

// Loads it at the first call, which opens files. From any thread. Throws Error if it cannot be loaded, then and at every
// other call, and in builds without OpenJPEG.
const OpenJpegModule& openjpeg_module();

// libjxl, the reader of JPEG XL: a module (app/files/codecs/jxl), as what it brings computes for some milliseconds when it is loaded,
// which would be part of every start.

// What the module can do.
struct JxlModule {
    // One or three channels and alpha, as u8, u16 or f32; of an animation, the canvas after the chosen frame. Lossy pictures
    // have no colour space of their own and become sRGB, those of floats linear light; lossless ones are read as stored.
    // Throws Error or OutOfMemory.
    void (*decode)(const PictureChoice& choice, ByteSpan file, DecodingTarget& target);
};

// Loads it at the first call, which opens files. From any thread. Throws Error if it cannot be loaded, then and at every
// other call, and in builds without libjxl.
const JxlModule& jxl_module();

// OpenEXR: a module (app/files/codecs/openexr), as it brings libraries that most starts need not load.

// The functions of the module.
struct OpenExrModule {
    // Delivers samples of the data window, with the display window as the picture's frame: f16, f32 and u32 as stored,
    // half with float as f32, integers with floats as f64, so that nothing is lost. Luminance and chroma become R, G
    // and B, f16. Alpha is premultiplied; integers have none. Throws Error or OutOfMemory.
    void (*decode)(const EncodedFile& file, ByteSpan content, DecodingTarget& target);
    // Metadata of a part's header: windows, compression, tiles and attributes not shown elsewhere. Throws Error.
    std::vector<MetadataRow> (*describe)(ByteSpan content, int part);
    // Tiles with their MIP levels, or blocks of rows. Read for as long as the file's descriptor is open. Throws Error,
    // NotInParts.
    std::unique_ptr<const TileSource> (*open_regions)(const EncodedFile& file);
};

// Loads it at the first call, which opens files. From any thread. Throws Error if it cannot be loaded, then and at every
// other call, and in builds without OpenEXR.
const OpenExrModule& openexr_module();

// OpenSlide, the reader of whole-slide images: a module (app/files/codecs/openslide), as it brings GLib, Cairo and forty other
// libraries that only slides need.

// What the module can do.
struct OpenSlideModule {
    // Whether the file is a slide that the library reads better than a reader of TIFF does: not a generic tiled TIFF, of which
    // it gives eight bits of RGB only. Opens the file by its name in /proc. Throws nothing.
    bool (*knows)(const EncodedFile& file);
    // The slide with its levels, as RGB of eight bits over the background that it names, or white. Throws Error.
    std::unique_ptr<const TileSource> (*open_regions)(const EncodedFile& file);
    // The whole slide, with the samples of open_regions. Throws Error or OutOfMemory.
    void (*decode)(const EncodedFile& file, DecodingTarget& target);
};

// Loads it at the first call, which opens files. From any thread. Throws Error if it cannot be loaded, then and at every
// other call, and in builds without OpenSlide.
const OpenSlideModule& openslide_module();

// libtiff, the reader of TIFF: a module (app/files/codecs/tiff), as the codecs that it brings take some milliseconds to load,
// which would be part of every start.

// The functions of the module.
struct TiffModule {
    // Delivers what the tags say, see docs/files.md. Unsigned integers of up to 16 bits become u8 if that is exact,
    // else u16; all other numbers stay what they are. Throws Error or OutOfMemory.
    void (*decode)(const EncodedFile& file, ByteSpan content, DecodingTarget& target);
    // The picture in tiles or strips of a reasonable size, with the smaller images of it in the file, readable while
    // the file's descriptor is open. Throws Error, NotInParts.
    std::unique_ptr<const TileSource> (*open_regions)(const EncodedFile& file);
    // Rows that say how the samples of a page are stored. Throws Error.
    std::vector<MetadataRow> (*describe)(ByteSpan content, int part);
};

// Loads the module at the first call, which opens files. Callable from any thread. Throws Error if it cannot be loaded,
// then and at every other call, and in builds without libtiff.
const TiffModule& tiff_module();

// OpenImageIO, which reads and writes many formats. With the two hundred libraries that it brings it takes longer to load
// than most pictures take to decode, so it is a module (app/files/codecs/oiio), loaded by the first file that needs it.

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

// The record of a format of which OpenImageIO reads what our own reader does not.
constexpr Codec helped_by_oiio(Codec codec) {
    codec.modules |= module_of_oiio;
    codec.opens_file = with_oiio(oiio_opens_file);
    return codec;
}

// The record of a format that only OpenImageIO reads.
constexpr Codec read_by_oiio(Codec codec) {
    codec.decode = with_oiio(decode_by_oiio);
    return helped_by_oiio(codec);
}

// Whether the library finds metadata that our own readers do not, judged by the file's first `head_for_oiio` bytes:
// IPTC, XMP, notes of Canon's cameras in a JPEG, and everything in a format that only it reads.
bool described_by_oiio(const Codec& codec, ByteSpan content);
inline constexpr size_t head_for_oiio = size_t(1) << 20;

// Whether a JPEG or a WebP holds such metadata.
bool has_segments_for_oiio(ByteSpan jpeg);
bool has_chunks_for_oiio(ByteSpan webp);

}  // namespace texelscope
