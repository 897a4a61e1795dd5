#pragma once
// Lessons in a folder of the user's.

#include <filesystem>

#include "app/state/lesson_state.h"

namespace texelscope {

// The lessons (*.md) in this folder, by file name; none if it does not exist.
OwnLessons read_own_lessons(const std::filesystem::path& folder);

}  // namespace texelscope
