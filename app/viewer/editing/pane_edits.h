#pragma once
// Edits of the panes: their number, the active one, the arrangement, and their references.

#include <array>
#include <span>
#include <string_view>

#include "app/state/app_state.h"

namespace texelscope {

// Makes the next (or previous) pane active; with two panes, switches between them. Of two that would show the same picture
// one after the other, the one that is shown now gets a contrasting method.
void flip_panes(Scene& scene, int step = 1);
void swap_panes(Scene& scene);  // swaps the positions of A and B

// To another place: the panes between move up or down. The same panes remain active and compared with each other.
void move_pane(Scene& scene, int from, int to);

// If the active pane shows an image of its own, that one becomes the current image: it follows from now on, with all panes
// that show the same, and those that show another image keep that. So walking through a folder acts on the active pane.
void follow_with_active_pane(AppState& state);

// Appends a pane like the active one, with the first of the usual methods that no pane has, and makes it active. Nothing if
// there are already max_panes.
void add_pane(Scene& scene);

// The last one stays. Panes that were compared with the removed one are compared with the reference.
void remove_pane(Scene& scene, int pane);
void keep_only(Scene& scene, int pane);

// A method to compare this one with: the simplest, or the cubic B-spline if this is the simplest.
MethodSpec contrasting_spec(const MethodSpec& spec);

// All arrangements but single need a second pane: it is created if missing. If the only two panes would come side by
// side as the same picture, the one that is not active gets a contrasting method.
void arrange(Scene& scene, Arrangement arrangement);
void cycle_arrangement(Scene& scene);
void show_two_by_two(Scene& scene);  // a grid of four
void show_two(Scene& scene);         // A and the active pane, or B, side by side; without the others

// All panes show their differences, or if one is to show it, none does. Says so if there is nothing to see.
void toggle_differences(AppState& state);

// Between differences of values and maps of errors, gain and colours become the usual ones.
void choose_difference_kind(Scene& scene, DifferenceKind kind);
bool any_difference(const Scene& scene);
void toggle_difference(Scene& scene, int pane);  // of one pane

// Every pane is measured against it, and compared with it; shows figures, if they are hidden.
void choose_reference(Scene& scene, UiState& ui, Reference reference);
void measure_against_pane(Scene& scene, UiState& ui, int pane);  // its method, exact, becomes the reference
void toggle_link(AppState& state);                               // of the active pane's view

// While it exists, actions and edits of the active pane act on this one. The number of panes must stay.
class ActingOn {
public:
    ActingOn(AppState& state, int pane) : scene_(state.scene), before_(state.scene.active) { scene_.active = pane; }
    ~ActingOn() { scene_.active = before_; }
    ActingOn(const ActingOn&) = delete;
    ActingOn& operator=(const ActingOn&) = delete;

private:
    Scene& scene_;
    const int before_;
};

// Ready-made sets of panes.

struct Preset {
    std::string_view id;  // "all-methods"
    std::string_view title, tooltip;
    void (*apply)(AppState& state);
    bool (*enabled)(const AppState& state);  // null: always
    bool close_up = false;                   // what it compares looks alike in a small picture
};

std::span<const Preset> all_presets();

// The methods of the first preset, also those of `texelscope compare` unless told otherwise.
inline constexpr std::array<std::string_view, 4> four_methods = {"nearest", "bilinear", "catmull-rom", "bspline"};

}  // namespace texelscope
