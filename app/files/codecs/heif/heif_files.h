#pragma once
// Converts planes as libheif decodes them to grey or R, G and B, by the matrix, the range and the depth that the file
// states, as ITU-T H.273 defines them.

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <libheif/heif.h>

namespace texelscope {

// One channel of a decoded picture.
class HeifPlane {
public:
    // Throws Error unless the plane has a sample for each of `width` by `height` pixels.
    HeifPlane(const heif_image* image, heif_channel channel, int width, int height);

    int bits() const { return bits_; }
    void read_row(int y, std::vector<uint16_t>& numbers) const;

private:
    const uint8_t* data_;
    size_t stride_ = 0;
    int bits_;
};

class HeifColours {
public:
    // `coded`: the planes G, B and R hold luminance and chroma of this kind; null: they are colours. `grey`: one
    // channel. Throws Error if the picture is of another kind, or its matrix cannot be applied.
    HeifColours(const heif_image* image, int width, int height, bool grey, const heif_color_profile_nclx* coded);

    // Reads a row in [0, 1]: `channels` numbers for each pixel, of which grey or the colours are written. Not clamped.
    void read_row(int y, int channels, double* to);

private:
    void add_plane(heif_channel channel, const std::array<double, 3>& weights, double zero, double one);
    void add_coded(heif_channel channel, const std::array<double, 3>& weights, bool chroma, bool full_range);
    bool has(heif_channel channel) const { return heif_image_has_channel(image_, channel) != 0; }
    bool colours_are_equal() const;
    bool grey_has_full_range() const;

    const heif_image* image_;
    int width_, height_;
    size_t colours_;
    struct Part {
        HeifPlane plane;
        std::array<std::vector<double>, 3> shares;  // what each number adds to R, G and B
    };
    std::vector<Part> parts_;
    std::vector<uint16_t> numbers_;
};

}  // namespace texelscope
