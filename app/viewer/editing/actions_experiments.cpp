// Actions on experiments.

#include "app/viewer/editing/action_groups.h"

namespace texelscope {

std::vector<Action> experiment_actions() {
    return {
        Action{
            "learn.experiments", "Experiments…", Menu::learn, 1,
            "Published experiments, reproduced on this machine: repeated rotation, convergence, costs, with plots and a "
            "report.",
            [](AppState& s) { s.ui.dialogs.toggle(Dialog::experiments); }}
            .opening(Dialog::experiments)
            .ticked_if([](const AppState& s) { return s.ui.dialogs.has(Dialog::experiments); }),
        Action{"learn.cancel-experiment", "Cancel the experiment", Menu::learn, -1, "Stop the running experiment.",
               [](AppState& s) { s.tasks.push_back(task::CancelBackground{}); }}
            .only_if([](const AppState& s) { return s.report.background.dialog == Dialog::experiments; }),
    };
}

}  // namespace texelscope
