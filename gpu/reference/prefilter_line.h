#pragma once
// The exact prefilter's input, for host and device: samples along a row, with finite stand-ins.

#include "gpu/prefilter/non_finite.h"
#include "gpu/reference/evaluate.h"

namespace texelscope {

template <class Sample> inline constexpr bool may_be_non_finite = !std::is_integral_v<Sample>;

// One channel of the sample at column i of the extended row. See non_finite.h.
template <class Sample, int C>
TS_HD double filtered_sample(const SampleSource<Sample, C>& source, const TexelArray& a, int i, int row, int c) {
    const int column = source.column(i);
    if (column < 0) return 0;
    const Sample raw = source.raw(column, row, c);
    const double border = source.subtracted(c);
    if constexpr (!may_be_non_finite<Sample>) return sample_to_double(raw) - border;
    const float v = sample_to_float(raw);
    if (is_filterable(v)) return v - border;
    const int before = column > 0 ? column - 1 : 0, after = column + 1 < a.width ? column + 1 : a.width - 1;
    return finite_stand_in(v, sample_to_float(source.raw(before, row, c)), sample_to_float(source.raw(after, row, c))) -
           border;
}

}  // namespace texelscope
