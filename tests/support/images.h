#pragma once
// Test images and random views, all from fixed seeds. std::uniform_*_distribution differs between libraries, so the
// numbers are drawn by hand.

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <numbers>
#include <random>
#include <vector>

#include "gpu/backend/source_image.h"
#include "gpu/core/image.h"
#include "gpu/core/tile_source.h"
#include "gpu/core/view.h"

namespace texelscope::test {

class Random {
public:
    explicit Random(uint64_t seed) : engine_(seed) {}
    double unit() { return double(engine_() >> 11) * 0x1p-53; }  // [0, 1)
    double between(double low, double high) { return low + (high - low) * unit(); }
    int integer(int low, int high) { return low + int(engine_() % uint64_t(high - low + 1)); }  // both included
    bool chance(double probability) { return unit() < probability; }
    template <class List> auto pick(const List& list) { return list[integer(0, int(list.size()) - 1)]; }

private:
    std::mt19937_64 engine_;
};

// Stores a value in [0, 1] in the image's sample type.
void set_value(Image& image, int x, int y, int channel, double value);

// White noise, uniform in [0, 1].
Image noise(int width, int height, int channels, SampleType type, uint64_t seed, Alpha alpha = Alpha::none);

// White noise of zeros and ones.
Image binary_noise(int width, int height, uint64_t seed);

// A one-dimensional f32 signal with value(k) as sample k.
Image signal(int samples, const std::function<double(int)>& value);

// Values of a signal of one channel at these points.
std::vector<float> sampled(SourceImage& source, const MethodSpec& spec, const std::vector<double>& points,
                           Derivative derivative = Derivative::none);

// Any type, 1 to 4 channels, sizes from 1×1 to 70×70; one in four images with 2 or 4 channels has straight alpha.
Image random_image(Random& random);

// Scale 0.01 … 50, any rotation, quarter turns and no rotation among them; looks inside, at the border, or far outside.
View random_view(Random& random, int width, int height);

// The default view.
RenderRequest request_of(const MethodSpec& spec, int width, int height);

// The identity view with `margin` samples of the surroundings on every side: one sample per pixel, from
// (−margin, −margin) on.
RenderRequest beyond_borders(const MethodSpec& spec, int width, int height, int margin);

// An image with the statistics of natural ones.

// White noise whose spectrum is divided by the frequency, f32, from 0 to 1. The size is a power of two. The spectrum
// ends at 0.435 cycles per sample, where a lens has blurred it away: above, no method keeps anything under a rotation,
// and the ratios of docs/fidelity.md only follow without it.
Image one_over_f(int size, uint64_t seed);

// An image of any size that is never stored: each sample is a function of its place.

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
