#include "app/picture/frame/picture_drawer.h"

#include "gpu/core/colour.h"
#include "gpu/core/errors.h"
#include "gpu/core/profiler_range.h"

namespace texelscope {

PictureDrawer::PictureDrawer(std::optional<PictureRoute> route)
    : from_buffer_("picture.vert", "picture.frag"),
      from_texture_("picture.vert", "picture.frag", "#define FROM_TEXTURE\n"),
      wanted_(route) {
    GLint most = 0;
    glGetIntegerv(GL_MAX_TEXTURE_BUFFER_SIZE, &most);
    max_buffer_texels_ = most;
}

void PictureDrawer::attach(unsigned buffer, const FramePlan& plan) {
    const bool fits = plan.bytes() / 4 <= size_t(max_buffer_texels_);
    route_ = wanted_.value_or(fits ? PictureRoute::buffer_texture : PictureRoute::texture);
    if (route_ == PictureRoute::texture) return copy_to_textures(buffer, plan);
    if (!fits)
        throw Error("the pictures have more pixels than a buffer texture can hold in this OpenGL implementation");
    // Set each time, as the buffer may have new storage.
    glBindTexture(GL_TEXTURE_BUFFER, buffer_view_.name());
    glTexBuffer(GL_TEXTURE_BUFFER, GL_RGBA8, buffer);
    glBindTexture(GL_TEXTURE_BUFFER, 0);
}

void PictureDrawer::copy_to_textures(unsigned buffer, const FramePlan& plan) {
    textures_.resize(plan.pictures.size());
    for (size_t i = 0; i < plan.pictures.size(); ++i) {
        const RenderRequest& request = plan.pictures[i].picture.shown.request;
        Texture& texture = textures_[i];
        glBindTexture(GL_TEXTURE_2D, texture.texture.name());
        if (texture.width != request.width || texture.height != request.height) {
            glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, request.width, request.height, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                         nullptr);
            glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
            glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
            texture.width = request.width;
            texture.height = request.height;
        }
        glBindBuffer(GL_PIXEL_UNPACK_BUFFER, buffer);
        glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
        glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, request.width, request.height, GL_RGBA, GL_UNSIGNED_BYTE,
                        reinterpret_cast<const void*>(plan.pictures[i].offset));
        glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    }
    glBindTexture(GL_TEXTURE_2D, 0);
}

void PictureDrawer::draw(const FramePlan& plan, int framebuffer_height, bool timed) {
    const ProfilerRange range(work::draw);
    glDisable(GL_DITHER);
    glDisable(GL_BLEND);
    glDisable(GL_SCISSOR_TEST);
    glClearColor(background_level, background_level, background_level, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    if (plan.pictures.empty()) return;

    if (timed) timer_.begin();
    glEnable(GL_SCISSOR_TEST);
    glActiveTexture(GL_TEXTURE0);
    const bool textures = route_ == PictureRoute::texture;
    const gl::Program& program = textures ? from_texture_ : from_buffer_;
    program.use();
    program.set(textures ? "rendering" : "renderings", 0);
    if (!textures) glBindTexture(GL_TEXTURE_BUFFER, buffer_view_.name());
    glBindVertexArray(no_attributes_.name());
    for (size_t i = 0; i < plan.pictures.size(); ++i) draw(plan.pictures[i], i, plan.loupe, framebuffer_height);
    glBindVertexArray(0);
    glBindTexture(textures ? GL_TEXTURE_2D : GL_TEXTURE_BUFFER, 0);
    glDisable(GL_SCISSOR_TEST);
    if (timed) timer_.end();
}

void PictureDrawer::draw(const PlannedPicture& item, size_t index, const Loupe& loupe, int framebuffer_height) {
    const PixelRect &place = item.place, &clip = item.clip;
    if (clip.empty()) return;
    const int bottom = framebuffer_height - place.y - place.height;
    const bool textures = route_ == PictureRoute::texture;
    const gl::Program& program = textures ? from_texture_ : from_buffer_;
    if (textures) glBindTexture(GL_TEXTURE_2D, textures_[index].texture.name());
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
