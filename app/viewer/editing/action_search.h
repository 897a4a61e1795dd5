#pragma once
// Finds actions by a few typed letters.

#include <optional>
#include <string_view>
#include <vector>

#include "app/viewer/editing/actions.h"

namespace texelscope {

// How well the letters match the title, more is better; empty if they do not occur in this order. Ignores case; letters
// at word starts, and adjacent ones, count more.
std::optional<int> match_score(std::string_view letters, std::string_view title);

// The first picture has not been read yet: commands that need one can be chosen, and run once it is there.
bool awaits_picture(const AppState& state);

// The actions with a matching title that are enabled, or will be once the first picture is there; best first. Without
// letters, all of them in the order of the menus.
std::vector<const Action*> matching_actions(const AppState& state, std::string_view letters);

}  // namespace texelscope
