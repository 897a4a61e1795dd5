#pragma once
// The value beyond a border. Interpolation is linear: with v beyond the edges it is that of the samples minus v with zero
// there, plus v times the sum of the weights. So an image minus v is kept for each v (Backend::minus), every kernel and
// every filter reads zero beyond a border, and the sum is made where a picture leaves (Backend::add_border).

#include <cstddef>

#include "gpu/core/address.h"

namespace texelscope {

// A border value as the samples are: premultiplied, linear light if they are.
struct BorderPixel {
    float v[4] = {};
    bool is_zero() const { return v[0] == 0 && v[1] == 0 && v[2] == 0 && v[3] == 0; }
};

// The border pixel of an image with these channels. A channel without a number of its own has the last one, alpha 1;
// numbers beyond the channels are not used.
BorderPixel border_pixel(const BorderValue& border, int channels, bool has_alpha, bool linear_light);

// What is added to floats that resample() has written.
struct BorderTerm {
    const float* values = nullptr;  // memory of the backend; may be the target's own
    size_t row_bytes = 0;
    BorderPixel border;
    const float* weights = nullptr;  // the sum of each pixel's weights, packed; null: it is 1
};

}  // namespace texelscope
