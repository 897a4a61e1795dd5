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
    while (textures_.size() < plan.pictures.size()) textures_.push_back(gl::Texture::create());
    for (size_t i = 0; i < plan.pictures.size(); ++i) {
        const PlannedPicture& item = plan.pictures[i];
        const int wanted_width = item.picture.shown.request.width, wanted_height = item.picture.shown.request.height;
        glBindTexture(GL_TEXTURE_2D, textures_[i].name());
        GLint width = 0, height = 0;
        glGetTexLevelParameteriv(GL_TEXTURE_2D, 0, GL_TEXTURE_WIDTH, &width);
        glGetTexLevelParameteriv(GL_TEXTURE_2D, 0, GL_TEXTURE_HEIGHT, &height);
        if (width != wanted_width || height != wanted_height) {
            glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
            glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, wanted_width, wanted_height, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
            glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
            glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
            glBindBuffer(GL_PIXEL_UNPACK_BUFFER, buffer);
        }
        glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, wanted_width, wanted_height, GL_RGBA, GL_UNSIGNED_BYTE,
                        reinterpret_cast<const void*>(item.offset));
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
    if (plan.pictures.empty()) return;

    timer_.begin();
    glEnable(GL_SCISSOR_TEST);
    glActiveTexture(GL_TEXTURE0);
    const gl::Program& program = use_textures_ ? from_texture_ : from_buffer_;
    program.use();
    program.set(use_textures_ ? "rendering" : "renderings", 0);
    if (!use_textures_) glBindTexture(GL_TEXTURE_BUFFER, buffer_view_.name());
    glBindVertexArray(no_attributes_.name());
    for (size_t i = 0; i < plan.pictures.size(); ++i) draw(plan.pictures[i], i, plan.loupe, framebuffer_height);
    glBindVertexArray(0);
    glBindTexture(use_textures_ ? GL_TEXTURE_2D : GL_TEXTURE_BUFFER, 0);
    glDisable(GL_SCISSOR_TEST);
    timer_.end();
}

void PictureDrawer::draw(const PlannedPicture& item, size_t index, const Loupe& loupe, int framebuffer_height) {
    const PixelRect &place = item.place, &clip = item.clip;
    if (clip.empty()) return;
    const int bottom = framebuffer_height - place.y - place.height;
    const gl::Program& program = use_textures_ ? from_texture_ : from_buffer_;
    if (use_textures_) glBindTexture(GL_TEXTURE_2D, textures_[index].name());
    else program.set("offset", int(item.offset / 4));
    program.set("origin", place.x, bottom);
    program.set("size", place.width, place.height);
    program.set("loupe_centre", loupe.x, loupe.y);
    program.set("loupe_radius", item.pane == PlannedPicture::minimap ? 0 : loupe.radius);
    program.set("loupe_magnification", loupe.magnification);
    glViewport(place.x, bottom, place.width, place.height);
    glScissor(clip.x, framebuffer_height - clip.y - clip.height, clip.width, clip.height);
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

}  // namespace texelscope
