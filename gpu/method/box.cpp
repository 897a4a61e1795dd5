#include "gpu/method/box.h"

#include <cmath>

namespace texelscope {
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
