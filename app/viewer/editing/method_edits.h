#pragma once
// Edits of the active pane's method, for keys and panels.

#include <algorithm>
#include <string>
#include <string_view>

#include "app/state/app_state.h"
#include "gpu/method/spec.h"

namespace texelscope {

// Keeps path, address and prefilter; parameters take the method's defaults.
void choose_method(Scene& scene, const MethodInfo& method);
void cycle_path(AppState& state);
void cycle_prefilter(Scene& scene);  // none → fir → iir; nothing if the method has none

// Sets it for the active pane, or for all if they are kept the same, and extends beyond the edges.
void choose_address(Scene& scene, const AddressPair& address);
void cycle_address(Scene& scene);  // both axes together

// A border value in the unit of the screen's values, `factor` of them to 1: "51 102 153". What is typed sets that of the
// active pane, or of all; if it will not do, a message says so, and the result is false.
std::string border_text(const BorderValue& border, double factor);
bool type_border(Scene& scene, Messages& messages, std::string_view text, double factor);

// Why a path cannot be used here; empty if it can.
std::string why_no_path(const AppState& state, FetchPath path);

// Parameters of the same name keep their value, if it is in their range; the others have their default.
MethodParameters kept_parameters(const MethodSpec& before, const MethodInfo& now);

// Edits of sampling for all methods: antialiasing, linear light, a warp under the view.

void toggle_antialias(Scene& scene);
void toggle_linear_light(Scene& scene);

// At its default strength; the same kind again changes nothing.
void choose_warp(Scene& scene, Warp::Kind kind);
void cycle_warp(Scene& scene);  // none → swirl → barrel → ripple

// The effects of antialiasing and linear light, for tooltips.
extern const char* const antialias_tip;
extern const char* const linear_light_tip;

// What follows a value in a list, the first after the last one; the first if the value is not in it.
template <class Range, class T> T next_in(const Range& all, T value) {
    const auto at = std::find(all.begin(), all.end(), value);
    return at == all.end() || at + 1 == all.end() ? all.front() : *(at + 1);
}

}  // namespace texelscope
