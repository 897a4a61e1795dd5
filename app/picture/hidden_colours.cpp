#include "app/picture/hidden_colours.h"

#include <cmath>

namespace texelscope {
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
