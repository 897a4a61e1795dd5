#include "app/frame/offscreen.h"

#include <algorithm>

#include <fmt/format.h>

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

Image Offscreen::picture() const {
    Image rows(width_, height_, 3, SampleType::u8), image(width_, height_, 3, SampleType::u8);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, width_, height_, GL_RGB, GL_UNSIGNED_BYTE, rows.data());
    for (int y = 0; y < height_; ++y) std::copy_n(rows.row(height_ - 1 - y), rows.row_bytes(), image.row(y));
    return image;
}

}  // namespace texelscope
