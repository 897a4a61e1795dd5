// What a JPEG leaves of a picture: coefficients of 8×8 blocks that are whole multiples of its quantisation.

#include "app/studies/recipes/recipe_study.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace texelscope {
namespace {

using Coefficients = std::array<float, 64>;

// Annex K of the standard, for brightness, row by row. Qualities scale it as the Independent JPEG Group does.
constexpr int standard_luma[64] = {16, 11, 10, 16, 24,  40,  51,  61,  12, 12, 14, 19, 26,  58,  60,  55,
                                   14, 13, 16, 24, 40,  57,  69,  56,  14, 17, 22, 29, 51,  87,  80,  62,
                                   18, 22, 37, 56, 68,  109, 103, 77,  24, 35, 55, 64, 81,  104, 113, 92,
                                   49, 64, 78, 87, 103, 121, 120, 101, 72, 92, 95, 98, 112, 100, 103, 99};

// The diagonals in which a file lists a table.
constexpr int zigzag[64] = {0,  1,  8,  16, 9,  2,  3,  10, 17, 24, 32, 25, 18, 11, 4,  5,  12, 19, 26, 33, 40, 48,
                            41, 34, 27, 20, 13, 6,  7,  14, 21, 28, 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23,
                            30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63};

std::array<int, 64> table_of_quality(int quality) {
    const int percent = quality < 50 ? 5000 / quality : 200 - 2 * quality;
    std::array<int, 64> table;
    for (size_t k = 0; k < 64; ++k) table[k] = std::clamp((standard_luma[k] * percent + 50) / 100, 1, 255);
    return table;
}

Coefficients cosine_transform(const Coefficients& samples) {
    static const Coefficients basis = [] {
        Coefficients values;
        for (int u = 0; u < 8; ++u)
            for (int x = 0; x < 8; ++x)
                values[size_t(u * 8 + x)] =
                    float((u == 0 ? std::sqrt(0.125) : 0.5) * std::cos((2 * x + 1) * u * std::numbers::pi / 16));
        return values;
    }();
    Coefficients rows{}, result{};
    for (size_t y = 0; y < 8; ++y)
        for (size_t u = 0; u < 8; ++u)
            for (size_t x = 0; x < 8; ++x) rows[y * 8 + u] += basis[u * 8 + x] * samples[y * 8 + x];
    for (size_t v = 0; v < 8; ++v)
        for (size_t u = 0; u < 8; ++u)
            for (size_t y = 0; y < 8; ++y) result[v * 8 + u] += basis[v * 8 + y] * rows[y * 8 + u];
    return result;
}

// Brightness of a pixel in levels, −128 … 127, as the encoder rounds it; of decoded pictures it is not rounded.
float brightness(const Image& image, int x, int y, bool rounded) {
    const auto level = [&](int c) { return std::clamp(std::round(255.0f * image.value(x, y, c)), 0.0f, 255.0f); };
    if (image.channels() < 3) return level(0) - 128;
    const float luma = 0.299f * level(0) + 0.587f * level(1) + 0.114f * level(2);
    return (rounded ? std::round(luma) : luma) - 128;
}

// Samples beyond the right and the lower end are the last ones: only whole blocks are looked at.
Coefficients block_of(const Image& image, int left, int top, bool rounded) {
    Coefficients samples;
    for (int y = 0; y < 8; ++y)
        for (int x = 0; x < 8; ++x) samples[size_t(y * 8 + x)] = brightness(image, left + x, top + y, rounded);
    return cosine_transform(samples);
}

bool is_cut_off(const Image& image, int left, int top) {
    for (int y = 0; y < 8; ++y)
        for (int x = 0; x < 8; ++x)
            for (int c = 0; c < std::min(image.channels(), 3); ++c) {
                const float value = image.value(left + x, top + y, c);
                if (value <= 0 || value >= 1) return true;
            }
    return false;
}

}  // namespace

std::optional<StoredJpeg> jpeg_of_file(std::span<const std::byte> bytes) {
    const auto at = [&](size_t k) { return k < bytes.size() ? std::to_integer<int>(bytes[k]) : 0; };
    if (at(0) != 0xff || at(1) != 0xd8) return {};
    for (size_t k = 2; k + 4 < bytes.size() && at(k) == 0xff;) {
        const int marker = at(k + 1);
        const size_t end = k + 2 + size_t(at(k + 2) * 256 + at(k + 3));
        if (marker == 0xda) break;
        for (size_t t = k + 4; marker == 0xdb && t < end;) {
            const bool wide = at(t) >> 4 != 0;
            const bool first = (at(t) & 15) == 0;
            ++t;
            StoredJpeg jpeg{.luma = {}, .quality = 0, .from_file = true};
            for (size_t q = 0; q < 64; ++q, t += wide ? 2 : 1)
                jpeg.luma[size_t(zigzag[q])] = std::max(1, wide ? at(t) * 256 + at(t + 1) : at(t));
            if (!first) continue;
            for (int quality = 1; quality <= 100; ++quality)
                if (table_of_quality(quality) == jpeg.luma) jpeg.quality = quality;
            return jpeg;
        }
        k = end;
    }
    return {};
}

std::optional<StoredJpeg> jpeg_traces(const Image& image) {
    if (image.type() != SampleType::u8 || image.width() < 32 || image.height() < 32) return {};
    constexpr int most_blocks = 1024;
    std::vector<Coefficients> blocks;
    const int across = image.width() / 8, down = image.height() / 8,
              step = std::max(1, int(std::sqrt(double(across) * down / most_blocks)));
    for (int y = 0; y < down; y += step)
        for (int x = 0; x < across; x += step)
            if (!is_cut_off(image, 8 * x, 8 * y)) blocks.push_back(block_of(image, 8 * x, 8 * y, false));
    if (blocks.size() < 12) return {};
    // The distance of coefficients from multiples of a table, of what it is by chance.
    constexpr double by_chance = 1.0 / 12, seen = 0.4;
    StoredJpeg best{.luma = {}, .quality = 0, .from_file = false};
    double least = seen;
    for (int quality = 5; quality <= 95; ++quality) {
        const std::array<int, 64> table = table_of_quality(quality);
        double sum = 0;
        int count = 0;
        for (const Coefficients& block : blocks)
            for (size_t k = 1; k < 64; ++k) {
                const double in_steps = double(block[k]) / table[k];
                if (table[k] < 3 || std::abs(in_steps) < 0.5) continue;  // zero is a multiple of everything
                const double off = in_steps - std::round(in_steps);
                sum += off * off;
                ++count;
            }
        if (count < 200 || sum / count / by_chance >= least) continue;
        least = sum / count / by_chance;
        best.luma = table;
        best.quality = quality;
    }
    return best.quality > 0 ? std::optional(best) : std::nullopt;
}

JpegLuma::JpegLuma(const Image& decoded, const StoredJpeg& jpeg) : jpeg_(jpeg), across_(decoded.width() / 8) {
    size_t cut_off = 0;
    for (int y = 0; y < decoded.height() / 8; ++y)
        for (int x = 0; x < across_; ++x) {
            Block block{is_cut_off(decoded, 8 * x, 8 * y), block_of(decoded, 8 * x, 8 * y, false)};
            for (size_t k = 0; k < 64; ++k)
                block.coefficients[k] = std::round(block.coefficients[k] / float(jpeg.luma[k]));
            cut_off += block.cut_off;
            blocks_.push_back(block);
        }
    all_cut_off_ = cut_off * 5 > blocks_.size() * 4;
}

double JpegLuma::possible(const Image& made, const std::vector<int>& columns, const std::vector<int>& rows) const {
    size_t stored = 0, otherwise = 0;
    for (size_t j = 0; j + 8 <= rows.size(); j += 8)
        for (size_t i = 0; i + 8 <= columns.size(); i += 8) {
            if (columns[i] % 8 || rows[j] % 8 || columns[i + 7] != columns[i] + 7 || rows[j + 7] != rows[j] + 7)
                continue;
            const Block& wanted = block(columns[i] / 8, rows[j] / 8);
            if (wanted.cut_off && !all_cut_off_) continue;
            const Coefficients coefficients = block_of(made, int(i), int(j), true);
            for (size_t k = 0; k < 64; ++k) {
                const float step = float(jpeg_.luma[k]);
                // What decoding has rounded may look like the next multiple where steps are small.
                const bool same = std::abs(coefficients[k] / step - wanted.coefficients[k]) <= 0.5f + 0.6f / step;
                stored += wanted.coefficients[k] != 0 || !same;
                otherwise += !same;
            }
        }
    return stored > 0 ? 1 - double(otherwise) / double(stored) : 0;
}

}  // namespace texelscope
