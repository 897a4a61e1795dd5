#include "app/viewer/loop/draft.h"

#include <algorithm>

#include "app/picture/widening.h"

namespace texelscope {

void update_draft(AppState& state) {
    Draft& draft = state.draft;
    const Pane& pane = state.scene.pane();
    const Draft::Seen now{pane.spec.method, pane.spec.parameters, shown_view(state), pane.own_view, state.scene.warp};
    // Switching the method is a jump, not a motion: flipping between two must show both in full.
    if (draft.seen.method == now.method && !(draft.seen == now)) draft.moved = state.now;
    draft.seen = now;
    draft.active = false;
    const bool moving = state.now - draft.moved < draft_rest_seconds;
    draft.active = moving && draft.permitted && !state.report.on_gpu && state.report.antialiased_ms > draft_above_ms &&
                   any_widened(state);
}

double draft_patience(const AppState& state) {
    return state.draft.active ? std::max(0.0, state.draft.moved + draft_rest_seconds - state.now) : -1;
}

}  // namespace texelscope
