#include "app/picture/frame/frame_renderer.h"

#include <string>

#include "gpu/core/colour.h"
#include "gpu/core/errors.h"
#include "gpu/core/timing.h"

namespace texelscope {
namespace {

// What the largest picture covers is not cleared: in a large window that costs as much as drawing it.
void clear_around_largest(const FramePlan& plan, int framebuffer_height) {
    PixelRect largest;
    const auto area = [](const PixelRect& rect) { return rect.empty() ? 0 : (long long)(rect.width) * rect.height; };
    for (const PlacedPicture& item : plan.pictures)
        if (area(item.clip) > area(largest)) largest = item.clip;
    constexpr int far = 1 << 24;
    const int top = framebuffer_height - largest.y, bottom = top - largest.height,
              right = largest.x + largest.width;  // OpenGL's y
    glClearColor(background_level, background_level, background_level, 1);
    glEnable(GL_SCISSOR_TEST);
    const auto clear = [](int x, int y, int width, int height) {
        glScissor(x, y, width, height);
        glClear(GL_COLOR_BUFFER_BIT);
    };
    clear(0, top, far, far);
    if (bottom > 0) clear(0, 0, far, bottom);
    if (largest.x > 0) clear(0, 0, largest.x, far);
    clear(right, 0, far, far);
    glDisable(GL_SCISSOR_TEST);
}

}  // namespace

PictureDrawer::PictureDrawer(std::optional<PictureRoute> route) : wanted_(route) {
    GLint most = 0;
    glGetIntegerv(GL_MAX_TEXTURE_BUFFER_SIZE, &most);
    max_buffer_texels_ = most;
    route_ = wanted_.value_or(most > 0 ? PictureRoute::buffer_texture : PictureRoute::texture);
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

// The minimap is seen without a loupe.
std::vector<PictureDrawer::Place> PictureDrawer::places_of(const FramePlan& plan) {
    std::vector<Place> places;
    for (const PlacedPicture& item : plan.pictures)
        places.push_back(
            {item.offset, item.place, item.clip, item.pane == PlacedPicture::minimap ? Loupe{} : plan.loupe});
    return places;
}

void PictureDrawer::draw(const FramePlan& plan, int framebuffer_height, bool timed) {
    const ProfilerRange range(work::draw);
    drawn_ = places_of(plan);
    glDisable(GL_DITHER);
    glDisable(GL_BLEND);
    clear_around_largest(plan, framebuffer_height);
    if (plan.pictures.empty()) return;

    if (timed) timer_.begin();
    glEnable(GL_SCISSOR_TEST);
    glActiveTexture(GL_TEXTURE0);
    const bool textures = route_ == PictureRoute::texture;
    if (!textures) glBindTexture(GL_TEXTURE_BUFFER, buffer_view_.name());
    glBindVertexArray(no_attributes_.name());
    for (size_t i = 0; i < drawn_.size(); ++i) draw(drawn_[i], i, framebuffer_height);
    glBindVertexArray(0);
    glBindTexture(textures ? GL_TEXTURE_2D : GL_TEXTURE_BUFFER, 0);
    glDisable(GL_SCISSOR_TEST);
    if (timed) timer_.end();
}

// The loupe in every picture's shader would make all of them half again as slow.
const gl::Program& PictureDrawer::program(bool with_loupe) {
    const bool textures = route_ == PictureRoute::texture;
    std::optional<gl::Program>& program = programs_[textures][with_loupe];
    if (!program)
        program.emplace("picture.vert", "picture.frag",
                        std::string(textures ? "#define FROM_TEXTURE\n" : "") + (with_loupe ? "#define LOUPE\n" : ""));
    return *program;
}

void PictureDrawer::draw(const Place& drawn, size_t index, int framebuffer_height) {
    const auto& [offset, place, clip, loupe] = drawn;
    if (clip.empty()) return;
    const int bottom = framebuffer_height - place.y - place.height;
    const bool textures = route_ == PictureRoute::texture;
    const bool with_loupe = loupe.radius > 0;
    const gl::Program& program = this->program(with_loupe);
    program.use();
    program.set(textures ? "rendering" : "renderings", 0);
    if (textures) glBindTexture(GL_TEXTURE_2D, textures_[index].texture.name());
    else program.set("offset", int(offset / 4));
    program.set("origin", place.x, bottom);
    program.set("size", place.width, place.height);
    if (with_loupe) {
        program.set("loupe_centre", loupe.x, loupe.y);
        program.set("loupe_radius", loupe.radius);
        program.set("loupe_magnification", loupe.magnification);
    }
    glViewport(place.x, bottom, place.width, place.height);
    glScissor(clip.x, framebuffer_height - clip.y - clip.height, clip.width, clip.height);
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

Machine machine_of(const Presenter& presenter) {
    const BackendInfo& info = presenter.backend->info();
    const auto text = [](GLenum what) {
        const GLubyte* s = glGetString(what);
        return std::string(s ? reinterpret_cast<const char*>(s) : "");
    };
    return {.rung = std::string(name_of(presenter.target->rung())),
            .rung_reason = presenter.reason,
            .rung_refused = presenter.refused,
            .device = info.device,
            .device_detail = info.detail,
            .gl_renderer = text(GL_RENDERER) + ", OpenGL " + text(GL_VERSION),
            .on_gpu = info.kind == BackendKind::cuda,
            .limits = info.limits};
}

}  // namespace texelscope
