#include "app/viewer/loop/viewer_window.h"
#include "app/window/gl/offscreen.h"
#include "gpu/core/errors.h"

namespace texelscope {
namespace {

constexpr int most_frames_of_a_screenshot = 10;

}  // namespace

// Afterwards, everything enqueued has been computed, by another device if necessary.
void ViewerWindow::wait_for_picture() {
    for (;;) {
        try {
            renderer_.backend().synchronize();
            return;
        } catch (const DeviceLost& error) {
            renderer_.lose(error);
        }
        prepare_frame();
    }
}

Image ViewerWindow::screenshot() {
    first_use_.begin(false);  // no one is waiting at the window
    // All that is drawn is exact here: a minimap would read all of an image that is too large for memory.
    for (const Document& document : state_.scene.documents)
        if (document.image && !document.image->in_memory()) state_.ui.minimap = false;
    // Only the last frame is drawn, once the panels show what is known.
    draw_soon();
    for (int i = 0; i < most_frames_of_a_screenshot && frames_due_ > 0; ++i) {
        prepare_frame();
        finish_report({});
        count_frame();
    }
    renderer_.forget();
    prepare_frame();
    wait_for_picture();
    fill_report();  // values have arrived
    finish_report({});
    measurer_.finish(state_, renderer_);
    const Extent size = window_.framebuffer();
    const Offscreen offscreen(size.width, size.height);
    draw(prepare_frame());
    finish_report({});
    Image image = offscreen.picture();
    trace();
    for (const Message& message : state_.messages)
        if (message.level == Message::Level::error) throw Error(message.text);
    return image;
}

}  // namespace texelscope
