#pragma once
// PNG through libpng, in every build: its chunks, its picture, and frames of animations.

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "app/files/bytes/file_io.h"
#include "app/files/bytes/rows.h"
#include "app/files/decoding/decoder.h"

namespace texelscope {

// A walk over the chunks of a PNG, up to the last one: files may end early, or continue with something else.
// W3C, PNG (third edition), section 5.
struct PngChunk {
    size_t at = 0;                     // its first byte
    std::string_view type;             // "IDAT"
    ByteSpan data;                     // its data, as far as the file has them
    bool whole = false;                // all its data are there
    std::optional<uint32_t> sum = {};  // unset: the file ends before it
};

class PngChunks {
public:
    // Begins behind the signature. Throws Error if the signature is incomplete.
    explicit PngChunks(ByteSpan file);

    // The next chunk; none after IEND, at the end of the file, and before bytes that are no chunk.
    std::optional<PngChunk> next();

    size_t at() const { return at_; }  // behind the last chunk
    // After the last chunk: whether the file ended before IEND, rather than continuing with something else.
    bool ends_early() const { return ends_early_; }
    bool has_end() const { return has_end_; }

private:
    ByteSpan file_;
    size_t at_ = 8;
    bool has_end_ = false, ends_early_ = false;
};

// Puts texts into a PNG file: pairs of a keyword and a text. png_texts() reads them.
using PngTexts = std::map<std::string, std::string>;

// The file with these texts behind its header, as tEXt. Keywords have 1 to 79 characters; all are Latin-1.
Bytes with_texts(ByteSpan png, const PngTexts& texts);

// PNG through libpng, in every build.

// u8 or u16: palettes as colours, 1 to 4 bits of grey as eight, transparency as straight alpha; gamma and profiles change
// no sample. The bytes have passed check_png. Throws Error or OutOfMemory.
void decode_png(const PictureChoice& choice, ByteSpan bytes, DecodingTarget& target);

// The first picture of a file that has been made here, and so needs no process of its own.
Image parse_png(ByteSpan bytes);

// u8 or u16, 1 to 4 channels: grey, grey and alpha, RGB, RGB and alpha. Asks for the rows from the first to the last, each
// once. Throws Error or OutOfMemory, and what the sink throws.
void encode_png(const RowSource& image, const ByteSink& sink);

// Frames of animated PNG, which the libraries show only the first picture of.
// W3C, PNG (third edition), sections 5.4, 11.3.3 and 12.5: acTL, fcTL, fdAT.

// The pictures of a whole PNG, one part each: 1 for one that is not animated. If the still picture that other programs
// show is no frame, it comes first.
std::vector<PictureFacts::Part> parts_of_png(ByteSpan file);

// The canvas after frame `part` of parts_of_png, from 1, has been drawn: straight RGBA, u8 or u16. Throws Error.
Image apng_frame(ByteSpan file, int part);

// A canvas on which frames are drawn over each other: animated PNG.

// Fills the target with the chosen channels of a canvas of straight RGBA; `facts` has the parts, the current one, and
// the orientation. Throws Error.
void show_canvas(Image canvas, const PictureChoice& choice, PictureFacts facts, DecodingTarget& target);

}  // namespace texelscope
