#pragma once
// Linear memory whose sample type is known at run time: one kernel instead of four, if loads are few or the same for a
// whole launch.

#include "gpu/method/evaluate.h"

namespace texelscope {

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

}  // namespace texelscope
