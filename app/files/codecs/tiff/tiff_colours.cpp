#include "app/files/codecs/tiff/tiff_colours.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace texelscope {
namespace {

// Rescales an integer of `bits` bits to a delivered type.
uint32_t rescaled(uint32_t value, int bits, SampleType type) {
    const uint32_t largest = (1u << bits) - 1, full = type == SampleType::u8 ? 255 : 65535;
    return (value * full + largest / 2) / largest;
}

}  // namespace

TiffColourMaker::TiffColourMaker(const TiffPage& page, const ColourProfile* profile) : page_(page) {
    if (page.colours == TiffColours::inks)
        inks_ = std::make_unique<const Inks>(profile, false, page.type == SampleType::u16);
    if (page.colours == TiffColours::lab) lab_ = std::make_unique<const LabToSrgb>();
}

void TiffColourMaker::row(const std::byte* samples, int pixels, std::byte* to) const {
    switch (page_.colours) {
        case TiffColours::palette:
            if (page_.bits <= 8) return palette(reinterpret_cast<const uint8_t*>(samples), pixels, to);
            return palette(reinterpret_cast<const uint16_t*>(samples), pixels, to);
        case TiffColours::inks: return inks(samples, pixels, to);
        case TiffColours::lab: return lab(samples, pixels, reinterpret_cast<uint16_t*>(to));
        case TiffColours::ycbcr:
            return ycbcr(reinterpret_cast<const uint8_t*>(samples), pixels, reinterpret_cast<uint8_t*>(to));
        case TiffColours::xyz:
            return xyz(reinterpret_cast<const float*>(samples), pixels, reinterpret_cast<float*>(to));
        case TiffColours::as_stored: return;
    }
}

void TiffColourMaker::spread(const std::byte* blocks, int row, int width, std::byte* to) const {
    const auto [across, down] = page_.subsampling;
    const size_t luma = size_t(across) * size_t(down), block = luma + 2;
    for (int x = 0; x < width; ++x) {
        const std::byte* const at = blocks + size_t(x / across) * block;
        *to++ = at[row * across + x % across];
        *to++ = at[luma];
        *to++ = at[luma + 1];
    }
}

// Indices beyond the map are black.
template <class T> void TiffColourMaker::palette(const T* from, int pixels, std::byte* to) const {
    const size_t entries = page_.map.size() / 3;
    const auto fill = [&]<class To>(To* samples) {
        for (int i = 0; i < pixels; ++i) {
            for (size_t c = 0; c < 3; ++c) *samples++ = *from < entries ? To(page_.map[c * entries + *from]) : To(0);
            ++from;
            for (int extra = 1; extra < page_.samples; ++extra)
                *samples++ = To(rescaled(*from++, page_.bits, page_.type));
        }
    };
    if (page_.type == SampleType::u8) fill(reinterpret_cast<uint8_t*>(to));
    else fill(reinterpret_cast<uint16_t*>(to));
}

void TiffColourMaker::inks(const std::byte* from, int pixels, std::byte* to) const {
    const auto convert = [&]<class T>(const T* samples, T* colours) {
        const auto stored = size_t(page_.samples), made = stored - 1;
        std::vector<T> four(size_t(pixels) * 4), three(size_t(pixels) * 3);
        for (size_t i = 0; i < size_t(pixels); ++i) std::copy_n(samples + i * stored, 4, four.data() + i * 4);
        inks_->to_srgb(four.data(), three.data(), pixels);
        for (size_t i = 0; i < size_t(pixels); ++i) {
            std::copy_n(three.data() + i * 3, 3, colours + i * made);
            std::copy_n(samples + i * stored + 4, stored - 4, colours + i * made + 3);
        }
    };
    if (page_.type == SampleType::u8) convert(reinterpret_cast<const uint8_t*>(from), reinterpret_cast<uint8_t*>(to));
    else convert(reinterpret_cast<const uint16_t*>(from), reinterpret_cast<uint16_t*>(to));
}

// CIELab as section 23 of the specification, ICC's as version 2 of its profile format codes it; floats are not coded.
void TiffColourMaker::lab(const std::byte* from, int pixels, uint16_t* to) const {
    const auto stored = size_t(page_.samples), colours = size_t(page_.stored_colours);
    const bool floats = page_.numbers == TiffNumbers::floating, eight = page_.bits == 8, icc = page_.icc_lab;
    const float full = eight ? 255 : icc ? 65280 : 65535, unit = eight ? 1 : 256;
    const int zero = eight ? 128 : 32768;
    const auto number = [&](size_t i) {
        return int(eight ? std::to_integer<uint8_t>(from[i]) : reinterpret_cast<const uint16_t*>(from)[i]);
    };
    // CIELab's a and b are signed, ICC's begin at −128.
    const auto chroma = [&](int value) {
        return float(icc || value >= zero ? value - (icc ? zero : 2 * zero) : value);
    };
    const auto real = [&](size_t i, bool lightness) {
        if (floats) {
            const float value = reinterpret_cast<const float*>(from)[i];
            return std::isfinite(value) ? value : 0.0f;
        }
        return lightness ? float(number(i)) * 100 / full : chroma(number(i)) / unit;
    };
    const auto extra = [&](size_t i) {
        if (!floats) return uint16_t(rescaled(uint32_t(number(i)), page_.bits, SampleType::u16));
        const float value = reinterpret_cast<const float*>(from)[i];
        return uint16_t(value > 0 ? std::lround(std::min(value, 1.0f) * 65535) : 0);
    };
    std::vector<float> lab(size_t(pixels) * 3);
    for (size_t i = 0; i < size_t(pixels); ++i)
        for (size_t c = 0; c < colours; ++c) lab[3 * i + c] = real(i * stored + c, c == 0);
    std::vector<uint16_t> rgb(size_t(pixels) * 3);
    lab_->convert(lab.data(), rgb.data(), pixels);
    for (size_t i = 0; i < size_t(pixels); ++i) {
        to = std::copy_n(rgb.data() + 3 * i, colours, to);
        for (size_t c = colours; c < stored; ++c) *to++ = extra(i * stored + c);
    }
}

// YCbCr to RGB: section 20 defines ReferenceBlackWhite, section 21 the coefficients.
void TiffColourMaker::ycbcr(const uint8_t* from, int pixels, uint8_t* to) const {
    const auto [red, green, blue] = page_.luma;
    const auto& [y0, y1, cb0, cb1, cr0, cr1] = page_.reference;
    const auto coded = [](uint8_t value, float black, float white, float range) {
        return white == black ? 0 : (float(value) - black) * range / (white - black);
    };
    const auto rounded = [](float value) { return uint8_t(std::lround(std::clamp(value, 0.0f, 255.0f))); };
    for (int i = 0; i < pixels; ++i) {
        const float y = coded(from[0], y0, y1, 255), cb = coded(from[1], cb0, cb1, 127),
                    cr = coded(from[2], cr0, cr1, 127);
        const float r = cr * (2 - 2 * red) + y, b = cb * (2 - 2 * blue) + y, g = (y - blue * b - red * r) / green;
        from += 3;
        for (const float value : {r, g, b}) *to++ = rounded(value);
        for (int extra = 3; extra < page_.samples; ++extra) *to++ = *from++;
    }
}

// CIE XYZ to the primaries and white of IEC 61966-2-1 and ITU-R BT.709.
void TiffColourMaker::xyz(const float* from, int pixels, float* to) const {
    constexpr double matrix[3][3] = {{3.240969941904523, -1.537383177570094, -0.498610760293003},
                                     {-0.969243636280880, 1.875967501507721, 0.041555057407176},
                                     {0.055630079696994, -0.203976958888977, 1.056971514242879}};
    for (int i = 0; i < pixels; ++i, from += 3)
        for (const auto& row : matrix)
            *to++ = float(row[0] * double(from[0]) + row[1] * double(from[1]) + row[2] * double(from[2]));
}

}  // namespace texelscope
