#include "app/picture/frame/frame_renderer.h"

#include <cmath>
#include <set>

#include "gpu/backend/memory_budget.h"
#include "gpu/core/colour.h"
#include "gpu/core/timing.h"
#include "gpu/tiles/live_regions.h"

namespace texelscope {
namespace {

// A map needs no more than a sketch.
class Roughly {
public:
    explicit Roughly(LiveRegions* regions) : regions_(regions) {
        if (regions_) regions_->render_roughly(true);
    }
    ~Roughly() {
        if (regions_) regions_->render_roughly(false);
    }
    Roughly(const Roughly&) = delete;
    Roughly& operator=(const Roughly&) = delete;

private:
    LiveRegions* regions_;
};

// The background alone: the same size, far from the image.
PanePicture empty_picture(const Rendition& shown) {
    constexpr double far = 1e9;
    PanePicture picture;
    picture.shown.image = shown.image;
    picture.shown.light = shown.light;
    RenderRequest& request = picture.shown.request;
    request.spec = parse_spec("nearest");
    request.outside = Outside::background;
    request.width = shown.request.width;
    request.height = shown.request.height;
    request.positions = Affine{1, 0, far, 0, 1, far};
    return picture;
}

}  // namespace

FrameRenderer::FrameRenderer(Presenter presenter, std::optional<PictureRoute> route)
    : presenter_(std::move(presenter)), drawer_(route) {
    make_sources();
}

void FrameRenderer::make_sources() {
    sources_.emplace(presenter_.backend);
    panes_.emplace(*sources_);
    prepared_.emplace(*sources_);
    if (wake_) make_beside();
}

void FrameRenderer::prepare_beside(const std::function<void()>& wake) {
    wake_ = wake;
    make_beside();
}

void FrameRenderer::make_beside() {
    prepared_->make_beside(wake_);
    panes_->use(prepared_->references(), prepared_->slow_pictures());
}

// While something moves, every frame has other references, which would never be there in time, and drafts instead of slow
// pictures.
FrameRenderer::TooLong FrameRenderer::too_long(const FramePlan& plan) {
    const ReferenceValues* const references = prepared_->references();
    const SlowPictures* const slow = prepared_->slow_pictures();
    if (!references || !slow) return {};
    double values = 0, pictures = 0, maps = 0, values_of_maps = 0;
    for (const PlacedPicture& item : plan.pictures) {
        for (const Rendition* each : item.picture.renditions()) values += references->cost(*each);
        if (!plan.draft) pictures += slow->cost(item.picture, *sources_);
        const double map = slow->map_cost(item.picture);
        maps += map;
        if (map > 0) values_of_maps += references->cost(*item.picture.against);
    }
    constexpr double in_motion = 4;
    TooLong result{.references = values > ReferenceValues::affordable * (plan.draft ? in_motion : 1),
                   .pictures = pictures > slow->affordable()};
    const double times = std::max(maps / slow->affordable(), values_of_maps / ReferenceValues::affordable);
    if (maps > slow->affordable()) result.coarse = int(std::ceil(std::sqrt(times)));
    return result;
}

bool FrameRenderer::is_ready(const Rendition& rendition, bool draft, bool waits_for_references) {
    if (!prepared_->ready(rendition, !draft)) return false;
    ReferenceValues* const references = prepared_->references();
    if (!references || (!waits_for_references && references->cost(rendition) > 0)) return true;
    return draft ? references->cost(rendition) == 0 : references->ready(rendition);
}

const std::optional<std::string>& FrameRenderer::lost() {
    if (lost_) return lost_;
    if (std::string why = presenter_.backend->why_lost(); !why.empty()) lost_ = std::move(why);
    return lost_;
}

void FrameRenderer::change_presenter(const std::function<Presenter()>& make) {
    prepared_.reset();
    panes_.reset();
    sources_.reset();
    minimap_ = {};
    requested_ = shown_ = failed_ = {};
    in_buffer_ = undrawn_ = false;
    waiting_.clear();
    rendered_ = has_rendered_ = false;
    timers_.clear();
    beside_ms_.clear();
    kernels_.clear();
    timings_ = {};
    no_memory_since_.reset();
    presenter_.target.reset();
    presenter_ = {};
    presenter_ = make();
    lost_.reset();
    no_room_.reset();
    make_sources();
}

// Replaces a rendition that is not ready by the same view of what is there: the samples of its level, or, `cheaply`, of the
// image itself. False if there is nothing.
bool FrameRenderer::stand_in(Rendition& rendition, bool cheaply) {
    Rendition other = rendition;
    other.float64 = false;
    other.request = without_prefilter(rendition.request);
    if (cheaply || !prepared_->ready(other, false)) other.request.antialias = false;
    if (!prepared_->ready(other, false)) return false;
    rendition = std::move(other);
    return true;
}

// What can be rendered of the plan without a long computation; nothing if the old picture is better. A difference of
// something else than what the pane names would be wrong.
std::optional<FramePlan> FrameRenderer::at_hand(const FramePlan& requested) {
    waiting_.clear();
    not_computed_.clear();
    FramePlan plan = requested;
    for (PlacedPicture& item : plan.pictures) {  // with a kernel of one's own that the backend does not compute
        PanePicture& picture = item.picture;
        std::string why = presenter_.backend->why_no_kernel(picture.shown.request.spec);
        if (why.empty() && picture.against) why = presenter_.backend->why_no_kernel(picture.against->request.spec);
        if (why.empty()) continue;
        if (item.pane != PlacedPicture::minimap) not_computed_[item.pane] = why;
        picture = empty_picture(picture.shown);
    }
    FramePlan now = plan;
    bool complete = true;
    const TooLong waits = too_long(plan);
    SlowPictures* const slow = prepared_->slow_pictures();
    for (PlacedPicture& item : now.pictures) {
        PanePicture& picture = item.picture;
        const bool shown = is_ready(picture.shown, plan.draft, waits.references);
        const bool against = !picture.against || is_ready(*picture.against, plan.draft, waits.references);
        // One that is there is asked for, too: it would be forgotten.
        const bool there = slow && slow->find(picture);
        const bool maps = waits.coarse > 1 && !there && slow->map_cost(picture) > 0;
        const bool slowly = there || maps || (waits.pictures && slow->cost(picture, *sources_) > 0);
        const bool asks = !maps || (!plan.draft && shown && against);  // a map reads what is not ready yet
        const bool rendered = !slowly || (asks && slow->ready(picture));
        if (shown && against && rendered) continue;
        if (!plan.draft && item.pane != PlacedPicture::minimap) waiting_.push_back(item.pane);
        if (maps && slow->cost(picture, *sources_) <= slow->affordable() && prepared_->ready(picture.shown, false) &&
            prepared_->ready(*picture.against, false))
            picture.coarse = waits.coarse;
        else complete = complete && !picture.against && stand_in(picture.shown, !rendered);
    }
    if (!complete && in_buffer_) return {};
    return complete ? now : plan;
}

std::optional<std::string> FrameRenderer::update(const FramePlan& requested) {
    rendered_ = false;
    no_room_.reset();
    requested_ = {};
    if (lost() || requested.pictures.empty()) return {};
    const auto plan = at_hand(requested);
    if (!plan) return {};
    const auto ended = [&](std::optional<std::string> problem = {}) {
        if (holds(*plan)) requested_ = requested;
        return problem;
    };
    const size_t arrivals = sources_->arrivals();
    const bool sharper = !is_sharp_ && arrivals != arrivals_in_buffer_;
    if (const bool again = std::exchange(again_, false); holds(*plan) && !sharper && !again) return ended();
    const bool may_fit_now = no_memory_since_ && no_memory_since_->ms() > ask_again_ms;
    if (plan->same_pixels(failed_) && !may_fit_now) return ended();
    no_memory_since_.reset();
    try {
        // Everything that may fail comes before the buffer is touched, so that the old picture is still in it.
        hold_images(*plan);
        bool computed = false;
        for (const PlacedPicture& item : plan->pictures) computed = panes_->prepare(item.picture) || computed;
        timings_.prefilter = computed ? presenter_.backend->last_prefilter_ms().value_or(0) : 0;
        if (in_buffer_ && !shows_anything(*plan)) return ended();
        sources_->next_turn();
        render(*plan);
        arrivals_in_buffer_ = arrivals;
        failed_ = {};
        return ended();
    } catch (const DeviceLost& error) {
        lose(error);
        return ended();
    } catch (const std::exception& error) {
        return ended(fail(*plan, error));
    }
}

// The old picture comes back, if the buffer does not hold it any more. Returns the error's text.
std::string FrameRenderer::fail(const FramePlan& plan, const std::exception& error) {
    failed_ = plan;
    if (const auto* memory = dynamic_cast<const OutOfMemory*>(&error)) {
        no_memory_since_.emplace();
        note_no_room(*memory);
    }
    try {
        if (!in_buffer_ && !shown_.pictures.empty()) {
            hold_images(shown_);
            render(shown_);
        }
    } catch (const std::exception&) {
        shown_ = {};  // only the background can be shown
    }
    return error.what();
}

void FrameRenderer::hold_images(const FramePlan& plan) {
    std::set<std::pair<const Image*, Light>> images;
    for (const PlacedPicture& item : plan.pictures)
        for (const Rendition* each : item.picture.renditions()) images.insert({each->image.get(), each->light});
    sources_->hold(images.size() + 1);
}

// Whether all images have something to show: for one that is not in memory, the first sketch may still have to come.
bool FrameRenderer::shows_anything(const FramePlan& plan) {
    for (const PlacedPicture& item : plan.pictures)
        for (const Rendition* each : item.picture.renditions())
            if (LiveRegions* const regions = sources_->regions_of(each->image, each->light))
                if (!regions->shows_anything()) return false;
    return true;
}

void FrameRenderer::render(const FramePlan& plan) {
    in_buffer_ = false;
    if (!lose_after_.empty() && lose_after_.front()-- <= 0) {
        lose_after_.erase(lose_after_.begin());
        break_device(*presenter_.backend, loss_);
    }
    constexpr int attempts = 3;
    MemoryBudget& memory = presenter_.backend->memory();
    memory.obtain(plan.bytes(), [&] { presenter_.target->resize(plan.bytes()); });
    for (int attempt = 1;; ++attempt) {
        if (attempt > attempts) throw Error("OpenGL lost the picture's pixel buffer several times in a row");
        timers_.clear();
        beside_ms_.clear();
        is_sharp_ = true;
        PresentTarget& target = *presenter_.target;
        const WritablePixels pixels = target.acquire();
        const StopWatch watch;
        try {
            auto* const start = static_cast<std::byte*>(pixels.data);
            for (const PlacedPicture& item : plan.pictures) {
                std::byte* const at = start + item.offset;
                const bool right =
                    item.pane == PlacedPicture::minimap
                        ? render_minimap(item, at)
                        : panes_->render(item.picture, at, size_t(item.picture.shown.request.width) * 4, item.pane);
                is_sharp_ = is_sharp_ && right;
                note_cost(item);
            }
        } catch (...) {
            target.release();
            throw;
        }
        timings_.launch = watch.ms();
        if (target.release()) break;  // else OpenGL lost the picture
    }
    if (plan.pictures.back().pane != PlacedPicture::minimap) minimap_.picture.reset();
    drawer_.attach(presenter_.target->buffer(), plan);
    shown_ = plan;
    in_buffer_ = undrawn_ = rendered_ = has_rendered_ = true;
    memory.next_frame();
}

// False if it is not what it will be.
bool FrameRenderer::render_minimap(const PlacedPicture& item, std::byte* pixels) {
    if (minimap_.pixels.empty()) minimap_.picture.reset();  // its memory was freed
    const std::shared_ptr<void> kept = minimap_.pixels.at_least(*presenter_.backend, item.bytes());
    if (minimap_.picture != item.picture) {
        minimap_.picture.reset();
        const Rendition& shown = item.picture.shown;
        const Roughly roughly(sources_->regions_of(shown.image, shown.light));
        const size_t row_bytes = size_t(shown.request.width) * 4;
        if (panes_->render(item.picture, kept.get(), row_bytes, item.pane)) minimap_.picture = item.picture;
        timers_.push_back(item.pane);
    }
    presenter_.backend->copy(pixels, kept.get(), item.bytes());
    return minimap_.picture.has_value();
}

// How long the picture took, and what computed it.
void FrameRenderer::note_cost(const PlacedPicture& item) {
    SlowPictures* const slow = prepared_->slow_pictures();
    if (const SlowPictures::Rendered* there = slow ? slow->find(item.picture) : nullptr) {
        std::erase(timers_, item.pane);
        beside_ms_[item.pane] = there->ms;
        kernels_[item.pane] = there->kernel;
    } else if (item.pane != PlacedPicture::minimap) {
        timers_.push_back(item.pane);
        kernels_[item.pane] = item.picture.shown.float64 ? chosen_for_references : backend().last_kernel(item.pane);
    }
}

void FrameRenderer::draw(const FramePlan& plan, int framebuffer_height) {
    const StopWatch watch;
    timings_.draw = drawer_.last_draw_ms();  // of earlier frames: polling what has just begun would flush it
    drawer_.draw(drawable(plan), framebuffer_height, rendered_);
    undrawn_ = false;
    timings_.submit = watch.ms();
}

FramePlan FrameRenderer::drawable(const FramePlan& plan) const {
    if (plan.pictures.empty() || (in_buffer_ && plan.same_pixels(requested_)) || holds(plan)) return plan;
    if (!in_buffer_) return {};
    // If the plan failed, the buffer holds another one, perhaps of another arrangement.
    FramePlan drawn = shown_;
    drawn.loupe = {};
    return drawn;
}

double FrameRenderer::pane_ms(int pane) {
    if (const auto beside = beside_ms_.find(pane); beside != beside_ms_.end()) return beside->second;
    try {
        return presenter_.backend->last_render_ms(pane).value_or(0);
    } catch (const DeviceLost& error) {
        lose(error);
        return 0;
    }
}

ChosenKernel FrameRenderer::pane_kernel(int pane) const {
    const auto found = kernels_.find(pane);
    return found == kernels_.end() ? ChosenKernel{} : found->second;
}

StageTimings FrameRenderer::timings() {
    // A GPU finishes after render() has returned: the times are read when they are shown.
    timings_.render = 0;
    for (const int timer : timers_) timings_.render += pane_ms(timer);
    for (const auto& [pane, ms] : beside_ms_) timings_.render += ms;
    timings_.acquire = presenter_.target->last_acquire_ms();
    timings_.release = presenter_.target->last_release_ms();
    return timings_;
}

}  // namespace texelscope
