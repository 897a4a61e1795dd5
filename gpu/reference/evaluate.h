#pragma once
// Evaluation in float64, for host and device. Sources of taps are like those of gpu/method/tap_source.h, with doubles.

#include "gpu/method/output.h"
#include "gpu/method/tabulated.h"
#include "gpu/prefilter/prefilter.h"
#include "gpu/reference/reference.h"

namespace texelscope {

template <int C> struct DoublePixel {
    double v[C];

    TS_HD static DoublePixel filled(double value) {
        DoublePixel p;
        TS_UNROLL
        for (int c = 0; c < C; ++c) p.v[c] = value;
        return p;
    }
    TS_HD void add_scaled(double weight, const DoublePixel& other) {
        TS_UNROLL
        for (int c = 0; c < C; ++c) v[c] += weight * other.v[c];
    }
};

TS_HD double sample_to_double(uint8_t v) { return v / 255.0; }
TS_HD double sample_to_double(uint16_t v) { return v / 65535.0; }
TS_HD double sample_to_double(float v) { return v; }
TS_HD double sample_to_double(HalfBits v) { return half_to_float(v.bits); }

// The samples themselves.
template <class Sample, int C> class SampleSource {
public:
    static constexpr int channels = C;
    TS_HD explicit SampleSource(const TexelArray& array, const ReferenceBorder& border = {})
        : array_(array), border_(border) {}

    TS_HD int column(int i) const { return addressed(array_.address.x, i, array_.width); }
    TS_HD int row(int j) const { return addressed(array_.address.y, j, array_.height); }
    TS_HD Sample raw(int column, int row, int c) const {
        const char* line = static_cast<const char*>(array_.texels) + size_t(row) * array_.row_bytes;
        return reinterpret_cast<const Sample*>(line)[size_t(column) * C + size_t(c)];
    }
    TS_HD DoublePixel<C> load(int column, int row) const {
        DoublePixel<C> p;
        TS_UNROLL
        for (int c = 0; c < C; ++c) p.v[c] = sample_to_double(raw(column, row, c)) - subtracted(c);
        return p;
    }
    TS_HD double subtracted(int c) const { return border_.subtracted[c]; }

private:
    TexelArray array_;
    ReferenceBorder border_;
};

// Their coefficients.
template <int C> class PatchSource {
public:
    static constexpr int channels = C;
    TS_HD explicit PatchSource(const CoefficientPatch& patch) : patch_(patch) {}

    TS_HD int column(int i) const { return patch_.x.stored(i); }
    TS_HD int row(int j) const { return patch_.y.stored(j); }
    TS_HD DoublePixel<C> load(int column, int row) const {
        const double* texel = patch_.values + (size_t(row) * size_t(patch_.x.count) + size_t(column)) * C;
        DoublePixel<C> p;
        TS_UNROLL
        for (int c = 0; c < C; ++c) p.v[c] = texel[c];
        return p;
    }

private:
    CoefficientPatch patch_;
};

// The taps along one axis at a position: indices of the extended image from `first` on.
struct ReferenceTaps {
    int first, count;
    double weight[max_widened_taps];
};

// `x` as reference_position() returns it.
TS_HD void find_taps(const ReferenceJob& job, AddressMode mode, double stretch, double x, ReferenceTaps& taps) {
    if (stretch > max_stretch) {  // a single sample, however often repeated
        taps.first = 0;
        taps.count = 1;
        taps.weight[0] = mode == AddressMode::border ? weight_at(job.weight, x / stretch) / stretch : 1.0;
        return;
    }
    if (job.weight.radius == 0.5 && stretch <= 1) {  // nearest: ties are decided as everywhere else
        taps.first = int(floor_to_integer(x + 0.5));
        taps.count = 1;
        taps.weight[0] = 1;
        return;
    }
    const double reach = job.weight.radius * stretch;
    const int whole = int(floor_to_integer(x));
    const double t = x - whole;
    const int before = int(ceil(t - reach)), after = int(floor(t + reach));  // from `whole`
    taps.first = whole + before;
    taps.count = after - before + 1 < max_widened_taps ? after - before + 1 : max_widened_taps;
    double sum = 0;
    for (int k = 0; k < taps.count; ++k) sum += taps.weight[k] = weight_at(job.weight, (t - (before + k)) / stretch);
    if (job.normalise && sum != 0)
        for (int k = 0; k < taps.count; ++k) taps.weight[k] /= sum;
}

// What the taps weigh a constant by, of the signal continued beyond the ends.
TS_HD double sum_of(const ReferenceJob& job, const ReferenceTaps& taps, double stretch) {
    if (job.normalise || stretch > max_stretch) return job.prefilter.sum;
    double sum = 0;
    for (int k = 0; k < taps.count; ++k) sum += taps.weight[k];
    return sum * job.prefilter.sum;
}

// Like reduced_position(), but as far outside as a widened weight function may reach.
TS_HD double reference_position(double x, AddressMode mode, int n, int margin, double stretch) {
    if (is_periodic(mode)) return reduced_position(x, mode, n, margin);
    const double beyond = margin + 128.0 * stretch;
    return x < -beyond ? moved_by_samples(x, -beyond - 1) : x > n + beyond ? moved_by_samples(x, n + beyond) : x;
}

// Σ w·tap along one row; taps of weight zero are not read.
template <class Source>
TS_HD DoublePixel<Source::channels> tap_row(const Source& source, const ReferenceTaps& x, int row) {
    auto sum = DoublePixel<Source::channels>::filled(0);
    for (int k = 0; k < x.count; ++k) {
        const int column = source.column(x.first + k);
        if (x.weight[k] != 0 && column >= 0) sum.add_scaled(x.weight[k], source.load(column, row));
    }
    return sum;
}

// Linear light to sRGB; see srgb_encoded() and encoded().
TS_HD double srgb_encoded_double(double linear) {
    const double v = fabs(linear);
    const double coded = v <= 0.0031308 ? 12.92 * v : 1.055 * pow(v, 1 / 2.4) - 0.055;
    return linear < 0 ? -coded : coded;
}

template <int C> TS_HD void store_doubles(const ResampleOutput& out, int i, int j, DoublePixel<C> p) {
    if (out.encode_srgb) {
        const int colours = out.channels - (out.has_alpha ? 1 : 0);
        const double alpha = out.has_alpha ? p.v[(out.channels - 1) % C] : 1.0;
        TS_UNROLL
        for (int c = 0; c < C; ++c)
            if (c < colours && alpha != 0) p.v[c] = alpha * srgb_encoded_double(p.v[c] / alpha);
    }
    const size_t pixel = size_t(j) * size_t(out.width) + size_t(i);
    double* values = static_cast<double*>(out.pixels) + pixel * size_t(out.channels);
    TS_UNROLL
    for (int c = 0; c < C; ++c)
        if (c < out.channels) values[c] = p.v[c];
}

// An interpolated value; weights: what a constant is weighed by.
template <int C> TS_HD void store_value(const ReferenceJob& reference, int i, int j, DoublePixel<C> p, double weights) {
    TS_UNROLL
    for (int c = 0; c < C; ++c) p.v[c] += weights * reference.border.added[c];
    store_doubles(reference.job.output, i, j, p);
}

// The value at is_outside() positions: NaN, or the background (see write_background).
template <int C> TS_HD void store_outside(const ResampleJob& job, int i, int j) {
    ResampleOutput out = job.output;
    out.encode_srgb = false;
    const double background = out.has_alpha ? 0.0 : double(out.background);
    store_doubles(out, i, j, DoublePixel<C>::filled(job.outside == Outside::nan ? double(nanf("")) : background));
}

TS_HD Footprint<double> reference_footprint(const ReferenceJob& reference, int i, int j) {
    switch (reference.footprint_kind) {
        case FootprintKind::circle: break;
        case FootprintKind::view: return footprint_of(steps_of(reference.job), reference.largest_stretch);
        case FootprintKind::points: return footprint_of(steps_at(reference.job, i, j), reference.largest_stretch);
    }
    return {};
}

// The value of a polar method at a position from reduced_position().
template <class Source>
TS_HD DoublePixel<Source::channels> polar_reference(const Source& source, const ReferenceJob& reference,
                                                    const Footprint<double>& f, double x, double y) {
    const bool signal = reference.job.source.one_dimensional;
    const double radius = reference.weight.radius, reach = radius * f.reach_y;
    const long long whole_x = floor_to_integer(x), whole_y = floor_to_integer(y);
    const double tx = x - double(whole_x), ty = y - double(whole_y);
    auto sum = DoublePixel<Source::channels>::filled(0);
    double weights = 0;
    for (int j = int(ceil(ty - reach)); j <= int(floor(ty + reach)); ++j) {
        const double dy = ty - j;
        const RowSpan<double> span = span_of_row(f, radius, -dy);
        const int row = signal ? 0 : source.row(int(whole_y) + j);
        for (int i = int(ceil(tx + span.middle - span.half)); i <= tx + span.middle + span.half; ++i) {
            const double dx = tx - i, squared = dx * (f.xx * dx + 2 * f.xy * dy) + f.yy * dy * dy;
            const double w = weight_at(reference.weight, sqrt(fmax(squared, 0.0)));
            const int column = source.column(int(whole_x) + i);
            weights += w;
            if (w != 0 && column >= 0 && row >= 0) sum.add_scaled(w, source.load(column, row));
        }
    }
    auto result = DoublePixel<Source::channels>::filled(0);
    if (weights != 0) result.add_scaled(1 / weights, sum);
    return result;
}

template <class Source> TS_HD void reference_pixel(const Source& source, const ReferenceJob& reference, int i, int j) {
    constexpr int C = Source::channels;
    const ResampleJob& job = reference.job;
    const TexelArray& a = job.source;
    const Point p = position_of(job, i, j);
    if (is_outside(job, p)) return store_outside<C>(job, i, j);
    double stretch_x = reference.stretch_x, stretch_y = reference.stretch_y;
    if (reference.local_stretch) {
        local_stretches(job, i, j, stretch_x, stretch_y);
        stretch_x = fmin(stretch_x, largest_stretch(reference.weight.radius));
        stretch_y = fmin(stretch_y, largest_stretch(reference.weight.radius));
    }
    if (reference.polar) {
        const double x = reduced_position(p.x, a.address.x, a.width, 0);
        const double y = a.one_dimensional ? 0 : reduced_position(p.y, a.address.y, a.height, 0);
        return store_value(reference, i, j,
                           x == x && y == y
                               ? polar_reference(source, reference, reference_footprint(reference, i, j), x, y)
                               : DoublePixel<C>::filled(double(nanf(""))),
                           1);
    }
    const int margin = reference.prefilter.reach;
    const double x = reference_position(p.x, a.address.x, a.width, margin, stretch_x);
    const double y = a.one_dimensional ? 0 : reference_position(p.y, a.address.y, a.height, margin, stretch_y);
    if (!(x == x && y == y)) return store_doubles(job.output, i, j, DoublePixel<C>::filled(double(nanf(""))));
    ReferenceTaps taps_x, taps_y;
    find_taps(reference, a.address.x, stretch_x, x, taps_x);
    double weights = sum_of(reference, taps_x, stretch_x);
    if (a.one_dimensional) return store_value(reference, i, j, tap_row(source, taps_x, 0), weights);
    find_taps(reference, a.address.y, stretch_y, y, taps_y);
    weights *= sum_of(reference, taps_y, stretch_y);
    auto sum = DoublePixel<C>::filled(0);
    for (int k = 0; k < taps_y.count; ++k) {
        const int row = source.row(taps_y.first + k);
        if (taps_y.weight[k] != 0 && row >= 0) sum.add_scaled(taps_y.weight[k], tap_row(source, taps_x, row));
    }
    store_value(reference, i, j, sum, weights);
}

// The exact prefilter's input, for host and device: samples along a row, with finite stand-ins.
template <class Sample> inline constexpr bool may_be_non_finite = !std::is_integral_v<Sample>;

// One channel of the sample at column i of the extended row. See prefilter.h.
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
