#include "app/studies/bench/frame_stages.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "app/studies/bench/frame_picture.h"
#include "app/window/gl/offscreen.h"
#include "app/window/window.h"
#include "gpu/core/quantile.h"
#include "gpu/core/stop_watch.h"
#include "gpu/core/work_names.h"

namespace texelscope {
namespace {

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
