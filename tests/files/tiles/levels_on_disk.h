#pragma once
// A folder of kept levels, and levels whose samples are known.

#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "app/files/tiles/kept_levels.h"
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
    // Of the tiles that are found, each of which must be right.
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

}  // namespace texelscope::test
