#include "gpu/method/widened.h"

#include "gpu/method/cpu_rows.h"

namespace texelscope {
namespace {

template <class Source> struct WidenedAxes {
    static constexpr int capacity = max_widened_taps;
    const WidenedJob& job;

    int taps(const Source& source, Axis axis, double position, int (&at)[capacity], float (&w)[capacity]) const {
        const TexelArray& a = job.job.source;
        int first = 0;
        const int count = axis == Axis::x ? widened_weights(job.x, a.address.x, position, first, w)
                                          : widened_weights(job.y, a.address.y, position, first, w);
        for (int k = 0; k < count; ++k) {
            at[k] = axis == Axis::x ? source.column(first + k) : source.row(first + k);
            if (Source::is_zero(at[k])) w[k] = 0;
        }
        return count;
    }
};

}  // namespace

std::vector<float> weight_table(const MethodInfo& method, const MethodParameters& parameters, bool derivative) {
    const auto function = derivative ? method.slope : method.weight;
    const int last = method.taps * table_nodes / 2;
    std::vector<float> table(size_t(last) + 2);
    // From the left: where the weight function jumps (nearest, at its end) the table holds the inner value.
    for (int k = 0; k <= last; ++k) table[size_t(k)] = float(function(-double(k) / table_nodes, parameters));
    if (derivative)
        for (float& value : table) value = -value;
    table.back() = table[size_t(last)];
    return table;
}

void resample_widened_rows(const WidenedJob& widened, int first, int last) {
    const ResampleJob& job = widened.job;
    detail::for_texel_type(job.source, [&]<class Sample, int C>() {
        using Source = LinearSource<Sample, C>;
        const Source source(job.source);
        if (!job.points.x && job.positions.axis_aligned()) {
            detail::SeparableRows<WidenedAxes<Source>, Source> rows(WidenedAxes<Source>{widened}, source, job);
            for (int j = first; j < last; ++j) rows.write_row(j);
            return;
        }
        for (int j = first; j < last; ++j)
            for (int i = 0; i < job.output.width; ++i) detail::widened_pixel<C>(source, widened, i, j);
    });
}

}  // namespace texelscope
