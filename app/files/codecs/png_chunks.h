#pragma once
// A walk over the chunks of a PNG, up to the last one: files may end early, or continue with something else.
// W3C, PNG (third edition), section 5.

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "app/files/bytes/file_io.h"
#include "app/files/bytes/raster.h"

namespace texelscope {

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

// Puts texts into a PNG file: pairs of a keyword and a text. metadata/embedded_texts.h reads them.
using PngTexts = std::map<std::string, std::string>;

// The file with these texts behind its header, as tEXt. Keywords have 1 to 79 characters; all are Latin-1.
Bytes with_texts(ByteSpan png, const PngTexts& texts);

}  // namespace texelscope
