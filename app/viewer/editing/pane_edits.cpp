#include "app/viewer/editing/pane_edits.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "app/picture/pane_picture.h"
#include "app/state/pane_images.h"
#include "app/state/pane_places.h"
#include "app/state/pane_views.h"
#include "app/viewer/editing/next_in.h"
#include "app/viewer/editing/view_edits.h"

namespace texelscope {
namespace {

int count(const AppState& state) { return int(state.scene.panes.size()); }

// A copy of a pane, compared with what that is compared with.
Pane copy_of(const Scene& scene, int pane) {
    Pane copy = scene.panes[size_t(pane)];
    copy.label.clear();
    copy.difference = false;
    return copy;
}

// Whether two panes, side by side, would be the same picture twice.
bool show_the_same(const Pane& a, Pane b) {
    b.label = a.label;
    b.against = a.against;
    if (!b.spec.method->has_prefilter()) b.spec.prefilter = a.spec.prefilter;
    return a == b;
}

}  // namespace

MethodSpec contrasting_spec(const MethodSpec& spec) {
    const MethodInfo* other = find_method(spec.method->id == "nearest" ? "bspline" : "nearest");
    MethodSpec result = default_spec(other ? *other : *spec.method);
    result.address = spec.address;
    return result;
}

void flip_panes(AppState& state, int step) {
    const int n = count(state);
    state.scene.active = (state.scene.active + step + n) % n;
}

void swap_panes(AppState& state) {
    auto& panes = state.scene.panes;
    if (panes.size() < 2) return;
    std::swap(panes[0], panes[1]);
    for (Pane& pane : panes)
        if (pane.against == 0 || pane.against == 1) pane.against = 1 - pane.against;
}

void follow_with_active_pane(AppState& state) {
    Scene& scene = state.scene;
    const Document *shown = document_of(state, scene.pane()), *current = scene.document();
    if (scene.pane().source.empty() || !shown || !current) return;
    const std::string source = shown->source;
    if (shown != current) {
        auto& documents = scene.documents;
        const auto index = shown - documents.data();
        if (!scene.pane().own_view && scene.pane().offset == View{}) {
            const View view = pane_view(state, scene.active);  // nothing moves
            documents[size_t(index)].keep_fit = current->keep_fit;
            documents[size_t(index)].view = view;
        }
        for (Pane& pane : scene.panes) pane.source = document_of(state, pane)->source;
        scene.current = int(index);
        scene.selection.reset();
        state.transition.reset();
    }
    for (Pane& pane : scene.panes)
        pane.source = document_of(state, pane)->source == source ? "" : document_of(state, pane)->source;
}

void add_pane(AppState& state) {
    Scene& scene = state.scene;
    if (count(state) >= max_panes) return;
    scene.panes.push_back(copy_of(scene, scene.active));
    scene.active = count(state) - 1;
    if (scene.arrangement == Arrangement::single)
        scene.arrangement = count(state) == 2 ? Arrangement::columns : Arrangement::grid;
}

void remove_pane(AppState& state, int pane) {
    Scene& scene = state.scene;
    if (count(state) < 2 || pane < 0 || pane >= count(state)) return;
    scene.panes.erase(scene.panes.begin() + pane);
    for (Pane& each : scene.panes) {
        if (each.against == pane) each.against = Pane::reference_pane;
        if (each.against > pane) --each.against;
    }
    if (scene.active >= pane && scene.active > 0) --scene.active;
    if (count(state) == 1) scene.arrangement = Arrangement::single;
}

void keep_only(AppState& state, int pane) {
    Scene& scene = state.scene;
    Pane kept = scene.panes[size_t(pane)];
    kept.against = Pane::reference_pane;
    scene.panes = {std::move(kept)};
    scene.active = 0;
    scene.arrangement = Arrangement::single;
}

void arrange(AppState& state, Arrangement arrangement) {
    Scene& scene = state.scene;
    if (arrangement != Arrangement::single && count(state) == 1) {
        const int active = scene.active;
        scene.panes.push_back(copy_of(scene, active));
    }
    const bool side_by_side = scene.arrangement == Arrangement::single && arrangement != Arrangement::single;
    if (side_by_side && count(state) == 2 && show_the_same(scene.panes[0], scene.panes[1]))
        scene.panes[size_t(1 - scene.active)].spec = contrasting_spec(scene.spec());
    scene.arrangement = arrangement;
}

void cycle_arrangement(AppState& state) {
    Arrangement next = next_in(all_arrangements, state.scene.arrangement);
    // Two panes in a grid are side by side: that would look as if nothing had happened.
    if (next == Arrangement::grid && count(state) <= 2) next = next_in(all_arrangements, next);
    arrange(state, next);
}

void show_two_by_two(AppState& state) {
    const int active = state.scene.active;
    while (count(state) < 4) state.scene.panes.push_back(copy_of(state.scene, active));
    state.scene.panes.resize(4);
    for (Pane& pane : state.scene.panes)
        if (pane.against >= 4) pane.against = Pane::reference_pane;
    state.scene.active = std::min(active, 3);
    state.scene.arrangement = Arrangement::grid;
}

bool any_difference(const AppState& state) {
    const auto& panes = state.scene.panes;
    return std::any_of(panes.begin(), panes.end(), [](const Pane& pane) { return pane.difference; });
}

void toggle_differences(AppState& state) {
    const bool on = !any_difference(state);
    for (Pane& pane : state.scene.panes) pane.difference = on;
    if (!on || !state.scene.document()) return;
    std::string why = "every pane is the reference itself";
    for (const int pane : panes_in_view(state)) {
        if (!shows_difference(state, pane)) continue;
        why = why_no_difference(state, pane);
        if (why.empty()) return;
    }
    post(state, Message::Level::info, fmt::format("No difference to show: {} (Compare ▸ Reference)", why));
}

void toggle_difference(AppState& state, int pane) {
    bool& difference = state.scene.panes[size_t(pane)].difference;
    difference = !difference;
}

void choose_reference(AppState& state, Reference reference) {
    state.scene.reference = std::move(reference);
    for (Pane& pane : state.scene.panes) pane.against = Pane::reference_pane;
    state.ui.figures = true;
}

void measure_against_pane(AppState& state, int pane) {
    choose_reference(state, {Reference::Kind::method, state.scene.panes[size_t(pane)].spec, {}});
}

void toggle_link(AppState& state) {
    if (state.scene.pane().own_view) link_view(state, state.scene.active);
    else unlink_view(state, state.scene.active);
}

}  // namespace texelscope
