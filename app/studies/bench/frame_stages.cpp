#include "app/studies/bench/bench.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <glad/gl.h>

#include "app/picture/frame/frame_renderer.h"
#include "app/window/gl/gl_objects.h"
#include "app/window/window.h"
#include "gpu/backend/source_image.h"
#include "gpu/core/quantile.h"
#include "gpu/core/timing.h"
#include "gpu/interop/present_target.h"

namespace texelscope {
namespace {

// A picture on its way to the screen, each step separately: what is timed as the stages of a frame.

class FramePicture {
public:
    // Cubic B-spline of an 8-bit RGB image of 2048² pixels at zoom 4, rotated by 10°; `panes` (1 or 16) of it share the
    // picture. Needs a current context. Throws OutOfMemory or Error.
    FramePicture(Presenter presenter, int width, int height, int panes);

    void acquire() { pixels_ = presenter_.target->acquire(); }
    void render();
    void release() { presenter_.target->release(); }
    void compute();  // all three

    void attach(PictureDrawer& drawer) { drawer.attach(presenter_.target->buffer(), plan_); }
    void draw(PictureDrawer& drawer) { drawer.draw(plan_, height_, false); }
    void show(PictureDrawer& drawer);  // both

    // Waits for OpenGL and the backend.
    void finish();

    Backend& backend() { return *presenter_.backend; }
    Rung rung() const { return presenter_.target->rung(); }

private:
    Presenter presenter_;
    SourceImage source_;
    FramePlan plan_;
    WritablePixels pixels_;
    int height_;
};

// The content does not affect the time.
Image source_image() {
    constexpr int side = 2048;
    Image image(side, side, 3, SampleType::u8);
    for (int y = 0; y < side; ++y)
        for (int x = 0; x < side; ++x)
            for (int c = 0; c < 3; ++c) image.row_as<uint8_t>(y)[3 * x + c] = uint8_t((x * y >> 5) + 85 * c);
    return image;
}

FramePlan plan_of(int width, int height, int panes) {
    const int across = panes == 1 ? 1 : 4;
    FramePlan plan;
    for (int i = 0; i < panes; ++i) {
        PlacedPicture item;
        RenderRequest& request = item.picture.shown.request;
        request.spec = default_spec(parse_method("bspline"));
        request.view = {0, 0, 0.25, 10};
        request.width = std::max(width / across, 1);
        request.height = std::max(height / across, 1);
        item.offset = plan.bytes();
        item.pane = i;
        item.place = {i % across * request.width, i / across * request.height, request.width, request.height};
        item.clip = item.place;
        plan.pictures.push_back(std::move(item));
    }
    return plan;
}

FramePicture::FramePicture(Presenter presenter, int width, int height, int panes)
    : presenter_(std::move(presenter)),
      source_(presenter_.backend, source_image()),
      plan_(plan_of(width, height, panes)),
      height_(height) {
    presenter_.target->resize(plan_.bytes());
    source_.prepare(plan_.pictures.front().picture.shown.request);
}

void FramePicture::render() {
    for (const PlacedPicture& item : plan_.pictures) {
        const RenderRequest& request = item.picture.shown.request;
        source_.render(request, {.pixels = static_cast<std::byte*>(pixels_.data) + item.offset,
                                 .row_bytes = size_t(request.width) * 4,
                                 .timer = item.pane});
    }
}

void FramePicture::compute() {
    acquire();
    render();
    release();
}

void FramePicture::show(PictureDrawer& drawer) {
    attach(drawer);
    draw(drawer);
}

void FramePicture::finish() {
    glFinish();
    presenter_.backend->synchronize();
}

constexpr int frames_in_a_row = 10;

// Milliseconds by stage, in the order in which the stages first occurred.
class Times {
public:
    void add(const std::string& name, double ms) {
        if (!values_.contains(name)) order_.push_back(name);
        values_[name].push_back(ms);
    }

    // By name and note; in the order of `notes`.
    std::vector<FrameStage> stages(const std::map<std::string, std::string>& notes) const {
        std::vector<FrameStage> result;
        for (const std::string& name : order_) {
            std::vector<double> ms = values_.at(name);
            std::sort(ms.begin(), ms.end());
            const auto note = notes.find(name);
            result.push_back({name, quantile(ms, 0.5), quantile(ms, 0.25), quantile(ms, 0.75),
                              note == notes.end() ? "" : note->second});
        }
        return result;
    }

private:
    std::map<std::string, std::vector<double>> values_;
    std::vector<std::string> order_;
};

// Runs it a few times to warm up, then `frames` times for the figures; fewer if it takes long.
template <class Frame> void repeat(int frames, Times& times, Frame frame) {
    constexpr int warm_up = 3, least = 3;
    constexpr double patience_ms = 2000;
    Times unused;
    const StopWatch warming;
    for (int i = 0; i < warm_up && (i == 0 || warming.ms() < patience_ms / 4); ++i) frame(unused);
    const StopWatch watch;
    for (int i = 0; i < frames && (i < least || watch.ms() < patience_ms); ++i) frame(times);
}

// Milliseconds of the host until both OpenGL and the backend have finished it.
template <class Work> double waited_ms(FramePicture& picture, Work work) {
    picture.finish();
    const StopWatch watch;
    work();
    picture.finish();
    return watch.ms();
}

template <class Work> double host_ms(Work work) {
    const StopWatch watch;
    work();
    return watch.ms();
}

void measure_stages(FramePicture& picture, int frames, Times& times) {
    repeat(frames, times, [&](Times& t) {
        t.add(work::acquire.name, waited_ms(picture, [&] { picture.acquire(); }));
        t.add(work::render.name, picture.backend().time_ms([&] { picture.render(); }));
        t.add(work::release.name, waited_ms(picture, [&] { picture.release(); }));
    });
    repeat(frames, times, [&](Times& t) {
        picture.finish();
        t.add("acquire to release", picture.backend().time_ms([&] { picture.compute(); }));
    });
}

void measure_computing(const std::string& name, FramePicture& picture, int frames, Times& times) {
    repeat(frames, times, [&](Times& t) { t.add(name, waited_ms(picture, [&] { picture.compute(); })); });
}

void measure_drawing(FramePicture& picture, int frames, Times& times) {
    PictureDrawer from_buffer, from_texture(PictureRoute::texture);
    picture.compute();
    repeat(frames, times, [&](Times& t) {
        t.add("draw from a buffer texture", waited_ms(picture, [&] { picture.show(from_buffer); }));
        t.add("glTexSubImage2D", waited_ms(picture, [&] { picture.attach(from_texture); }));
        t.add("draw from a texture", waited_ms(picture, [&] { picture.draw(from_texture); }));
        t.add("glTexSubImage2D + draw", waited_ms(picture, [&] { picture.show(from_texture); }));
    });
    if (from_buffer.route() != PictureRoute::buffer_texture)
        throw Error("a picture of this size has more pixels than a buffer texture of this OpenGL can hold");
}

void measure_host(FramePicture& picture, int frames, Times& times) {
    PictureDrawer drawer;
    repeat(frames, times, [&](Times& t) {
        picture.finish();
        t.add("host: acquire", host_ms([&] { picture.acquire(); }));
        t.add("host: render", host_ms([&] { picture.render(); }));
        t.add("host: release", host_ms([&] { picture.release(); }));
        t.add("host: draw calls", host_ms([&] { picture.show(drawer); }));
    });
    const int row = std::min(frames, frames_in_a_row);
    repeat(std::max(frames / row, 3), times, [&](Times& t) {
        t.add("frames in a row", waited_ms(picture, [&] {
                                     for (int i = 0; i < row; ++i) {
                                         picture.compute();
                                         picture.show(drawer);
                                     }
                                 }) / row);
    });
}

void measure_many_panes(FramePicture& panes, int frames, Times& times) {
    repeat(frames, times, [&](Times& t) {
        panes.finish();
        panes.acquire();
        t.add("host: render 16 panes", host_ms([&] { panes.render(); }));
        panes.release();
    });
}

std::map<std::string, std::string> notes_for(BackendKind kind) {
    const bool cuda = kind == BackendKind::cuda;
    const std::string by_backend = cuda ? "CUDA events" : "host's clock";
    const std::string waited = "host's clock, synchronised before and after";
    const std::string unwaited = "host's clock, without waiting", rendering = "host's clock, including the rendering";
    return {
        {work::acquire.name, waited},
        {work::render.name, by_backend},
        {work::release.name, waited},
        {"acquire to release", by_backend},
        {"interop frame", waited + ": acquire, render, release"},
        {"staged frame", waited + ": render, copy to pinned memory, glBufferSubData"},
        {"draw from a buffer texture", waited + "; no copy"},
        {"glTexSubImage2D", waited + ": pixel buffer to texture"},
        {"draw from a texture", waited},
        {"glTexSubImage2D + draw", waited},
        {"host: acquire", unwaited},
        {"host: render", cuda ? unwaited : rendering},
        {"host: release", unwaited},
        {"host: draw calls", unwaited},
        {"host: render 16 panes", cuda ? unwaited : rendering},
        {"frames in a row",
         fmt::format("host's clock, per frame of up to {} without waiting; without panels and swap", frames_in_a_row)}};
}

}  // namespace

const FrameStage* FrameBench::stage(const std::string& name) const {
    const auto at = std::find_if(stages.begin(), stages.end(), [&](const FrameStage& s) { return s.name == name; });
    return at == stages.end() ? nullptr : &*at;
}

FrameBench measure_frame_stages(BackendChoice choice, int width, int height, int frames) {
    if (width < 1 || height < 1 || frames < 1)
        throw Error("stages of a frame: width, height and number of frames must be at least 1");
    Window::Options options;
    options.width = options.height = 64;
    options.visible = false;
    const Window window(options);
    const Offscreen offscreen(width, height);
    Times times;
    FrameBench bench;
    bench.width = width;
    bench.height = height;
    bench.renderer = reinterpret_cast<const char*>(glGetString(GL_RENDERER));

    FramePicture picture(make_presenter(choice), width, height, 1);
    const Rung rung = picture.rung();
    bench.rung = name_of(rung);
    measure_stages(picture, frames, times);
    if (rung != Rung::cpu)
        measure_computing(rung == Rung::cuda_gl ? "interop frame" : "staged frame", picture, frames, times);
    if (rung == Rung::cuda_gl) {
        FramePicture staged(make_presenter(choice, {.interop = false}), width, height, 1);
        measure_computing("staged frame", staged, frames, times);
    }
    measure_drawing(picture, frames, times);
    measure_host(picture, frames, times);
    FramePicture panes(make_presenter(choice), width, height, 16);
    measure_many_panes(panes, frames, times);
    bench.stages = times.stages(notes_for(picture.backend().info().kind));
    return bench;
}

}  // namespace texelscope
