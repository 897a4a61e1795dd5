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

namespace {

bool reads_in_place(const RenderRequest& request, int width, int height) {
    return request.width == width && request.height == height && request.derivative == Derivative::none &&
           request.warp.kind == Warp::Kind::none && positions_of(request, width, height) == Affine();
}

void take_hidden_colours(Image& result, const Image& source) {
    constexpr float none = 4e-6f;  // the alpha that rounding leaves in prefiltered methods
    const int alpha = source.channels() - 1;
    result = unpremultiplied(result);
    for (int y = 0; y < result.height(); ++y) {
        float* pixel = result.row_as<float>(y);
        for (int x = 0; x < result.width(); ++x, pixel += alpha + 1)
            if (std::abs(pixel[alpha]) <= none && source.value(x, y, alpha) == 0)
                for (int c = 0; c <= alpha; ++c) pixel[c] = float(source.value(x, y, c));
    }
}

}  // namespace

void keep_hidden_colours(Image& result, const Image& source, const RenderRequest& request) {
    if (source.alpha() == Alpha::straight && result.alpha() == Alpha::premultiplied &&
        reads_in_place(request, source.width(), source.height()))
        take_hidden_colours(result, source);
}

RowSource with_hidden_colours(const RowSource& result, const TileSource& source, const RenderRequest& request) {
    const ImageInfo& info = source.info();
    RowSource rows = result;
    if (info.alpha != Alpha::straight || result.alpha != Alpha::premultiplied ||
        !reads_in_place(request, info.width, info.height))
        return rows;
    rows.alpha = Alpha::straight;
    rows.rows = [&result, &source](int first, int last) {
        const ImageInfo& stored = source.info();
        Image samples(stored.width, last - first, stored.channels, stored.type, stored.alpha);
        source.read(0, {0, first, stored.width, last - first}, samples.data(), samples.row_bytes());
        Image band = result.rows(first, last);
        take_hidden_colours(band, samples);
        return band;
    };
    return rows;
}

}  // namespace texelscope
