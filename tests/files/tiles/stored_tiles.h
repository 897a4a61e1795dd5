#pragma once
// A folder of kept levels, and levels whose samples are known.

#include <cstring>
#include <filesystem>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "app/files/tiles/tile_folder.h"
#include "gpu/core/image.h"
#include "gpu/core/tile_source.h"
#include "tests/files/bytes.h"

namespace texelscope::test {

inline constexpr size_t record_bytes = 16;

// A level of 3 × 2 tiles.
inline LevelKind usual_kind() {
    LevelKind kind;
    kind.level = {2, 2};
    kind.size = {150, 100};
    kind.channels = 2;
    kind.side = 64;
    kind.maker = 7;
    return kind;
}

inline constexpr size_t place = record_bytes + 64 * 64 * 2 * sizeof(float);

inline Image blank(const LevelKind& kind, int64_t column, int64_t row) {
    const SampleRegion tile = kind.tile(column, row);
    return Image(tile.width, tile.height, kind.channels, SampleType::f32);
}

inline Image samples(const LevelKind& kind, int64_t column, int64_t row, float first = 0.25f) {
    Image image = blank(kind, column, row);
    for (int y = 0; y < image.height(); ++y)
        for (int i = 0; i < image.width() * kind.channels; ++i)
            image.row_as<float>(y)[i] = first + float(column * 100 + row * 1000) + float(y) + float(i) / 1024;
    return image;
}

inline bool same(const Image& a, const Image& b) {
    return a.size_bytes() == b.size_bytes() && std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
}

class LevelsOnDisk : public testing::Test {
protected:
    TileFileOrigin origin(const std::string& name = "/d/scan.pgm", int64_t modified = 1) const {
        return {name, "", 1000, modified};
    }
    std::shared_ptr<KeptLevels> opened(const TileFileOrigin& of, uint64_t left_free = 0) const {
        return std::make_shared<KeptLevels>(cache_, of, left_free);
    }
    std::shared_ptr<KeptLevels> opened() const { return opened(origin()); }

    static void put_all(KeptLevels& levels, const LevelKind& kind = usual_kind()) {
        for (int64_t row = 0; row < kind.rows(); ++row)
            for (int64_t column = 0; column < kind.columns(); ++column)
                levels.put(kind, column, row, samples(kind, column, row));
    }
    // The number of tiles that are found, each of which must be right.
    static int count(KeptLevels& levels, const LevelKind& kind = usual_kind()) {
        int found = 0;
        for (int64_t row = 0; row < kind.rows(); ++row)
            for (int64_t column = 0; column < kind.columns(); ++column) {
                Image tile = blank(kind, column, row);
                if (!levels.find(kind, column, row, tile)) continue;
                EXPECT_TRUE(same(tile, samples(kind, column, row))) << column << ", " << row;
                ++found;
            }
        return found;
    }
    std::vector<std::filesystem::path> files() const {
        std::vector<std::filesystem::path> all;
        std::error_code error;
        for (const auto& entry : std::filesystem::directory_iterator(kept_, error)) all.push_back(entry.path());
        return all;
    }

    Folder folder_;
    std::filesystem::path kept_ = folder_ / "cache/tiles";
    TileFolder cache_{kept_};
};

// Regions of a source of tiles against the same image read as a whole.

inline Image region_of(const TileSource& source, const SampleRegion& region, int level = 0) {
    const ImageInfo& info = source.info();
    Image image(region.width, region.height, info.channels, info.type, info.alpha);
    source.read(level, region, image.data(), image.row_bytes());
    return image;
}

// Read into rows with a gap between them, which must stay as it is. "" if all bytes are those of the whole image, of which
// `whole` is the level.
inline std::string difference(const TileSource& source, const Image& whole, const SampleRegion& region, int level = 0) {
    constexpr size_t gap = 13;
    constexpr auto mark = std::byte(0x5a);
    const size_t pixel = whole.row_bytes() / size_t(whole.width()), row_bytes = size_t(region.width) * pixel;
    std::vector<std::byte> got(size_t(region.height) * (row_bytes + gap), mark);
    source.read(level, region, got.data(), row_bytes + gap);
    for (int y = 0; y < region.height; ++y) {
        const std::byte* row = got.data() + size_t(y) * (row_bytes + gap);
        if (std::memcmp(row, whole.row(int(region.y) + y) + size_t(region.x) * pixel, row_bytes) != 0)
            return fmt::format("row {} of {}×{} at {}, {} differs", y, region.width, region.height, region.x, region.y);
        for (size_t i = 0; i < gap; ++i)
            if (row[row_bytes + i] != mark) return fmt::format("what is behind row {} was written to", y);
    }
    return "";
}

inline SampleRegion random_region(std::mt19937& random, int width, int height, int most) {
    const auto from = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); };
    const int w = from(1, std::min(width, most)), h = from(1, std::min(height, most));
    return {from(0, width - w), from(0, height - h), w, h};
}

// The whole, single samples at the corners, tiles of several sizes at their places, and random regions.
inline void expect_same_regions(const TileSource& source, const Image& whole, int level = 0, int random_ones = 40) {
    const int width = whole.width(), height = whole.height();
    ASSERT_EQ(source.level_extent(level), (Extent{width, height}));
    ASSERT_EQ(source.info().channels, whole.channels());
    ASSERT_EQ(source.info().type, whole.type());
    EXPECT_EQ(source.info().alpha, whole.alpha());
    EXPECT_EQ(difference(source, whole, {0, 0, width, height}, level), "");
    for (const int x : {0, width - 1})
        for (const int y : {0, height - 1}) EXPECT_EQ(difference(source, whole, {x, y, 1, 1}, level), "");
    for (const int side : {16, 57, source.tile()})
        for (int y = 0; y < height; y += side)
            for (int x = 0; x < width; x += side)
                ASSERT_EQ(
                    difference(source, whole, {x, y, std::min(side, width - x), std::min(side, height - y)}, level),
                    "");
    std::mt19937 random(19);
    for (int i = 0; i < random_ones; ++i)
        ASSERT_EQ(difference(source, whole, random_region(random, width, height, 300), level), "");
}

// Random regions of a source and its smaller images, read by several threads at the same time.
inline void expect_same_regions_in_threads(const TileSource& source, const std::vector<Image>& levels, int most) {
    std::vector<std::string> problems(8);
    {
        std::vector<std::jthread> threads;
        for (size_t i = 0; i < problems.size(); ++i)
            threads.emplace_back([&, i] {
                std::mt19937 random(uint32_t(i) + 1);
                for (int k = 0; k < 40; ++k) {
                    const size_t level = random() % levels.size();
                    const Image& whole = levels[level];
                    const SampleRegion region = random_region(random, whole.width(), whole.height(), most);
                    problems[i] += difference(source, whole, region, int(level));
                }
            });
    }
    for (const std::string& problem : problems) EXPECT_EQ(problem, "");
}

}  // namespace texelscope::test
