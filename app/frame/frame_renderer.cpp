#include "app/frame/frame_renderer.h"

#include "gpu/core/stop_watch.h"

namespace texelscope {

FrameRenderer::FrameRenderer(Presenter presenter) : presenter_(std::move(presenter)), sources_(presenter_.backend) {}

std::optional<std::string> FrameRenderer::update(const FramePlan& plan) {
    rendered_ = false;
    if (plan.renders.empty() || plan.renders == in_buffer_.renders || plan.renders == failed_) return {};
    try {
        prepare(plan);
        render(plan);
        last_good_ = plan;
        failed_.clear();
        return {};
    } catch (const Error& error) {
        failed_ = plan.renders;
        try {
            if (in_buffer_.renders.empty() && !last_good_.renders.empty()) render(last_good_);
        } catch (const Error&) {
            last_good_ = {};  // the background is all that can be shown
        }
        return error.what();
    }
}

// What may fail comes before the buffer is touched: then the old picture is still in it.
void FrameRenderer::prepare(const FramePlan& plan) {
    const StopWatch clock;
    for (const PlannedRender& item : plan.renders) sources_.at(item.image, item.light).prepare(item.request);
    // Looking up what is there takes a microsecond, even starting to compute them on a GPU far more.
    const bool computed = clock.ms() > 0.005;
    timings_.prefilter = computed ? presenter_.backend->last_prefilter_ms().value_or(0) : 0;
}

void FrameRenderer::render(const FramePlan& plan) {
    in_buffer_ = {};
    PresentTarget& target = *presenter_.target;
    target.resize(plan.bytes());
    const WritablePixels pixels = target.acquire();
    timings_.render = 0;
    try {
        for (const PlannedRender& item : plan.renders) {
            std::byte* start = static_cast<std::byte*>(pixels.data) + item.offset;
            sources_.at(item.image, item.light)
                .render(item.request, {start, size_t(item.request.width) * 4, RenderTarget::Format::rgba8});
            timings_.render += presenter_.backend->last_render_ms().value_or(0);
        }
    } catch (...) {
        target.release();
        throw;
    }
    target.release();
    drawer_.attach(target.buffer(), plan);
    in_buffer_ = plan;
    rendered_ = true;
}

void FrameRenderer::draw(const FramePlan& plan, int framebuffer_height) {
    FramePlan drawn = plan;
    if (!plan.renders.empty()) {
        // Where the plan failed, the buffer holds another one, perhaps of another size.
        drawn.renders = in_buffer_.renders;
        drawn.difference = in_buffer_.difference;
        drawn.picture.width = in_buffer_.picture.width;
        drawn.picture.height = in_buffer_.picture.height;
    }
    drawer_.draw(drawn, framebuffer_height);
}

StageTimings FrameRenderer::timings() {
    // A GPU finishes after render() has returned: the time of a single rendering is asked for when it is shown.
    if (in_buffer_.renders.size() == 1)
        timings_.render = presenter_.backend->last_render_ms().value_or(timings_.render);
    timings_.acquire = presenter_.target->last_acquire_ms();
    timings_.release = presenter_.target->last_release_ms();
    timings_.draw = drawer_.last_draw_ms();
    return timings_;
}

}  // namespace texelscope
