// Boxes on the CPU: the rows of a row of pixels are added up as they are stored, then the columns of each pixel.

#include "gpu/method/cpu_box.h"

#include <algorithm>

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
};

BoxWriter::BoxWriter(const ResampleJob& job, const Boxes& boxes, const LongPasses& passes, const simd::Kernels& kernels,
                     Places places)
    : job_(job),
      kernels_(kernels),
      rule_(passes, job.source.type),
      places_(std::move(places)),
      stored_width_(job.source.width + 2 * job.source.margin_x),
      stored_height_(job.source.height + 2 * job.source.margin_y),
      rows_(boxes.y.spans) {
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
    }
    if (same) return;
    weight_x_ = 1;
    for (const BoxSpan& span : boxes.x.spans) weights_x_.insert(weights_x_.end(), size_t(channels), span.before);
}

int BoxWriter::rows_read(int first, int last) const {
    int end = 0;
    for (int j = first; j < last; ++j) for_rows(j, [&](int row) { end = std::max(end, row + 1); });
    return end;
}

template <class Visit> void BoxWriter::for_rows(int pixel, Visit visit) const {
    const BoxSpan& span = rows_[size_t(pixel)];
    for (int k = 0; k < span.count; ++k)
        if (const int row = addressed(job_.source.address.y, span.first + k, stored_height_); row >= 0) visit(row);
}

void BoxWriter::write_rows(int first, int last) const {
    const size_t numbers = size_t(job_.output.width) * size_t(pixel_channels(job_.source.channels)) + simd::padding;
    Work work;
    work.sums.resize((size_t(stored_width_) * size_t(job_.source.channels) + beyond_row) * sizeof(float));
    work.numbers.resize(numbers);
    work.values.resize(numbers);
    for (int j = first; j < last; ++j) write_row(work, j);
}

void BoxWriter::add_rows(Work& work, int row) const {
    const TexelArray& a = job_.source;
    work.rows.clear();
    for_rows(row, [&](int stored) {
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

void BoxWriter::write_row(Work& work, int row) const {
    const TexelArray& a = job_.source;
    const int kind = a.type == SampleType::u8    ? 0
                     : a.type == SampleType::u16 ? 1
                                                 : 2,
              pixels = job_.output.width, numbers = pixels * pixel_channels(a.channels);
    add_rows(work, row);
    kernels_.add_columns[kind][a.channels - 1](work.sums.data(), first_.data(), count_.data(), pixels,
                                               work.numbers.data());
    if (kind == 0) add_beyond<uint16_t>(work);
    else if (kind == 1) add_beyond<uint32_t>(work);
    else add_beyond<float>(work);
    for (size_t n = 0; n < weights_x_.size(); ++n) work.numbers[n] *= weights_x_[n];
    const LongPass& pass = rule_.pass;
    const simd::SumRule finish{pass.plain(), pass.scale, pass.round,   pass.multiple, 0,        0,
                               pass.shift,   pass.add,   pass.clipped, pass.low,      pass.high};
    const float* const line = work.numbers.data();
    const float weight = rows_[size_t(row)].before * weight_x_ * rule_.scale;
    kernels_.long_rows[pass.fixed ? int(Sums::whole32) : int(Sums::real)](finish, &line, &weight, 1, numbers,
                                                                          work.values.data());
    if (rule_.unit != 1) {
        const bool levels = pass.clipped && pass.low == 0 && pass.high == rule_.unit && pass.multiple == 0 &&
                            (pass.fixed || pass.round != Rounding::none);
        kernels_.from_levels(work.values.data(), numbers, 0, rule_.unit, levels);
    }
    store_values(kernels_, job_, work.values.data(), places_.x, places_.y, 0, pixels, row);
}

}  // namespace texelscope
