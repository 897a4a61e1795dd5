#pragma once
// How a pane's curve is drawn: in its colour; dashed from the seventh on, for those who see fewer colours.

#include "app/drawing/plot.h"

namespace texelscope {

constexpr Ink pane_ink(int pane) { return Ink(pane % int(Ink::grey)); }
constexpr Series::Style pane_style(int pane) { return pane < 6 ? Series::Style::line : Series::Style::dashed; }

}  // namespace texelscope
