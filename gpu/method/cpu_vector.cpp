#include "gpu/method/cpu_vector.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <type_traits>
#include <utility>

#include "gpu/method/output.h"

namespace texelscope {

std::unique_ptr<RowWriter> vector_rows(const ResampleJob& job, ResampleKernel kernel, const AxisWeights& weights,
                                       const simd::Kernels& kernels) {
    if (kernel == ResampleKernel::blocks) return std::make_unique<BlockWriter>(job, *job.spec.method, weights, kernels);
    if (kernel != ResampleKernel::separable) return nullptr;
    const AxisTaps columns = taps_along(Axis::x, job, weights, kernels);
    AxisTaps rows = taps_along(Axis::y, job, weights, kernels);
    if (are_copies(columns) && are_copies(rows)) return std::make_unique<CopyWriter>(job, columns, rows, kernels);
    return std::make_unique<SeparableWriter>(job, columns, std::move(rows), kernels);
}

std::unique_ptr<RowWriter> vector_rows(const TabulatedJob& tabulated, ResampleKernel kernel,
                                       const simd::Kernels& kernels) {
    if (kernel == ResampleKernel::blocks) return std::make_unique<TabulatedWriter>(tabulated, kernels);
    if (kernel != ResampleKernel::separable && kernel != ResampleKernel::box) return nullptr;
    const AxisTaps columns = taps_along(Axis::x, tabulated, kernels);
    AxisTaps rows = taps_along(Axis::y, tabulated, kernels);
    if (kernel == ResampleKernel::box) {
        const auto x = box_axis(columns.taps, columns.first, columns.weights),
                   y = box_axis(rows.taps, rows.first, rows.weights);
        if (x && y && x->even && y->even)
            return std::make_unique<BoxWriter>(tabulated.job, Boxes{*x, *y}, LongPasses{}, kernels,
                                               BoxWriter::Places{columns.places, rows.places});
    }
    return std::make_unique<SeparableWriter>(tabulated.job, columns, std::move(rows), kernels);
}

namespace {

template <int C> void store_one_by_one(const ResampleJob& job, const float* values, int first, int count, int row) {
    for (int n = 0; n < count; ++n) {
        Pixel<C> p;
        std::copy_n(values + size_t(n) * C, C, p.v);
        write_pixel(job.output, first + n, row, p);
    }
}

// True if there is vector code for this output.
bool store_rgba8(const simd::Kernels& kernels, const ResampleOutput& out, int channels, const float* values,
                 uint32_t* to, int count) {
    const auto convert = [&](const float* from, int pixels, uint32_t* into) {
        if (channels == 1) kernels.grey(from, pixels, into);
        else kernels.colour(from, pixels, out.has_alpha, background_level, into);
    };
    if (channels == 2 || (channels == 1 && out.has_alpha)) return false;
    const int whole = count / 16 * 16;
    convert(values, whole, to);
    if (whole < count) {
        uint32_t last[16];
        convert(values + whole * channels, 16, last);
        std::copy_n(last, count - whole, to + whole);
    }
    return true;
}

bool store_vectors(const simd::Kernels& kernels, const ResampleJob& job, const float* values, int first, int count,
                   int row) {
    const ResampleOutput& out = job.output;
    const int channels = pixel_channels(job.source.channels);
    if (out.encode_srgb) return false;
    char* line = static_cast<char*>(out.pixels) + size_t(row) * out.row_bytes;
    if (out.rgba8) return store_rgba8(kernels, out, channels, values, reinterpret_cast<uint32_t*>(line) + first, count);
    if (out.channels != channels && out.channels != 3) return false;
    if (out.levels) {
        auto* const to = reinterpret_cast<uint8_t*>(line) + size_t(first) * size_t(out.channels);
        if (out.channels == 3) kernels.levels_of_three(values, count, to);
        else kernels.levels(values, count * out.channels, to);
        return true;
    }
    if (out.channels == 3) {
        float* const to = reinterpret_cast<float*>(line) + size_t(first) * 3;
        for (int n = 0; n + 1 < count; ++n)
            std::memcpy(to + n * 3, values + n * 4, 4 * sizeof(float));  // one is written over
        std::memcpy(to + (count - 1) * 3, values + (count - 1) * 4, 3 * sizeof(float));
        return true;
    }
    const size_t pixel = size_t(out.channels) * sizeof(float);
    std::memcpy(line + size_t(first) * pixel, values, size_t(count) * pixel);
    return true;
}

template <int C> void store_elsewhere(const ResampleJob& job, const PixelPlace* places, int first, int count, int row) {
    for (int n = 0; n < count; ++n) {
        if (places[n] == PixelPlace::outside) write_outside<C>(job, first + n, row);
        if (places[n] == PixelPlace::nowhere) write_pixel(job.output, first + n, row, Pixel<C>::nan());
    }
}

}  // namespace

void store_values(const simd::Kernels& kernels, const ResampleJob& job, const float* values, const PixelPlace* places,
                  int first, int count, int row) {
    const auto with_channels = [&](auto channels) {
        constexpr int C = decltype(channels)::value;
        if (!store_vectors(kernels, job, values, first, count, row))
            store_one_by_one<C>(job, values, first, count, row);
        if (places) store_elsewhere<C>(job, places, first, count, row);
    };
    switch (pixel_channels(job.source.channels)) {
        case 1: return with_channels(std::integral_constant<int, 1>());
        case 2: return with_channels(std::integral_constant<int, 2>());
        default: return with_channels(std::integral_constant<int, 4>());
    }
}

void store_values(const simd::Kernels& kernels, const ResampleJob& job, const float* values,
                  const std::vector<PixelPlace>& columns, const std::vector<PixelPlace>& rows, int first, int count,
                  int row) {
    const PixelPlace* const of_columns = columns.empty() ? nullptr : columns.data() + first;
    const PixelPlace of_row = rows.empty() ? PixelPlace::inside : rows[size_t(row)];
    if (of_row == PixelPlace::inside) return store_values(kernels, job, values, of_columns, first, count, row);
    std::vector<PixelPlace> places(size_t(count), of_row);
    for (int n = 0; of_columns && n < count; ++n)
        if (of_columns[n] == PixelPlace::outside) places[size_t(n)] = PixelPlace::outside;
    store_values(kernels, job, values, places.data(), first, count, row);
}

void* row_of_texels(const ResampleJob& job, int row) {
    const ResampleOutput& out = job.output;
    const SampleType taken = out.levels ? SampleType::u8 : SampleType::f32;
    const bool as_stored =
        !out.rgba8 && !out.encode_srgb && out.channels == job.source.channels && taken == job.source.type;
    return as_stored ? static_cast<char*>(out.pixels) + size_t(row) * out.row_bytes : nullptr;
}

float* row_of_floats(const ResampleJob& job, int row) {
    const ResampleOutput& out = job.output;
    if (out.rgba8 || out.levels || out.encode_srgb || out.channels != pixel_channels(job.source.channels))
        return nullptr;
    return reinterpret_cast<float*>(static_cast<char*>(out.pixels) + size_t(row) * out.row_bytes);
}

bool store_texels(const ResampleJob& job, const void* texels, int row) {
    const ResampleOutput& out = job.output;
    const int channels = job.source.channels, width = out.width;
    if (void* const to = row_of_texels(job, row)) {
        std::memcpy(to, texels, size_t(width) * texel_bytes(job.source));
        return true;
    }
    if (!out.rgba8 || out.encode_srgb || out.has_alpha || channels == 2 || job.source.type != SampleType::u8)
        return false;
    const auto* const levels = static_cast<const uint8_t*>(texels);
    auto* const pixels = reinterpret_cast<uint32_t*>(static_cast<char*>(out.pixels) + size_t(row) * out.row_bytes);
    const auto pack = [&]<int C>() {
        for (int n = 0; n < width; ++n) {
            const uint8_t* const p = levels + size_t(n) * C;
            pixels[n] = C == 1 ? packed(p[0], p[0], p[0]) : packed(p[0], p[1 % C], p[2 % C]);
        }
    };
    if (channels == 1) pack.operator()<1>();
    else if (channels == 3) pack.operator()<3>();
    else pack.operator()<4>();
    return true;
}

CopyWriter::CopyWriter(const ResampleJob& job, const AxisTaps& columns, const AxisTaps& rows,
                       const simd::Kernels& kernels)
    : job_(job), kernels_(kernels), places_x_(columns.places), places_y_(rows.places) {
    const TexelArray& a = job.source;
    const int width = a.width + 2 * a.margin_x, height = a.height + 2 * a.margin_y;
    for (int i = 0; i < job.output.width; ++i)
        columns_.push_back(addressed(a.address.x, columns.first[size_t(i)], width));
    for (int j = 0; j < job.output.height; ++j) rows_.push_back(addressed(a.address.y, rows.first[size_t(j)], height));
    if (!columns_.empty()) {
        const auto [least, largest] = std::minmax_element(columns_.begin(), columns_.end());
        begin_ = std::max(*least, 0);
        end_ = *largest + 1;
    }
    side_by_side_ = !columns_.empty() && columns_.front() >= 0;
    for (size_t n = 1; n < columns_.size(); ++n) side_by_side_ &= columns_[n] == columns_[n - 1] + 1;
    const auto last =
        std::find_if(columns_.begin(), columns_.end(), [&](int column) { return column < 0 || column + 1 >= width; });
    whole_moves_ = std::min(int(last - columns_.begin()), job.output.width - 1);
}

int CopyWriter::rows_read(int first, int last) const {
    return *std::max_element(rows_.begin() + first, rows_.begin() + last) + 1;
}

namespace {

// Copies texels of `bytes` bytes. Each of the first `whole` moves `moved` bytes, which a processor does in one go; the next texel
// overwrites what is too many.
template <size_t bytes, size_t moved>
void copy_texels(const std::byte* from, const std::vector<int>& columns, int whole, std::byte* to) {
    const int* const column = columns.data();
    const int count = int(columns.size());
    int n = 0;
    if constexpr (bytes <= 2) {  // stores of single bytes take longer than loads
        constexpr int together = int(sizeof(uint64_t) / bytes);
        using Texel = std::conditional_t<bytes == 1, uint8_t, uint16_t>;
        for (; n + together <= whole; n += together) {
            uint64_t word = 0;
            for (int k = 0; k < together; ++k) {
                Texel texel;
                std::memcpy(&texel, from + size_t(column[n + k]) * bytes, bytes);
                word |= uint64_t(texel) << (8 * bytes * size_t(k));
            }
            std::memcpy(to + size_t(n) * bytes, &word, sizeof word);
        }
    }
    for (; n < whole; ++n) std::memcpy(to + size_t(n) * bytes, from + size_t(column[n]) * bytes, moved);
    for (; n < count; ++n) {
        if (column[n] < 0) std::memset(to + size_t(n) * bytes, 0, bytes);
        else std::memcpy(to + size_t(n) * bytes, from + size_t(column[n]) * bytes, bytes);
    }
}

}  // namespace

void CopyWriter::copy_row(int stored, void* row) const {
    const size_t bytes = texel_bytes(job_.source);
    auto* const to = static_cast<std::byte*>(row);
    if (stored < 0) return (void)std::memset(to, 0, columns_.size() * bytes);
    const auto* const from = static_cast<const std::byte*>(job_.source.texels) + size_t(stored) * job_.source.row_bytes;
    if (side_by_side_) return (void)std::memcpy(to, from + size_t(columns_.front()) * bytes, columns_.size() * bytes);
    switch (bytes) {
        case 1: return copy_texels<1, 1>(from, columns_, whole_moves_, to);
        case 2: return copy_texels<2, 2>(from, columns_, whole_moves_, to);
        case 3: return copy_texels<3, 4>(from, columns_, whole_moves_, to);
        case 4: return copy_texels<4, 4>(from, columns_, whole_moves_, to);
        case 6: return copy_texels<6, 8>(from, columns_, whole_moves_, to);
        case 8: return copy_texels<8, 8>(from, columns_, whole_moves_, to);
        case 12: return copy_texels<12, 16>(from, columns_, whole_moves_, to);
        default: return copy_texels<16, 16>(from, columns_, whole_moves_, to);
    }
}

void CopyWriter::write_rows(int first, int last) const {
    const TexelArray& a = job_.source;
    const bool inside = places_x_.empty() && places_y_.empty();
    const size_t bytes = columns_.size() * texel_bytes(a);
    std::vector<std::byte> texels(bytes + simd::padding * sizeof(float));
    std::vector<float> values;
    int held = -2;
    for (int j = first; j < last; ++j) {
        const int stored = rows_[size_t(j)];
        const bool again = std::exchange(held, stored) == stored;
        if (j + 1 < last && rows_[size_t(j) + 1] != stored) prefetch_row(a, rows_[size_t(j) + 1], begin_, end_);
        if (void* const to = inside ? row_of_texels(job_, j) : nullptr) {
            if (again) std::memcpy(to, row_of_texels(job_, j - 1), bytes);
            else copy_row(stored, to);
            continue;
        }
        if (!again) copy_row(stored, texels.data());
        if (inside && store_texels(job_, texels.data(), j)) continue;
        if (!again || values.empty()) {
            values.resize(columns_.size() * size_t(pixel_channels(a.channels)) + simd::padding);
            convert_texels(kernels_, a, texels.data(), job_.output.width, values.data());
        }
        store_values(kernels_, job_, values.data(), places_x_, places_y_, 0, job_.output.width, j);
    }
}

int tabulated_weights(const simd::Kernels& kernels, const AxisFilter& filter, AddressMode mode, double x, int& first,
                      float (&w)[tabulated_capacity]) {
    if (filter.stretch > float(max_stretch) || filter.pieces.pieces) {
        float few[max_widened_taps];
        const int count = filter.pieces.pieces ? tabulated_weights<true>(filter, mode, x, first, few)
                                               : tabulated_weights<false>(filter, mode, x, first, few);
        std::fill(std::copy_n(few, count, w), w + (count + 15) / 16 * 16, 0.0f);
        return count;
    }
    const float reach = filter.radius * filter.stretch;
    const int whole = int(floor_to_integer(x));
    const float t = float(x - whole);
    const int before = int(std::ceil(t - reach)), after = int(std::floor(t + reach));
    first = whole + before;
    const int count = std::min(after - before + 1, max_widened_taps);
    const float sum = kernels.table_weights(filter.table, table_nodes, filter.radius, filter.stretch, filter.derivative,
                                            t, before, count, w);
    if (!filter.derivative && sum != 0) {
        const float gain = 1 / sum;
        for (int k = 0; k < count; ++k) w[k] *= gain;
    }
    return count;
}

PlaceWeights::PlaceWeights(const AxisFilter& filter, const simd::Kernels& kernels) : mix_(kernels.mix) {
    if (filter.stretch > float(max_stretch) || filter.pieces.pieces) return;
    // Linear interpolation is off by max|h″| / 8 / places² / stretch³: by less than 1e-7 with an h″ of 10.
    int places = 256;
    while (places < 4096 && double(places) * places * std::pow(double(filter.stretch), 3) < 1.25e7) places *= 2;
    const float reach = filter.radius * filter.stretch;
    first_ = int(std::ceil(-reach));
    count_ = int(std::floor(1 + reach)) - first_ + 1;
    stride_ = (count_ + 15) / 16 * 16;
    if (stride_ > tabulated_capacity) return;
    struct Taps {
        int first, count;
        float w[tabulated_capacity];
        bool operator==(const Taps& other) const { return first == other.first && count == other.count; }
    };
    // A row, or what is between two.
    const auto fill = [&](double x, float* row) {
        Taps taps;
        taps.count = tabulated_weights(kernels, filter, AddressMode::clamp, x, taps.first, taps.w);
        std::fill_n(row, stride_, 0.0f);
        std::copy_n(taps.w, taps.count, row + taps.first - first_);
        return taps;
    };
    rows_.resize(size_t(places + 1) * size_t(stride_));
    smooth_.resize(size_t(places));
    const auto row = [&](int place) { return rows_.data() + size_t(place) * size_t(stride_); };
    float between[tabulated_capacity];
    Taps left = fill(0, row(0));
    for (int n = 0; n < places; ++n) {
        const Taps middle = fill((n + 0.5) / places, between), right = fill((n + 1.0) / places, row(n + 1));
        bool smooth = left == middle && middle == right;
        for (int k = 0; k < stride_; ++k) smooth &= std::abs(between[k] - (row(n)[k] + row(n + 1)[k]) / 2) <= 1e-7f;
        smooth_[size_t(n)] = smooth;
        left = right;
    }
    places_ = places;
}

bool PlaceWeights::read(double x, int& first, int& count, float* w) const {
    if (places_ == 0) return false;
    const auto whole = floor_to_integer(x);
    const float at = float(x - double(whole)) * float(places_);
    const int place = std::min(int(at), places_ - 1);
    if (!smooth_[size_t(place)]) return false;
    const float part = at - float(place);
    const float *const left = rows_.data() + size_t(place) * size_t(stride_), *const right = left + stride_;
    mix_(left, right, part, stride_, w);
    first = int(whole) + first_;
    count = count_;
    return true;
}

}  // namespace texelscope
