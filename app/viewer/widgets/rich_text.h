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

// Columns of equal width side by side. Lines flow into the next one once the first has this height; the last one takes
// what is left.
struct TextColumns {
    float width, gap = 0, height = 0;
    int count = 1;
};
struct TextEnd {
    int column;
    float y;  // from the columns' top, below the last line
};

// Where the text ends, and the text itself with its upper left corner at the cursor, not as an item.
TextEnd rich_text_end(std::span<const TextBlock> blocks, const TextColumns& columns);
void rich_text_in(std::span<const TextBlock> blocks, const TextColumns& columns);

// A line of text in one font, wrapped: its height, and drawn as an item.
float wrapped_height(const std::string& text, ImFont* font, float width);
void wrapped(const std::string& text, ImFont* font, float width, const Colour& ink);

}  // namespace texelscope::gui
