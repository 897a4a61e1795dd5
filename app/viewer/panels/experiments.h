#pragma once
// The parts of the experiments window.

#include "app/state/app_state.h"
#include "app/studies/experiments/experiment.h"

namespace texelscope::panels {

// Results of the chosen experiment: verdicts, tables, plots, pictures, facts, and a button that saves them.
void experiment_result(AppState& state, const ExperimentResult& result);

}  // namespace texelscope::panels
