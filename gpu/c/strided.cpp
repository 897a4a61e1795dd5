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

bool is_levels(const ScatterJob& job) {
    return is_normalised(job.to.type) && !job.doubles && !job.replaces_nan && !job.divides_by_alpha &&
           job.channels == job.to.channels && job.to.has_packed_rows();
}

bool is_rows_of_floats(const ScatterJob& job) {
    return job.to.type == SampleType::f32 && !job.doubles && !job.replaces_nan && !job.divides_by_alpha &&
           job.scale == 1 && job.channels == job.to.channels && job.to.has_packed_rows();
}

}  // namespace

void gather(const GatherJob& job) {
    const bool rows = job.to_type == job.from.type && job.channels == job.from.channels && job.from.has_packed_rows();
    const size_t row = size_t(job.from.width) * size_t(job.channels) * size_t(bytes_per_sample(job.to_type));
    for_rows(job.from.height, int64_t(job.from.width) * job.channels * job.from.height, [&](int y) {
        if (rows) {
            std::memcpy(job.to + size_t(y) * job.row_bytes, job.from.data + y * job.from.stride_y, row);
            return;
        }
        for (int x = 0; x < job.from.width; ++x) gather_texel(job, x, y);
    });
}

void scatter(const ScatterJob& job) {
    const size_t row = size_t(job.to.width) * size_t(job.channels);
    const bool levels = is_levels(job), floats = is_rows_of_floats(job);
    for_rows(job.to.height, int64_t(row) * job.to.height, [&](int y) {
        if (levels || floats) {
            const auto* values = reinterpret_cast<const float*>(job.values) + size_t(y) * row;
            std::byte* const to = job.to.data + y * job.to.stride_y;
            if (floats) std::memcpy(to, values, row * sizeof(float));
            else if (job.to.type == SampleType::u8) store_levels<uint8_t>(values, row, float(job.scale), to);
            else store_levels<uint16_t>(values, row, float(job.scale), to);
            return;
        }
        for (int x = 0; x < job.to.width; ++x) scatter_pixel(job, x, y);
    });
}

}  // namespace texelscope::c
