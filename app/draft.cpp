#include "app/draft.h"

#include <algorithm>

#include "app/widening.h"

namespace texelscope {

void update_draft(AppState& state) {
    Draft& draft = state.draft;
    const MethodSpec spec = shown_spec(state);
    const Draft::Seen now{spec.method, spec.parameters, shown_view(state), acting_warp(state)};
    // Another method is a jump, not a motion: flipping between two must show both as they are.
    if (draft.seen.method == now.method && !(draft.seen == now)) draft.moved = state.now;
    draft.seen = now;
    draft.active = false;
    const bool moving = state.now - draft.moved < draft_rest_seconds;
    draft.active = moving && draft.permitted && !state.report.on_gpu && state.report.antialiased_ms > draft_above_ms &&
                   shown_widening(state).active;
}

double draft_patience(const AppState& state) {
    return state.draft.active ? std::max(0.0, state.draft.moved + draft_rest_seconds - state.now) : -1;
}

}  // namespace texelscope
