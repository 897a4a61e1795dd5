#pragma once
// The parts of the action table, one file each.

#include <vector>

#include "app/viewer/editing/actions.h"

namespace texelscope {

std::vector<Action> file_actions();
std::vector<Action> folder_actions();  // the pictures beside the shown one
std::vector<Action> part_actions();    // what is seen of the shown file
std::vector<Action> view_actions();
std::vector<Action> method_actions();
std::vector<Action> compare_actions();     // panes, differences, presets
std::vector<Action> inspect_actions();     // plots, taps, pixel grid and values
std::vector<Action> display_actions();     // levels, exposure, tone curve, false colour
std::vector<Action> learn_actions();       // lessons, presenting, recording
std::vector<Action> keep_actions();        // saving, sessions, clipboard, undo
std::vector<Action> experiment_actions();  // published experiments
std::vector<Action> window_actions();      // panels, full screen, help

bool has_document(const AppState& state);

// An action that only the palette lists, since a panel has it beside its like.
Action in_palette(Menu menu, std::string id, std::string title, std::function<void(AppState&)> run);

}  // namespace texelscope
