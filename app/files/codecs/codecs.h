#pragma once
// The codecs of all file formats.

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/files/bytes/file_io.h"
#include "app/files/bytes/rows.h"
#include "app/files/decoding/decoder.h"
#include "app/files/decoding/picture_in_file.h"

namespace texelscope {

// A codec is what one file format is: how it is recognised, read, checked and written, and what its samples mean. One
// file of this folder holds it, and one row of codecs.cpp lists it.

// The bytes that every file of a format has at this place.
struct Signature {
    size_t at = 0;
    std::string_view bytes = {};
};

// Bits for the sample types that a format stores.
constexpr unsigned bit_of(SampleType type) { return 1u << unsigned(type); }
inline constexpr unsigned holds_u8 = bit_of(SampleType::u8), holds_u16 = bit_of(SampleType::u16),
                          holds_f16 = bit_of(SampleType::f16), holds_f32 = bit_of(SampleType::f32), holds_all = ~0u;

// Bits for the modules that wrap a library (modules.h), as in EncodedFile::modules.
inline constexpr uint32_t of_oiio = 1, of_libjxl = 2, of_openslide = 4, of_openjpeg = 8, of_libtiff = 16,
                          of_openexr = 32, of_libheif = 64,
                          of_dicom_terms = 128;  // the dictionary that OpenImageIO's reader of DICOM needs

struct Codec {
    std::string_view name;        // "PNG", as messages and `info` call it
    std::string_view extensions;  // lower case, separated by one space; the first is the usual one

    // Cell of the table in docs/files.md: what the samples mean and how exactly they are read.
    std::string_view samples;

    // Recognition by the first bytes; a format with neither of these is recognised by the extension alone.
    std::array<Signature, 10> signatures = {};
    bool (*recognise)(ByteSpan head) = nullptr;
    // Whether the first bytes may be those of a format without a signature: decides if nothing else is known.
    bool (*plausible)(ByteSpan head) = nullptr;
    // Names of formats, separated by spaces, that its files look like: there the extension decides, unless `knows` says
    // that the file merely has this extension. Null: all files of this extension are its own.
    std::string_view looks_like = {};
    bool (*knows)(const EncodedFile& file) = nullptr;

    // Reading: either `parse`, in this process, for samples that are merely copied, or `decode`, in a decoder process.
    // Both are null if this build lacks `library`, which is in Debian's `package`.
    std::string_view library = "OpenImageIO", package = "libopenimageio-dev";
    Image (*parse)(ByteSpan file, const PictureChoice& choice, PictureFacts* facts) = nullptr;
    // Finds the samples that `parse` would copy, from the beginning of the file. Throws Error, NotInParts.
    RawSamples (*raw)(ByteSpan head, const PictureChoice& choice) = nullptr;
    bool layouts =
        false;  // it has arrays of three dimensions, whose channels come first or last: PictureChoice says which
    uint32_t modules = 0;  // bits of the modules that `decode` and `open_regions` need
    // Checks the file before a library sees it. Throws Error.
    void (*check)(ByteSpan file) = nullptr;
    // Fills the target. Throws Error or OutOfMemory.
    void (*decode)(const EncodedFile& file, ByteSpan content, DecodingTarget& target) = nullptr;
    // Whether `decode` opens the file by its name in /proc, for a library that cannot read from memory. Null: no.
    bool (*opens_file)(const Codec& codec) = nullptr;
    // Implements Decoder::open_regions. Null: files are read as a whole.
    std::unique_ptr<const TileSource> (*open_regions)(const EncodedFile& file) = nullptr;

    // Metadata: rows that the format's own library gives for a part. Throws Error.
    std::vector<MetadataRow> (*describe)(ByteSpan file, int part) = nullptr;
    // `oiio`: the name of its reader in OpenImageIO, empty if that is never used; it is asked for metadata only if
    // `more_in_oiio` (null: always) finds something in the first bytes that none of our readers understands.
    std::string_view oiio = {};
    bool (*more_in_oiio)(ByteSpan head) = nullptr;
    ByteSpan (*exif)(ByteSpan file) = nullptr;
    bool turned_by_library = false;  // the library delivers it upright
    std::vector<MetadataRow> (*texts)(ByteSpan file, int part) = nullptr;

    // Writing.
    struct Writing {
        unsigned types = 0;         // bits of its sample types
        std::string_view channels;  // e.g. "134"
        Alpha alpha = Alpha::none;  // how its files store alpha; none: they are written without
        // Writes rows that fit the format; asks for each once, in order. Null: writing is not possible. Throws Error or
        // OutOfMemory, and what the file and the rows throw.
        void (*encode)(const Codec& codec, const RowSource& rows, OutputFile& file) = nullptr;
        bool pair_is_alpha = false, fourth_is_alpha = false;  // a second or fourth channel is always alpha
        bool icc = false;                                     // holds an ICC profile
        bool linear = false;                                  // its colours are linear light
        bool positive = false;                                // holds neither negative nor infinite values
        bool data = false;  // plain numbers that mean no colour: written as f32 if no type is chosen
        int64_t most_side = max_image_side;
        uint64_t most_gibibytes = 0;  // limit for a file; 0: none
    } writing = {};
};

// All codecs, in the order in which they are listed for people.
std::span<const Codec* const> codecs();
// The codec's place in codecs(), as in EncodedFile::format.
int place_of(const Codec& codec);
const Codec& codec_of(const EncodedFile& file);

// The number of first bytes that `recognise` needs; the <svg of a drawing may come after comments.
inline constexpr size_t signature_bytes = 1024;

// The codec for the signature, else for the extension if its format has none, else the one for which the first bytes
// are plausible; nullptr if there is none.
const Codec* recognise(ByteSpan head, const std::filesystem::path& path);
// The codec for the signature alone; nullptr if no format has it.
const Codec* codec_of_signature(ByteSpan head);
// The codec for the extension alone; nullptr if no format has it.
const Codec* codec_of_extension(const std::filesystem::path& path);

// Whether this build reads, and whether it writes, the format.
inline bool readable(const Codec& codec) { return codec.parse || codec.decode; }
inline bool writable(const Codec& codec) { return codec.writing.encode != nullptr; }
// Advice about a format that this build cannot read.
std::string words_of_unreadable(const Codec& codec);

// The kind of files that belong to a file of this name.
Beside files_beside(const std::filesystem::path& path);
// The companions of the file at `path`; null if there is no such file, or it has none.
std::shared_ptr<const Companions> companions_of(const std::filesystem::path& path);

// Why a file of this format, as this build writes it, has no room for a picture: "JPEG files have at most 65500 pixels per
// side"; empty if it has. `bytes`: the size of all samples in the file.
std::string why_no_room(const Codec& codec, int64_t width, int64_t height, uint64_t bytes);

// The extensions, "png", "jpg", …, of every format that `wanted` accepts.
std::vector<std::string> extensions_where(bool (*wanted)(const Codec&));

// Counts what a file cannot keep of a picture while it is written, so that nothing is lost silently.

struct Losses {
    uint64_t nan = 0, infinite = 0, beyond = 0;  // samples
    uint64_t hidden = 0, over_black = 0;         // pixels
    uint64_t unused = 0;                         // transparent pixels of the source whose colours weigh nothing
    uint64_t too_large = 0;                      // samples of the source that were computed as infinite
    std::string_view format = {};                // its name, if pixels are lost
    bool fourth_channel = false;
    double least = 0, most = 1;  // range of the file's samples
    bool to_infinity = false;    // finite values beyond the range become infinite
};

// Counts pixels whose alpha such files cannot keep, and transparent ones that lose their colour.
void count_lost_pixels(const Codec& codec, const Image& picture, Losses& losses);

// Counts transparent pixels with a colour; 0 without straight alpha.
uint64_t count_hidden_colours(const Image& image);

// Counts finite samples that 32-bit floats, in which everything is computed, do not hold.
uint64_t count_too_large(const Image& image);

// Counts samples that such a file cannot hold in this type.
void count_lost_samples(const Codec& codec, const Image& samples, SampleType type, Losses& losses);

// "12 NaN became 0; 3045 values beyond 0 to 1 were clamped"; empty if nothing was lost.
std::string words_of(const Losses& losses);

// Formats that stb_image_write writes in builds without OpenImageIO: TGA and Radiance HDR.

// The rows already fit the format: u8, or f32 for HDR; why_no_room() has its limits. Throws Error.
void encode_with_stb(const Codec& codec, const RowSource& image, OutputFile& file);

// Walks the structure of a file before it is decoded. The libraries fill missing parts with zeros or grey, some after
// allocating whatever a hostile header asks for, one in an endless loop; here each case is a clear error message.

// These throw Error.
void check_png(ByteSpan bytes);
void check_jpeg(ByteSpan bytes);

// What pictures of other formats carry within: EXIF data, and texts of PNG and JPEG.

// Finds a picture's EXIF data and the orientation that a camera noted in them. Everything else: metadata/exif.h.
// CIPA DC-008-2019 (Exif 2.32), section 4.6.4; Adobe's TIFF 6.0, section 2.

struct Codec;

// The orientation, tag 0x0112 of the first directory, 1 to 8; 1 if it is missing or makes no sense.
int orientation_in_exif(ByteSpan exif);

// The EXIF data in a whole JPEG (APP1), PNG (eXIf) or WebP (EXIF); empty if there are none. Throw nothing.
ByteSpan exif_of_jpeg(ByteSpan file);
ByteSpan exif_of_png(ByteSpan file);
ByteSpan exif_of_webp(ByteSpan file);

// The orientation in the EXIF data of a whole file; 1 for formats that have none, or are turned by their library. Throws
// nothing, whatever the bytes are.
int stored_orientation(const Codec& codec, ByteSpan file);

// Texts that people and programs put into PNG (tEXt, zTXt, iTXt, tIME, pHYs; W3C's PNG, third edition) and JPEG (COM, the
// resolution of JFIF).

// Both of a whole file; they end where it makes no sense, and throw nothing.
std::vector<MetadataRow> png_texts(ByteSpan file);
std::vector<MetadataRow> jpeg_texts(ByteSpan file);

// How the samples of a TIFF that is written are laid out.

struct TiffLayout {
    int tile_width = 0, tile_height = 0;  // pixels, multiples of 16; 0: strips of whole rows
    bool big = false;                     // BigTIFF, whose offsets have 64 bits
};

// Tiles from 64 MiB of samples on, so that a part can be read without the rest: of 256×256 pixels, lower if a row of them
// would take more than 128 MiB. BigTIFF if the samples, should they not compress, could fill the 4 GiB of a TIFF.
TiffLayout tiff_layout(const RowSource& picture);

// JPEG through libjpeg-turbo, in every build: fast, and for pictures of up to 65 500×65 500 pixels.

// One channel, or three; four inks become sRGB (see Inks). The bytes have passed check_jpeg. Decodes straight into the
// target, or in bands if it is turned; smaller if that is enough (see Reading): a progressive file also takes two bytes a sample meanwhile. Throws Error or
// OutOfMemory.
void decode_jpeg(const EncodedFile& file, ByteSpan bytes, DecodingTarget& target);

// u8, one channel or three, of quality 95, colour at the full size. Asks for the rows from the first to the last, each
// once. Throws Error or OutOfMemory, and what the sink throws.
void encode_jpeg(const RowSource& image, const ByteSink& sink);

// How far a file is a JPEG: up to its end marker, or as far as its segments continue.
struct JpegExtent {
    size_t bytes = 0;                // counted from the start of the file; later bytes are not the picture's
    bool ends_early = false;         // the file ends before an end marker
    uint32_t width = 0, height = 0;  // as its frame header claims
};

// Throws Error for a file that ends before its first scan, or is damaged there.
JpegExtent extent_of_jpeg(ByteSpan file);

}  // namespace texelscope
