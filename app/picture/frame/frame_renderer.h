#pragma once
// The frame pipeline: prefilter → acquire the pixel buffer → a rendering per pane → release → draw.

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/picture/pane_picture.h"
#include "app/picture/prepared_sources.h"
#include "app/picture/rendition.h"
#include "app/picture/source_cache.h"
#include "app/window/gl/gl_objects.h"
#include "gpu/core/errors.h"
#include "gpu/core/timing.h"
#include "gpu/interop/present_target.h"

namespace texelscope {

// Draws renderings from a GL pixel buffer onto the screen, pixel for pixel.

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

class FrameRenderer {
public:
    // The pictures reach the screen by the given route, or by the one PictureDrawer chooses.
    explicit FrameRenderer(Presenter presenter, std::optional<PictureRoute> route = {});

    // From now on, a large picture's coefficients and smaller images are made in the background if a CPU computes, and
    // `wake` is called when they are there. Without this they are made in `update`.
    void prepare_beside(const std::function<void()>& wake);

    // Renders the plan, unless the buffer already holds it. A picture that is still prepared is rendered from what is
    // there already, or, where that would say something wrong, all stays as it is. On failure, returns the text of the Error: then the last
    // good picture stays, and the same plan is not tried again (after lack of memory: not for a second). Does nothing
    // if the device is lost.
    std::optional<std::string> update(const FramePlan& plan);

    // Whether something has come since that makes the picture sharper: another update shows it.
    bool has_sharper() { return !is_sharp_ && sources_->arrivals() != arrivals_in_buffer_; }
    // How many things have still to come until the picture is sharp; 0: it is.
    size_t sharpening() const { return is_sharp_ ? 0 : std::max<size_t>(sources_->coming(), 1); }

    // The error with which the device was lost, in an update or elsewhere: nothing can be computed until there is
    // another presenter. Empty while it answers. Polls it, and never waits.
    const std::optional<std::string>& lost();
    void lose(const DeviceLost& error) { lost_ = error.what(); }

    // What the last update had too little memory for, if this presenter has not shown anything yet.
    const std::optional<std::string>& no_room() const { return no_room_; }
    bool note_no_room(const OutOfMemory& error) {  // found elsewhere; false if it has shown something
        if (!has_rendered_) no_room_ = error.what();
        return !has_rendered_;
    }

    // Frees everything in the backend's memory, then the presenter, and continues with the one that `make` makes. The
    // caller must have released everything else of the old backend.
    void change_presenter(const std::function<Presenter()>& make);

    // For tests: the device is lost (see break_device) after this many more rendered frames, then again after the next
    // number, and so on.
    void lose_after(std::vector<int> frames) { lose_after_ = std::move(frames); }
    void pretend_losses(bool pretend) { loss_ = pretend ? Loss::pretended : Loss::real; }

    // The next update renders again, whatever the buffer holds: the very first rendering also loads code.
    void forget() { in_buffer_ = false; }

    // The next update renders again what it would find in the buffer, to be timed.
    void render_again() { again_ = true; }

    // Draws the contents of the buffer, where and how the plan says.
    void draw(const FramePlan& plan, int framebuffer_height);

    // What the first draw would do otherwise; see PictureDrawer::compile.
    void compile() { drawer_.compile(); }

    // Whether the last draw() would be repeated, in a window of the same size.
    bool draws_the_same(const FramePlan& plan) const { return !undrawn_ && drawer_.draws_the_same(drawable(plan)); }

    // True if the last update rendered anything.
    bool rendered() const { return rendered_; }

    // The panes whose pictures were still prepared at the last update.
    const std::vector<int>& waiting() const { return waiting_; }

    // The panes of which it showed the background only, since the backend does not compute their kernel of one's own.
    const NotComputed& not_computed() const { return not_computed_; }

    // Stages of the last rendered frame, and the host's time in the last update and draw; the caller fills in plan,
    // gui, total and latency.
    StageTimings timings();

    // Milliseconds of the pane's last finished rendering, on the backend's clock; 0 before the first.
    double pane_ms(int pane);

    // What the pane's last rendering ran on, and why.
    ChosenKernel pane_kernel(int pane) const;

    PictureRoute route() const { return drawer_.route(); }

    SourceCache& sources() { return *sources_; }
    PreparedSources& prepared() { return *prepared_; }
    PaneRenderer& panes() { return *panes_; }
    Backend& backend() { return *presenter_.backend; }
    const Presenter& presenter() const { return presenter_; }

private:
    std::optional<FramePlan> at_hand(const FramePlan& requested);
    std::string fail(const FramePlan& plan, const std::exception& error);
    bool holds(const FramePlan& plan) const { return in_buffer_ && plan.same_pixels(shown_); }
    void make_beside();
    // What of a plan takes too long for the window, all of its pictures together.
    struct TooLong {
        bool references = false, pictures = false;
        int coarse = 1;  // for maps of errors in drafts: pixels along each axis with one value
    };
    TooLong too_long(const FramePlan& plan);
    bool is_ready(const Rendition& rendition, bool draft, bool waits_for_references);
    bool stand_in(Rendition& rendition, bool cheaply);
    void make_sources();
    void hold_images(const FramePlan& plan);
    void render(const FramePlan& plan);
    bool shows_anything(const FramePlan& plan);
    bool render_minimap(const PlacedPicture& item, std::byte* pixels);
    void note_cost(const PlacedPicture& item);
    // The plan, if the buffer holds its pictures or what stands in for them; else what that holds.
    FramePlan drawable(const FramePlan& plan) const;

    // A picture that seldom changes while the others do, copied into each frame: the minimap.
    struct Kept {
        std::optional<PanePicture> picture;
        Scratch pixels;
    };

    Presenter presenter_;
    std::optional<SourceCache> sources_;  // always set, except while the presenter changes
    std::optional<PaneRenderer> panes_;
    std::optional<PreparedSources> prepared_;
    std::function<void()> wake_;  // unset: nothing is prepared in the background
    PictureDrawer drawer_;
    FramePlan requested_;     // by the last update, if the buffer shows it, or stand-ins for it; else empty
    FramePlan shown_;         // the last one that was rendered
    FramePlan failed_;        // could not be rendered
    bool in_buffer_ = false;  // the buffer holds `shown_`
    bool undrawn_ = false;    // rendered since the last draw()
    bool again_ = false;      // what the buffer holds is to be rendered once more
    NotComputed not_computed_;
    std::vector<int> waiting_;
    std::optional<StopWatch> no_memory_since_;  // set if `failed_` did for lack of memory
    static constexpr double ask_again_ms = 1000;
    Kept minimap_;
    bool rendered_ = false;
    bool has_rendered_ = false;      // with this presenter
    bool is_sharp_ = true;           // all that the buffer's pictures read was there
    size_t arrivals_in_buffer_ = 0;  // of samples, when they were rendered
    std::optional<std::string> lost_, no_room_;
    std::vector<int> lose_after_;
    Loss loss_ = Loss::real;
    std::vector<int> timers_;          // of what was rendered for the buffer
    std::map<int, double> beside_ms_;  // of panes whose picture was rendered in the background
    std::map<int, ChosenKernel> kernels_;
    StageTimings timings_;
};

// The machine that a new presenter draws on; its OpenGL context is current.
Machine machine_of(const Presenter& presenter);

}  // namespace texelscope
