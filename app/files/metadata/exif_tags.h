#pragma once
// The tags of EXIF and TIFF that people ask for, with their names and the words for their values.

#include <cstdint>
#include <string>

#include "app/files/metadata/tiff_directory.h"

namespace texelscope {

struct ExifTag {
    uint32_t tag;
    const char* name;
    std::string (*words)(const TiffValues& values);  // null: plain_words
};

// Null: unknown, or of no interest to people (where the samples are, how other directories are found).
const ExifTag* find_exif_tag(uint32_t tag);
const ExifTag* find_gps_tag(uint32_t tag);
bool is_plumbing(uint32_t tag);

// Text as it is, a few numbers, and how many of more.
std::string plain_words(const TiffValues& values);

}  // namespace texelscope
