#include "app/picture/straight_values.h"

#include <algorithm>
#include <cmath>

#include "gpu/core/colour.h"

namespace texelscope {

void append_straight_values(const Image& image, int x, int y, ChannelView shown, std::vector<double>& values) {
    const bool has_alpha = image.alpha() != Alpha::none;
    const int colours = image.channels() - (has_alpha ? 1 : 0);
    const float alpha = has_alpha ? image.value(x, y, colours) : 1.0f;
    const auto append = [&](double value) {
        if (std::isfinite(value)) values.push_back(value);
    };
    if (shown == ChannelView::alpha) return append(double(alpha));
    if (alpha < least_alpha) return;
    const float share = image.alpha() == Alpha::premultiplied ? alpha : 1.0f;
    const auto colour = [&](int c) {
        return colours == 1  ? double(image.value(x, y, 0) / share)
               : c < colours ? double(image.value(x, y, c) / share)
                             : 0.0;
    };
    switch (shown) {
        case ChannelView::first: return append(colour(0));
        case ChannelView::second: return append(colour(1));
        case ChannelView::third: return append(colour(2));
        case ChannelView::luma: return append(luma(colour(0), colour(1), colour(2)));
        default: break;
    }
    for (int c = 0; c < std::min(colours, 3); ++c) append(colour(c));
}

}  // namespace texelscope
