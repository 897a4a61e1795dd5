#pragma once
// Sources of documents that are made from another image: "@shrunk:4:bspline:stored:/d/photo.png".

#include <optional>
#include <string>
#include <string_view>

#include "gpu/core/colour.h"

namespace texelscope {

// An image that is shrunk by a factor. It can be made again at any time, as a session or redo needs it.
struct ShrunkSource {
    double factor = 1;
    std::string filter;  // id of the method that shrinks it
    Light light = Light::stored;
    std::string original;  // the source of the image

    std::string text() const;
    bool operator==(const ShrunkSource&) const = default;
};

// The source that a shrunk picture is made from; for other pictures, the source itself.
std::string original_source(const std::string& source);

// Empty if it is another kind of source.
std::optional<ShrunkSource> parse_shrunk_source(std::string_view source);

}  // namespace texelscope
