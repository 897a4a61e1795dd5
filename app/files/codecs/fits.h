#pragma once
// FITS: the cards of a header, and pictures packed into tiles.

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/files/bytes/rows.h"

namespace texelscope {

// The header of a unit of a FITS file: cards of 80 letters, "NAME    = value / remark". FITS Standard 4.0, section 4.

inline constexpr uint64_t fits_block = 2880;  // headers and data are padded to multiples of it
inline constexpr uint64_t farthest_in_fits = uint64_t(1)
                                             << 60;  // beyond any file, and small enough to be multiplied by 8

class FitsCards {
public:
    // Reads the header at `at`, which is moved to its data. Throws Error if the header has no end.
    FitsCards(ByteSpan file, uint64_t& at);

    // The text of a card, without quotes and trailing blanks; empty if the card is missing.
    std::string text(std::string_view name) const;
    bool has(std::string_view name) const { return values_.find(name) != values_.end(); }
    // The number of a card; unset if the card is missing. Throws Error if it is no such number.
    std::optional<int64_t> integer(std::string_view name) const;
    std::optional<double> real(std::string_view name) const;
    // A number of at least 0. Throws Error if the card is missing or holds no such number.
    uint64_t count(const std::string& name) const;
    uint64_t count(const std::string& name, uint64_t usual) const { return has(name) ? count(name) : usual; }

private:
    std::map<std::string, std::string, std::less<>> values_;  // the first value of each name
};

// Images of FITS that are packed in tiles, each a row of a table (as fpack writes them: .fz). FITS Standard 4.0, section 10.

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
