#pragma once
// Edits for the dialogs "How was this made?" and "Explain the difference": which images and recipes they are about, and what
// they found as panes.

#include <memory>
#include <string>
#include <vector>

#include "app/state/app_state.h"
#include "app/state/scene.h"

namespace texelscope {

// The open images that may have been resized or be a result: not those that were made here of others.
std::vector<const Document*> resizable_documents(const Scene& scene);

// Opens the dialog, and asks at once if it can.
void ask_how_it_was_made(AppState& state);
void ask_for_the_difference(AppState& state);

// Once per frame while the dialog is open: guesses the pair again when images have come or gone, unless it was chosen, and
// asks for the samples of those that have not been read. The image that the active pane shows is one of the pair; the other
// one shows the same, or was opened last. The smaller one is the result.
void follow_pair(AppState& state);

// Why it cannot be found out how the result was made, a sentence; empty if it can.
std::string why_no_pair(const Scene& scene, const IdentifyUi& pair);

// The image that recipes are compared on: the one that the active pane shows, or that it was made of.
const Document* explained_document(const Scene& scene);

// What the typed texts stand for.
struct ExplainedPair {
    std::string from, to;  // whole recipes
    Extent size;
    std::string problem = {};  // why they stand for nothing, a sentence
};
ExplainedPair explained_pair(const Scene& scene, const ExplainUi& ui);

// A picture that was made of an open image. Without samples, they are made when it is shown.
struct ResizedPicture {
    ResizedSource source;
    std::string label;
    std::shared_ptr<const Image> image = {};
};

// Pane A is the result, pane B the other picture as its difference to that, pixel by pixel. `largest`: difference, of 1; the
// colours of differences end there, unless it is 0.
void show_beside_result(AppState& state, const std::string& result, const ResizedPicture& made, double largest);

// A pane for each of these pictures, measured against the first.
void show_rungs(AppState& state, const std::vector<ResizedPicture>& rungs);

// The active pane shows the original by these weights.
void use_measured_weights(AppState& state, const std::string& original, const std::string& weights, bool antialiased);

}  // namespace texelscope
