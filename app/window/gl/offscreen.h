#pragma once
// A framebuffer of its own: pictures of any size, whatever the window's is and whether it can be seen.

#include "app/window/gl/handles.h"
#include "gpu/core/image.h"

namespace texelscope {

// What is drawn goes into it as long as it lives.
class Offscreen {
public:
    // Throws Error for a size that this OpenGL does not draw.
    Offscreen(int width, int height);
    ~Offscreen();
    Offscreen(const Offscreen&) = delete;
    Offscreen& operator=(const Offscreen&) = delete;

    // What was drawn: u8 × 3, the uppermost row first. Waits for it.
    Image picture() const;

private:
    int width_, height_;
    gl::Framebuffer framebuffer_ = gl::Framebuffer::create();
    gl::Renderbuffer colour_ = gl::Renderbuffer::create();
};

}  // namespace texelscope
