#pragma once
// The parts of the window "Which is best for this picture?".

#include "app/state/app_state.h"
#include "app/studies/restoring/restoring.h"

namespace texelscope::panels {

// The choices, side by side if there is space. True if one of them was changed.
bool restoring_choices(AppState& state);

// "The picture is shrunk to a quarter of its width and height, …": the test that is chosen, in a sentence.
std::string restoring_words(const RestoringChoice& choice);

// "enlarge ×4 · all methods"
std::string restoring_summary(const AppState& state);

// The methods with their figures; a click puts one into the active pane.
void restoring_table(AppState& state, const RestoringResult& result, float height);
float restoring_row_height();

// The worst spot: the original beside what the best methods made of it, as large as there is space.
void restoring_pictures(const AppState& state, float height);

// Where to save it, in which form, and the button that does.
void restoring_save_row(AppState& state);

}  // namespace texelscope::panels
