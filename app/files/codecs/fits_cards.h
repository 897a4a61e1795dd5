#pragma once
// The header of a unit of a FITS file: cards of 80 letters, "NAME    = value / remark". FITS Standard 4.0, section 4.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "app/files/bytes/raster.h"

namespace texelscope {

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

}  // namespace texelscope
