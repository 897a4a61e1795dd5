#pragma once
// Loads an image from its source as the user writes it: a file, a built-in test image, or standard input.

#include <cstddef>
#include <filesystem>
#include <string>

#include "app/files/decoding/decoder.h"
#include "gpu/core/image.h"

namespace texelscope {

// Coordinates of the samples of a signal: sample i is at origin + i · spacing.
struct SignalGrid {
    double origin = 0, spacing = 1;
};

// "@id", "@id:512" and "@id:640x480" are test images, "-" is standard input, everything else is a path: to a table, which
// is a signal with its own grid (signal.h), or to an image, read as read_image does. Behind the name of an image may be
// a choice (decoding/picture_in_file.h), which takes the place of the reading's. Throws Error.
Image load_image(const std::string& source, SignalGrid* grid = nullptr, const Reading& reading = {});

// The source that somebody typed, or a shell or another program passed on: a file of just this name is that file, whatever
// follows a # in it; %23 stands for a # if there is no file whose name has it.
std::string typed_source(const std::string& typed);

// The source's name for people: "standard input" instead of "-".
std::string words_of_source(const std::string& source);

// What read_facts says of it; nothing of test images, tables and standard input, which can be read but once.
PictureFacts load_facts(const std::string& source);

// An image file whose bytes come from standard input or another descriptor, a pipe for example.
inline constexpr size_t most_piped_bytes = size_t(4) << 30;

// Reads to the end; the first bytes tell the format. Throws FileError whose text begins with "standard input", for a
// terminal and an end at once as well.
Image read_standard_input(const Reading& reading = {});

// What read_facts says of the file; the same exceptions. Afterwards standard input is at its end.
PictureFacts read_standard_input_facts(const Reading& reading = {});

// Reads an image from any descriptor, at most `at_most` bytes of it. Throws Error without a name.
Image read_image_from(int descriptor, size_t at_most, const Reading& reading = {});

}  // namespace texelscope
