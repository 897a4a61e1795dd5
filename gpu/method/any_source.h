#pragma once
// Linear memory whose sample type is known at run time: one kernel instead of four, where loads are few or the same for
// a whole launch.

#include "gpu/method/tap_source.h"

namespace texelscope {

template <int C> class AnySource {
public:
    using Index = int;
    static constexpr int channels = C;
    TS_HD explicit AnySource(const TexelArray& array) : array_(array) {}

    TS_HD int column(int i) const {
        return addressed(array_.address.x, i + array_.margin_x, array_.width + 2 * array_.margin_x);
    }
    TS_HD int row(int j) const {
        return addressed(array_.address.y, j + array_.margin_y, array_.height + 2 * array_.margin_y);
    }
    TS_HD static bool is_zero(int stored) { return stored < 0; }
    TS_HD bool one_dimensional() const { return array_.one_dimensional; }

    TS_HD Pixel<C> load(int column, int row) const {
        switch (array_.type) {
            case SampleType::u8: return LinearSource<uint8_t, C>(array_).load(column, row);
            case SampleType::u16: return LinearSource<uint16_t, C>(array_).load(column, row);
            case SampleType::f16: return LinearSource<HalfBits, C>(array_).load(column, row);
            case SampleType::f32: break;
        }
        return LinearSource<float, C>(array_).load(column, row);
    }

private:
    TexelArray array_;
};

}  // namespace texelscope
