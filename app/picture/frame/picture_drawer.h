#pragma once
// Draws renderings from a GL pixel buffer onto the screen, pixel for pixel.

#include <optional>
#include <string_view>
#include <vector>

#include "app/picture/frame/frame_plan.h"
#include "app/window/gl/gl_objects.h"

namespace texelscope {

// The route of renderings from the pixel buffer to the screen.
enum class PictureRoute {
    buffer_texture,  // the shader reads the buffer directly: nothing is copied
    texture          // glTexSubImage2D copies them into textures first
};

constexpr std::string_view name_of(PictureRoute route) {
    return route == PictureRoute::buffer_texture ? "buffer texture" : "texture";
}

class PictureDrawer {
public:
    // Needs a current context. Takes the given route; else avoids the copy if a buffer texture can hold that many
    // texels.
    explicit PictureDrawer(std::optional<PictureRoute> route = {});

    // Makes the shader that most frames need, which the first one would do otherwise. Throws Error like draw.
    void compile() { program(false); }

    // The buffer holds new renderings: call after each release, before draw.
    void attach(unsigned buffer, const FramePlan& plan);

    // Draws the renderings of the last attach, as the plan says; the background elsewhere. The time becomes
    // last_draw_ms() if `timed`. Throws Error for a shader that the driver refuses.
    void draw(const FramePlan& plan, int framebuffer_height, bool timed);

    // Whether that would draw the same pictures at the same places as the last time.
    bool draws_the_same(const FramePlan& plan) const { return places_of(plan) == drawn_; }

    // The route that the last attach took.
    PictureRoute route() const { return route_; }

    // Milliseconds on the GL side; 0 before the first.
    double last_draw_ms() { return timer_.milliseconds().value_or(0); }

private:
    // How a plan is drawn, whatever its pictures show.
    struct Place {
        size_t offset = 0;
        PixelRect place, clip;
        Loupe loupe;
        bool operator==(const Place&) const = default;
    };
    static std::vector<Place> places_of(const FramePlan& plan);

    void copy_to_textures(unsigned buffer, const FramePlan& plan);
    void draw(const Place& place, size_t index, int framebuffer_height);
    const gl::Program& program(bool with_loupe);

    std::optional<gl::Program> programs_[2][2];  // from textures or not, with a loupe or not; made when first used
    gl::VertexArray no_attributes_ = gl::VertexArray::create();
    gl::Texture buffer_view_ = gl::Texture::create();
    struct Texture {
        gl::Texture texture = gl::Texture::create();
        int width = 0, height = 0;
    };
    std::vector<Texture> textures_;  // one per picture
    std::vector<Place> drawn_;       // last
    gl::Timer timer_;
    long long max_buffer_texels_ = 0;
    std::optional<PictureRoute> wanted_;
    PictureRoute route_ = PictureRoute::buffer_texture;
};

}  // namespace texelscope
