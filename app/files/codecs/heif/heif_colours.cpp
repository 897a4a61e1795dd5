#include "app/files/codecs/heif/heif_colours.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "gpu/core/errors.h"

namespace texelscope {
namespace {

using Weights = std::array<double, 3>;  // shares in R, G and B

// The weights of luminance and of the two chroma planes.
struct Matrix {
    Weights y, cb, cr;
};

// The shares of red and blue in luminance, from the chromaticities of the primaries and of white.
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

// The matrix for its number in H.273; 2, unspecified, means BT.601, as ISO/IEC 23000-22 says.
Matrix matrix_of(const heif_color_profile_nclx& colour) {
    switch (const int number = int(colour.matrix_coefficients); number) {
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
            const auto [red, blue] = shares_of_primaries(colour);
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

}  // namespace

HeifPlane::HeifPlane(const heif_image* image, heif_channel channel, int width, int height)
    : bits_(heif_image_get_bits_per_pixel_range(image, channel)) {
    int stride = 0;
    data_ = heif_image_get_plane_readonly(image, channel, &stride);
    stride_ = size_t(std::max(stride, 0));
    const bool sensible = data_ && bits_ >= 1 && bits_ <= 16 && heif_image_get_width(image, channel) == width &&
                          heif_image_get_height(image, channel) == height &&
                          stride_ >= size_t(width) * (bits_ > 8 ? 2 : 1);
    if (!sensible) throw Error("the HEIF is damaged: its decoded picture is not of the size that its header says");
}

void HeifPlane::read_row(int y, std::vector<uint16_t>& numbers) const {
    const uint8_t* const row = data_ + size_t(y) * stride_;
    if (bits_ > 8) std::memcpy(numbers.data(), row, numbers.size() * 2);
    else std::copy_n(row, numbers.size(), numbers.data());
}

HeifColours::HeifColours(const heif_image* image, int width, int height, bool grey,
                         const heif_color_profile_nclx* coded)
    : image_(image), width_(width), height_(height), colours_(grey ? 1 : 3), numbers_(size_t(width)) {
    const bool colours = has(heif_channel_R) && has(heif_channel_G) && has(heif_channel_B);
    if (has(heif_channel_Y) && (grey || !has(heif_channel_Cb))) {
        add_coded(heif_channel_Y, {1, 1, 1}, false, coded ? coded->full_range_flag != 0 : grey_has_full_range());
    } else if (grey && colours && !coded && colours_are_equal()) {  // so libheif puts tiles together
        add_plane(heif_channel_G, {1, 1, 1}, 0, 1);
    } else if (!colours || grey) {
        throw Error("the HEIF is damaged: its header and its picture differ in their colours");
    } else if (coded) {
        const Matrix matrix = matrix_of(*coded);
        const bool chroma = coded->matrix_coefficients != heif_matrix_coefficients_RGB_GBR;
        const bool full = coded->full_range_flag != 0;
        add_coded(heif_channel_G, matrix.y, false, full);
        add_coded(heif_channel_B, matrix.cb, chroma, full);
        add_coded(heif_channel_R, matrix.cr, chroma, full);
    } else {
        add_plane(heif_channel_R, {1, 0, 0}, 0, 1);
        add_plane(heif_channel_G, {0, 1, 0}, 0, 1);
        add_plane(heif_channel_B, {0, 0, 1}, 0, 1);
    }
}

bool HeifColours::colours_are_equal() const {
    const HeifPlane green(image_, heif_channel_G, width_, height_);
    std::vector<uint16_t> numbers(numbers_.size()), others(numbers_.size());
    for (const heif_channel channel : {heif_channel_R, heif_channel_B}) {
        const HeifPlane other(image_, channel, width_, height_);
        if (other.bits() != green.bits()) return false;
        for (int y = 0; y < height_; ++y) {
            green.read_row(y, numbers);
            other.read_row(y, others);
            if (numbers != others) return false;
        }
    }
    return true;
}

bool HeifColours::grey_has_full_range() const {
    heif_color_profile_nclx* stated = nullptr;
    heif_image_get_nclx_color_profile(image_, &stated);
    const bool full = !stated || stated->full_range_flag != 0;
    if (stated) heif_nclx_color_profile_free(stated);
    return full;
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

// In 8 bits, 128 is no colour; unless the range is full, 16 is black and 235 white. More bits scale these numbers.
void HeifColours::add_coded(heif_channel channel, const Weights& weights, bool chroma, bool full_range) {
    const int bits = heif_image_get_bits_per_pixel_range(image_, channel);
    const auto part_of_largest = [bits](double number) { return number * std::exp2(bits - 8) / (std::exp2(bits) - 1); };
    const double zero = chroma ? part_of_largest(128) : full_range ? 0 : part_of_largest(16);
    add_plane(channel, weights, zero, zero + (full_range ? 1 : part_of_largest(chroma ? 224 : 219)));
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
