#pragma once
// OpenEXR files byte by byte, as "OpenEXR File Layout" describes them: one part, no compression, rows from the top.

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "tests/files/bytes.h"

namespace texelscope::test {

enum class ExrType : uint32_t { uint, half, real };

struct ExrChannelBytes {
    std::string name;
    ExrType type;
    std::vector<std::string> rows;  // the samples of a row, one after another, little-endian
};

struct ExrWindow {
    int left, top, right, bottom;  // all inclusive
};

inline std::string exr_attribute(const std::string& name, const std::string& type, const std::string& value) {
    return name + '\0' + type + '\0' + little32(uint32_t(value.size())) + value;
}

inline std::string exr_box(const ExrWindow& box) {
    return little32(uint32_t(box.left)) + little32(uint32_t(box.top)) + little32(uint32_t(box.right)) +
           little32(uint32_t(box.bottom));
}

inline std::string little_float(float value) {
    uint32_t bits;
    std::memcpy(&bits, &value, 4);
    return little32(bits);
}

// A whole file; channels are in the order of their names and have as many rows as the data window.
inline std::string exr(const std::vector<ExrChannelBytes>& channels, const ExrWindow& data, const ExrWindow& display,
                       const std::string& more_attributes = "") {
    using namespace std::string_literals;
    std::string list;
    for (const ExrChannelBytes& channel : channels)
        list += channel.name + '\0' + little32(uint32_t(channel.type)) + little32(0) + little32(1) + little32(1);
    const std::string header =
        "v/1\1"s + little32(2) + exr_attribute("channels", "chlist", list + '\0') +
        exr_attribute("compression", "compression", "\0"s) + exr_attribute("dataWindow", "box2i", exr_box(data)) +
        exr_attribute("displayWindow", "box2i", exr_box(display)) + exr_attribute("lineOrder", "lineOrder", "\0"s) +
        exr_attribute("pixelAspectRatio", "float", little_float(1)) +
        exr_attribute("screenWindowCenter", "v2f", little_float(0) + little_float(0)) +
        exr_attribute("screenWindowWidth", "float", little_float(1)) + more_attributes + '\0';
    const size_t rows = size_t(data.bottom - data.top + 1);
    std::string table, chunks;
    for (size_t y = 0; y < rows; ++y) {
        std::string row;
        for (const ExrChannelBytes& channel : channels) row += channel.rows.at(y);
        table += little32(uint32_t(header.size() + 8 * rows + chunks.size())) + little32(0);
        chunks += little32(uint32_t(data.top + int(y))) + little32(uint32_t(row.size())) + row;
    }
    return header + table + chunks;
}

inline std::string exr(const std::vector<ExrChannelBytes>& channels, int width, int height) {
    return exr(channels, {0, 0, width - 1, height - 1}, {0, 0, width - 1, height - 1});
}

// A channel of one row.
inline ExrChannelBytes exr_integers(const std::string& name, const std::vector<uint32_t>& values) {
    std::string row;
    for (const uint32_t value : values) row += little32(value);
    return {name, ExrType::uint, {row}};
}
inline ExrChannelBytes exr_floats(const std::string& name, const std::vector<float>& values) {
    std::string row;
    for (const float value : values) row += little_float(value);
    return {name, ExrType::real, {row}};
}
inline ExrChannelBytes exr_halves(const std::string& name, const std::vector<uint32_t>& bits) {
    std::string row;
    for (const uint32_t half : bits) row += little16(half);
    return {name, ExrType::half, {row}};
}

}  // namespace texelscope::test
