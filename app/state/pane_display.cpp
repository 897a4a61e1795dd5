#include "app/state/pane_display.h"

#include "app/state/pane_images.h"

namespace texelscope {
namespace {

const Document* document_at(const AppState& state, int pane) {
    const auto& panes = state.scene.panes;
    return pane >= 0 && size_t(pane) < panes.size() ? document_of(state, panes[size_t(pane)]) : nullptr;
}

// Whether there may be samples to mark: those that are not in memory may have any value.
bool may_be_marked(const Document& document) {
    if (!document.look.finite()) return true;
    return document.image && !document.image->in_memory() && is_float(document.image->type());
}

}  // namespace

Levels levels_of(const Document& document) {
    if (document.levels) return *document.levels;
    return document.look.levels.value_or(Levels{});
}

Levels levels_of(const AppState& state, int pane) {
    const Document* document = document_at(state, pane);
    if (state.scene.levels_locked || !document) return {state.scene.display.black, state.scene.display.white};
    return levels_of(*document);
}

DisplaySettings display_of(const AppState& state, int pane) {
    DisplaySettings display = state.scene.display;
    const Levels levels = levels_of(state, pane);
    display.black = levels.black;
    display.white = levels.white;
    const Document* document = document_at(state, pane);
    display.mark_nonfinite = display.mark_nonfinite && document && may_be_marked(*document);
    return display;
}

bool shows_levels_of_data(const AppState& state, int pane) {
    const Document* document = document_at(state, pane);
    return document && !state.scene.levels_locked && !document->levels && document->look.levels;
}

}  // namespace texelscope
