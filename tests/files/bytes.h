#pragma once
// Files built byte by byte for the tests, independently of the code under test.

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include <unistd.h>

#include "app/files/bytes/file_io.h"
#include "app/files/bytes/raster.h"
#include "app/files/bytes/rows.h"

namespace texelscope::test {

inline ByteSpan span_of(std::string_view text) { return std::as_bytes(std::span(text)); }

inline std::string big16(uint32_t v) { return {char(v >> 8), char(v)}; }
inline std::string big32(uint32_t v) { return {char(v >> 24), char(v >> 16), char(v >> 8), char(v)}; }
inline std::string little16(uint32_t v) { return {char(v), char(v >> 8)}; }
inline std::string little32(uint32_t v) { return {char(v), char(v >> 8), char(v >> 16), char(v >> 24)}; }

// Removed with all it holds at the end of the test.
class Folder {
public:
    Folder() {
        // In memory if there is such a file system: the tests write thousands of small files.
        const bool in_memory = ::access("/dev/shm", W_OK) == 0;
        const auto base = in_memory ? std::filesystem::path("/dev/shm") : std::filesystem::temp_directory_path();
        std::string name = (base / "texelscope-test-XXXXXX").string();
        path_ = ::mkdtemp(name.data());
    }
    ~Folder() { std::filesystem::remove_all(path_); }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;

    std::filesystem::path operator/(std::string_view name) const { return path_ / name; }
    const std::filesystem::path& path() const { return path_; }
    std::filesystem::path write(std::string_view name, std::string_view content) const {
        std::ofstream(path_ / name, std::ios::binary) << content;
        return path_ / name;
    }
    size_t count() const {
        return size_t(std::distance(std::filesystem::directory_iterator(path_), std::filesystem::directory_iterator()));
    }

private:
    std::filesystem::path path_;
};

inline std::string content_of(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

// Every sample of a row, as stored.
template <class T> std::vector<T> samples(const Image& image) {
    const T* begin = reinterpret_cast<const T*>(image.data());
    return {begin, begin + image.size_bytes() / sizeof(T)};
}

// The text of the Error that `work` throws, or "".
template <class Work> std::string error_of(Work work) {
    try {
        work();
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

// What an encoder makes of an image.
inline Bytes encoded(void (*encode)(const RowSource&, const ByteSink&), const Image& image) {
    Bytes bytes;
    encode(rows_of(image), [&](ByteSpan more) { bytes.insert(bytes.end(), more.begin(), more.end()); });
    return bytes;
}

inline uint32_t crc_by_bits(std::string_view text) {
    uint32_t crc = ~0u;
    for (const char c : text)
        for (uint32_t bit = 0, byte = uint8_t(c); bit < 8; ++bit, byte >>= 1)
            crc = (crc >> 1) ^ ((crc ^ byte) & 1 ? 0xedb88320u : 0u);
    return ~crc;
}

inline std::string chunk(const std::string& type, const std::string& data) {
    return big32(uint32_t(data.size())) + type + data + big32(crc_by_bits(type + data));
}

// A zlib stream of one stored block.
inline std::string stored(const std::string& data) {
    uint32_t a = 1, b = 0;
    for (const char c : data) {
        a = (a + uint8_t(c)) % 65521;
        b = (b + a) % 65521;
    }
    const auto n = uint32_t(data.size());
    return "\x78\x01\x01" + little16(n) + little16(~n) + data + big32(b << 16 | a);
}

// `rows` holds every row with its filter byte in front; `extra` is between header and data.
inline std::string png(uint32_t width, uint32_t height, int depth, int colour, const std::string& rows,
                       const std::string& extra = "") {
    const std::string header = big32(width) + big32(height) + char(depth) + char(colour) + std::string(3, '\0');
    return "\x89PNG\r\n\x1a\n" + chunk("IHDR", header) + extra + chunk("IDAT", stored(rows)) + chunk("IEND", "");
}

// A .npy of format version 1 as NumPy lays it out.
inline std::string npy(const std::string& dictionary, const std::string& data, char version = 1) {
    std::string header = dictionary;
    const size_t prefix = version == 1 ? 10 : 12;
    while ((prefix + header.size() + 1) % 64) header += ' ';
    header += '\n';
    const auto n = uint32_t(header.size());
    return std::string("\x93NUMPY") + version + '\0' + (version == 1 ? little16(n) : little32(n)) + header + data;
}

}  // namespace texelscope::test
