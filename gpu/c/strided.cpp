#include "gpu/c/strided.h"

#include <algorithm>

#include "gpu/core/parallel.h"

namespace texelscope::c {
namespace {

// Fewer numbers are not worth threads.
constexpr int64_t much = 1 << 15;

template <class Row> void for_rows(int height, int64_t numbers, Row row) {
    const int rows_of_much = int(std::max<int64_t>(1, much * height / std::max<int64_t>(numbers, 1)));
    parallel_for(work::copy, height, rows_of_much, row);
}

// Floats side by side as levels side by side: a loop that the compiler makes vector code of.
template <class To> void store_levels(const float* values, size_t count, float scale, std::byte* to) {
    auto* const levels = reinterpret_cast<To*>(to);
    for (size_t k = 0; k < count; ++k) levels[k] = level_of<To>(values[k] * scale);
}

// As store_number() makes floats of numbers, and doubles of floats, in loops of the same kind.
template <class From> void load_floats(const std::byte* from, size_t count, float* to) {
    for (size_t k = 0; k < count; ++k) to[k] = float(double(loaded_from<From>(from + k * sizeof(From))));
}
bool load_floats(SampleType type, const std::byte* from, size_t count, float* to) {
    switch (type) {
        case SampleType::i8: load_floats<int8_t>(from, count, to); return true;
        case SampleType::i16: load_floats<int16_t>(from, count, to); return true;
        case SampleType::i32: load_floats<int32_t>(from, count, to); return true;
        case SampleType::u32: load_floats<uint32_t>(from, count, to); return true;
        case SampleType::i64: load_floats<int64_t>(from, count, to); return true;
        case SampleType::u64: load_floats<uint64_t>(from, count, to); return true;
        case SampleType::f64: load_floats<double>(from, count, to); return true;
        default: return false;  // is read as it is
    }
}
void store_floats(const float* values, size_t count, float scale, std::byte* to) {
    if (scale == 1) std::memcpy(to, values, count * sizeof(float));
    else
        for (size_t k = 0; k < count; ++k) store_to(to + k * sizeof(float), values[k] * scale);
}
void store_doubles(const float* values, size_t count, float scale, std::byte* to) {
    for (size_t k = 0; k < count; ++k) store_to(to + k * sizeof(double), double(values[k] * scale));
}

// Whether results become numbers side by side, without anything else.
bool is_scaled(const ScatterJob& job) {
    return !job.doubles && !job.replaces_nan && !job.divides_by_alpha && job.channels == job.to.channels &&
           job.to.has_packed_rows();
}

}  // namespace

void gather(const GatherJob& job) {
    const bool rows = job.to_type == job.from.type && job.channels == job.from.channels && job.from.has_packed_rows();
    const bool floats =
        job.to_type == SampleType::f32 && job.channels == job.from.channels && job.from.has_packed_rows();
    const size_t numbers = size_t(job.from.width) * size_t(job.channels),
                 row = numbers * size_t(bytes_per_sample(job.to_type));
    for_rows(job.from.height, int64_t(job.from.width) * job.channels * job.from.height, [&](int y) {
        if (rows) {
            std::memcpy(job.to + size_t(y) * job.row_bytes, job.from.data + y * job.from.stride_y, row);
            return;
        }
        if (floats && load_floats(job.from.type, job.from.data + y * job.from.stride_y, numbers,
                                  reinterpret_cast<float*>(job.to + size_t(y) * job.row_bytes)))
            return;
        for (int x = 0; x < job.from.width; ++x) gather_texel(job, x, y);
    });
}

void scatter(const ScatterJob& job) {
    const size_t row = size_t(job.to.width) * size_t(job.channels);
    const SampleType type = job.to.type;
    const bool scaled = is_scaled(job) && (is_normalised(type) || type == SampleType::f32 || type == SampleType::f64);
    const auto scale = float(job.scale);
    for_rows(job.to.height, int64_t(row) * job.to.height, [&](int y) {
        if (scaled) {
            const auto* values = reinterpret_cast<const float*>(job.values) + size_t(y) * row;
            std::byte* const to = job.to.data + y * job.to.stride_y;
            if (type == SampleType::u8) store_levels<uint8_t>(values, row, scale, to);
            else if (type == SampleType::u16) store_levels<uint16_t>(values, row, scale, to);
            else if (type == SampleType::f64) store_doubles(values, row, scale, to);
            else store_floats(values, row, scale, to);
            return;
        }
        for (int x = 0; x < job.to.width; ++x) scatter_pixel(job, x, y);
    });
}

}  // namespace texelscope::c
