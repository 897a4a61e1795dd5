#pragma once
// Excerpts of our own source, by the name of a marked region or of a definition.

#include <optional>
#include <string_view>

#include "app/viewer/lessons/lesson.h"

namespace texelscope {

// The lines between the comments "// [lesson: NAME]" and "// [lesson end]", or else the function, struct or class of
// that name with the comment and the template line above it; the caller sets its file. Empty if there is none.
std::optional<SourcePiece> piece_of(std::string_view source, std::string_view name);

// "gpu/methods/bilinear.cpp: weights" among the sources in this program. Throws Error with what is missing.
SourcePiece find_source_piece(std::string_view reference);

}  // namespace texelscope
