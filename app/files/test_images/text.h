#pragma once
// A fixed bitmap font for pictures with text. Internal to this folder.

namespace texelscope {

inline constexpr int glyph_width = 5, glyph_height = 9;
inline constexpr int glyph_advance = glyph_width + 1, line_advance = glyph_height + 2;

// Whether the glyph has ink at (x, y), y down; false outside. Characters that are not printable ASCII read as '?'.
bool glyph_pixel(char character, int x, int y);

}  // namespace texelscope
