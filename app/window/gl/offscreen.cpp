#include "app/window/gl/offscreen.h"

#include <fmt/format.h>

#include "app/window/gl/back_buffer.h"
#include "gpu/core/errors.h"

namespace texelscope {

Offscreen::Offscreen(int width, int height) : width_(width), height_(height) {
    glBindRenderbuffer(GL_RENDERBUFFER, colour_.name());
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, width, height);
    glBindRenderbuffer(GL_RENDERBUFFER, 0);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_.name());
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, colour_.name());
    if (glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE) return;
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    throw Error(fmt::format("OpenGL cannot draw a picture of {}×{} pixels", width, height));
}

Offscreen::~Offscreen() { glBindFramebuffer(GL_FRAMEBUFFER, 0); }

Image Offscreen::picture() const { return back_buffer(width_, height_); }

}  // namespace texelscope
