#pragma once
// Icons of toolbar and segments, drawn as lines in a square of `side` around `middle`.

#include <imgui.h>

namespace texelscope::gui {

using Icon = void (*)(ImDrawList& draw, ImVec2 middle, float side, ImU32 ink);

// A box in columns × rows cells.
void cells_icon(ImDrawList& draw, ImVec2 middle, float side, ImU32 ink, int columns, int rows);
template <int columns, int rows> void cells_icon(ImDrawList& draw, ImVec2 middle, float side, ImU32 ink) {
    cells_icon(draw, middle, side, ink, columns, rows);
}

void wipe_icon(ImDrawList& draw, ImVec2 middle, float side, ImU32 ink);  // a box, half of it filled
void folder_icon(ImDrawList& draw, ImVec2 middle, float side, ImU32 ink);
void fit_icon(ImDrawList& draw, ImVec2 middle, float side, ImU32 ink);         // the four corners of a frame
void one_to_one_icon(ImDrawList& draw, ImVec2 middle, float side, ImU32 ink);  // 1:1
void difference_icon(ImDrawList& draw, ImVec2 middle, float side, ImU32 ink);  // two discs, overlapping
void loupe_icon(ImDrawList& draw, ImVec2 middle, float side, ImU32 ink);
void podium_icon(ImDrawList& draw, ImVec2 middle, float side, ImU32 ink);
void export_icon(ImDrawList& draw, ImVec2 middle, float side, ImU32 ink);  // an arrow out of a tray
void book_icon(ImDrawList& draw, ImVec2 middle, float side, ImU32 ink);

}  // namespace texelscope::gui
