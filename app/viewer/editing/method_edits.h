#pragma once
// Edits of the active pane's method, for keys and panels.

#include <string>
#include <string_view>

#include "app/state/app_state.h"

namespace texelscope {

// Keeps path, address and prefilter; parameters take the method's defaults.
void choose_method(AppState& state, const MethodInfo& method);
void cycle_path(AppState& state);
void cycle_prefilter(AppState& state);  // none → fir → iir; nothing if the method has none

// Sets it for the active pane, or for all if they are kept the same, and extends beyond the edges.
void choose_address(AppState& state, const AddressPair& address);
void cycle_address(AppState& state);  // both axes together

// A border value in the unit of the screen's values, `factor` of them to 1: "51 102 153". What is typed sets that of the
// active pane, or of all; if it will not do, a message says so, and the result is false.
std::string border_text(const BorderValue& border, double factor);
bool type_border(AppState& state, std::string_view text, double factor);

// Why a path cannot be used here; empty if it can.
std::string why_no_path(const AppState& state, FetchPath path);

}  // namespace texelscope
