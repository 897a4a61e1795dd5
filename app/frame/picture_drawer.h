#pragma once
// Draws renderings from a GL pixel buffer onto the screen, pixel for pixel.

#include <vector>

#include "app/frame/plan.h"
#include "app/gl/handles.h"
#include "app/gl/program.h"
#include "app/gl/timer.h"

namespace texelscope {

class PictureDrawer {
public:
    // Needs a current context. Throws Error for a shader that the driver refuses.
    PictureDrawer();

    // The buffer holds new renderings: call after each release, before draw.
    void attach(unsigned buffer, const FramePlan& plan);

    // What the last attach brought, as the plan says; the background where there are no renderings.
    void draw(const FramePlan& plan, int framebuffer_height);

    // Milliseconds on the GL side; 0 before the first.
    double last_draw_ms() { return timer_.milliseconds().value_or(0); }

private:
    void copy_to_textures(unsigned buffer, const FramePlan& plan);
    void draw(const PlannedPicture& item, size_t index, const Loupe& loupe, int framebuffer_height);

    gl::Program from_buffer_, from_texture_;
    gl::VertexArray no_attributes_ = gl::VertexArray::create();
    gl::Texture buffer_view_ = gl::Texture::create();
    std::vector<gl::Texture> textures_;  // one a picture, where the buffer is too large for a view
    gl::Timer timer_;
    long long max_buffer_texels_ = 0;
    bool use_textures_ = false;
};

}  // namespace texelscope
