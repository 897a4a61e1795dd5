#pragma once
// Edits for comparisons: the references that can be chosen, originals, the best methods as panes, and the zoom at which
// methods can be told apart.

#include <optional>
#include <string>
#include <vector>

#include "app/state/app_state.h"
#include "gpu/core/view.h"

namespace texelscope {

// The references that can be chosen, for menus, panels and palette alike.

struct ReferenceChoice {
    std::string id;       // "truth", "own", the method's id, or the image's title
    std::string title;    // "The formula", "photo.png, 4× larger, as the original"
    std::string tooltip;  // what is measured then; or why it cannot be chosen
    Reference reference;
    bool chosen = false;   // it is the reference now
    bool enabled = true;   // it can be chosen
    bool offered = false;  // a truth: the first of the list
};

// For the active pane: truths first (its picture's formula, larger images of the same shape), then each pane's own method,
// all methods, and other images.
std::vector<ReferenceChoice> reference_choices(const Scene& scene);

// Whether the larger image shows the same picture, and the smaller one may have been made from it.
bool may_be_original(const Image& larger, const Image& smaller);

// If the document, just read, looks like another open image with more or fewer samples: offers, once, to show the smaller
// one and to measure it against the larger.
void offer_original(AppState& state, const Document& document);

// Takes back such an offer of a document that is being closed.
void withdraw_offers(const Scene& scene, Messages& messages, const Document& closed);

// Makes the image the reference. If it is the one in view, the other one comes into view.
void measure_against_original(AppState& state, const std::string& original, const std::string& shown);

// Edits for the window "Which is best for this picture?".

// The document whose picture is restored: the one the active pane shows, or the original that it was made of. Null if
// there is none.
const Document* restored_document(const Scene& scene);

// What another program has made elsewhere of an open picture, shrunk, and a pane shows: a file with the size and the name of that
// picture, in another folder or with more behind the name, such as made/photo.png or photo-waifu2x.png of photo.png. Of two such
// files the reference is the original, else the one that was opened first.
struct PaneResult {
    const Document* original = nullptr;
    std::string name, pattern;  // "waifu2x"; "/d/{name}-waifu2x.png", by which the results of other pictures are found
};
std::optional<PaneResult> result_in_pane(const Scene& scene, const Document& document);

// The pictures that are judged together: all open ones that were not made of others.
std::vector<const Document*> judged_documents(const Scene& scene);

// The samples that are restored, while a part is asked for and selected in this picture; else none: all of it.
std::optional<SampleRegion> restored_part(const Scene& scene, const RestoringUi& restoring);

// Opens the window, and asks for the comparison unless there is one of this picture and these choices already.
void ask_which_is_best(AppState& state);

// The panes become these methods over the shrunk document, two by two, centred on a pixel of the original, which becomes
// the current document and the reference.
struct BestPanes {
    std::vector<MethodSpec> specs;  // best first
    Document small;
    std::string original;                  // source of the document
    Point centre;                          // in its samples
    std::optional<Region> selection = {};  // in its samples: the part that was restored
    double rmse = 0;  // of the best one, values in 0 … 1; differences are scaled for it, unless it is 0
    Light light = Light::stored;
};
void show_best(AppState& state, const BestPanes& best);

// Methods are compared at a zoom at which they can be told apart: fitted or at 100 %, a photograph looks the same by all of
// them.

// The zoom at which methods are told apart; the least at which they are, by who chose it; and the least that a picture which
// was fitted as it was opened is left at.
inline constexpr double closer_zoom = 4, least_telling_zoom = 1.5, least_telling_fit = 3;

// Whether the active pane's picture is shown so small that methods look alike.
bool looks_alike(const AppState& state, double least = least_telling_zoom);

// 400 % where methods differ most in the part of the picture that is in view, or else in its middle.
void zoom_to_difference(AppState& state);

// After methods were put side by side, or another one was chosen, where they look alike: one line offers
// zoom_to_difference(), once for each file. `by_itself`: it is done at once, for a file that is shown as it was opened,
// and only the first time. Offered below the zoom `least_offered`. Not for test images, nor in a lesson.
void look_closer(AppState& state, bool by_itself, double least_offered = least_telling_zoom);

struct Preset;

// The panes of a preset; with a look closer if it is for that.
void apply_preset(AppState& state, const Preset& preset);

}  // namespace texelscope
