// The passes of recipes on the CPU, a vector of numbers at a time: along y rows are added as they are; along x as many rows as
// fill 16 lanes are transposed, so that their pixels have the same taps.

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "gpu/backend/cpu_backend.h"
#include "gpu/method/cpu_vector.h"
#include "gpu/method/long_sums.h"

namespace texelscope {
namespace {

constexpr int lanes_together = 16;

simd::SumRule sum_rule(const LongPass& pass) {
    return {pass.plain(), pass.scale, pass.round,   pass.multiple, pass.value_shift, pass.product_shift,
            pass.shift,   pass.add,   pass.clipped, pass.low,      pass.high};
}

// A row of the picture that a pass reads or makes, pixel_channels() numbers a pixel, with padding.
using RowOf = std::function<const float*(int row)>;
using TakeRow = std::function<void(int row, float* numbers)>;

struct PassOfAxis {
    const LongTaps& taps;
    simd::SumRule rule;
    Sums sums;
    AddressMode address;
    int samples;  // along the axis

    int arithmetic() const { return int(sums); }
    const float* weights(int pixel) const { return taps.weights.data() + size_t(pixel) * size_t(taps.taps); }
};

// Rows first … last − 1 of a pass along y.
void pass_along_y(const PassOfAxis& pass, const simd::Kernels& kernels, int first, int last, int numbers,
                  const std::function<const float*(int row, int pixel)>& row_of, const TakeRow& take) {
    std::vector<const float*> rows;
    std::vector<float> weights, sums(size_t(numbers) + simd::padding);
    for (int j = first; j < last; ++j) {
        rows.clear();
        weights.clear();
        for (int k = 0; k < pass.taps.taps; ++k) {
            const float weight = pass.weights(j)[k];
            const int row = addressed(pass.address, pass.taps.first[size_t(j)] + k, pass.samples);
            if (weight == 0 || row < 0) continue;
            rows.push_back(row_of(row, j));
            weights.push_back(weight);
        }
        kernels.long_rows[pass.arithmetic()](pass.rule, rows.data(), weights.data(), int(rows.size()), numbers,
                                             sums.data());
        take(j, sums.data());
    }
}

// What the pixels of a pass along x read: slots side by side, each a sample or nothing.
struct SlotsAlongX {
    std::vector<int> sample;  // of a slot; −1: none
    std::vector<int> first;   // slot of a pixel
    int begin = 0, end = 0;   // samples
    int at = 0;               // the slot of the first of them, if they follow each other there
    std::vector<int> others;  // slots that are filled from elsewhere

    explicit SlotsAlongX(const PassOfAxis& pass) {
        const auto [low, high] = std::minmax_element(pass.taps.first.begin(), pass.taps.first.end());
        for (int index = *low; index < *high + pass.taps.taps; ++index)
            sample.push_back(addressed(pass.address, index, pass.samples));
        for (const int of_pixel : pass.taps.first) first.push_back(of_pixel - *low);
        begin = pass.samples;
        for (const int each : sample)
            if (each >= 0) begin = std::min(begin, each), end = std::max(end, each + 1);
        begin = std::min(begin, end);
        at = std::max(begin - *low, 0);
        const int slots = int(sample.size());
        in_order = at + (end - begin) <= slots;
        for (int slot = 0; slot < slots; ++slot)
            if (!in_order || slot < at || slot >= at + (end - begin)) others.push_back(slot);
            else in_order = sample[size_t(slot)] == slot - at + begin;
        if (in_order) return;
        others.clear();  // samples are kept elsewhere, and all slots are copied
        for (int slot = 0; slot < slots; ++slot) others.push_back(slot);
    }
    bool in_order = true;
};

// The same along x, for channels that fill 16 lanes with some rows.
void pass_along_x(const PassOfAxis& pass, const SlotsAlongX& slots, const simd::Kernels& kernels, int first, int last,
                  int channels, const RowOf& row_of, const TakeRow& take) {
    const int together = lanes_together / channels, by_channels = channels == 4 ? 2 : channels - 1;
    const size_t pixels = pass.taps.first.size(), row_numbers = pixels * size_t(channels) + simd::padding;
    std::vector<float> samples(slots.in_order ? 0 : size_t(slots.end - slots.begin) * lanes_together),
        line(slots.sample.size() * lanes_together), sums(pixels * lanes_together), made(row_numbers * size_t(together));
    std::vector<const float*> rows(static_cast<size_t>(together));
    std::vector<float*> results(static_cast<size_t>(together));
    for (int r = 0; r < together; ++r) results[size_t(r)] = made.data() + size_t(r) * row_numbers;
    for (int j = first; j < last; j += together) {
        for (int r = 0; r < together; ++r)
            rows[size_t(r)] = j + r < last ? row_of(j + r) + size_t(slots.begin) * size_t(channels) : rows[0];
        float* const in_lanes = slots.in_order ? line.data() + size_t(slots.at) * lanes_together : samples.data();
        kernels.to_lanes[by_channels](rows.data(), slots.end - slots.begin, in_lanes);
        for (const int slot : slots.others) {
            float* const to = line.data() + size_t(slot) * lanes_together;
            const int sample = slots.sample[size_t(slot)];
            if (sample < 0) std::fill_n(to, lanes_together, 0.0f);
            else std::copy_n(in_lanes + size_t(sample - slots.begin) * lanes_together, lanes_together, to);
        }
        kernels.long_lanes[pass.arithmetic()](pass.rule, line.data(), slots.first.data(), pass.taps.weights.data(),
                                              pass.taps.taps, int(pixels), sums.data());
        kernels.from_lanes[by_channels](sums.data(), int(pixels), results.data());
        for (int r = 0; r < together && j + r < last; ++r) take(j + r, results[size_t(r)]);
    }
}

// A thread's rows of samples, in levels: as many as an output row reads.
class RowsOfSamples {
public:
    RowsOfSamples(const TexelArray& samples, const LongPasses& passes, bool whole, bool less, int places,
                  const simd::Kernels& kernels)
        : samples_(samples),
          passes_(passes),
          kernels_(kernels),
          whole_(whole || passes.whole),
          less_(less ? passes.fill : 0),
          numbers_(samples.width * pixel_channels(samples.channels)),
          held_(size_t(places), -1),
          used_by_(size_t(places), -1),
          rows_(size_t(places) * (size_t(numbers_) + simd::padding)) {}

    // Rows that the same pixel asks for stay.
    const float* row(int row, int pixel) {
        size_t place = size_t(row) % held_.size();
        while (held_[place] != row && used_by_[place] == pixel) place = (place + 1) % held_.size();
        float* const numbers = rows_.data() + place * (size_t(numbers_) + simd::padding);
        used_by_[place] = pixel;
        if (std::exchange(held_[place], row) == row) return numbers;
        convert_texels(kernels_, samples_, static_cast<const char*>(samples_.texels) + size_t(row) * samples_.row_bytes,
                       samples_.width, numbers);
        if (passes_.unit != 1 || whole_ || less_ != 0)
            kernels_.to_levels(numbers, numbers_, passes_.unit, whole_, less_);
        return numbers;
    }

private:
    const TexelArray& samples_;
    const LongPasses& passes_;
    const simd::Kernels& kernels_;
    bool whole_;
    float less_;
    int numbers_;
    std::vector<int> held_, used_by_;  // rows, and pixels
    std::vector<float> rows_;
};

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
    int first, last, begin, end;

    Strip(const PassOfAxis& y, int from, int to) : first(from), last(to), begin(y.samples), end(0) {
        for (int j = first; j < last; ++j)
            for (int k = 0; k < y.taps.taps; ++k) {
                const int row = addressed(y.address, y.taps.first[size_t(j)] + k, y.samples);
                if (row < 0 || y.weights(j)[k] == 0) continue;
                begin = std::min(begin, row);
                end = std::max(end, row + 1);
            }
        begin = std::min(begin, end);
    }
    int rows() const { return end - begin; }
};

// Strips whose rows fit a near cache; one of everything if they would have many rows in common.
std::vector<Strip> strips_of(const PassOfAxis& y) {
    const int pixels = y.taps.pixels(), together = std::clamp(pixels / (4 * thread_count()), 16, 64);
    const Strip all(y, 0, pixels);
    std::vector<Strip> strips;
    int rows = 0;
    for (int first = 0; first < pixels; first += together) {
        strips.emplace_back(y, first, std::min(first + together, pixels));
        rows += strips.back().rows();
    }
    return rows <= all.rows() + all.rows() / 4 + together ? strips : std::vector{all};
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
    const int channels = pixel_channels(array.channels), together = lanes_together / channels;
    const bool first_is_whole = sums.first != Sums::real;
    const SlotsAlongX slots(along_x);
    const auto keep_in = [&](float* pixels, int begin, int width) {
        return [&, pixels, begin, width](int row, float* numbers) {
            if (passes.straight)
                for_pixel_channels(channels, [&]<int C>() { multiply_straight<C>(passes, numbers, width); });
            std::copy_n(numbers, size_t(width) * size_t(channels),
                        pixels + size_t(row - begin) * size_t(width) * size_t(channels));
        };
    };
    const bool by_pixels = passes.cell_width > 0 || passes.cut_colours || passes.straight;
    const auto write = [&](int row, float* numbers) {
        if (by_pixels)
            for_pixel_channels(channels,
                               [&]<int C>() { finish_pixels<C>(array, passes, row, numbers, job.output.width); });
        else if (passes.fill != 0 || passes.unit != 1)
            kernels.from_levels(numbers, job.output.width * channels, passes.fill, passes.unit);
        store_values(kernels, job, numbers, nullptr, 0, job.output.width, row);
    };
    // Rows of a pass along x, as many pieces as there are whole vectors of them.
    const auto in_rows_along_x = [&](int begin, int end, const auto& compute) {
        for_pieces_of_rows(work::tabulated, (end - begin + together - 1) / together, [&](int first, int last) {
            compute(begin + first * together, std::min(begin + last * together, end));
        });
    };
    const auto rows_along_x = [&](int first, int last, const TakeRow& take) {
        RowsOfSamples rows(array, passes, first_is_whole, !first_is_whole, together, kernels);
        pass_along_x(
            along_x, slots, kernels, first, last, channels, [&](int row) { return rows.row(row, row / together); },
            take);
    };
    const size_t stride = size_t(passes.y_first ? array.width : job.output.width) * size_t(channels);
    if (passes.y_first) {
        const HostMemory between(memory, (stride * size_t(job.output.height) + simd::padding) * sizeof(float),
                                 "no memory between the passes of a picture", HostMemory::Contents::any);
        float* const pixels = static_cast<float*>(between.get());
        for_pieces_of_rows(work::tabulated, job.output.height, [&](int first, int last) {
            RowsOfSamples rows(array, passes, first_is_whole, !first_is_whole, y.taps, kernels);
            pass_along_y(
                along_y, kernels, first, last, int(stride), [&](int row, int pixel) { return rows.row(row, pixel); },
                keep_in(pixels, 0, array.width));
        });
        in_rows_along_x(0, job.output.height, [&](int first, int last) {
            pass_along_x(
                along_x, slots, kernels, first, last, channels, [&](int row) { return pixels + size_t(row) * stride; },
                write);
        });
        return;
    }
    const std::vector<Strip> strips = strips_of(along_y);
    const auto rows_along_y = [&](const Strip& strip, int first, int last, const float* pixels) {
        pass_along_y(
            along_y, kernels, first, last, int(stride),
            [&](int row, int) { return pixels + size_t(row - strip.begin) * stride; }, write);
    };
    if (strips.size() > 1) {
        for_pieces_of_rows(work::tabulated, int(strips.size()), [&](int first, int last) {
            std::vector<float> between;
            for (int n = first; n < last; ++n) {
                const Strip& strip = strips[size_t(n)];
                between.resize(std::max(between.size(), stride * size_t(strip.rows()) + simd::padding));
                rows_along_x(strip.begin, strip.end, keep_in(between.data(), strip.begin, job.output.width));
                rows_along_y(strip, strip.first, strip.last, between.data());
            }
        });
        return;
    }
    const Strip& all = strips.front();
    const HostMemory between(memory, (stride * size_t(all.rows()) + simd::padding) * sizeof(float),
                             "no memory between the passes of a picture", HostMemory::Contents::any);
    float* const pixels = static_cast<float*>(between.get());
    in_rows_along_x(all.begin, all.end, [&](int first, int last) {
        rows_along_x(first, last, keep_in(pixels, all.begin, job.output.width));
    });
    for_pieces_of_rows(work::tabulated, job.output.height,
                       [&](int first, int last) { rows_along_y(all, first, last, pixels); });
}

}  // namespace texelscope
