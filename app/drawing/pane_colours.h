#pragma once
// The colours of panes, on the screen and on sheets, and the greys of text that both share: 0xRRGGBB.

#include <cstddef>
#include <cstdint>

#include "app/drawing/plot.h"

namespace texelscope {

// Colour of a pane's label, chip and curve: as many as there are panes, all different, on the dark of the window, for
// people without red or green cones as well (tests/drawing/test_fonts_and_colours.cpp says by how much). The first differ most.
inline constexpr int pane_colour_count = 16;
constexpr uint32_t pane_rgb(int pane) {
    constexpr uint32_t colours[pane_colour_count] = {0x4aa8ff, 0xffb000, 0x00c3a5, 0xe12d5a, 0x6969ff, 0xe1ff00,
                                                     0xf0a5d2, 0x3ce1ff, 0x009600, 0xe100c3, 0xc3c396, 0xff3c00,
                                                     0x877896, 0x5aff87, 0xc39687, 0x787869};
    return colours[size_t(pane) % pane_colour_count];
}

inline constexpr uint32_t text_rgb = 0xe3e5e8, secondary_text_rgb = 0x9aa0a8;

// How a pane's curve is drawn: in its colour; dashed from the seventh on, for those who see fewer colours.
constexpr Ink pane_ink(int pane) { return Ink(pane % int(Ink::grey)); }
constexpr Series::Style pane_style(int pane) { return pane < 6 ? Series::Style::line : Series::Style::dashed; }

}  // namespace texelscope
