#pragma once
// An image file whose bytes come from standard input or another descriptor, a pipe for example.

#include <cstddef>
#include <filesystem>

#include "app/files/decoding/decoder.h"

namespace texelscope {

inline constexpr size_t most_piped_bytes = size_t(4) << 30;

// Reads to the end; the first bytes tell the format. Throws FileError whose text begins with "standard input", for a
// terminal and an end at once as well.
Image read_standard_input(const Reading& reading = {});

// What read_facts says of the file; the same exceptions. Afterwards standard input is at its end.
PictureFacts read_standard_input_facts(const Reading& reading = {});

// The same of any descriptor. Throws Error without a name: `at_most` bytes are taken.
Image read_image_from(int descriptor, size_t at_most, const Reading& reading = {});

}  // namespace texelscope
