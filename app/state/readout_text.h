#pragma once
// The values under the cursor, as text.

#include <string>

#include "app/state/app_state.h"

namespace texelscope {

// "1034.25, 512.50"; for a signal "1034.25".
std::string position_text(Point position, bool signal);

// "[0.412 0.388 0.301]"
std::string value_text(const std::array<float, 4>& value, int channels);

// The same in the units of the file: "[105.1 98.9 76.8]" for 8 bits. Floats as they are.
std::string native_value_text(const std::array<float, 4>& value, int channels, SampleType type);

// The stored sample's bits: "#695F4C" for 8 bits, one word per channel for others: "695F 4C01" for 16 bits or half
// floats, "3F800000" for floats. Alpha, if the file has it, is last.
std::string hex_text(const Readout& readout, SampleType type);

// One line for the clipboard; empty if nothing is under the cursor.
std::string copied_text(const AppState& state);

}  // namespace texelscope
