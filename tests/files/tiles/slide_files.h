#pragma once
// Slides, as one file and as several.

#include <cstdint>
#include <cstring>
#include <functional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "gpu/core/image.h"
#include "tests/files/bytes.h"
#include "tests/support/encoded_files.h"

namespace texelscope::test {

// Slides built byte by byte, independently of the code under test: a little-endian TIFF of pages in tiles, RGB or
// grey.

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

// Slides of several files, written file by file, independently of the code under test.
inline void write_file(const std::filesystem::path& path, std::string_view content) {
    std::ofstream(path, std::ios::binary) << content;
}

// MIRAX: NAME.mrxs, and in the folder NAME Slidedat.ini, Index.dat and the tiles as PNG in Data0000.dat and so on. A level has
// half the sides of the one before; sides that are no multiples of the tile end in tiles of zeros, which the slide shows.
struct MiraxSlide {
    static constexpr int tile = 64;

    std::vector<Image> levels;   // of RGB
    std::set<int> missing = {};  // tiles of the first level, row by row: not scanned
    int overlap = 0;  // of tiles of the first level; those of the others are as many of them, put together with it
    int files = 2;    // Data0000.dat and so on, in turns
    std::string first_file = "Data0000.dat";  // what Slidedat.ini calls it

    int columns() const { return (levels[0].width() - overlap) / (tile - overlap); }
    int rows() const { return (levels[0].height() - overlap) / (tile - overlap); }

    std::string ini() const {
        std::string text = fmt::format(
            "[GENERAL]\r\nSLIDE_VERSION=01.02\r\nSLIDE_ID=ABCD\r\nIMAGENUMBER_X={}\r\nIMAGENUMBER_Y={}\r\n"
            "OBJECTIVE_MAGNIFICATION=20\r\nCameraImageDivisionsPerSide=1\r\n[HIERARCHICAL]\r\nHIER_COUNT=1\r\n"
            "NONHIER_COUNT=0\r\nINDEXFILE=Index.dat\r\nHIER_0_NAME=Slide zoom level\r\nHIER_0_COUNT={}\r\n",
            columns(), rows(), levels.size());
        for (size_t level = 0; level < levels.size(); ++level)
            text += fmt::format("HIER_0_VAL_{}_SECTION=LEVEL_{}\r\n", level, level);
        for (size_t level = 0; level < levels.size(); ++level)
            text += fmt::format(
                "[LEVEL_{}]\r\nOVERLAP_X={}\r\nOVERLAP_Y={}\r\nMICROMETER_PER_PIXEL_X=0.5\r\n"
                "MICROMETER_PER_PIXEL_Y=0.5\r\nIMAGE_FORMAT=PNG\r\nIMAGE_FILL_COLOR_BGR=16777215\r\n"
                "DIGITIZER_WIDTH={}\r\nDIGITIZER_HEIGHT={}\r\nIMAGE_CONCAT_FACTOR={}\r\n",
                level, overlap >> level, overlap >> level, tile, tile, level == 0 ? 0 : 1);
        text += fmt::format("[DATAFILE]\r\nFILE_COUNT={}\r\nFILE_0={}\r\n", files, first_file);
        for (int file = 1; file < files; ++file) text += fmt::format("FILE_{}=Data{:04}.dat\r\n", file, file);
        return text;
    }

    // A list of tiles for each level: their number in level 0, and where they are in which file.
    std::pair<std::string, std::vector<std::string>> index_and_data() const {
        std::vector<std::string> data(size_t(files), "the tiles"), lists;
        for (size_t level = 0; level < levels.size(); ++level) {
            const int step = 1 << level;
            std::string list;
            uint32_t count = 0;
            for (int row = 0; row < rows(); row += step)
                for (int column = 0; column < columns(); column += step) {
                    const int number = row * columns() + column;
                    if (level == 0 && missing.contains(number)) continue;
                    const auto file = size_t(count++) % data.size();
                    const int distance = level == 0 ? tile - overlap : tile;
                    const std::string samples = tile_of(levels[level], column / step * distance, row / step * distance);
                    list += little32(uint32_t(number)) + little32(uint32_t(data[file].size())) +
                            little32(uint32_t(samples.size())) + little32(uint32_t(file));
                    data[file] += samples;
                }
            lists.push_back(little32(count) + little32(0) + list);
        }
        const std::string head = "01.02ABCD";
        const auto roots = uint32_t(head.size() + 8);
        auto at = roots + 4 * uint32_t(levels.size());
        std::string offsets, pages;
        for (const std::string& list : lists) {
            offsets += little32(at);
            pages += little32(0) + little32(at + 8) + list;
            at += 8 + uint32_t(list.size());
        }
        return {head + little32(roots) + little32(~0u) + offsets + pages, data};
    }

    std::filesystem::path write(const Folder& folder, const std::string& name) const {
        std::filesystem::create_directory(folder / name);
        const auto [index, data] = index_and_data();
        write_file(folder / name / "Slidedat.ini", ini());
        write_file(folder / name / "Index.dat", index);
        for (size_t file = 0; file < data.size(); ++file)
            write_file(folder / name / fmt::format("Data{:04}.dat", file), data[file]);
        return folder.write(name + ".mrxs", "\xff\xd8\xff\xd9");  // a preview
    }

private:
    static std::string tile_of(const Image& image, int left, int top) {
        std::string filtered;
        for (int y = top; y < top + tile; ++y) {
            std::string row(size_t(tile) * 3, '\0');
            const int width = std::min(tile, image.width() - left);
            if (y < image.height() && width > 0) std::memcpy(row.data(), image.row(y) + left * 3, size_t(width) * 3);
            filtered += '\0' + row;
        }
        return png(tile, tile, 8, 2, filtered);
    }
};

// Hamamatsu's VMU: NAME.vmu, and beside it an image and a smaller one, the map, in samples of 12 bits, stripe after stripe.
struct VmuSlide {
    Image image, map;  // of RGB, with widths that are multiples of `stripe`
    static constexpr int stripe = 16;

    static std::string ngr(const Image& picture) {
        std::string file = std::string("GN\0\0", 4) + little32(uint32_t(picture.width())) +
                           little32(uint32_t(picture.height())) + little32(stripe) + std::string(8, '\0') +
                           little32(32) + std::string(4, '\0');
        for (int left = 0; left < picture.width(); left += stripe)
            for (int y = 0; y < picture.height(); ++y)
                for (int i = 3 * left; i < 3 * (left + stripe); ++i) file += little16(uint32_t(picture.row(y)[i]) << 4);
        return file;
    }
    std::filesystem::path write(const Folder& folder, const std::string& name, const std::string& image_name) const {
        folder.write(image_name, ngr(image));
        folder.write(name + "_map.ngr", ngr(map));
        return folder.write(name + ".vmu",
                            fmt::format("[Uncompressed Virtual Microscope Specimen]\r\nNoLayers=1\r\nImageFile={}\r\n"
                                        "MapFile={}_map.ngr\r\nBitsPerPixel=36\r\nPixelOrder=RGB\r\n",
                                        image_name, name));
    }
};

// Hamamatsu's VMS: NAME.vms, and beside it the image in JPEG files of equal size, and a smaller one, the map.
struct VmsSlide {
    int columns = 2, rows = 2;
    int width = 128, height = 64;  // of each file

    // At 4:4:4, so that each restart interval is decoded as if it were alone.
    static std::string jpeg(int width, int height, int seed) {
        const auto value = [seed](int x, int y, int c) { return (x * 3 + y * 5 + c * 40 + seed * 23) % 256; };
        const auto settings = [](jpeg_compress_struct& info) {
            info.comp_info[0].h_samp_factor = info.comp_info[0].v_samp_factor = 1;
            info.restart_interval = 4;  // of blocks: 32 samples
        };
        return jpeg_of(width, height, 3, JCS_RGB, value, settings);
    }
    std::string file(int column, int row) const { return jpeg(width, height, 1 + row * columns + column); }
    std::string map() const { return jpeg(width * columns / 16 * 2, height * rows / 16 * 2, 9); }

    std::filesystem::path write(const Folder& folder, const std::string& name) const {
        std::string text = fmt::format(
            "[Virtual Microscope Specimen]\r\nNoLayers=1\r\nNoJpegColumns={}\r\n"
            "NoJpegRows={}\r\nMapFile={}_map2.jpg\r\n",
            columns, rows, name);
        for (int row = 0; row < rows; ++row)
            for (int column = 0; column < columns; ++column) {
                const std::string place = column + row == 0 ? "" : fmt::format("({},{})", column, row);
                text += fmt::format("ImageFile{0}={1}{0}.jpg\r\n", place, name);
                folder.write(name + place + ".jpg", file(column, row));
            }
        folder.write(name + "_map2.jpg", map());
        return folder.write(name + ".vms", text);
    }
};

// TIFF files built byte by byte, independently of the code under test: grey, 8 bits, uncompressed, one strip an image.

struct TiffLayout {
    bool big = false, little = true;
};

class TiffFile {
public:
    explicit TiffFile(TiffLayout layout) : layout_(layout) {
        file_ = layout.little ? "II" : "MM";
        put(layout.big ? 43 : 42, 2);
        if (layout.big) put(8, 2), put(0, 2);
        link_ = file_.size();
        put(0, offset());
    }

    // The next page, with these as its SubIFDs.
    void add_page(const Image& image, const std::vector<Image>& smaller = {}) {
        std::vector<uint64_t> places;
        for (const Image& each : smaller) places.push_back(directory(each, {}, 1).first);
        const auto [place, link] = directory(image, places, 0);
        patch(link_, place);
        link_ = link;
    }
    const std::string& bytes() const { return file_; }

private:
    size_t offset() const { return layout_.big ? 8 : 4; }
    std::string number(uint64_t value, size_t bytes) const {
        std::string text(bytes, '\0');
        for (size_t i = 0; i < bytes; ++i) text[layout_.little ? i : bytes - 1 - i] = char(value >> (8 * i));
        return text;
    }
    void put(uint64_t value, size_t bytes) { file_ += number(value, bytes); }
    void patch(size_t at, uint64_t value) { file_.replace(at, offset(), number(value, offset())); }

    void entry(int tag, int type, uint64_t count, uint64_t value) {
        const size_t size = type == 3 ? 2 : type == 16 ? 8 : 4;
        put(uint64_t(tag), 2);
        put(uint64_t(type), 2);
        put(count, offset());
        std::string field = count > 1 && count * size > offset() ? number(value, offset()) : number(value, size);
        field.resize(offset(), '\0');
        file_ += field;
    }

    // Where it is, and where the place of the next one goes.
    std::pair<uint64_t, size_t> directory(const Image& image, const std::vector<uint64_t>& smaller, int kind) {
        const size_t strip = file_.size();
        file_.append(reinterpret_cast<const char*>(image.data()), image.size_bytes());
        if (file_.size() % 2) file_ += '\0';
        const size_t list = file_.size(), long_type = layout_.big ? 16 : 4;
        for (const uint64_t each : smaller) put(each, offset());
        const size_t place = file_.size();
        put(smaller.empty() ? 10 : 11, layout_.big ? 8 : 2);
        entry(254, 4, 1, uint64_t(kind));
        entry(256, 4, 1, uint64_t(image.width()));
        entry(257, 4, 1, uint64_t(image.height()));
        entry(258, 3, 1, 8);
        entry(259, 3, 1, 1);
        entry(262, 3, 1, 1);
        entry(273, int(long_type), 1, strip);
        entry(277, 3, 1, 1);
        entry(278, 4, 1, uint64_t(image.height()));
        entry(279, int(long_type), 1, image.size_bytes());
        if (smaller.size() == 1) entry(330, int(long_type), 1, smaller[0]);
        if (smaller.size() > 1) entry(330, int(long_type), smaller.size(), list);
        const size_t link = file_.size();
        put(0, offset());
        return {place, link};
    }

    TiffLayout layout_;
    std::string file_;
    size_t link_ = 0;
};

}  // namespace texelscope::test
