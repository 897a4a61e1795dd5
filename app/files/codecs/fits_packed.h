#pragma once
// Images of FITS that are packed in tiles, each a row of a table (as fpack writes them: .fz). FITS Standard 4.0, section 10.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/files/bytes/raster.h"
#include "app/files/codecs/fits_cards.h"

namespace texelscope {

struct FitsTiles {
    struct Column {
        uint64_t at = 0;  // bytes from the beginning of a row
        char kind = 0;    // type of its numbers: P, Q, D, …
    };
    std::string method;  // RICE_1, GZIP_1, GZIP_2
    int bits = 0;        // the image's, as in FitsImage
    std::vector<uint64_t> axes, tile;
    uint64_t block = 32, stored_bytes = 4;  // parameters of RICE_1
    uint64_t table_at = 0, heap_at = 0, row_bytes = 0, rows = 0;
    std::optional<Column> packed, gzipped, plain, scales, zeros, blanks;
    double scale = 1, zero = 0;  // for floats stored as integers, unless each tile has its own
    bool quantised = false;
    int dither = 0;  // 1, 2; 0: none
    uint64_t seed = 1;
    std::optional<int64_t> blank = {};

    // Reads the header of a table with its data at `table_at`. Throws Error if it makes no sense or is of another kind.
    static FitsTiles of(const FitsCards& header, uint64_t table_at);
};

// One picture, of the first two axes, as it would lie in an unpacked file. Throws Error.
std::vector<std::byte> unpacked_fits(const FitsTiles& tiles, uint64_t picture, ByteSpan file);

// Unpacks `count` integers of `bytes` (1, 2 or 4) bytes, in blocks of `block`. Throws Error.
std::vector<int32_t> unpacked_rice(ByteSpan packed, uint64_t count, uint64_t block, uint64_t bytes);

}  // namespace texelscope
