#pragma once
// The result of restoring in every form: for the terminal, the window and files.

#include <string>

#include "app/studies/restoring/restoring.h"

namespace texelscope {

// For a terminal: what was done to which picture, and a row for each method.
std::string restoring_text(const RestoringResult& result);

// Described in docs/compare.md.
std::string restoring_json(const RestoringResult& result);

}  // namespace texelscope
