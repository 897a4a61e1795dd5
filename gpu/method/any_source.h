#pragma once
// Linear memory whose sample type is known at run time: one kernel instead of four, where loads are few or the same for
// a whole launch.

#include "gpu/method/tap_source.h"

namespace texelscope {

template <int C> class AnySource : public LinearTexels {
public:
    static constexpr int channels = C;
    using LinearTexels::LinearTexels;

    TS_HD Pixel<C> load(int column, int row) const {
        switch (array_.type) {
            case SampleType::u8: return LinearSource<uint8_t, C>::texel(line(row), column);
            case SampleType::u16: return LinearSource<uint16_t, C>::texel(line(row), column);
            case SampleType::f16: return LinearSource<HalfBits, C>::texel(line(row), column);
            case SampleType::f32: break;
        }
        return LinearSource<float, C>::texel(line(row), column);
    }
};

}  // namespace texelscope
