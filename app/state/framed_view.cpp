#include "app/state/framed_view.h"

namespace texelscope {

SampleRegion frame_around(const Image& image) {
    return image.frame().value_or(SampleRegion{0, 0, image.width(), image.height()});
}

Extent frame_size(const Image& image) {
    const SampleRegion frame = frame_around(image);
    return {frame.width, frame.height};
}

View about_samples(const View& view, const Image& image) {
    const SampleRegion frame = frame_around(image);
    View result = view;
    result.translate_x += double(frame.x) + (double(frame.width) - image.width()) / 2;
    result.translate_y += double(frame.y) + (double(frame.height) - image.height()) / 2;
    return result;
}

}  // namespace texelscope
