#include "app/viewer/editing/weights_edits.h"

#include <fmt/format.h>

#include "app/state/messages.h"
#include "app/viewer/editing/kept_parameters.h"
#include "gpu/core/errors.h"
#include "gpu/method/custom_method.h"
#include "gpu/method/polar_method.h"

namespace texelscope {

void edit_weights(AppState& state) {
    const MethodInfo& method = *state.scene.spec().method;
    if (is_polar(method))
        return post(
            state, Message::Level::info,
            fmt::format("{} weighs by the distance in the plane; a formula is for the distances along the axes. Start "
                        "from another method.",
                        method.name));
    const std::string text = weights_text(state.scene.spec());
    state.weights.open = true;
    state.weights.made = state.scene.spec().method;
    type_weights(state, text);
}

void type_weights(AppState& state, const std::string& text) {
    WeightsUi& ui = state.weights;
    ui.text = text;
    ui.problems = parse_weights(text).problems;
    if (!ui.problems.empty()) return;
    MethodSpec& spec = state.scene.spec();
    try {
        const MethodInfo& method = custom_method(text);
        MethodParameters parameters = kept_parameters(spec, method);
        method.custom->weights(parameters);
        spec.method = ui.made = &method;
        spec.parameters = parameters;
    } catch (const WeightError& error) {
        ui.problems = {error.problem};
    } catch (const Error& error) {
        ui.problems = {{1, 1, error.what()}};
    }
}

void follow_weights(AppState& state) {
    WeightsUi& ui = state.weights;
    const MethodSpec& spec = state.scene.spec();
    if (!ui.open || ui.made == spec.method) return;
    ui.open = spec.method->custom != nullptr;
    ui.made = spec.method;
    ui.problems.clear();
    if (ui.open) ui.text = weights_text(spec);
}

void check_parameters(AppState& state, const MethodParameters& before) {
    MethodSpec& spec = state.scene.spec();
    if (!spec.method->custom || spec.parameters == before) return;
    try {
        spec.method->custom->weights(spec.parameters);
    } catch (const Error& error) {
        spec.parameters = before;
        post(state, Message::Level::warning, error.what());
    }
}

}  // namespace texelscope
