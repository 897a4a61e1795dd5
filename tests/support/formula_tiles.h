#pragma once
// An image of any size that is never stored: each sample is a function of its place.

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <functional>
#include <numbers>

#include "gpu/core/tile_source.h"

namespace texelscope::test {

class FormulaTiles final : public TileSource {
public:
    // f32, one channel; `value` is called from many threads.
    FormulaTiles(int width, int height, std::function<float(int64_t x, int64_t y)> value, int tile = 512)
        : value_(std::move(value)), tile_(tile) {
        info_ = {width, height, 1, SampleType::f32, Alpha::none, nullptr};
    }

    const ImageInfo& info() const override { return info_; }
    int tile() const override { return tile_; }
    Extent level_extent(int) const override { return {info_.width, info_.height}; }
    void read(int level, const SampleRegion& region, std::byte* to, size_t row_bytes) const override {
        check_region(*this, level, region);
        samples_read += size_t(region.width) * size_t(region.height);
        for (int y = 0; y < region.height; ++y, to += row_bytes)
            for (int x = 0; x < region.width; ++x) {
                const float v = value_(region.x + x, region.y + y);
                std::memcpy(to + size_t(x) * sizeof(float), &v, sizeof(float));
            }
    }

    mutable std::atomic<size_t> samples_read = 0;

private:
    ImageInfo info_;
    std::function<float(int64_t, int64_t)> value_;
    int tile_;
};

// ½ + ½ cos(π r² / side), r from the centre of a square: a wave of two samples at the middle of each edge.
inline float zone_plate(int64_t side, int64_t x, int64_t y) {
    const long double cx = (long double)(x) - (side - 1) / 2.0L, cy = (long double)(y) - (side - 1) / 2.0L;
    const long double turns = (cx * cx + cy * cy) / (2.0L * side);
    return float(0.5 + 0.5 * std::cos(2 * std::numbers::pi * double(turns - std::floor(turns))));
}

}  // namespace texelscope::test
