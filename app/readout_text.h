#pragma once
// What lies under the cursor, as text.

#include <string>

#include "app/state.h"

namespace texelscope {

// "1034.25, 512.50"; of a signal "1034.25".
std::string position_text(Point position, bool signal);

// "[0.412 0.388 0.301]"
std::string value_text(const std::array<float, 4>& value, int channels);

// The same in the units of the file: "[105.1 98.9 76.8]" for 8 bits. Floats as they are.
std::string native_value_text(const std::array<float, 4>& value, int channels, SampleType type);

// One line for the clipboard; empty where nothing lies under the cursor.
std::string copied_text(const AppState& state);

}  // namespace texelscope
