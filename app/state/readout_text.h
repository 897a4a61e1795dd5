#pragma once
// The values under the cursor as text, and how they come about.

#include <cstddef>
#include <string>

#include "app/state/app_state.h"
#include "app/text/text.h"

namespace texelscope {

// The values under the cursor, as text.

// "1034.25, 512.50"; for a signal "1034.25".
std::string position_text(Point position, bool signal);

// How the values of a pane's image are written, in the chosen unit.
ValueScale value_scale(const AppState& state, int pane);

// All channels of the nearest stored sample, "[105 99 77]", and of the picture, "[105.10 98.90 76.80]". With the image's
// alpha, "transparent" where nothing is seen: the colour there means nothing.
std::string stored_text(const Readout& readout, const ValueScale& scale, Alpha alpha = Alpha::none);
std::string interpolated_text(const Readout& readout, const ValueScale& scale, Alpha alpha = Alpha::none);

// Where a pane shows a difference, that at the cursor: "|a − r| [3.2 0.15 12]"; empty elsewhere.
std::string difference_text(const Scene& scene, const Readout& readout, const ValueScale& scale);

// The stored integers, whatever the unit: "25400 12 9"; empty for floats, and if they are not known.
std::string integers_text(const Readout& readout);

// The stored sample's bits: "#695F4C" for 8 bits, one word per channel for others: "695F 4C01" for 16 bits or half
// floats, "3F800000" for floats, integers of other types as two's complement. Alpha, if the file has it, is last.
std::string hex_text(const Readout& readout, SampleType type);

// Values of the focused pane become the readout, and as long as there are any, the last ones as well.
void report_focused_readout(AppState& state);

// One line for the clipboard: the values under the cursor, or those that it had last over the picture if that still shows
// the same image by the same method. Empty if there are none.
std::string copied_text(const AppState& state);

// How a pixel's value comes about, as text.

// "0.250000·105 + 0.750000·99 − 0.062500·80 = 95.5000", in the unit of values: each weight with its texel, then the sum; for
// linear light also what it becomes as sRGB. Texels of weight zero are left out, and those after the first `most`, whose
// number is given.
std::string formula_text(const TapReport& taps, int channel, const ValueScale& scale, size_t most = 1000);

// The channel of the taps that is shown, within those that there are.
int shown_channel(const AppState& state, const TapReport& taps);

// For the clipboard: the position, its formula, and the method. Empty if no taps are known.
std::string copied_formula(const AppState& state);

// What goes on while no picture is rendered, in one word: "saving"; "idle" if nothing does.
const char* resting_word(const AppState& state);

}  // namespace texelscope
