#pragma once
// The directories of a TIFF file, which are also how EXIF data are laid out: tags with their values (Adobe's TIFF 6.0,
// section 2). Nothing is trusted: what points out of the bytes is left out.

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "app/files/bytes/raster.h"

namespace texelscope {

class TiffValues {
public:
    TiffValues(ByteSpan bytes, uint32_t type, bool little) : bytes_(bytes), type_(type), little_(little) {}

    bool is_text() const { return type_ == 2; }
    bool is_data() const { return type_ == 7; }  // of a kind that only the tag knows
    bool is_rational() const { return type_ == 5 || type_ == 10; }
    size_t count() const;
    // NaN if there is no such value, or a quotient by 0.
    double number(size_t i) const;
    uint32_t whole(size_t i) const;  // 0 if it is none
    // Without what is behind the first 0.
    std::string_view text() const;
    ByteSpan data() const { return bytes_; }

private:
    double part(size_t at) const;  // of a quotient

    ByteSpan bytes_;
    uint32_t type_;
    bool little_;
};

struct TiffEntry {
    uint32_t tag = 0;
    TiffValues values;
};

struct TiffDirectory {
    std::vector<TiffEntry> entries;
    uint64_t next = 0;  // where the next one is; 0: there is none

    // Null: it is not there.
    const TiffValues* find(uint32_t tag) const;
};

// Where the first directory is; unset if this is no classic TIFF (BigTIFF is not either).
std::optional<uint64_t> first_tiff_directory(ByteSpan tiff);
// Empty if there is none at this place.
TiffDirectory tiff_directory(ByteSpan tiff, uint64_t at);

}  // namespace texelscope
