#pragma once
// How different the colours of two pictures look: ΔE2000 of each pixel.

#include <vector>

#include "app/studies/restoring/restoration.h"

namespace texelscope {

struct ColourFigures {
    double mean = 0;
    double percentile_95 = 0;  // linear between neighbours in rank
};

// Whether an image has colours: three channels, or three and alpha.
bool has_colours(const Image& image);

// An original, and pictures compared with it. Colours are sRGB-coded and clamped to [0, 1], as a screen shows them;
// with alpha, premultiplied: over black. Of a picture with more than 2 million pixels, whole rows are compared, one at a
// random place in each of many strips of equal height: enough for three digits of either figure.
class ColourComparison {
public:
    // `original`: f32, has colours. Keeps 12 bytes per compared pixel.
    explicit ColourComparison(const Image& original);

    // Those that are compared, from the top.
    const std::vector<int>& rows() const { return rows_; }

    struct Figures {
        ColourFigures inside, all;
    };

    // `picture`: rows() of one of the same kind and size. On all of the CPU's threads. Pixels that are not finite are left
    // out; NaN if none remains.
    Figures figures(const Image& picture, const Interior& interior) const;

private:
    struct Colour {
        float l, a, b;
    };
    static Colour colour_of(const float* pixel);

    Extent size_;
    std::vector<int> rows_;
    std::vector<Colour> original_;  // of these rows
};

}  // namespace texelscope
