#pragma once
// ImageView: samples in memory that someone else owns.

#include <cstddef>

#include "gpu/core/image.h"

namespace texelscope {

// Row-major samples, channels interleaved. Complex data has two channels: real and imaginary part.
struct ImageView {
    const void* samples = nullptr;  // host or device memory, depending on the backend
    int width = 0, height = 1;      // samples
    int channels = 1;               // 1, 2 or 4
    SampleType type = SampleType::f32;
    size_t row_bytes = 0;          // from one row to the next; 0: packed
    Alpha alpha = Alpha::none;     // none or premultiplied
    bool one_dimensional = false;  // a signal of height 1, interpolated only along x

    size_t texel_bytes() const { return size_t(channels) * size_t(bytes_per_sample(type)); }
    size_t stride() const { return row_bytes ? row_bytes : size_t(width) * texel_bytes(); }
};

// An independent copy. Throws OutOfMemory.
Image copied(const ImageView& view);

inline ImageView view_of(const Image& image) {
    return {image.data(), image.width(),     image.height(), image.channels(),
            image.type(), image.row_bytes(), image.alpha(),  image.one_dimensional()};
}

}  // namespace texelscope
