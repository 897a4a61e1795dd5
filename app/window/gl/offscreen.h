#pragma once
// An off-screen framebuffer: pictures of any size, independent of the window's size and visibility.

#include "app/window/gl/handles.h"
#include "gpu/core/image.h"

namespace texelscope {

// Receives all drawing as long as it lives.
class Offscreen {
public:
    // Throws Error for a size that this OpenGL implementation cannot draw.
    Offscreen(int width, int height);
    ~Offscreen();
    Offscreen(const Offscreen&) = delete;
    Offscreen& operator=(const Offscreen&) = delete;

    // The finished drawing: u8 × 3, top row first. Waits for it.
    Image picture() const;

private:
    int width_, height_;
    gl::Framebuffer framebuffer_ = gl::Framebuffer::create();
    gl::Renderbuffer colour_ = gl::Renderbuffer::create();
};

}  // namespace texelscope
