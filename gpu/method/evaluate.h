#pragma once
// Separable evaluation of a method at one position.
//
// A method is a struct with
//   static constexpr int taps                       along each axis
//   static constexpr int fetches                    linear-filtered fetches along each axis on the path `hardware`,
//                                                   0: one point-filtered fetch
//   weights(float t, float (&w)[taps])              of the taps first … first + taps − 1; see AxisPosition
//   groups(float t, float (&offset)[fetches], float (&weight)[fetches])
//                                                   where to fetch, in samples from floor(x), and the fetch's weight,
//                                                   which is 1 if there is only one
//   double weight(double x)                         the weight function itself
//   double slope(double x)                          and its derivative; absent if that is not continuous
// and, if it has parameters, a constructor from MethodParameters.

#include "gpu/core/pixel.h"
#include "gpu/method/axis_weights.h"
#include "gpu/method/position.h"
#include "gpu/method/tap_source.h"

// A coordinate is a double or, on the GPU, a SplitCoordinate.

namespace texelscope {

// Σ w·tap along one row. Taps of weight zero are not read: a NaN there is outside the method's support.
template <int taps, class Source>
TS_HD auto weighted_row(const Source& source, const typename Source::Index (&columns)[taps], const float (&w)[taps],
                        typename Source::Index row) {
    auto sum = Pixel<Source::channels>::zero();
    TS_UNROLL
    for (int i = 0; i < taps; ++i)
        if (w[i] != 0) sum.add_scaled(w[i], source.load(columns[i], row));
    return sum;
}

// The taps of one axis: stored indices with their weights; zero weight for taps that the border mode makes zero.
template <class Source, class Method, class Coordinate, class Index>
TS_HD void axis_taps(const Method& method, Coordinate x, Index index, typename Source::Index (&at)[Method::taps],
                     float (&w)[Method::taps]) {
    const AxisPosition p = locate<Method::taps>(x);
    method.weights(p.t, w);
    TS_UNROLL
    for (int i = 0; i < Method::taps; ++i) {
        at[i] = index(p.first + i);
        if (Source::is_zero(at[i])) w[i] = 0;
    }
}

// Rows of taps that a kernel unrolls; 8×8 taps in a row would take minutes to compile.
template <int rows> inline constexpr int rows_at_once = rows <= 4 ? rows : 1;

// Paths `global` and `lookup`.
template <class Method, class Source, class Coordinate>
TS_HD Pixel<Source::channels> evaluate_taps(const Method& method, const Source& source, Coordinate x, Coordinate y) {
    constexpr int taps = Method::taps;
    typename Source::Index columns[taps], rows[taps];
    float wx[taps], wy[taps];
    axis_taps<Source>(
        method, x, [&](int i) { return source.column(i); }, columns, wx);
    if (source.one_dimensional()) return weighted_row(source, columns, wx, typename Source::Index(0));
    axis_taps<Source>(
        method, y, [&](int j) { return source.row(j); }, rows, wy);
    auto sum = Pixel<Source::channels>::zero();
    TS_UNROLL_BY(rows_at_once<taps>)
    for (int j = 0; j < taps; ++j)
        if (wy[j] != 0) sum.add_scaled(wy[j], weighted_row(source, columns, wx, rows[j]));
    return sum;
}

// Path `hardware`. The coordinates are float32, as the texture unit takes them: beyond about 2¹⁵ texels they no longer
// resolve its 8-bit fraction.
template <class Method, class Source, class Coordinate>
TS_HD Pixel<Source::channels> evaluate_filtered(const Method& method, const Source& source, const TexelArray& a,
                                                Coordinate x, Coordinate y) {
    const auto [whole_x, tx] = floored(x);
    const auto [whole_y, ty] = floored(y);
    const AddressMode mode_x = folded_mode<Source>(a.address.x), mode_y = folded_mode<Source>(a.address.y);
    const auto column_at = [&, whole = whole_x](float offset) {
        return source.column_at(texture_coordinate(mode_x, whole, offset + 0.5f, a.margin_x, a.width, a.normalised));
    };
    const auto row_at = [&, whole = whole_y](float offset) {
        return source.row_at(texture_coordinate(mode_y, whole, offset + 0.5f, a.margin_y, a.height, a.normalised));
    };
    if constexpr (Method::fetches == 0) {
        const float v = source.one_dimensional()
                            ? texture_coordinate(0, 0.5f, a.margin_y, a.height, a.normalised)
                            : nearest_coordinate(mode_y, whole_y, ty, a.margin_y, a.height, a.normalised);
        return source.fetch_point(
            source.column_at(nearest_coordinate(mode_x, whole_x, tx, a.margin_x, a.width, a.normalised)),
            source.row_at(v));
    } else if constexpr (Method::fetches == 1) {
        float offset_x[1], offset_y[1], weight[1];
        method.groups(tx, offset_x, weight);
        const auto column = column_at(offset_x[0]);
        if (source.one_dimensional()) return source.fetch_linear(column);
        method.groups(ty, offset_y, weight);
        return source.fetch_linear(column, row_at(offset_y[0]));
    } else {
        constexpr int n = Method::fetches;
        float offset_x[n], weight_x[n], offset_y[n], weight_y[n];
        method.groups(tx, offset_x, weight_x);
        decltype(source.column_at(0.0f)) columns[n];
        TS_UNROLL
        for (int i = 0; i < n; ++i) columns[i] = column_at(offset_x[i]);
        if (source.one_dimensional()) {
            auto line = Pixel<Source::channels>::zero();
            TS_UNROLL
            for (int i = 0; i < n; ++i)
                if (weight_x[i] != 0) line.add_scaled(weight_x[i], source.fetch_linear(columns[i]));
            return line;
        }
        method.groups(ty, offset_y, weight_y);
        auto sum = Pixel<Source::channels>::zero();
        TS_UNROLL_BY(rows_at_once<n>)
        for (int j = 0; j < n; ++j) {
            if (weight_y[j] == 0) continue;
            const auto row = row_at(offset_y[j]);
            auto line = Pixel<Source::channels>::zero();
            TS_UNROLL
            for (int i = 0; i < n; ++i)
                if (weight_x[i] != 0) line.add_scaled(weight_x[i], source.fetch_linear(columns[i], row));
            sum.add_scaled(weight_y[j], line);
        }
        return sum;
    }
}

// Two neighbouring taps of weights a, b of one sign (not both zero) as one linear-filtered fetch (Sigg & Hadwiger 2005).
TS_HD void merge_taps(int first, float a, float b, float& offset, float& weight) {
    weight = a + b;
    offset = float(first) + b / weight;
}

// Merges all taps of a method, in pairs whose two weights are never of opposite signs.
template <int fetches>
TS_HD void merge_pairs(const float (&w)[2 * fetches], float (&offset)[fetches], float (&weight)[fetches]) {
    TS_UNROLL
    for (int i = 0; i < fetches; ++i) merge_taps(2 * i + 1 - fetches, w[2 * i], w[2 * i + 1], offset[i], weight[i]);
}

// Merges the two middle taps, which are positive, where the others have another sign or alternate and need their own
// fetches.
template <int taps>
TS_HD void merge_middle(const float (&w)[taps], float (&offset)[taps - 1], float (&weight)[taps - 1]) {
    constexpr int middle = taps / 2 - 1;
    TS_UNROLL
    for (int i = 0; i < taps - 1; ++i) {
        const int tap = i <= middle ? i : i + 1;
        offset[i] = float(tap - middle);
        weight[i] = w[tap];
    }
    merge_taps(0, w[middle], w[middle + 1], offset[middle], weight[middle]);
}

// Divides weights by their sum.
template <int taps> TS_HD void normalise(float (&w)[taps], float sum) {
    const float gain = 1 / sum;
    TS_UNROLL
    for (int i = 0; i < taps; ++i) w[i] *= gain;
}

// Linear memory whose sample type is known at run time: one kernel instead of four, if loads are few or the same for a
// whole launch.

template <int C> class AnySource : public LinearTexels {
public:
    static constexpr int channels = C;
    using LinearTexels::LinearTexels;

    TS_HD Pixel<C> load(int column, int row) const {
        return typed([&](const auto& source) { return source.load(column, row); });
    }

    // visit(the same as a LinearSource): once for many loads, if their number is not known to the compiler.
    template <class Visit> TS_HD Pixel<C> typed(Visit visit) const {
        switch (array_.type) {
            case SampleType::u8: return visit(LinearSource<uint8_t, C>(array_));
            case SampleType::u16: return visit(LinearSource<uint16_t, C>(array_));
            case SampleType::f16: return visit(LinearSource<HalfBits, C>(array_));
            default: break;
        }
        return visit(LinearSource<float, C>(array_));
    }
};

// The type is chosen once for a row of taps, not for each.
template <int taps, int C>
TS_HD Pixel<C> weighted_row(const AnySource<C>& any, const int (&columns)[taps], const float (&w)[taps], int row) {
    return any.typed([&](const auto& source) { return weighted_row(source, columns, w, row); });
}

// Methods by only their fitted weights: what all methods with the same number of taps have in common, to share kernels.

// A method as evaluate.h defines it, but without fetches.
template <int taps_> struct Fitted {
    static constexpr int taps = taps_;
    int degree;
    float c[taps][AxisWeights::max_degree + 1];

    explicit Fitted(const AxisWeights& fitted) : degree(fitted.degree) {
        for (int k = 0; k < taps; ++k)
            for (int n = 0; n <= AxisWeights::max_degree; ++n) c[k][n] = fitted.c[k][n];
    }

    // The degree is the same for a whole launch; terms are skipped by the handful, since coefficients at positions
    // known only at run time would be copied to local memory.
    TS_HD void weights(float t, float (&w)[taps]) const {
        const float u = 1 - t, s = t < u ? t : u;
        float sum[taps];
        TS_UNROLL
        for (int k = 0; k < taps; ++k) sum[k] = c[k][3];
        if (degree > 3) {
            TS_UNROLL
            for (int k = 0; k < taps; ++k) sum[k] = c[k][8];
            if (degree > 8) {
                TS_UNROLL
                for (int k = 0; k < taps; ++k) sum[k] = c[k][AxisWeights::max_degree];
                add_terms<AxisWeights::max_degree - 1, 8>(s, sum);
            }
            add_terms<7, 3>(s, sum);
        }
        add_terms<2, 0>(s, sum);
        TS_UNROLL
        for (int k = 0; k < taps; ++k) w[k] = t > u ? sum[taps - 1 - k] : sum[k];
    }

private:
    template <int from, int to> TS_HD void add_terms(float s, float (&sum)[taps]) const {
        TS_UNROLL
        for (int n = from; n >= to; --n) TS_UNROLL
        for (int k = 0; k < taps; ++k) sum[k] = fmaf(sum[k], s, c[k][n]);
    }
};

// Fitted weights with fetches: all taps in pairs if no weight is negative (taps / 2 fetches), else the two in the
// middle in one and every other tap separately (taps − 1).
template <int taps_, int fetches_> struct FittedFetches : Fitted<taps_> {
    static constexpr int taps = taps_, fetches = fetches_;
    static_assert(fetches == taps / 2 || fetches == taps - 1);
    using Fitted<taps_>::Fitted;

    TS_HD void groups(float t, float (&offset)[fetches], float (&weight)[fetches]) const {
        constexpr int before = taps / 2 - 1;  // taps left of floor(x)
        float w[taps];
        this->weights(t, w);
        if constexpr (taps == 2) {  // their sum is 1
            offset[0] = w[1];
            weight[0] = 1;
        } else {
            TS_UNROLL
            for (int i = 0; i < fetches; ++i) {
                const int tap = fetches == taps / 2 ? 2 * i : i <= before ? i : i + 1;
                if (fetches == taps / 2 || i == before) {
                    merge(tap - before, w[tap], w[tap + 1], offset[i], weight[i]);
                } else {
                    offset[i] = float(tap - before);
                    weight[i] = w[tap];
                }
            }
        }
    }

private:
    // Weights near zero may be rounded to either side of it: the position between the taps stays valid.
    TS_HD static void merge(int first, float a, float b, float& offset, float& weight) {
        merge_taps(first, a, b, offset, weight);
        offset = fminf(fmaxf(offset, float(first)), float(first + 1));
    }
};

}  // namespace texelscope
