#pragma once
// A question to the user, asked before something is done that cannot be undone or costs much.

#include <optional>
#include <string>

#include "app/state/dialogs.h"
#include "app/state/task.h"

namespace texelscope {

struct Question {
    std::string title, text = {};
    std::string details;                // in secondary colour, below
    std::string yes;                    // on the button that does it; the other one says "Cancel"
    Task task;                          // if so
    std::optional<Dialog> closes = {};  // this dialog too, if so
    bool enter_does_it = false;         // or else Enter cancels
};

struct AppState;

// Opens its dialog.
void ask(AppState& state, Question question);

}  // namespace texelscope
