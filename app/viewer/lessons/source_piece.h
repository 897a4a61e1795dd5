#pragma once
// Pieces of our own source, by the name of a marked region or of what is defined there.

#include <optional>
#include <string_view>

#include "app/viewer/lessons/lesson.h"

namespace texelscope {

// What lies between the comment lines "// [lesson: NAME]" and "// [lesson end]", or else the function, struct or class
// of that name with the comment and the template line above it; its file is left to the caller. Empty where there is
// none.
std::optional<SourcePiece> piece_of(std::string_view source, std::string_view name);

// "gpu/methods/bilinear.cpp: weights" among the sources in this program. Throws Error that says what is missing.
SourcePiece find_source_piece(std::string_view reference);

}  // namespace texelscope
