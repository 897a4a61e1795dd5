#pragma once
// Changes of the active pane's method, as keys and panels make them.

#include "app/state/app_state.h"

namespace texelscope {

// Keeps path, address and prefilter; parameters become the method's standard ones.
void choose_method(AppState& state, const MethodInfo& method);
void cycle_path(AppState& state);
void cycle_prefilter(AppState& state);  // none → fir → iir; nothing where the method has none

// Sets it for the active pane, or for all where they are kept alike, and extends beyond the edges.
void choose_address(AppState& state, const AddressPair& address);
void cycle_address(AppState& state);  // both axes together

// Why a path cannot be used here; empty where it can.
std::string why_no_path(const AppState& state, FetchPath path);

}  // namespace texelscope
