#pragma once
// The boxes of an HEIF file without a picture, byte by byte as ISO/IEC 14496-12 and 23008-12 describe them.

#include <string>
#include <utility>
#include <vector>

#include "tests/files/bytes.h"

namespace texelscope::test {

inline std::string heif_box(const std::string& type, const std::string& content) {
    return big32(uint32_t(8 + content.size())) + type + content;
}

// Its main item, 1, has these properties in their order; item 2 is the EXIF data, whose place is an offset in the file.
inline std::string heif(const std::vector<std::pair<std::string, std::string>>& properties, const std::string& tiff) {
    using namespace std::string_literals;
    const std::string full = "\0\0\0\0"s, full2 = "\2\0\0\0"s;
    const auto item = [&](uint32_t id, const std::string& type) {
        return heif_box("infe", full2 + big16(id) + big16(0) + type + '\0');
    };
    std::string boxes, indices;
    for (const auto& [type, content] : properties) {
        boxes += heif_box(type, content);
        indices += char(0x80 | (indices.size() + 1));
    }
    const std::string exif_item = big32(6) + "Exif\0\0"s + tiff;
    const auto meta = [&](uint32_t place) {
        return heif_box("meta", full + heif_box("pitm", full + big16(1)) +
                                    heif_box("iinf", full + big16(2) + item(1, "hvc1") + item(2, "Exif")) +
                                    heif_box("iloc", full + "\x44\0"s + big16(1) + big16(2) + big16(0) + big16(1) +
                                                         big32(place) + big32(uint32_t(exif_item.size()))) +
                                    heif_box("iprp", heif_box("ipco", boxes) +
                                                         heif_box("ipma", full + big32(1) + big16(1) +
                                                                              char(indices.size()) + indices)));
    };
    const std::string head = heif_box("ftyp", "heic\0\0\0\0mif1"s);
    const size_t place = head.size() + meta(0).size() + 8;
    return head + meta(uint32_t(place)) + heif_box("mdat", exif_item);
}

}  // namespace texelscope::test
