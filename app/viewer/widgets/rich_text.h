#pragma once
// Paragraphs with emphasis, wrapped to a width, in the fonts for reading.

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/viewer/lessons/lesson.h"
#include "app/viewer/widgets/theme.h"

namespace texelscope::gui {

// Window coordinates, without a gap after the last block.
float rich_text_height(std::span<const TextBlock> blocks, float width);

// At the cursor, as an item. The target of a link that was clicked; empty: none.
std::string rich_text(std::span<const TextBlock> blocks, float width, const Colour& ink = colour::text);

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
std::string rich_text_in(std::span<const TextBlock> blocks, const TextColumns& columns);

// A line of text in one font, wrapped: its height, and drawn as an item.
float wrapped_height(const std::string& text, ImFont* font, float width);
void wrapped(const std::string& text, ImFont* font, float width, const Colour& ink);

// Text broken into rows, by any measure of its width.

// At spaces, and within words that are longer than a row; the last of `most` rows ends with … if there is more. Line breaks
// are taken as spaces. A row has at least one letter.
std::vector<std::string> in_rows(std::string text, float room, int most,
                                 const std::function<float(const std::string&)>& width_of);

// A text with all its rows and its own line breaks, as one.
std::string broken(std::string_view text, float room, const std::function<float(const std::string&)>& width_of);

// Text cut at its end to fit, by any measure of its width.

// The text if it fits, else its beginning with …; empty if not even one letter fits.
inline std::string cut(std::string text, float room, const std::function<float(const std::string&)>& width_of) {
    if (width_of(text) <= room) return text;
    while (!text.empty() && width_of(text + "…") > room) {
        while ((text.back() & 0xC0) == 0x80) text.pop_back();  // of a UTF-8 character
        text.pop_back();
    }
    return text.empty() ? text : text + "…";
}

}  // namespace texelscope::gui
