#include "app/files/codecs/heif/heif_colours.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include <fmt/format.h>

#include "gpu/core/errors.h"

namespace texelscope {
namespace {

using Weights = std::array<double, 3>;  // in R, G and B

// Of luminance and the two chroma planes.
struct Matrix {
    Weights y, cb, cr;
};

// Of primaries: their share in luminance, from their chromaticities and those of white.
std::array<double, 2> shares_of_primaries(const heif_color_profile_nclx& colour) {
    struct Xyz {
        double x, y, z;
    };
    const auto xyz = [](float x, float y) {
        return Xyz{double(x) / double(y), 1, (1.0 - double(x) - double(y)) / double(y)};
    };
    const Xyz r = xyz(colour.color_primary_red_x, colour.color_primary_red_y),
              g = xyz(colour.color_primary_green_x, colour.color_primary_green_y),
              b = xyz(colour.color_primary_blue_x, colour.color_primary_blue_y),
              w = xyz(colour.color_primary_white_x, colour.color_primary_white_y);
    const auto determinant = [](const Xyz& p, const Xyz& q, const Xyz& s) {
        return p.x * (q.y * s.z - s.y * q.z) - q.x * (p.y * s.z - s.y * p.z) + s.x * (p.y * q.z - q.y * p.z);
    };
    const double all = determinant(r, g, b);
    return {determinant(w, g, b) / all, determinant(r, g, w) / all};
}

Matrix matrix_of_shares(double red, double blue) {
    const double green = 1 - red - blue;
    return {{1, 1, 1},
            {0, -2 * blue * (1 - blue) / green, 2 * (1 - blue)},
            {2 * (1 - red), -2 * red * (1 - red) / green, 0}};
}

// By its number in H.273; if the file states none, that of BT.601, as ISO/IEC 23000-22 has it.
Matrix matrix_of(const heif_color_profile_nclx* colour) {
    switch (const int number = colour ? int(colour->matrix_coefficients) : 2; number) {
        case 0: return {{0, 1, 0}, {0, 0, 1}, {1, 0, 0}};  // G, B, R
        case 1: return matrix_of_shares(0.2126, 0.0722);
        case 4: return matrix_of_shares(0.30, 0.11);
        case 2:
        case 5:
        case 6: return matrix_of_shares(0.299, 0.114);
        case 7: return matrix_of_shares(0.212, 0.087);
        case 8: return {{1, 1, 1}, {-1, 1, -1}, {1, 0, -1}};  // Y, Cg, Co
        case 9: return matrix_of_shares(0.2627, 0.0593);
        case 12: {
            const auto [red, blue] = shares_of_primaries(*colour);
            if (std::isfinite(red) && std::isfinite(blue) && red + blue < 1) return matrix_of_shares(red, blue);
            throw Error("the HEIF is damaged: its primaries make no sense");
        }
        default:
            throw Error(
                fmt::format("its colours are coded by matrix {} of ITU-T H.273, which is not supported; convert it "
                            "to PNG with the program that made it",
                            number));
    }
}

bool has(const heif_image* image, heif_channel channel) { return heif_image_has_channel(image, channel) != 0; }

}  // namespace

HeifPlane::HeifPlane(const heif_image* image, heif_channel channel, int width, int height)
    : width_(heif_image_get_width(image, channel)),
      height_(heif_image_get_height(image, channel)),
      bits_(heif_image_get_bits_per_pixel_range(image, channel)) {
    int stride = 0;
    data_ = heif_image_get_plane_readonly(image, channel, &stride);
    stride_ = size_t(std::max(stride, 0));
    shift_x_ = width_ < width ? 1 : 0;
    shift_y_ = height_ < height ? 1 : 0;
    const auto fits = [](int samples, int pixels) { return samples == pixels || samples == (pixels + 1) / 2; };
    const bool sensible = data_ && bits_ >= 1 && bits_ <= 16 && fits(width_, width) && fits(height_, height) &&
                          stride_ >= size_t(width_) * (bits_ > 8 ? 2 : 1);
    if (!sensible) throw Error("the HEIF is damaged: its decoded picture is not of the size that its header says");
}

void HeifPlane::read_row(int y, std::vector<uint16_t>& numbers) const {
    const uint8_t* const row = data_ + size_t(y >> shift_y_) * stride_;
    if (bits_ > 8) {
        const auto* wide = reinterpret_cast<const uint16_t*>(row);
        for (size_t x = 0; x < numbers.size(); ++x) numbers[x] = wide[x >> shift_x_];
    } else {
        for (size_t x = 0; x < numbers.size(); ++x) numbers[x] = row[x >> shift_x_];
    }
}

HeifColours::HeifColours(const heif_image* image, int width, int height, bool grey)
    : image_(image), width_(width), height_(height), colours_(grey ? 1 : 3), numbers_(size_t(width)) {
    if (has(image, heif_channel_R) && has(image, heif_channel_G) && has(image, heif_channel_B) && !grey) {
        add_plane(heif_channel_R, {1, 0, 0}, 0, 1);
        add_plane(heif_channel_G, {0, 1, 0}, 0, 1);
        add_plane(heif_channel_B, {0, 0, 1}, 0, 1);
    } else if (has(image, heif_channel_Y) && (!grey || !has(image, heif_channel_Cb))) {
        add_luminance_and_chroma();
    } else {
        throw Error("the HEIF is damaged: its header and its picture differ in their colours");
    }
}

// `zero` and `one`: the numbers that stand for 0 and 1, as parts of the largest one.
void HeifColours::add_plane(heif_channel channel, const Weights& weights, double zero, double one) {
    Part part{HeifPlane(image_, channel, width_, height_), {}};
    const size_t numbers = size_t(1) << part.plane.bits();
    for (size_t c = 0; c < colours_; ++c)
        for (size_t number = 0; number < numbers; ++number)
            part.shares[c].push_back(weights[c] * ((double(number) / double(numbers - 1) - zero) / (one - zero)));
    parts_.push_back(std::move(part));
}

void HeifColours::add_luminance_and_chroma() {
    heif_color_profile_nclx* stated = nullptr;
    heif_image_get_nclx_color_profile(image_, &stated);
    const std::unique_ptr<heif_color_profile_nclx, void (*)(heif_color_profile_nclx*)> colour(
        stated, heif_nclx_color_profile_free);
    const bool full = !colour || colour->full_range_flag != 0;
    const bool identity = colour && colour->matrix_coefficients == heif_matrix_coefficients_RGB_GBR;
    // Of 8 bits, 128 is no colour; unless the range is full, 16 is black and 235 white. Of more bits, that many times more.
    const auto part_of_largest = [this](heif_channel channel, double number) {
        const int bits = heif_image_get_bits_per_pixel_range(image_, channel);
        return number * std::exp2(bits - 8) / (std::exp2(bits) - 1);
    };
    const auto add = [&](heif_channel channel, const Weights& weights, bool chroma) {
        const double zero = chroma ? part_of_largest(channel, 128) : full ? 0 : part_of_largest(channel, 16);
        const double range = full ? 1 : part_of_largest(channel, chroma ? 224 : 219);
        add_plane(channel, weights, zero, zero + range);
    };
    if (!has(image_, heif_channel_Cb) || !has(image_, heif_channel_Cr)) return add(heif_channel_Y, {1, 1, 1}, false);
    const Matrix matrix = matrix_of(colour.get());
    add(heif_channel_Y, matrix.y, false);
    add(heif_channel_Cb, matrix.cb, !identity);
    add(heif_channel_Cr, matrix.cr, !identity);
}

void HeifColours::read_row(int y, int channels, double* to) {
    for (size_t i = 0; i < parts_.size(); ++i) {
        parts_[i].plane.read_row(y, numbers_);
        for (size_t c = 0; c < colours_; ++c) {
            const double* const shares = parts_[i].shares[c].data();
            double* out = to + c;
            const size_t last = parts_[i].shares[c].size() - 1;
            for (size_t x = 0; x < numbers_.size(); ++x, out += channels) {
                const double share = shares[std::min<size_t>(numbers_[x], last)];
                *out = i == 0 ? share : *out + share;
            }
        }
    }
}

}  // namespace texelscope
