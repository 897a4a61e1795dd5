#pragma once
// All that a file says of itself besides its samples, in words.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/files/bytes/rows.h"
#include "app/files/codecs/codecs.h"
#include "app/files/decoding/decoder.h"
#include "app/files/decoding/picture_in_file.h"

namespace texelscope {

// What is in its bytes: Decoder::describe.
std::vector<MetadataRow> rows_of_content(const Codec& codec, const EncodedFile& file, ByteSpan content,
                                         const PictureFacts& facts);

// What its place and its picture say, in two groups, in front of those. `descriptor`: of the open file.
std::vector<MetadataRow> rows_of_file(const std::filesystem::path& path, int descriptor, std::string_view format);
std::vector<MetadataRow> rows_of_picture(const PictureFacts& facts);

// A line for each row, under the names of their groups.
std::string text_of(const std::vector<MetadataRow>& rows);

// What a whole file says about its colours (colour_tags.h) in words. Little CMS reads an embedded profile: to be called
// where a crash harms nothing.
std::vector<MetadataRow> colour_rows(ByteSpan file);

// EXIF data in words: CIPA DC-008-2019 (Exif 2.32), sections 4.6.4 to 4.6.6; Adobe's TIFF 6.0.

// The rows of EXIF data, or of the directory number `part` (from 0) of a whole classic TIFF, with what its EXIF and GPS
// directories hold. `group`: of what the first directory says. Throws nothing, whatever the bytes are.
std::vector<MetadataRow> exif_rows(ByteSpan tiff, std::string_view group = "EXIF", int part = 0);

// The directories of a TIFF file, which are also how EXIF data are laid out: tags with their values (Adobe's TIFF 6.0,
// section 2). Nothing is trusted: what points out of the bytes is left out.

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

namespace texelscope::exif {

// How the values of EXIF tags are said: "1/250 s", "f/2.8", "35 mm".

std::string number(double value);  // up to 6 digits; "unknown" if it is no finite number

std::string seconds(const TiffValues& values);           // "1/250 s"
std::string seconds_of_apex(const TiffValues& values);   // "1/250 s" from −log₂
std::string f_number(const TiffValues& values);          // "f/2.8"
std::string f_number_of_apex(const TiffValues& values);  // "f/2.8" from 2·log₂
std::string millimetres(const TiffValues& values);       // "35 mm"
std::string metres(const TiffValues& values);            // "2.5 m", "infinity"
std::string stops(const TiffValues& values);             // "+0.33 EV"
std::string lens(const TiffValues& values);              // "24–70 mm, f/2.8"
std::string date(const TiffValues& values);              // "2024-05-01 12:30:00"
std::string version(const TiffValues& values);           // "2.32"
std::string remark(const TiffValues& values);            // a text behind its character set
std::string utf16(const TiffValues& values);             // of Windows' own tags
std::string flash(const TiffValues& values);
std::string orientation(const TiffValues& values);
std::string exposure_program(const TiffValues& values);
std::string metering(const TiffValues& values);
std::string light_source(const TiffValues& values);
std::string colour_space(const TiffValues& values);
std::string compression(const TiffValues& values);
std::string photometric(const TiffValues& values);
std::string resolution_unit(const TiffValues& values);
std::string planar(const TiffValues& values);
std::string sample_format(const TiffValues& values);
std::string exposure_mode(const TiffValues& values);
std::string white_balance(const TiffValues& values);
std::string scene(const TiffValues& values);
std::string level(const TiffValues& values);  // "normal", "low", "high"

}  // namespace texelscope::exif
