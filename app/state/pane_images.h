#pragma once
// The images that panes show.

#include <memory>
#include <optional>
#include <string>

#include "app/state/app_state.h"

namespace texelscope {

// The document a pane shows, and its image; null if there is none.
const Document* document_of(const Scene& scene, const Pane& pane);
const Document* document_named(const Scene& scene, const std::string& source);
std::shared_ptr<const Image> image_of(const Scene& scene, int pane);

// Size of a pane's image; empty if there is none. Without `pane`: of the focused one.
Extent image_extent(const AppState& state, std::optional<int> pane = {});

// Whether its image is a signal: a row without height, which fills the picture. Without `pane`: of the focused one.
bool shows_signal(const AppState& state, std::optional<int> pane = {});

}  // namespace texelscope
