#pragma once
// Edits for the window "Which is best for this picture?".

#include "app/state/app_state.h"
#include "gpu/core/view.h"

namespace texelscope {

// The document whose picture is restored: the one the active pane shows, or the original that it was shrunk from. Null if
// there is none.
const Document* restored_document(const AppState& state);

// Opens the window, and asks for the comparison unless there is one of this picture and these choices already.
void ask_which_is_best(AppState& state);

// The panes become these methods over the shrunk document, two by two, centred on a pixel of the original, which becomes
// the current document and the reference.
struct BestPanes {
    std::vector<MethodSpec> specs;  // best first
    Document small;
    std::string original;  // source of the document
    Point centre;          // in its samples
    double rmse = 0;       // of the best one, values in 0 … 1; differences are scaled for it, unless it is 0
    Light light = Light::stored;
};
void show_best(AppState& state, const BestPanes& best);

}  // namespace texelscope
