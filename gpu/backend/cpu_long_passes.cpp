// The passes of recipes on the CPU, a vector of numbers at a time. Along y rows are added as they are; a thread holds as many of
// them as the next output rows read.

#include <algorithm>
#include <array>
#include <functional>
#include <optional>

#include "gpu/backend/cpu_backend.h"
#include "gpu/backend/cpu_long_rows.h"
#include "gpu/method/cpu_vector.h"
#include "gpu/method/long_taps.h"
#include "gpu/method/resample_pixel.h"

namespace texelscope {
namespace {

simd::SumRule sum_rule(const LongPass& pass) {
    return {pass.plain(), pass.scale, pass.round,   pass.multiple, pass.value_shift, pass.product_shift,
            pass.shift,   pass.add,   pass.clipped, pass.low,      pass.high};
}

// A row that a pass has made, pixel_channels() numbers a pixel, with padding.
using TakeRow = std::function<void(int row, float* numbers)>;

// Rows first … last − 1 of a pass along y.
void pass_along_y(const PassOfAxis& pass, const simd::Kernels& kernels, int first, int last, int numbers,
                  const std::function<const float*(int row, int pixel)>& row_of, const TakeRow& take) {
    std::vector<const float*> rows;
    std::vector<float> weights, sums(size_t(numbers) + simd::padding);
    for (int j = first; j < last; ++j) {
        rows.clear();
        weights.clear();
        pass.for_taps(j, [&](int row, float weight) {
            rows.push_back(row_of(row, j));
            weights.push_back(weight);
        });
        kernels.long_rows[pass.arithmetic()](pass.rule, rows.data(), weights.data(), int(rows.size()), numbers,
                                             sums.data());
        take(j, sums.data());
    }
}

template <int C> void multiply_straight(const LongPasses& passes, float* numbers, int pixels) {
    for (int i = 0; i < pixels; ++i) {
        auto& pixel = reinterpret_cast<Pixel<C>*>(numbers)[i];
        pixel = detail::straight_sum(passes.first, passes.unit, pixel);
        detail::multiply_by_alpha(passes.unit, pixel);
    }
}

// An output row by single pixels, as sums of the second pass become it.
template <int C>
void finish_pixels(const TexelArray& array, const LongPasses& passes, int row, float* numbers, int pixels) {
    for (int i = 0; i < pixels; ++i) {
        auto& pixel = reinterpret_cast<Pixel<C>*>(numbers)[i];
        pixel = detail::output_pixel(array, passes, i, row, pixel);
    }
}

template <class Do> void for_pixel_channels(int channels, Do run) {
    if (channels == 1) run.template operator()<1>();
    else if (channels == 2) run.template operator()<2>();
    else run.template operator()<4>();
}

// Output rows, and those of the source that the pass along y reads for them.
struct Strip {
    int first, last;
    std::vector<int> rows;  // in their order
    int held = 0;           // so many before the newest one may still be read

    Strip(const PassOfAxis& y, int from, int to) : first(from), last(to) {
        std::vector<bool> read(size_t(y.samples), false);
        for (int j = first; j < last; ++j) y.for_taps(j, [&](int row, float) { read[size_t(row)] = true; });
        std::vector<int> number(size_t(y.samples), 0);
        for (int row = 0; row < y.samples; ++row)
            if (read[size_t(row)]) {
                number[size_t(row)] = int(rows.size());
                rows.push_back(row);
            }
        int newest = -1;
        for (int j = first; j < last; ++j) {
            int oldest = int(rows.size());
            y.for_taps(j, [&](int row, float) {
                oldest = std::min(oldest, number[size_t(row)]);
                newest = std::max(newest, number[size_t(row)]);
            });
            held = std::max(held, newest - oldest + 1);
        }
    }
};

// Strips of which each is computed by itself; one of everything if they would have many rows in common.
std::vector<Strip> strips_of(const PassOfAxis& y) {
    const int pixels = y.taps.pixels(), together = std::clamp(pixels / (4 * thread_count()), 16, 64);
    std::vector<Strip> strips;
    size_t rows = 0;
    for (int first = 0; first < pixels; first += together) {
        strips.emplace_back(y, first, std::min(first + together, pixels));
        rows += strips.back().rows.size();
    }
    Strip all(y, 0, pixels);
    if (rows <= all.rows.size() + all.rows.size() / 4 + size_t(together)) return strips;
    strips.clear();
    strips.push_back(std::move(all));
    return strips;
}

// Two bytes along each axis, by whole numbers of 16 bits: a product of the second pass is shifted by 16 bits, which leaves its
// higher half.
struct PairTaps {
    std::vector<int> first;         // number of a row, at which the first of two texels begins
    std::vector<uint32_t> columns;  // both weights
    struct Rows {
        int row[2] = {};
        int16_t weight[2] = {};
    };
    std::vector<Rows> rows;
    int shift = 0;  // of the first pass's sums

    static std::optional<PairTaps> of(const TexelArray& array, const LongPasses& passes, const PassOfAxis& x,
                                      const PassOfAxis& y) {
        const LongPass &along_x = passes.first, &along_y = passes.second;
        const bool whole = array.type == SampleType::u8 && passes.unit == 255 && along_x.fixed && along_y.fixed &&
                           x.sums == Sums::whole32 && y.sums == Sums::whole32;
        const bool halves = along_x.value_shift == 0 && along_x.product_shift == 0 && along_x.shift == 0 &&
                            along_x.add == 0 && !along_x.clipped && along_y.product_shift == 16;
        const bool levels = along_y.clipped && along_y.low == 0 && along_y.high == 255;
        if (!whole || !halves || !levels || passes.y_first || passes.straight || passes.cut_colours ||
            passes.fill != 0 || passes.cell_width > 0 || array.width < 2 || x.taps.pixels() == 0 ||
            std::ldexp(x.taps.largest_sum() * 255, -along_y.value_shift) >= 0x1p15 ||
            y.taps.largest_sum() + double(along_y.add) >= 0x1p15)
            return {};
        PairTaps taps;
        taps.shift = along_y.value_shift;
        bool pairs = true;
        for (int i = 0; i < x.taps.pixels(); ++i) {
            int begin = array.width, end = 0, weights[2] = {};
            x.for_taps(i, [&](int sample, float) { begin = std::min(begin, sample), end = std::max(end, sample + 1); });
            begin = std::min(begin, array.width - 2);
            if (end - begin > 2) return {};
            x.for_taps(i, [&](int sample, float weight) { weights[sample - begin] += int(weight); });
            for (const int w : weights) pairs &= w >= 0 && w < 1 << 15;
            taps.first.push_back(begin * array.channels);
            taps.columns.push_back(uint32_t(weights[0]) | uint32_t(weights[1]) << 16);
        }
        for (int j = 0; j < y.taps.pixels(); ++j) {
            Rows rows;
            int count = 0;
            y.for_taps(j, [&](int row, float weight) {
                pairs &= count < 2 && weight > 0 && weight < 0x1p15f;
                if (count < 2) rows.row[count] = row, rows.weight[count] = int16_t(weight);
                ++count;
            });
            if (count == 1) rows.row[1] = rows.row[0];
            taps.rows.push_back(rows);
        }
        if (!pairs) return {};
        const size_t padded = (taps.first.size() + 7) / 8 * 8;
        taps.first.resize(padded, 0);
        taps.columns.resize(padded, 0);
        return taps;
    }
};

void resample_pairs(const ResampleJob& job, const PairTaps& taps, const LongPass& second,
                    const simd::Kernels& kernels) {
    const TexelArray& array = job.source;
    const int numbers = job.output.width * array.channels;
    const auto [least, largest] = std::minmax_element(taps.first.begin(), taps.first.begin() + job.output.width);
    const int begin = *least / array.channels, end = *largest / array.channels + 2;
    const simd::SumRule rule = sum_rule(second);
    const auto pair_columns = kernels.pair_columns[array.channels - 1];
    for_pieces_of_rows(work::tabulated, job.output.height, [&](int first, int last) {
        std::vector<int16_t> sums[2];
        for (auto& each : sums) each.resize(taps.first.size() * size_t(array.channels) + simd::padding);
        std::vector<uint8_t> levels(size_t(numbers) + simd::padding * sizeof(float));
        std::vector<float> values;
        int held[2] = {-1, -1};
        const auto place_of = [&](int row, int other) {
            if (held[0] == row || held[1] == row) return held[0] == row ? 0 : 1;
            const int place = held[0] == other ? 1 : 0;
            held[place] = row;
            pair_columns(static_cast<const uint8_t*>(array.texels) + size_t(row) * array.row_bytes, taps.first.data(),
                         taps.columns.data(), taps.shift, int(taps.first.size()), sums[place].data());
            return place;
        };
        for (int j = first; j < last; ++j) {
            const PairTaps::Rows& rows = taps.rows[size_t(j)];
            if (j + 1 < last)
                for (const int row : taps.rows[size_t(j) + 1].row)
                    if (row != rows.row[0] && row != rows.row[1]) prefetch_row(array, row, begin, end);
            const int16_t* const read[] = {sums[place_of(rows.row[0], rows.row[1])].data(),
                                           sums[place_of(rows.row[1], rows.row[0])].data()};
            void* const place = row_of_texels(job, j);
            uint8_t* const to = place ? static_cast<uint8_t*>(place) : levels.data();
            kernels.pair_rows(rule, read, rows.weight, numbers, to);
            if (place || store_texels(job, to, j)) continue;
            values.resize(size_t(job.output.width) * size_t(pixel_channels(array.channels)) + simd::padding);
            convert_texels(kernels, array, to, job.output.width, values.data());
            const int count = job.output.width * pixel_channels(array.channels);
            kernels.to_levels(values.data(), count, 255, true, 0);
            kernels.from_levels(values.data(), count, 0, 255, true);
            store_values(kernels, job, values.data(), nullptr, 0, job.output.width, j);
        }
    });
}

}  // namespace

void resample_by_passes_on_cpu(const ResampleJob& job, const LongTaps& x, const LongTaps& y, const LongPasses& passes,
                               MemoryBudget& memory, const simd::Kernels& kernels) {
    const TexelArray& array = job.source;
    const SumsOfPasses sums(passes, passes.y_first ? y : x, passes.y_first ? x : y);
    const auto rule = [&](const LongPass& pass) { return sum_rule(passes.straight ? LongPass{} : pass); };
    const PassOfAxis along_x{x, rule(passes.y_first ? passes.second : passes.first),
                             passes.y_first ? sums.second : sums.first, array.address.x, array.width},
        along_y{y, rule(passes.y_first ? passes.first : passes.second), passes.y_first ? sums.first : sums.second,
                array.one_dimensional ? AddressMode::clamp : array.address.y, array.height};
    if (const auto pairs = PairTaps::of(array, passes, along_x, along_y))
        return resample_pairs(job, *pairs, passes.second, kernels);
    const int channels = pixel_channels(array.channels);
    const bool first_is_whole = sums.first != Sums::real;
    const SlotsAlongX slots(along_x);
    const auto straighten = [&](float* numbers, int width) {
        if (passes.straight)
            for_pixel_channels(channels, [&]<int C>() { multiply_straight<C>(passes, numbers, width); });
    };
    const LongPass& second = passes.second;
    const bool levels = second.clipped && (second.fixed || second.round != Rounding::none) && second.multiple == 0 &&
                        second.low == 0 && second.high == passes.unit;
    const bool by_pixels = passes.cell_width > 0 || passes.cut_colours || passes.straight;
    const auto write = [&](int row, float* numbers) {
        if (by_pixels)
            for_pixel_channels(channels,
                               [&]<int C>() { finish_pixels<C>(array, passes, row, numbers, job.output.width); });
        else if (passes.fill != 0 || passes.unit != 1)
            kernels.from_levels(numbers, job.output.width * channels, passes.fill, passes.unit, levels);
        store_values(kernels, job, numbers, nullptr, 0, job.output.width, row);
    };
    const auto room_for = [&](size_t numbers) {
        return HostMemory(memory, numbers * sizeof(float), "no memory between the passes of a picture",
                          HostMemory::Contents::any);
    };
    const size_t stride = size_t(passes.y_first ? array.width : job.output.width) * size_t(channels) + simd::padding;
    if (passes.y_first) {
        const HostMemory between = room_for(stride * size_t(job.output.height));
        float* const pixels = static_cast<float*>(between.get());
        for_pieces_of_rows(work::tabulated, job.output.height, [&](int first, int last) {
            RowsOfSamples rows(array, passes, first_is_whole, !first_is_whole, y.taps, kernels);
            pass_along_y(
                along_y, kernels, first, last, array.width * channels,
                [&](int row, int pixel) { return rows.row(row, pixel); },
                [&](int row, float* numbers) {
                    straighten(numbers, array.width);
                    std::copy_n(numbers, array.width * channels, pixels + size_t(row) * stride);
                });
        });
        const int together = lanes_together / channels;
        for_pieces_of_rows(work::tabulated, (job.output.height + together - 1) / together, [&](int first, int last) {
            LanesAlongX lanes(along_x, slots, kernels, channels);
            const size_t numbers = size_t(job.output.width) * size_t(channels) + simd::padding;
            std::vector<float> made(numbers * size_t(together));
            std::array<float*, lanes_together> results{};
            for (int r = 0; r < together; ++r) results[size_t(r)] = made.data() + size_t(r) * numbers;
            for (int j = first * together; j < std::min(last * together, job.output.height); j += together) {
                const int count = std::min(together, job.output.height - j);
                lanes.make(
                    count, [&](int r) { return pixels + size_t(j + r) * stride; }, results.data());
                for (int r = 0; r < count; ++r) write(j + r, results[size_t(r)]);
            }
        });
        return;
    }
    const std::optional<WholeTaps> whole = WholeTaps::of(array, passes, along_x);
    const RowsAlongX along{array, passes, along_x, slots, whole, kernels};
    const std::vector<Strip> strips = strips_of(along_y);
    if (strips.size() > 1) {
        for_pieces_of_rows(work::tabulated, int(strips.size()), [&](int first, int last) {
            RowsAlongX::Maker maker(along);
            std::vector<float> ring;
            std::vector<int> held;  // the row at a place
            for (int n = first; n < last; ++n) {
                const Strip& strip = strips[size_t(n)];
                const size_t places = size_t(strip.held + maker.together());
                ring.resize(std::max(ring.size(), places * stride));
                held.assign(size_t(array.height), -1);
                size_t made = 0;
                const auto make_next = [&] {
                    std::array<float*, lanes_together> results{};
                    const int count = std::min(maker.together(), int(strip.rows.size() - made));
                    for (int r = 0; r < count; ++r) {
                        const size_t place = (made + size_t(r)) % places;
                        results[size_t(r)] = ring.data() + place * stride;
                        held[size_t(strip.rows[made + size_t(r)])] = int(place);
                    }
                    maker.make(strip.rows.data() + made, count, results.data());
                    for (int r = 0; r < count; ++r) straighten(results[size_t(r)], job.output.width);
                    made += size_t(count);
                };
                pass_along_y(
                    along_y, kernels, strip.first, strip.last, job.output.width * channels,
                    [&](int row, int) -> const float* {
                        while (held[size_t(row)] < 0) make_next();
                        return ring.data() + size_t(held[size_t(row)]) * stride;
                    },
                    write);
            }
        });
        return;
    }
    const Strip& all = strips.front();
    const HostMemory between = room_for(stride * std::max<size_t>(all.rows.size(), 1));
    float* const pixels = static_cast<float*>(between.get());
    const int together = RowsAlongX::Maker(along).together(), count = int(all.rows.size());
    std::vector<int> place(size_t(array.height), 0);
    for (int n = 0; n < count; ++n) place[size_t(all.rows[size_t(n)])] = n;
    for_pieces_of_rows(work::tabulated, (count + together - 1) / together, [&](int first, int last) {
        RowsAlongX::Maker maker(along);
        for (int n = first * together; n < std::min(last * together, count); n += together) {
            std::array<float*, lanes_together> results{};
            const int rows = std::min(together, count - n);
            for (int r = 0; r < rows; ++r) results[size_t(r)] = pixels + size_t(n + r) * stride;
            maker.make(all.rows.data() + n, rows, results.data());
            for (int r = 0; r < rows; ++r) straighten(results[size_t(r)], job.output.width);
        }
    });
    for_pieces_of_rows(work::tabulated, job.output.height, [&](int first, int last) {
        pass_along_y(
            along_y, kernels, first, last, job.output.width * channels,
            [&](int row, int) { return pixels + size_t(place[size_t(row)]) * stride; }, write);
    });
}

// Pixels with taps of their own on the CPU: rotated and warped views and points by recipes.

namespace {

LongTapsView view_of(const LongTaps& taps) {
    return {taps.first.data(), taps.weights.data(), taps.taps, taps.pixels(), 1, size_t(taps.taps)};
}

template <class Sample, int stored, bool y_first, Sums first, Sums second>
void write_rows(const ResampleJob& job, const LongTapsView& x, const LongTapsView& y, const LongPasses& passes) {
    using Source = LinearSource<Sample, stored>;
    const Source source(job.source);
    for_pieces_of_rows(work::tabulated, job.output.height, [&](int from, int to) {
        for (int j = from; j < to; ++j)
            for (int i = 0; i < job.output.width; ++i)
                detail::write_point_sum<Source::channels, y_first, first, second>(source, job, passes, x, y, i, j);
    });
}

}  // namespace

void resample_points_by_taps_on_cpu(const ResampleJob& job, const LongTaps& x, const LongTaps& y,
                                    const LongPasses& passes) {
    const SumsOfPasses sums(passes, passes.y_first ? y : x, passes.y_first ? x : y);
    const bool real_first = sums.first == Sums::real, real_second = sums.second == Sums::real;
    const LongTapsView along_x = view_of(x), along_y = view_of(y);
    detail::for_stored_type(job.source, [&]<class Sample, int C>() {
        constexpr Sums real = Sums::real, whole = Sums::whole64;
        const auto in_order = [&]<bool y_first>() {
            if (real_first && real_second) write_rows<Sample, C, y_first, real, real>(job, along_x, along_y, passes);
            else if (real_first) write_rows<Sample, C, y_first, real, whole>(job, along_x, along_y, passes);
            else if (real_second) write_rows<Sample, C, y_first, whole, real>(job, along_x, along_y, passes);
            else write_rows<Sample, C, y_first, whole, whole>(job, along_x, along_y, passes);
        };
        if (passes.y_first) in_order.template operator()<true>();
        else in_order.template operator()<false>();
    });
}

}  // namespace texelscope
