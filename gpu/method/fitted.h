#pragma once
// Methods by only their fitted weights: what all methods with the same number of taps have in common, to share kernels.

#include "gpu/method/axis_weights.h"
#include "gpu/method/evaluate.h"

namespace texelscope {

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
