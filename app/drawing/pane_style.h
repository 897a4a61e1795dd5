#pragma once
// How a pane's curve is drawn: in its colour; colours repeat from the seventh on, dashed.

#include "app/drawing/plot.h"

namespace texelscope {

constexpr Ink pane_ink(int pane) { return Ink(pane % 6); }
constexpr Series::Style pane_style(int pane) { return pane < 6 ? Series::Style::line : Series::Style::dashed; }

}  // namespace texelscope
