#pragma once
// Arrays whose elements are any distance apart: read into packed texels, and written from packed results.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>

#include "gpu/core/half.h"
#include "gpu/core/image.h"
#include "gpu/core/platform.h"

namespace texelscope {
class Backend;
}

namespace texelscope::c {

// One image of an array. Strides in bytes.
struct Strided {
    std::byte* data = nullptr;
    SampleType type = SampleType::f32;
    int width = 0, height = 0, channels = 0;
    int64_t stride_y = 0, stride_x = 0, stride_channel = 0;

    int64_t element() const { return bytes_per_sample(type); }
    // The channels of a texel, and the texels of a row, are side by side.
    bool has_packed_rows() const {
        return (channels == 1 || stride_channel == element()) && (width == 1 || stride_x == channels * element());
    }
    Strided channel_range(int first, int count) const {
        Strided part = *this;
        part.data += first * stride_channel;
        part.channels = count;
        return part;
    }
};

// Several images of a GPU's array by one launch: from one to the next, in bytes.
struct Batch {
    int images = 1;
    int64_t array_step = 0, packed_step = 0;
};

// Reads an array into packed texels of `channels`, those that it has not being 0: of its own type, or else as f32 numbers, or
// f64 if `to_type` says so.
struct GatherJob {
    Strided from;
    std::byte* to = nullptr;
    SampleType to_type = SampleType::f32;
    int channels = 1;
    size_t row_bytes = 0;
    Batch batch = {};
};

// Writes results, packed floats or doubles, into an array.
struct ScatterJob {
    const std::byte* values = nullptr;
    bool doubles = false;
    int channels = 1;  // of the results, at least as many as the array has
    Strided to;
    double scale = 1;  // numbers of the array are results times this, rounded and clamped if the array holds integers
    bool replaces_nan = false, divides_by_alpha = false;  // alpha: the last channel
    double instead = 0;                                   // of NaN, a number of the array
    Batch batch = {};
};

// Use threads for large arrays. Of one image.
void gather(const GatherJob& job);
void scatter(const ScatterJob& job);

// gather() and scatter() in memory of a CUDA backend, enqueued on its stream. Throws Error if the launch is refused.
void gather_on_cuda(const GatherJob& job, const Backend& backend);
void scatter_on_cuda(const ScatterJob& job, const Backend& backend);

// A GPU's arrays are aligned to their elements (check_alignment), whole elements are then one access. By bytes, ptxas 13.0
// stores the integer part of a half as its low byte.
template <class T> TS_HD T loaded_from(const std::byte* at) {
#if defined(__CUDA_ARCH__)
    return *reinterpret_cast<const T*>(at);
#else
    T value;
    std::memcpy(&value, at, sizeof value);
    return value;
#endif
}
template <class T> TS_HD void store_to(std::byte* at, T value) {
#if defined(__CUDA_ARCH__)
    *reinterpret_cast<T*>(at) = value;
#else
    std::memcpy(at, &value, sizeof value);
#endif
}

// A stored number, of u8 and u16 too.
TS_HD double stored_value(const std::byte* at, SampleType type) {
    switch (type) {
        case SampleType::u8: return loaded_from<uint8_t>(at);
        case SampleType::u16: return loaded_from<uint16_t>(at);
        case SampleType::f16: return half_to_float(loaded_from<uint16_t>(at));
        case SampleType::f32: return loaded_from<float>(at);
        case SampleType::i8: return loaded_from<int8_t>(at);
        case SampleType::i16: return loaded_from<int16_t>(at);
        case SampleType::i32: return loaded_from<int32_t>(at);
        case SampleType::u32: return loaded_from<uint32_t>(at);
        case SampleType::i64: return double(loaded_from<int64_t>(at));
        case SampleType::u64: return double(loaded_from<uint64_t>(at));
        case SampleType::f64: return loaded_from<double>(at);
    }
    return 0;
}

// Rounded to nearest, halves up, and clamped; NaN is 0. Levels of pictures, as images have them.
template <class To> TS_HD To level_of(float value) {
    constexpr float top = sizeof(To) == 1 ? 255.0f : 65535.0f;
    const float positive = value > 0 ? value : 0;
    return To(int((positive < top ? positive : top) + 0.5f));
}

// Rounded to nearest, halves away from zero, and clamped; NaN is 0. `least` and `largest` of the type; the latter, as a double,
// may lie beyond it.
template <class To> TS_HD To whole_of(double value, To least, To largest) {
    if (value != value) return 0;
    const double nearest = round(value);
    if (nearest <= double(least)) return least;
    return nearest >= double(largest) ? largest : To(nearest);
}

TS_HD void store_number(std::byte* at, SampleType type, double value) {
    switch (type) {
        case SampleType::u8: return store_to(at, level_of<uint8_t>(float(value)));
        case SampleType::u16: return store_to(at, level_of<uint16_t>(float(value)));
        case SampleType::f16: return store_to(at, float_to_half(float(value)));
        case SampleType::f32: return store_to(at, float(value));
        case SampleType::i8: return store_to(at, whole_of<int8_t>(value, INT8_MIN, INT8_MAX));
        case SampleType::i16: return store_to(at, whole_of<int16_t>(value, INT16_MIN, INT16_MAX));
        case SampleType::i32: return store_to(at, whole_of<int32_t>(value, INT32_MIN, INT32_MAX));
        case SampleType::u32: return store_to(at, whole_of<uint32_t>(value, 0, UINT32_MAX));
        case SampleType::i64: return store_to(at, whole_of<int64_t>(value, INT64_MIN, INT64_MAX));
        case SampleType::u64: return store_to(at, whole_of<uint64_t>(value, 0, UINT64_MAX));
        case SampleType::f64: return store_to(at, value);
    }
}

TS_HD std::byte* place_in(const Strided& array, int x, int y, int channel) {
    return array.data + y * array.stride_y + x * array.stride_x + channel * array.stride_channel;
}

TS_HD void gather_texel(const GatherJob& job, int x, int y) {
    const int bytes = bytes_per_sample(job.to_type);
    std::byte* to = job.to + size_t(y) * job.row_bytes + size_t(x) * size_t(job.channels) * size_t(bytes);
    for (int c = 0; c < job.channels; ++c, to += bytes) {
        if (c >= job.from.channels) {
            std::memset(to, 0, size_t(bytes));
            continue;
        }
        const std::byte* from = place_in(job.from, x, y, c);
        if (job.to_type == job.from.type) std::memcpy(to, from, size_t(bytes));
        else store_number(to, job.to_type, stored_value(from, job.from.type));
    }
}

TS_HD void scatter_pixel(const ScatterJob& job, int x, int y) {
    const size_t first = (size_t(y) * size_t(job.to.width) + size_t(x)) * size_t(job.channels);
    const auto result = [&](int c) {
        const size_t k = first + size_t(c);
        return job.doubles ? loaded_from<double>(job.values + k * sizeof(double))
                           : double(loaded_from<float>(job.values + k * sizeof(float)));
    };
    const int last = job.to.channels - 1;
    const double alpha = job.divides_by_alpha ? result(last) : 1;
    for (int c = 0; c <= last; ++c) {
        double value = result(c);
        if (job.divides_by_alpha && c < last) value = alpha > 0 ? value / alpha : 0;
        // As floats where results are, so that levels come out as they do everywhere else.
        value = job.doubles ? value * job.scale : double(float(value) * float(job.scale));
        if (job.replaces_nan && value != value) value = job.instead;
        store_number(place_in(job.to, x, y, c), job.to.type, value);
    }
}

}  // namespace texelscope::c
