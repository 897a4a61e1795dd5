#include "gpu/method/tabulated.h"

namespace texelscope {

std::vector<float> weight_table(const MethodInfo& method, const MethodParameters& parameters, bool derivative) {
    const auto function = derivative ? method.slope : method.weight;
    const int last = method.taps * table_nodes / 2;
    std::vector<float> table(size_t(last) + 2);
    // From the left: at a jump of the weight function (nearest, at its end) the table holds the inner value.
    for (int k = 0; k <= last; ++k) table[size_t(k)] = float(function(-double(k) / table_nodes, parameters));
    if (derivative)
        for (float& value : table) value = -value;
    table.back() = table[size_t(last)];
    return table;
}

void resample_tabulated_rows(const TabulatedJob& tabulated, int first, int last) {
    const ResampleJob& job = tabulated.job;
    detail::for_stored_type(job.source, [&]<class Sample, int C>() {
        using Source = LinearSource<Sample, C>;
        const Source source(job.source);
        for (int j = first; j < last; ++j)
            for (int i = 0; i < job.output.width; ++i) {
                if (tabulated.x.pieces.pieces) detail::tabulated_pixel<Source::channels, true>(source, tabulated, i, j);
                else detail::tabulated_pixel<Source::channels, false>(source, tabulated, i, j);
            }
    });
}

}  // namespace texelscope
