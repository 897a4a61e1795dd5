#pragma once
// What other programs ask of a running window, one line of JSON each; docs/pushing.md describes it.

#include <cstddef>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "gpu/core/image.h"

namespace texelscope {

inline constexpr size_t most_push_header_bytes = size_t(64) << 10;
inline constexpr size_t most_push_name_bytes = 100, most_push_files = 1000;

// Show this image, or replace the one of that name; its samples follow.
struct PushedImage {
    std::string name;
    int width = 0, height = 0, channels = 1;
    SampleType type = SampleType::u8;
    Alpha alpha = Alpha::none;
    bool signal = false;  // one row, interpolated only along x
    bool memory = false;  // the samples are in shared memory whose descriptor comes with the line

    Image image() const;  // zero-filled. Throws Error or OutOfMemory
};

// Open these, and ask for the user's attention.
struct PushedFiles {
    std::vector<std::string> files;  // absolute paths or test images
};

using PushRequest = std::variant<PushedImage, PushedFiles>;

// One line without its end. Throws Error: one sentence.
PushRequest parse_push_request(std::string_view line);

// With the end of the line.
std::string to_line(const PushedImage& image);
std::string to_line(const PushedFiles& files);

std::string accepted_line();
std::string refused_line(const std::string& why);

// Throws Error with the sentence of a reply that is not accepted_line().
void check_reply(std::string_view line);

// Samples of an image in bytes, as it is sent.
size_t bytes_of(const PushedImage& image);

}  // namespace texelscope
