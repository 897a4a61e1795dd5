#pragma once
// The parts of the window "Which is best for this picture?".

#include "app/state/app_state.h"
#include "app/studies/restoring/restoring.h"

namespace texelscope::panels {

// The choices, side by side if there is space. True if one of them was changed.
bool restoring_choices(AppState& state);

// "The picture is shrunk to a quarter of its width and height, …": the test that is chosen, in a sentence.
std::string restoring_words(const RestoringChoice& choice);

// The methods with their figures; a click puts one into the active pane.
void restoring_table(AppState& state, const RestoringResult& result, float height);

// Quality against cost, with the best for their cost marked.
void restoring_plot(AppState& state, const RestoringResult& result, float height);

}  // namespace texelscope::panels
