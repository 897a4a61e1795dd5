#pragma once

#include <string>
#include <string_view>

namespace texelscope::decoding {

// How a decoder that has said nothing ended, for the user: "the SGI is damaged, or its decoder is at fault: it crashed
// (an invalid memory access)". `status`: of waitpid.
std::string words_of_ending(int status, std::string_view format_name);

}  // namespace texelscope::decoding
