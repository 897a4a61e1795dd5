#pragma once
// The decoders of formats that are not our own. They may be fed anything: to be called in a process of its own, see
// decoding/decoder.h. Our own formats are read where they are needed: their readers are small and have been fuzzed for
// millions of inputs, and most of the work is to read the file.

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "app/files/colour/icc_conversion.h"
#include "app/files/decoding/decoder.h"

namespace texelscope {

// Checks the structure of the file (damage.cpp) and decodes it by the record of its format; reads its metadata;
// answers questions about colour profiles.
const Decoder& foreign_decoder();

// Questions about colour profiles, which a decoder answers: Little CMS parses nothing in this process. What the answer holds
// is finite numbers, of as many as its kind has.

// make_conversion, worked out in a decoder; what goes wrong there is its `problem`. Blocks for 5 s at most.
ProfileConversion ask_conversion(const ColourProfile& profile, int colours, const std::vector<std::byte>& screen);

// name_of_screen; empty for all that is no profile for RGB.
std::string ask_name_of_screen(const std::vector<std::byte>& icc);

// Decoder::compute. Throws Error.
std::vector<std::byte> answer_profile_question(std::span<const std::byte> question);

}  // namespace texelscope
