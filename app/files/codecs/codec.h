#pragma once
// A codec is what one file format is: how it is recognised, read, checked and written, and what its samples mean. One
// file of this folder holds it, and one row of codecs.cpp lists it.

#include <array>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "app/files/bytes/file_io.h"
#include "app/files/bytes/raw_samples.h"
#include "app/files/bytes/row_source.h"
#include "app/files/decoding/decoder.h"

namespace texelscope {

// The bytes that every file of a format has at this place.
struct Signature {
    size_t at = 0;
    std::string_view bytes = {};
};

// The sample types that a format stores, as bits, and which of them it takes for a float image by default.
constexpr unsigned bit_of(SampleType type) { return 1u << unsigned(type); }
inline constexpr unsigned holds_u8 = bit_of(SampleType::u8), holds_u16 = bit_of(SampleType::u16),
                          holds_f16 = bit_of(SampleType::f16), holds_f32 = bit_of(SampleType::f32), holds_all = ~0u;

// The modules with a library (modules.h), as in EncodedFile::modules.
inline constexpr uint32_t of_oiio = 1, of_libjxl = 2, of_openslide = 4, of_openjpeg = 8, of_libtiff = 16,
                          of_openexr = 32, of_libheif = 64;

struct Codec {
    std::string_view name;        // "PNG", as messages and `info` call it
    std::string_view extensions;  // lower case, separated by one space; the first is the usual one

    // What the samples of its files mean and how exactly they are read: cells of the table in docs/files.md.
    std::string_view samples;

    // By its first bytes; a format with neither of these is recognised by the extension alone.
    std::array<Signature, 10> signatures = {};
    bool (*recognise)(ByteSpan head) = nullptr;
    // What its files look like, as names of formats separated by spaces: there the extension decides, unless `knows` says
    // that the file merely has this extension. Null: all files of this extension are its own.
    std::string_view looks_like = {};
    bool (*knows)(const EncodedFile& file) = nullptr;

    // Reading. Either `parse`, in this process, for what merely has to be copied, or `decode`, in a decoder's: both null if
    // this build cannot, for want of `library`, which is in Debian's `package`.
    std::string_view library = "OpenImageIO", package = "libopenimageio-dev";
    Image (*parse)(ByteSpan file, const PictureChoice& choice, PictureFacts* facts) = nullptr;
    // Where the samples of a file are that `parse` would copy, by its beginning. Throws Error, NotInParts.
    RawSamples (*raw)(ByteSpan head, const PictureChoice& choice) = nullptr;
    bool layouts =
        false;  // it has arrays of three dimensions, whose channels come first or last: PictureChoice says which
    uint32_t modules = 0;  // that `decode` and `open_regions` need
    // What must be so before a library sees the file. Throws Error.
    void (*check)(ByteSpan file) = nullptr;
    // Fills the target. Throws Error or OutOfMemory.
    void (*decode)(const EncodedFile& file, ByteSpan content, DecodingTarget& target) = nullptr;
    // Whether `decode` opens the file by its name in /proc, for a library that cannot read from memory. Null: no.
    bool (*opens_file)(const Codec& codec) = nullptr;
    // As Decoder::open_regions. Null: its files are read as a whole.
    std::unique_ptr<const TileSource> (*open_regions)(const EncodedFile& file) = nullptr;

    // Metadata. What its own library says of a part. Throws Error.
    std::vector<MetadataRow> (*describe)(ByteSpan file, int part) = nullptr;
    // `oiio`: the name of its reader in OpenImageIO, empty if that is never asked; it is asked for those only if
    // `more_in_oiio` (null: yes) finds something in the first bytes that no reader of ours understands.
    std::string_view oiio = {};
    bool (*more_in_oiio)(ByteSpan head) = nullptr;
    ByteSpan (*exif)(ByteSpan file) = nullptr;
    bool turned_by_library = false;  // upright already when it is delivered
    std::vector<MetadataRow> (*texts)(ByteSpan file, int part) = nullptr;

    // Writing.
    struct Writing {
        unsigned types = 0;         // bits
        std::string_view channels;  // e.g. "134"
        Alpha alpha = Alpha::none;  // how its files store alpha; none: it has no alpha
        // Rows that fit the format, asked for from the first to the last, each once. Null: it is not written. Throws Error or
        // OutOfMemory, and what the file and the rows throw.
        void (*encode)(const Codec& codec, const RowSource& rows, OutputFile& file) = nullptr;
        bool pair_is_alpha = false, fourth_is_alpha = false;  // a second, a fourth channel always is
        bool icc = false;                                     // holds an ICC profile
        bool linear = false;                                  // its colours are linear light
        bool positive = false;                                // holds neither negative nor infinite values
        bool data = false;  // numbers, of which no colour is meant: f32 if none is chosen
        int64_t most_side = max_image_side;
        uint64_t most_gibibytes = 0;  // of a file; 0: any
    } writing = {};
};

}  // namespace texelscope
