#include "app/viewer/loop/draft.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "app/picture/widening.h"
#include "app/state/pane_places.h"
#include "app/state/pane_views.h"

namespace texelscope {
namespace {

std::vector<Draft::SeenPane> panes_seen(const AppState& state) {
    std::vector<Draft::SeenPane> seen;
    for (const int pane : panes_in_view(state)) {
        const MethodSpec& spec = state.scene.panes[size_t(pane)].spec;
        seen.push_back({pane, spec.method, spec.parameters, pane_view(state, pane), acting_warp(state, pane)});
    }
    return seen;
}

// The same methods in the same panes. Anything else is a jump, not a motion: flipping between two methods must show both
// in full.
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
    draft.active = moving && draft.permitted && !state.report.machine.on_gpu &&
                   state.report.frame.antialiased_ms > draft_above_ms && any_widened(state);
}

void wake_for_draft(const AppState& state, WakeUp& wake_up) {
    if (state.draft.active) wake_up.draw_in(state.draft.moved + draft_rest_seconds - state.now);
}

}  // namespace texelscope
