#pragma once
// From the state to what a pane shows.

#include <optional>
#include <string>

#include "app/picture/rendition.h"
#include "app/state/app_state.h"

namespace texelscope {

// What a pane in view is rendered with. The state must have its image and a picture area.
RenderRequest pane_request(const AppState& state, int pane);

// A pane's rendering, and what it is measured against: empty where the reference's image is not there (yet).
Rendition pane_rendition(const AppState& state, int pane);
std::optional<Rendition> reference_rendition(const AppState& state, int pane);

// The pane's rendering, or its reference while that is asked for.
Rendition shown_rendition(const AppState& state, int pane);

// What is seen of a pane: the rendering itself, a difference, or its reference while that is asked for.
PanePicture pane_picture(const AppState& state, int pane);

// Why a pane that is to show a difference shows none; empty where it does, or is not to.
std::string why_no_difference(const AppState& state, int pane);

// The selected region for measuring a pane; empty: all of the picture.
std::optional<MeasureJob::Selection> measured_selection(const AppState& state, int pane);

}  // namespace texelscope
