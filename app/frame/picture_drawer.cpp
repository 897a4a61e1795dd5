#include "app/frame/picture_drawer.h"

#include <fmt/format.h>

#include "gpu/core/colour.h"

namespace texelscope {

PictureDrawer::PictureDrawer()
    : from_buffer_("picture.vert", "picture.frag"),
      from_texture_("picture.vert", "picture.frag", "#define FROM_TEXTURE\n") {
    GLint most = 0;
    glGetIntegerv(GL_MAX_TEXTURE_BUFFER_SIZE, &most);
    max_buffer_texels_ = most;
}

void PictureDrawer::attach(unsigned buffer, const FramePlan& plan) {
    use_textures_ = plan.bytes() / 4 > size_t(max_buffer_texels_);
    if (use_textures_) {
        copy_to_textures(buffer, plan);
        return;
    }
    // A view of the buffer itself: nothing is copied. Set anew each time, as the buffer may have new storage.
    glBindTexture(GL_TEXTURE_BUFFER, buffer_view_.name());
    glTexBuffer(GL_TEXTURE_BUFFER, GL_RGBA8, buffer);
    glBindTexture(GL_TEXTURE_BUFFER, 0);
}

void PictureDrawer::copy_to_textures(unsigned buffer, const FramePlan& plan) {
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, buffer);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    for (size_t i = 0; i < plan.renders.size() && i < textures_.size(); ++i) {
        const auto& [image, light, request, offset] = plan.renders[i];
        if (!textures_[i]) textures_[i] = gl::Texture::create();
        glBindTexture(GL_TEXTURE_2D, textures_[i].name());
        GLint width = 0, height = 0;
        glGetTexLevelParameteriv(GL_TEXTURE_2D, 0, GL_TEXTURE_WIDTH, &width);
        glGetTexLevelParameteriv(GL_TEXTURE_2D, 0, GL_TEXTURE_HEIGHT, &height);
        if (width != request.width || height != request.height) {
            glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
            glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, request.width, request.height, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                         nullptr);
            glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
            glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
            glBindBuffer(GL_PIXEL_UNPACK_BUFFER, buffer);
        }
        glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, request.width, request.height, GL_RGBA, GL_UNSIGNED_BYTE,
                        reinterpret_cast<const void*>(offset));
    }
    glBindTexture(GL_TEXTURE_2D, 0);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
}

void PictureDrawer::draw(const FramePlan& plan, int framebuffer_height) {
    glDisable(GL_DITHER);
    glDisable(GL_BLEND);
    glDisable(GL_SCISSOR_TEST);
    glClearColor(background_level, background_level, background_level, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    if (plan.renders.empty() || plan.picture.empty()) return;

    const PixelRect& at = plan.picture;
    const int bottom = framebuffer_height - at.y - at.height;
    timer_.begin();
    glViewport(at.x, bottom, at.width, at.height);
    const gl::Program& program = use_textures_ ? from_texture_ : from_buffer_;
    program.use();
    if (use_textures_) {
        for (int i = 0; i < 2; ++i) {
            glActiveTexture(GLenum(GL_TEXTURE0 + i));
            glBindTexture(GL_TEXTURE_2D, textures_[size_t(plan.difference ? i : 0)].name());
        }
        glActiveTexture(GL_TEXTURE0);
        program.set("rendering_a", 0);
        program.set("rendering_b", 1);
    } else {
        glActiveTexture(GL_TEXTURE0);
        glBindTexture(GL_TEXTURE_BUFFER, buffer_view_.name());
        program.set("renderings", 0);
        program.set("offset_a", int(plan.renders[0].offset / 4));
        program.set("offset_b", int(plan.renders.back().offset / 4));
    }
    program.set("origin", at.x, bottom);
    program.set("size", at.width, at.height);
    program.set("difference", plan.difference ? 1 : 0);
    program.set("gain", plan.gain);
    program.set("loupe_centre", plan.loupe_x, plan.loupe_y);
    program.set("loupe_radius", plan.loupe_radius);
    program.set("loupe_magnification", plan.loupe_magnification);
    glBindVertexArray(no_attributes_.name());
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glBindVertexArray(0);
    glBindTexture(use_textures_ ? GL_TEXTURE_2D : GL_TEXTURE_BUFFER, 0);
    timer_.end();
}

}  // namespace texelscope
