#pragma once
// Slides built byte by byte, independently of the code under test: a little-endian TIFF of pages in tiles, RGB or
// grey.

#include <cstring>
#include <functional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "tests/files/bytes.h"

namespace texelscope::test {

// RGB of 8 bits, of which no two tiles are alike.
inline Image picture(int width, int height, uint32_t seed = 1) {
    Image image(width, height, 3, SampleType::u8);
    std::mt19937 random{seed};
    for (size_t i = 0; i < image.size_bytes(); ++i) image.data()[i] = std::byte(i % 191 + random() % 64);
    return image;
}

// What Aperio's scanners write into every page.
inline constexpr const char* aperio = "Aperio Image Library v10|AppMag = 20|MPP = 0.5";

// The packing of a page's tiles, from their samples as they lie in memory.
struct TilePacking {
    std::function<std::string(const std::string& samples)> pack = {};  // unset: no packing
    uint32_t compression = 1, photometric = 2, predictor = 1;
    std::string jpeg_tables = {};
    uint32_t subsampling = 1;  // of chroma, along both axes
};

class SlideFile {
public:
    static constexpr int tile = 64;

    SlideFile() = default;
    explicit SlideFile(TilePacking packing) : packing_(std::move(packing)) {}

    // The next page; tiles with these numbers are left out, as scanners leave them out.
    void add_page(const Image& image, const std::string& description, const std::set<int>& missing = {}) {
        std::string offsets, sizes;
        int count = 0;
        for (int y = 0; y < image.height(); y += tile)
            for (int x = 0; x < image.width(); x += tile, ++count) {
                std::string samples = missing.contains(count) ? "" : tile_of(image, x, y);
                if (packing_.pack && !samples.empty()) samples = packing_.pack(samples);
                if (file_.size() % 2) file_ += '\0';
                offsets += little32(samples.empty() ? 0 : uint32_t(file_.size()));
                sizes += little32(uint32_t(samples.size()));
                file_ += samples;
            }
        std::string entries;
        const auto entry = [&](uint32_t tag, uint32_t type, uint32_t number, uint32_t value) {
            entries += little16(tag) + little16(type) + little32(number) + little32(value);
        };
        constexpr uint32_t text = 2, word = 3, number = 4, data = 7;
        const auto channels = uint32_t(image.channels()), bits = uint32_t(bytes_per_sample(image.type())) * 8;
        entry(254, number, 1, pages_ == 0 ? 0 : 1);
        entry(256, number, 1, uint32_t(image.width()));
        entry(257, number, 1, uint32_t(image.height()));
        if (channels == 1) entry(258, word, 1, bits);
        else entry(258, word, 3, placed(little16(bits) + little16(bits) + little16(bits)));
        entry(259, word, 1, packing_.compression);
        entry(262, word, 1, packing_.photometric);
        if (!description.empty())
            entry(270, text, uint32_t(description.size() + 1), placed(description + std::string(1, '\0')));
        entry(277, word, 1, channels);
        entry(284, word, 1, 1);
        if (packing_.predictor != 1) entry(317, word, 1, packing_.predictor);
        entry(322, number, 1, tile);
        entry(323, number, 1, tile);
        entry(324, number, uint32_t(count), count == 1 ? first_of(offsets) : placed(offsets));
        entry(325, number, uint32_t(count), count == 1 ? first_of(sizes) : placed(sizes));
        const std::string& tables = packing_.jpeg_tables;
        if (!tables.empty()) entry(347, data, uint32_t(tables.size()), placed(tables));
        if (packing_.photometric == 6) entry(530, word, 2, packing_.subsampling << 16 | packing_.subsampling);
        const uint32_t directory = placed(little16(uint32_t(entries.size() / 12)) + entries + little32(0));
        file_.replace(link_, 4, little32(directory));
        link_ = file_.size() - 4;
        ++pages_;
    }
    const std::string& bytes() const { return file_; }

    // Beyond the image's edges zeros.
    static std::string tile_of(const Image& image, int left, int top) {
        const size_t pixel = image.row_bytes() / size_t(image.width());
        std::string samples(size_t(tile) * tile * pixel, '\0');
        const auto bytes = size_t(std::min(tile, image.width() - left)) * pixel;
        for (int y = 0; y < std::min(tile, image.height() - top); ++y)
            std::memcpy(samples.data() + size_t(y) * tile * pixel, image.row(top + y) + size_t(left) * pixel, bytes);
        return samples;
    }

private:
    uint32_t placed(const std::string& bytes) {
        if (file_.size() % 2) file_ += '\0';
        file_ += bytes;
        return uint32_t(file_.size() - bytes.size());
    }
    static uint32_t first_of(const std::string& numbers) { return le32(span_of(numbers), 0); }

    TilePacking packing_;
    std::string file_ = std::string("II*\0", 4) + little32(0);
    size_t link_ = 4;
    int pages_ = 0;
};

}  // namespace texelscope::test
