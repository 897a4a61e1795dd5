#pragma once
// In which type a picture is written, and why not in that of the image it comes from.

#include <filesystem>
#include <optional>
#include <string>

#include "gpu/core/image.h"

namespace texelscope {

// The type of the file's samples, "8 bits", and why it is another than asked for: "8 bits: PNG has no floats".
struct WrittenDepth {
    SampleType type;
    std::string words;
    bool less = false;  // than the image has
};

// Of a picture made from samples of type `stored`, see options_for(). Throws UsageError if the format does not hold the
// chosen type.
WrittenDepth written_depth(const std::filesystem::path& path, SampleType stored, std::optional<SampleType> chosen);

}  // namespace texelscope
