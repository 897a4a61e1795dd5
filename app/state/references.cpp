#include "app/state/references.h"

#include "app/state/pane_places.h"
#include "gpu/method/kernel_method.h"

namespace texelscope {

bool shows_reference(const AppState& state, int pane) { return state.pointer.reference && pane == focused_pane(state); }

MethodSpec shown_spec(const AppState& state, std::optional<int> pane) {
    const int which = pane.value_or(focused_pane(state));
    return shows_reference(state, which) ? reference_spec(state.scene, which) : state.scene.panes[size_t(which)].spec;
}

bool antialiases(const AppState& state, std::optional<int> pane) {
    return state.scene.panes[size_t(pane.value_or(focused_pane(state)))].antialias.value_or(state.scene.antialias);
}

int compared_with(const Scene& scene, int pane) {
    const int other = scene.panes[size_t(pane)].against;
    return other < 0 || size_t(other) >= scene.panes.size() || other == pane ? Pane::reference_pane : other;
}

MethodSpec reference_spec(const Scene& scene, int pane) {
    if (const int other = compared_with(scene, pane); other != Pane::reference_pane)
        return scene.panes[size_t(other)].spec;
    const MethodSpec& spec = scene.panes[size_t(pane)].spec;
    const Reference& reference = scene.reference;
    MethodSpec result = reference_of(spec);
    if (reference.kind == Reference::Kind::method && reference.spec.method) {
        result = reference_of(reference.spec);
        result.address = spec.address;  // the same picture beyond the edges
    }
    if (kernel_of(*result.method)) {  // none in float64
        result = default_reference().spec;
        result.address = spec.address;
    }
    return result;
}

MethodSpec reference_of(const MethodSpec& spec) {
    MethodSpec reference = spec;
    reference.path = FetchPath::global;
    reference.prefilter = {Prefilter::Kind::iir};
    return reference;
}

bool only_rounds(const MethodSpec& spec, bool widened) {
    const bool exact_samples =
        !spec.method->has_prefilter() || (spec.prefilter.kind == Prefilter::Kind::iir && !spec.prefilter.half_float);
    return exact_samples && (widened || spec.path != FetchPath::hardware);
}

bool is_reference(const MethodSpec& shown, const MethodSpec& reference, bool widened) {
    return reference_of(shown) == reference_of(reference) && only_rounds(shown, widened);
}

Reference default_reference() { return {Reference::Kind::method, default_spec(parse_method("quintic")), {}}; }

}  // namespace texelscope
