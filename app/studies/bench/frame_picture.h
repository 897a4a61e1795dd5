#pragma once
// A picture on its way to the screen, each step separately: what is timed as the stages of a frame.

#include "app/picture/frame/picture_drawer.h"
#include "gpu/backend/source_image.h"
#include "gpu/interop/present_target.h"

namespace texelscope {

class FramePicture {
public:
    // Cubic B-spline of an 8-bit RGB image of 2048² pixels at zoom 4, rotated by 10°; `panes` (1 or 16) of it share the
    // picture. Needs a current context. Throws OutOfMemory or Error.
    FramePicture(Presenter presenter, int width, int height, int panes);

    void acquire() { pixels_ = presenter_.target->acquire(); }
    void render();
    void release() { presenter_.target->release(); }
    void compute();  // all three

    void attach(PictureDrawer& drawer) { drawer.attach(presenter_.target->buffer(), plan_); }
    void draw(PictureDrawer& drawer) { drawer.draw(plan_, height_, false); }
    void show(PictureDrawer& drawer);  // both

    // Waits for OpenGL and the backend.
    void finish();

    Backend& backend() { return *presenter_.backend; }
    Rung rung() const { return presenter_.target->rung(); }

private:
    Presenter presenter_;
    SourceImage source_;
    FramePlan plan_;
    WritablePixels pixels_;
    int height_;
};

}  // namespace texelscope
