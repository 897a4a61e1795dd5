#pragma once
// Which actions a few typed letters mean.

#include <optional>
#include <string_view>
#include <vector>

#include "app/viewer/editing/actions.h"

namespace texelscope {

// How well the letters fit the title, the more the better; empty where they do not occur in this order. Upper and lower
// case are one; letters at the beginning of words, and next to each other, count more.
std::optional<int> match_score(std::string_view letters, std::string_view title);

// The enabled actions with a title that fit, the best first; all of them, in the order of the menus, for no letters.
std::vector<const Action*> matching_actions(const AppState& state, std::string_view letters);

}  // namespace texelscope
