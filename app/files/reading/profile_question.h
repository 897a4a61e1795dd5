#pragma once
// Questions about colour profiles, which a decoder answers: Little CMS parses nothing in this process. What the answer holds
// is finite numbers, of as many as its kind has.

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "app/files/colour/icc_conversion.h"

namespace texelscope {

// make_conversion, worked out in a decoder; what goes wrong there is its `problem`. Blocks for 5 s at most.
ProfileConversion ask_conversion(const ColourProfile& profile, int colours, const std::vector<std::byte>& screen);

// name_of_screen; empty for all that is no profile for RGB.
std::string ask_name_of_screen(const std::vector<std::byte>& icc);

// Decoder::compute. Throws Error.
std::vector<std::byte> answer_profile_question(std::span<const std::byte> question);

}  // namespace texelscope
