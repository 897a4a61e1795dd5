#pragma once
// The spot of a picture that panes show: where it is, its pixels as the viewer shows them, and the panes themselves.
// Internal to this folder.

#include <string>
#include <vector>

#include "app/drawing/sheet.h"
#include "app/studies/restoring/restoring.h"

namespace texelscope {

// Around this pixel of a picture of this size: large enough for 24 samples of a small picture along each axis.
// (−1, −1): in the centre. Without its pixels.
WorstSpot spot_around(Extent size, const Restoration& restoration, int worst_x, int worst_y);

// f32, premultiplied if there is alpha, as u8 × 4, opaque. If the original has floats above 1, the largest is white.
Image shown(const Image& values, const Image& original);

// The original and the methods that have a pane, with letters, names and figures. Throws Error if there are none.
std::vector<SheetPane> restored_panes(const RestoringResult& result);

// "around the largest error of Quintic B-spline · iir".
std::string spot_place(const RestoringResult& result);

// The same with its size before it: "96×96 pixels around …".
std::string spot_words(const RestoringResult& result);

}  // namespace texelscope
