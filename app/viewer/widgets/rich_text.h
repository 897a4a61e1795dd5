#pragma once
// Paragraphs with emphasis, wrapped to a width, in the fonts for reading.

#include <span>

#include "app/viewer/lessons/text_block.h"
#include "app/viewer/widgets/theme.h"

namespace texelscope::gui {

// Window coordinates, without a gap after the last block.
float rich_text_height(std::span<const TextBlock> blocks, float width);

// At the cursor, as an item.
void rich_text(std::span<const TextBlock> blocks, float width, const Colour& ink = colour::text);

// A line of text in one font, wrapped: its height, and drawn as an item.
float wrapped_height(const std::string& text, ImFont* font, float width);
void wrapped(const std::string& text, ImFont* font, float width, const Colour& ink);

}  // namespace texelscope::gui
