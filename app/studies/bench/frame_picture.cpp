#include "app/studies/bench/frame_picture.h"

#include <algorithm>

#include <glad/gl.h>

namespace texelscope {
namespace {

// The content does not affect the time.
Image source_image() {
    constexpr int side = 2048;
    Image image(side, side, 3, SampleType::u8);
    for (int y = 0; y < side; ++y)
        for (int x = 0; x < side; ++x)
            for (int c = 0; c < 3; ++c) image.row_as<uint8_t>(y)[3 * x + c] = uint8_t((x * y >> 5) + 85 * c);
    return image;
}

FramePlan plan_of(int width, int height, int panes) {
    const int across = panes == 1 ? 1 : 4;
    FramePlan plan;
    for (int i = 0; i < panes; ++i) {
        PlannedPicture item;
        RenderRequest& request = item.picture.shown.request;
        request.spec = default_spec(parse_method("bspline"));
        request.view = {0, 0, 0.25, 10};
        request.width = std::max(width / across, 1);
        request.height = std::max(height / across, 1);
        item.offset = plan.bytes();
        item.pane = i;
        item.place = {i % across * request.width, i / across * request.height, request.width, request.height};
        item.clip = item.place;
        plan.pictures.push_back(std::move(item));
    }
    return plan;
}

}  // namespace

FramePicture::FramePicture(Presenter presenter, int width, int height, int panes)
    : presenter_(std::move(presenter)),
      source_(presenter_.backend, source_image()),
      plan_(plan_of(width, height, panes)),
      height_(height) {
    presenter_.target->resize(plan_.bytes());
    source_.prepare(plan_.pictures.front().picture.shown.request);
}

void FramePicture::render() {
    for (const PlannedPicture& item : plan_.pictures) {
        const RenderRequest& request = item.picture.shown.request;
        source_.render(request, {.pixels = static_cast<std::byte*>(pixels_.data) + item.offset,
                                 .row_bytes = size_t(request.width) * 4,
                                 .timer = item.pane});
    }
}

void FramePicture::compute() {
    acquire();
    render();
    release();
}

void FramePicture::show(PictureDrawer& drawer) {
    attach(drawer);
    draw(drawer);
}

void FramePicture::finish() {
    glFinish();
    presenter_.backend->synchronize();
}

}  // namespace texelscope
