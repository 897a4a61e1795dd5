#pragma once
// The pass along x of recipes on the CPU (cpu_long_passes.cpp): sums of whole numbers, whose order does not matter, are made of
// the samples themselves; for others as many rows as fill 16 lanes are transposed, so that their pixels have the same taps.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "gpu/core/address.h"
#include "gpu/core/pixel.h"
#include "gpu/method/cpu_vector.h"
#include "gpu/method/long_taps.h"

namespace texelscope {

inline constexpr int lanes_together = 16;

struct PassOfAxis {
    const LongTaps& taps;
    simd::SumRule rule;
    Sums sums;
    AddressMode address;
    int samples;  // along the axis

    int arithmetic() const { return int(sums); }
    const float* weights(int pixel) const { return taps.weights.data() + size_t(pixel) * size_t(taps.taps); }
    // read(sample, weight) for each tap of a pixel that is a sample.
    template <class Read> void for_taps(int pixel, Read read) const {
        for (int k = 0; k < taps.taps; ++k) {
            const float weight = weights(pixel)[k];
            if (weight == 0) continue;
            const int sample = addressed(address, taps.first[size_t(pixel)] + k, samples);
            if (sample >= 0) read(sample, weight);
        }
    }
};

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

// Rows of a pass along x, as many at a time as fill 16 lanes with their channels.
class LanesAlongX {
public:
    LanesAlongX(const PassOfAxis& pass, const SlotsAlongX& slots, const simd::Kernels& kernels, int channels)
        : pass_(pass),
          slots_(slots),
          kernels_(kernels),
          channels_(channels),
          samples_(slots.in_order ? 0 : size_t(slots.end - slots.begin) * lanes_together),
          line_(slots.sample.size() * lanes_together),
          sums_(pass.taps.first.size() * lanes_together),
          unused_(pass.taps.first.size() * size_t(channels) + simd::padding) {}

    int together() const { return lanes_together / channels_; }

    // row_of(r), r < count, to results[r].
    template <class RowOf> void make(int count, RowOf row_of, float* const* results) {
        const int by_channels = channels_ == 4 ? 2 : channels_ - 1;
        std::array<const float*, lanes_together> rows{};
        std::array<float*, lanes_together> made{};
        for (int r = 0; r < together(); ++r) {
            rows[size_t(r)] = r < count ? row_of(r) + size_t(slots_.begin) * size_t(channels_) : rows[0];
            made[size_t(r)] = r < count ? results[r] : unused_.data();
        }
        float* const in_lanes = slots_.in_order ? line_.data() + size_t(slots_.at) * lanes_together : samples_.data();
        kernels_.to_lanes[by_channels](rows.data(), slots_.end - slots_.begin, in_lanes);
        for (const int slot : slots_.others) {
            float* const to = line_.data() + size_t(slot) * lanes_together;
            const int sample = slots_.sample[size_t(slot)];
            if (sample < 0) std::fill_n(to, lanes_together, 0.0f);
            else std::copy_n(in_lanes + size_t(sample - slots_.begin) * lanes_together, lanes_together, to);
        }
        const int pixels = pass_.taps.pixels();
        kernels_.long_lanes[pass_.arithmetic()](pass_.rule, line_.data(), slots_.first.data(),
                                                pass_.taps.weights.data(), pass_.taps.taps, pixels, sums_.data());
        kernels_.from_lanes[by_channels](sums_.data(), pixels, made.data());
    }

private:
    const PassOfAxis& pass_;
    const SlotsAlongX& slots_;
    const simd::Kernels& kernels_;
    int channels_;
    std::vector<float> samples_, line_, sums_, unused_;
};

// The taps of a first pass along x whose sums are whole numbers, of the samples as they are stored: those beyond the edges are
// added to those within.
struct WholeTaps {
    simd::SumRule rule;
    int stride = 0;
    std::vector<int> first;  // number of a row
    std::vector<int32_t> weights;

    // None if the samples are not the levels that are added, or the sums not whole, or the taps far from each other.
    static std::optional<WholeTaps> of(const TexelArray& array, const LongPasses& passes, const PassOfAxis& pass) {
        const bool bytes = array.type == SampleType::u8;
        if (!(bytes && passes.unit == 255) && !(array.type == SampleType::u16 && passes.unit == 65535)) return {};
        if (pass.sums == Sums::real ? !sums_exactly(passes, pass) : pass.sums != Sums::whole32) return {};
        if (pass.rule.value_shift != 0 || pass.rule.product_shift != 0) return {};
        WholeTaps taps;
        taps.rule = pass.rule;
        const int pixels = pass.taps.pixels(), padded = (pixels + 3) / 4 * 4, channels = array.channels,
                  repeats = channels == 2 ? 2 : 1, most = 2 * pass.taps.taps;
        std::vector<std::pair<int, int>> ranges;  // samples: first and end
        int widest = 1;
        for (int i = 0; i < pixels; ++i) {
            int begin = pass.samples, end = 0;
            pass.for_taps(i, [&](int sample, float) {
                begin = std::min(begin, sample);
                end = std::max(end, sample + 1);
            });
            ranges.emplace_back(std::min(begin, end), end);
            widest = std::max(widest, end - ranges.back().first);
            if (widest > most) return {};
        }
        taps.stride = simd::whole_stride_of(channels, widest * repeats);
        taps.first.resize(size_t(padded), 0);
        taps.weights.resize(size_t(padded) * size_t(taps.stride), 0);
        for (int i = 0; i < pixels; ++i) {
            const int begin = ranges[size_t(i)].first;
            taps.first[size_t(i)] = begin * channels;
            int32_t* const weights = taps.weights.data() + size_t(i) * size_t(taps.stride);
            pass.for_taps(i, [&](int sample, float weight) {
                for (int n = 0; n < repeats; ++n) weights[(sample - begin) * repeats + n] += int32_t(weight);
            });
        }
        return taps;
    }

private:
    // Whole numbers below 2^24, which float32 adds up without rounding.
    static bool sums_exactly(const LongPasses& passes, const PassOfAxis& pass) {
        const auto whole = [](float weight) { return weight == std::rint(weight); };
        return pass.rule.plain && passes.whole && passes.fill == 0 &&
               pass.taps.largest_sum() * double(passes.unit) < 0x1p24 &&
               std::all_of(pass.taps.weights.begin(), pass.taps.weights.end(), whole);
    }
};

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

// What the first pass makes of rows of samples, where it is along x.
struct RowsAlongX {
    const TexelArray& array;
    const LongPasses& passes;
    const PassOfAxis& pass;
    const SlotsAlongX& slots;
    const std::optional<WholeTaps>& whole;
    const simd::Kernels& kernels;

    // A thread's.
    class Maker {
    public:
        explicit Maker(const RowsAlongX& of) : of_(of), channels_(pixel_channels(of.array.channels)) {
            if (of.whole) return;
            const bool is_whole = of.pass.sums != Sums::real;
            lanes_.emplace(of.pass, of.slots, of.kernels, channels_);
            samples_.emplace(of.array, of.passes, is_whole, !is_whole, lanes_->together(), of.kernels);
        }

        // As many rows as are made at once.
        int together() const { return of_.whole ? 4 : lanes_->together(); }

        // `rows`: `count` of them. Results have padding.
        void make(const int* rows, int count, float* const* results) {
            if (!of_.whole) {
                ++made_;
                lanes_->make(
                    count, [&](int r) { return samples_->row(rows[r], made_); }, results);
                return;
            }
            const TexelArray& texels = of_.array;
            std::array<const void*, 4> lines{};
            for (int r = 0; r < count; ++r) {
                lines[size_t(r)] = static_cast<const char*>(texels.texels) + size_t(rows[r]) * texels.row_bytes;
                const size_t behind = size_t(texels.height - 1 - rows[r]) * texels.row_bytes;
                if (behind < padding_bytes()) lines[size_t(r)] = with_padding(lines[size_t(r)], last_[size_t(r)]);
            }
            const WholeTaps& taps = *of_.whole;
            of_.kernels.whole_dots[texels.type == SampleType::u8 ? 0 : 1][texels.channels - 1](
                taps.rule, lines.data(), count, taps.first.data(), taps.weights.data(), taps.stride,
                int(taps.first.size()), results);
        }

    private:
        // What may be read of a row beyond its end, and where there may be nothing behind the last ones.
        size_t padding_bytes() const { return (size_t(of_.whole->stride) + simd::padding) * texel_bytes(of_.array); }
        const void* with_padding(const void* row, std::vector<std::byte>& padded) const {
            const size_t bytes = size_t(of_.array.width) * texel_bytes(of_.array);
            padded.assign(bytes + padding_bytes(), std::byte{});
            std::copy_n(static_cast<const std::byte*>(row), bytes, padded.data());
            return padded.data();
        }

        const RowsAlongX& of_;
        int channels_, made_ = 0;
        std::optional<LanesAlongX> lanes_;
        std::optional<RowsOfSamples> samples_;
        std::array<std::vector<std::byte>, 4> last_;
    };
};

}  // namespace texelscope
