#include "app/viewer/loop/frame_times.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/picture/rendition.h"
#include "app/state/panes.h"
#include "app/viewer/lessons/lesson.h"

namespace texelscope {
namespace {

std::vector<Draft::SeenPane> panes_seen(const AppState& state) {
    std::vector<Draft::SeenPane> seen;
    const PaneLayout layout = lay_out_panes(state);
    for (const int pane : layout.in_view) {
        const MethodSpec& spec = state.scene.panes[size_t(pane)].spec;
        const Warp warp = layout[pane].signal() ? Warp{} : state.scene.warp;
        seen.push_back({pane, spec.method, spec.parameters, layout[pane].view, warp});
    }
    return seen;
}

// Whether the panes and their methods are the same. Anything else is a jump, not a motion: flipping between two methods
// must show both in full.
bool shows_the_same(const std::vector<Draft::SeenPane>& a, const std::vector<Draft::SeenPane>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Draft::SeenPane& x, const Draft::SeenPane& y) {
        return x.pane == y.pane && x.method == y.method;
    });
}

}  // namespace

void update_draft(AppState& state) {
    Draft& draft = state.draft;
    std::vector<Draft::SeenPane> now = panes_seen(state);
    if (shows_the_same(draft.seen, now) && draft.seen != now) draft.moved = state.now;
    draft.seen = std::move(now);
    draft.active = false;
    const bool moving = state.now - draft.moved < draft_rest_seconds;
    draft.active = moving && draft.permitted && !state.machine.on_gpu &&
                   state.report.frame.antialiased_ms > draft_above_ms && any_widened(state);
}

void wake_for_draft(const AppState& state, WakeUp& wake_up) {
    if (state.draft.active) wake_up.draw_in(state.draft.moved + draft_rest_seconds - state.now);
}

namespace {

// What a picture costs, roughly: a frame too many that says "computing" is cheap.
double fetches_of(const Rendition& rendition, bool references_beside) {
    const bool by_windows = rendition.image && !rendition.image->in_memory() && !rendition.formula;
    if (rendition.float64 && (references_beside || by_windows)) return 0;
    constexpr double beside_taps = 4, slower_in_float64 = 25;  // its position and colour; no vector instructions
    const RenderRequest& request = rendition.request;
    const double taps = request.spec.method ? 2.0 * request.spec.method->taps : 1;
    return double(request.width) * request.height * (taps + beside_taps) * (rendition.float64 ? slower_in_float64 : 1);
}

bool only_moves(const PanePicture& a, const PanePicture& b) {
    return a.shown.image == b.shown.image && a.shown.request.spec == b.shown.request.spec &&
           a.against.has_value() == b.against.has_value() && a.difference == b.difference;
}

std::vector<const PlacedPicture*> panes_of(const FramePlan& plan) {
    std::vector<const PlacedPicture*> panes;
    for (const PlacedPicture& item : plan.pictures)
        if (item.pane != PlacedPicture::minimap) panes.push_back(&item);
    return panes;
}

bool only_moves(const FramePlan& a, const FramePlan& b) {
    const auto before = panes_of(a), after = panes_of(b);
    return std::equal(before.begin(), before.end(), after.begin(), after.end(), [](const auto* x, const auto* y) {
        return x->pane == y->pane && only_moves(x->picture, y->picture);
    });
}

}  // namespace

double LongWork::fetches(const FramePlan& plan) const {
    double sum = 0;
    for (const PlacedPicture& item : plan.pictures) {
        sum += fetches_of(item.picture.shown, references_beside_);
        if (item.picture.against) sum += fetches_of(*item.picture.against, references_beside_);
    }
    return sum;
}

bool LongWork::expects(const FramePlan& plan) const {
    return fetches(plan) * ms_per_fetch_ > long_ms && !only_moves(last_, plan);
}

void LongWork::took(const FramePlan& plan, double ms) {
    if (const double all = fetches(plan); all > 0) ms_per_fetch_ = ms / all;
    last_ = plan;
}

bool RepeatedTimes::wants_more(AppState& state, const FramePlan& plan, bool rendered) {
    std::vector<PaneReport>& panes = state.report.findings.panes;
    if (!tells_times(state.lesson) || plan.pictures.empty()) {
        timed_ = {};
        return false;
    }
    if (!plan.same_pixels(timed_)) {
        for (PaneReport& pane : panes) pane.times.clear();
        timed_ = plan;
    }
    bool more = false;
    for (const PlacedPicture* item : panes_of(plan)) {
        if (size_t(item->pane) >= panes.size()) continue;
        PaneReport& pane = panes[size_t(item->pane)];
        if (rendered && pane.render_ms > 0) pane.times.push_back(pane.render_ms);
        more = more || (pane.times.size() < most && std::reduce(pane.times.begin(), pane.times.end()) < most_ms);
    }
    return more;
}

void FirstUse::begin(bool compiled_by_driver) {
    compiled_by_driver_ = compiled_by_driver;
    used_.clear();
}

std::string FirstUse::announce(const FramePlan& plan) {
    if (!compiled_by_driver_) return "";
    std::vector<std::string_view> names;
    for (const PlacedPicture& item : plan.pictures)
        for (const Rendition* each : item.picture.renditions())
            if (used_.insert(each->request.spec.method).second) names.push_back(each->request.spec.method->name);
    if (names.empty()) return "";
    return fmt::format("The GPU driver compiles {} for this GPU, which can take ten seconds; the result is cached.",
                       fmt::join(names, ", "));
}

}  // namespace texelscope
