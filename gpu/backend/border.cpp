#include "gpu/backend/border.h"

#include <algorithm>

#include "gpu/core/colour.h"

namespace texelscope {

BorderPixel border_pixel(const BorderValue& border, int channels, bool has_alpha, bool linear_light) {
    const int colours = channels - (has_alpha ? 1 : 0);
    const auto number = [&](int c) {
        if (c < border.count || border.count == 1) return double(border.value[std::min(c, border.count - 1)]);
        return c == colours ? 1.0 : double(border.value[border.count - 1]);
    };
    const double alpha = has_alpha ? number(colours) : 1.0;
    BorderPixel pixel;
    for (int c = 0; c < colours; ++c) pixel.v[c] = float(alpha * (linear_light ? srgb_decoded(number(c)) : number(c)));
    if (has_alpha) pixel.v[colours] = float(alpha);
    return pixel;
}

}  // namespace texelscope
