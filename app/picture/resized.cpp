#include "app/picture/resized.h"

namespace texelscope {

RenderRequest resized_request(const RenderRequest& request, Extent size) {
    if (size.empty() || size == Extent{request.width, request.height}) return request;
    RenderRequest resized = request;
    const double step = double(request.width) / size.width;  // old pixels per new one
    resized.width = size.width;
    resized.height = size.height;
    resized.view.scale = request.view.scale * step;
    if (request.positions) {
        const Affine& old = *request.positions;
        const Point first = apply(old, (request.width - 1) / 2.0 - (size.width - 1) / 2.0 * step,
                                  (request.height - 1) / 2.0 - (size.height - 1) / 2.0 * step);
        resized.positions = Affine{old.xx * step, old.xy * step, first.x, old.yx * step, old.yy * step, first.y};
    }
    return resized;
}

PanePicture resized_picture(PanePicture picture, Extent size) {
    picture.shown.request = resized_request(picture.shown.request, size);
    if (picture.against) picture.against->request = resized_request(picture.against->request, size);
    return picture;
}

}  // namespace texelscope
