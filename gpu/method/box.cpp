// Means of the samples in boxes: what is one, and on the CPU the sums: the rows of a row of pixels are added up as they are stored,
// then the columns of each pixel.

#include <algorithm>
#include <cmath>

#include "gpu/method/box.h"
#include "gpu/method/cpu_vector.h"

namespace texelscope {
namespace {

// Stored numbers that are read or written beyond the last one of a row.
constexpr size_t beyond_row = 16;

}  // namespace

struct BoxWriter::Work {
    std::vector<const void*> rows;
    std::vector<float> ones;      // weights of rows of floats
    std::vector<std::byte> sums;  // of rows, as stored numbers add up
    std::vector<float> numbers, values;
    std::vector<float> weighed;  // rows whose columns have been weighed
    std::vector<int> held;       // the stored row in each place; −1: none
    std::vector<const float*> of_pixels;
    std::vector<float> weights;
    std::vector<std::byte> last;  // the last stored row, with padding
};

BoxWriter::BoxWriter(const ResampleJob& job, const Boxes& boxes, const LongPasses& passes, const simd::Kernels& kernels,
                     Places places)
    : job_(job),
      kernels_(kernels),
      rule_(passes, job.source.type),
      places_(std::move(places)),
      stored_width_(job.source.width + 2 * job.source.margin_x),
      stored_height_(job.source.height + 2 * job.source.margin_y),
      rows_(boxes.y.spans),
      even_(boxes.even()),
      small_(job.source.type == SampleType::u8 && int64_t(boxes.x.most) * boxes.y.most <= 257),
      most_rows_(boxes.y.most) {
    const int channels = pixel_channels(job.source.channels);
    weight_x_ = boxes.x.spans.empty() ? 1 : boxes.x.spans.front().before;
    bool same = true;
    for (const BoxSpan& span : boxes.x.spans) {
        const int i = int(first_.size());
        const bool stored = span.first >= 0 && span.first + span.count <= stored_width_ && span.count > 0;
        if (!stored) beyond_.push_back({i, span});
        first_.push_back(stored ? span.first : 0);
        count_.push_back(stored ? span.count : 1);
        same = same && span.before == weight_x_;
        if (!even_) weights_x_.insert(weights_x_.end(), {span.before, span.inner, span.after});
    }
    if (same || !even_) return;
    weight_x_ = 1;
    for (const BoxSpan& span : boxes.x.spans) weights_x_.insert(weights_x_.end(), size_t(channels), span.before);
}

int BoxWriter::rows_read(int first, int last) const {
    int end = 0;
    for (int j = first; j < last; ++j) for_rows(j, [&](int row, float) { end = std::max(end, row + 1); });
    return end;
}

template <class Visit> void BoxWriter::for_rows(int pixel, Visit visit) const {
    const BoxSpan& span = rows_[size_t(pixel)];
    for (int k = 0; k < span.count; ++k)
        if (const int row = addressed(job_.source.address.y, span.first + k, stored_height_); row >= 0)
            visit(row, span.weight(k));
}

void BoxWriter::write_rows(int first, int last) const {
    const size_t numbers = size_t(job_.output.width) * size_t(pixel_channels(job_.source.channels)) + simd::padding;
    Work work;
    work.values.resize(numbers);
    if (even_) {
        work.sums.resize((size_t(stored_width_) * size_t(job_.source.channels) + beyond_row) * sizeof(float));
        work.numbers.resize(numbers);
    } else {
        work.held.assign(size_t(most_rows_), -1);
        work.weighed.resize(numbers * size_t(most_rows_));
    }
    for (int j = first; j < last; ++j) {
        if (even_) write_even_row(work, j);
        else write_weighed_row(work, j);
        store_values(kernels_, job_, work.values.data(), places_.x, places_.y, 0, job_.output.width, j);
    }
}

void BoxWriter::add_rows(Work& work, int row) const {
    const TexelArray& a = job_.source;
    work.rows.clear();
    for_rows(row, [&](int stored, float) {
        work.rows.push_back(static_cast<const char*>(a.texels) + size_t(stored) * a.row_bytes);
    });
    work.ones.resize(work.rows.size(), 1.0f);
    const int numbers = stored_width_ * a.channels, count = int(work.rows.size());
    if (a.type == SampleType::u8) kernels_.add_rows[0](work.rows.data(), count, numbers, work.sums.data());
    else if (a.type == SampleType::u16) kernels_.add_rows[1](work.rows.data(), count, numbers, work.sums.data());
    else
        kernels_.sum_rows[int(a.type)](work.rows.data(), work.ones.data(), count, numbers,
                                       reinterpret_cast<float*>(work.sums.data()));
}

// Some of whose samples are not where they would be side by side.
template <class Sum> void BoxWriter::add_beyond(Work& work) const {
    const TexelArray& a = job_.source;
    const size_t channels = size_t(a.channels), of_pixel = size_t(pixel_channels(a.channels));
    const auto* const sums = reinterpret_cast<const Sum*>(work.sums.data());
    for (const auto& [pixel, span] : beyond_) {
        float* const values = work.numbers.data() + size_t(pixel) * of_pixel;
        for (size_t c = 0; c < channels; ++c) {
            double sum = 0;
            for (int k = 0; k < span.count; ++k)
                if (const int column = addressed(a.address.x, span.first + k, stored_width_); column >= 0)
                    sum += double(sums[size_t(column) * channels + c]);
            values[c] = float(sum);
        }
        if (of_pixel > channels) values[channels] = 0;
    }
}

void BoxWriter::write_even_row(Work& work, int row) const {
    const TexelArray& a = job_.source;
    const int stored = a.type == SampleType::u8 ? 0 : a.type == SampleType::u16 ? 1 : 2;
    add_rows(work, row);
    const bool plain = rule_.pass.plain() && rule_.unit == 1 && beyond_.empty() && weights_x_.empty();
    const float weight = rows_[size_t(row)].before * weight_x_ * rule_.scale;
    kernels_.add_columns[small_ ? 3 : stored][a.channels - 1](work.sums.data(), first_.data(), count_.data(),
                                                              job_.output.width, plain ? weight : 1,
                                                              plain ? work.values.data() : work.numbers.data());
    if (plain) return;
    if (stored == 0) add_beyond<uint16_t>(work);
    else if (stored == 1) add_beyond<uint32_t>(work);
    else add_beyond<float>(work);
    for (size_t n = 0; n < weights_x_.size(); ++n) work.numbers[n] *= weights_x_[n];
    const float* const line = work.numbers.data();
    finish(work, &line, &weight, 1, 1);
}

// In levels: those of one row of samples after the other, in the order of the samples.
void BoxWriter::write_weighed_row(Work& work, int row) const {
    work.of_pixels.clear();
    work.weights.clear();
    for_rows(row, [&](int stored, float weight) {
        work.of_pixels.push_back(weighed_row(work, stored));
        work.weights.push_back(weight);
    });
    finish(work, work.of_pixels.data(), work.weights.data(), int(work.of_pixels.size()), rule_.scale);
}

const float* BoxWriter::weighed_row(Work& work, int stored) const {
    const TexelArray& a = job_.source;
    const size_t place = size_t(stored) % work.held.size(), stride = work.values.size();
    float* const numbers = work.weighed.data() + place * stride;
    if (work.held[place] == stored) return numbers;
    work.held[place] = stored;
    const void* row = static_cast<const char*>(a.texels) + size_t(stored) * a.row_bytes;
    if (stored == stored_height_ - 1) {
        const size_t bytes = size_t(stored_width_) * size_t(a.channels) * size_t(bytes_per_sample(a.type));
        work.last.resize(bytes + beyond_row * sizeof(float));
        std::copy_n(static_cast<const std::byte*>(row), bytes, work.last.begin());
        row = work.last.data();
    }
    kernels_.weigh_columns[a.type == SampleType::u8 ? 0 : 1][a.channels - 3](
        row, first_.data(), count_.data(), weights_x_.data(), job_.output.width, numbers);
    if (a.type == SampleType::u8) weigh_beyond(static_cast<const uint8_t*>(row), numbers);
    else weigh_beyond(static_cast<const uint16_t*>(row), numbers);
    return numbers;
}

template <class Sample> void BoxWriter::weigh_beyond(const Sample* row, float* numbers) const {
    const TexelArray& a = job_.source;
    for (const auto& [pixel, span] : beyond_)
        for (int c = 0; c < a.channels; ++c) {
            float sum = 0;
            for (int k = 0; k < span.count; ++k)
                if (const int column = addressed(a.address.x, span.first + k, stored_width_); column >= 0)
                    sum += span.weight(k) * float(row[size_t(column) * size_t(a.channels) + size_t(c)]);
            numbers[size_t(pixel) * 4 + size_t(c)] = sum;
        }
}

// Sums of rows of pixels that are weighed along x, times `scale`.
void BoxWriter::finish(Work& work, const float* const* rows, const float* weights, int count, float scale) const {
    const int numbers = job_.output.width * pixel_channels(job_.source.channels);
    const LongPass& pass = rule_.pass;
    const simd::SumRule rule{pass.plain() && scale == 1,
                             pass.scale * scale,
                             pass.round,
                             pass.multiple,
                             0,
                             0,
                             pass.shift,
                             pass.add,
                             pass.clipped,
                             pass.low,
                             pass.high};
    kernels_.long_rows[pass.fixed ? int(Sums::whole32) : int(Sums::real)](rule, rows, weights, count, numbers,
                                                                          work.values.data());
    if (rule_.unit == 1) return;
    const bool levels = pass.clipped && pass.low == 0 && pass.high == rule_.unit && pass.multiple == 0 &&
                        (pass.fixed || pass.round != Rounding::none);
    kernels_.from_levels(work.values.data(), numbers, 0, rule_.unit, levels);
}

namespace {

constexpr double exact_floats = 0x1p24;  // whole numbers below this are exact

std::optional<BoxSpan> span_of(int first, const float* weights, int taps) {
    int begin = 0, end = taps;
    while (begin < end && weights[begin] == 0) ++begin;
    while (end > begin && weights[end - 1] == 0) --end;
    BoxSpan span{first + begin, end - begin, 1, 1, 1};
    if (span.count == 0) return span;
    span.before = weights[begin];
    span.inner = span.count > 2 ? weights[begin + 1] : span.before;
    span.after = weights[end - 1];
    for (int k = begin + 1; k < end - 1; ++k)
        if (weights[k] != span.inner) return {};
    return span;
}

bool is_whole(float number) { return number == std::rint(number); }

// Sums of whole numbers, which are the same in any order.
bool is_trivial(const LongPass& pass) {
    return pass.plain() || (pass.fixed && pass.value_shift == 0 && pass.product_shift == 0 && pass.shift == 0 &&
                            pass.add == 0 && !pass.clipped && !pass.within_samples);
}

float largest_level(SampleType type) {
    return type == SampleType::u8 ? 255.0f : type == SampleType::u16 ? 65535.0f : 1.0f;
}

}  // namespace

std::optional<BoxAxis> box_axis(int taps, const std::vector<int>& first, const std::vector<float>& weights) {
    BoxAxis axis;
    const size_t pixels = weights.size() / size_t(taps);
    axis.spans.reserve(pixels);
    for (size_t i = 0; i < pixels; ++i) {
        const auto span = span_of(first[i], weights.data() + i * size_t(taps), taps);
        if (!span) return {};
        axis.spans.push_back(*span);
        axis.even = axis.even && span->even();
        axis.whole = axis.whole && is_whole(span->before) && is_whole(span->inner) && is_whole(span->after);
        axis.most = std::max(axis.most, span->count);
        axis.samples += span->count;
    }
    return axis;
}

BoxRule::BoxRule(const LongPasses& passes, SampleType type) : unit(passes.unit), pass(passes.second) {
    const bool integers = type == SampleType::u8 || type == SampleType::u16;
    levels = passes.whole && !integers;
    if (!levels) scale = unit / largest_level(type);
}

std::optional<Boxes> boxes_of(const TexelArray& samples, const LongTaps& x, const LongTaps& y,
                              const LongPasses& passes) {
    const LongPass &first = passes.first, &second = passes.second;
    if (passes.straight || passes.fill != 0 || passes.cut_colours || passes.cell_width > 0 || !is_trivial(first) ||
        second.value_shift != 0 || second.product_shift != 0)
        return {};
    const bool levels = samples.type == SampleType::u8 || samples.type == SampleType::u16;
    if (passes.whole && levels && passes.unit != largest_level(samples.type)) return {};
    auto columns = box_axis(x.taps, x.first, x.weights);
    if (!columns) return {};
    auto rows = box_axis(y.taps, y.first, y.weights);
    if (!rows) return {};
    Boxes boxes{std::move(*columns), std::move(*rows)};
    if (first.fixed || second.fixed || second.round != Rounding::none || second.multiple > 0) {
        const bool exact = double(boxes.x.most) * boxes.y.most * double(passes.unit) < exact_floats;
        if (!passes.whole || (boxes.even() ? !exact : passes.y_first)) return {};
        if ((first.fixed || second.fixed) && !(boxes.even() && boxes.x.whole && boxes.y.whole)) return {};
    }
    return boxes;
}

bool has_box_rows(const TexelArray& samples, const Boxes& boxes, const LongPasses& passes) {
    const bool integers = samples.type == SampleType::u8 || samples.type == SampleType::u16;
    if ((passes.whole && !integers) || boxes.y.samples > 2 * int64_t(samples.height) + 16) return false;
    if (!boxes.even())
        return integers && samples.channels >= 3 && passes.whole && !passes.y_first &&
               samples.address.y != AddressMode::wrap;
    const double sum = double(boxes.x.most) * boxes.y.most * double(largest_level(samples.type));
    if (passes.second.fixed) {  // in 32 bits, times weights that floats have
        const auto largest = [](const BoxAxis& axis) {
            return std::ranges::max(axis.spans, {}, &BoxSpan::before).before;
        };
        const double weight = double(largest(boxes.x)) * largest(boxes.y);
        if (weight > 0x1p24 || sum * weight + double(passes.second.add) >= 0x1p31 || passes.second.shift >= 32)
            return false;
    }
    constexpr int most_rows_of_bytes = 257;  // in 16 bits
    if (samples.type == SampleType::u8) return boxes.y.most <= most_rows_of_bytes && sum < 0x1p31;
    return samples.type != SampleType::u16 || sum < 0x1p31;
}

bool is_box(const TabulatedJob& tabulated) {
    const ResampleJob& job = tabulated.job;
    const Affine& p = job.positions;
    const auto is_box = [](const AxisFilter& filter) {
        return filter.radius == 0.5f && filter.stretch <= float(max_stretch) && !filter.derivative &&
               filter.normalise && !filter.pieces.pieces;
    };
    if (job.simple || tabulated.local_stretch || job.points.x || job.source.one_dimensional || !p.axis_aligned() ||
        !job.spec.method || job.spec.method->custom || !is_box(tabulated.x) || !is_box(tabulated.y))
        return false;
    constexpr double farthest = 0x1p20;
    const double right = p.x0 + p.xx * (job.output.width - 1), bottom = p.y0 + p.yy * (job.output.height - 1);
    return std::max({std::abs(p.x0), std::abs(p.y0), std::abs(right), std::abs(bottom)}) < farthest;
}

}  // namespace texelscope
