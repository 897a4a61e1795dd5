#pragma once
// How a pixel's value comes about, as text.

#include <cstddef>
#include <string>

#include "app/state/app_state.h"
#include "app/text/text.h"

namespace texelscope {

// "0.250000·105 + 0.750000·99 − 0.062500·80 = 95.5000", in the unit of values: each weight with its texel, then the sum; for
// linear light also what it becomes as sRGB. Texels of weight zero are left out, and those after the first `most`, whose
// number is given.
std::string formula_text(const TapReport& taps, int channel, const ValueScale& scale, size_t most = 1000);

// The channel of the taps that is shown, within those that there are.
int shown_channel(const AppState& state, const TapReport& taps);

// For the clipboard: the position, its formula, and the method. Empty if no taps are known.
std::string copied_formula(const AppState& state);

}  // namespace texelscope
