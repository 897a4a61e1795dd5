#pragma once
// The parts of the window of experiments.

#include "app/studies/experiments/experiment.h"
#include "app/state/app_state.h"

namespace texelscope::panels {

// What the chosen experiment found: verdicts, tables, plots, pictures, facts, and a button that saves them.
void experiment_result(AppState& state, const ExperimentResult& result);

}  // namespace texelscope::panels
