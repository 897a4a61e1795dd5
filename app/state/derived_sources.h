#pragma once
// Sources that are no file as a whole: pictures pushed by other programs or from standard input, shrunk and resized ones, and
// layers of a file as its parts.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/files/decoding/picture_in_file.h"
#include "gpu/core/colour.h"
#include "gpu/core/image.h"

namespace texelscope {

inline constexpr std::string_view pushed_prefix = "@pushed:", standard_input_name = "standard input",
                                  pasted_name = "pasted";  // and "pasted 2" and so on

inline std::string pushed_source(std::string_view name) { return std::string(pushed_prefix).append(name); }

// Empty if the source is another.
inline std::optional<std::string> pushed_name(std::string_view source) {
    if (!source.starts_with(pushed_prefix)) return {};
    return std::string(source.substr(pushed_prefix.size()));
}

// Sources of documents that are made from another image: "@shrunk:4:bspline:stored:/d/photo.png".

// An image that is shrunk by a factor. It can be made again at any time, as a session or redo needs it.
struct ShrunkSource {
    double factor = 1;
    std::string filter;  // id of the method that shrinks it
    Light light = Light::stored;
    std::string original;  // the source of the image

    std::string text() const;
    bool operator==(const ShrunkSource&) const = default;
};

// An image resized as a recipe says (gpu/recipes), or a step on the way from it to another recipe: ingredients up to
// `changed` are those of the other one. "@resized:224x224;like:pillow/bicubic;like:opencv/cubic;weights;/d/photo.png".
struct ResizedSource {
    Extent size;
    std::string recipe;
    std::string towards = {}, changed = {};  // the other recipe and the name of the ingredient; both empty: by `recipe`
    std::string original = {};               // the source of the image
    SampleRegion part = {};                  // of the resized picture; empty: all. "@resized:448x300,8,16,224x224;…"

    std::string text() const;
    bool operator==(const ResizedSource&) const = default;
};

// The source that a shrunk or resized picture is made from; for other pictures, the source itself.
std::string original_source(const std::string& source);

// Empty if it is another kind of source.
std::optional<ShrunkSource> parse_shrunk_source(std::string_view source);
std::optional<ResizedSource> parse_resized_source(std::string_view source);

// What one steps through in a file: its parts; of a file with a single one, its layers.

// The layers of a single picture, each with the channels that are shown together; if it has one layer of many channels,
// or plain data, its usual channels and then each one alone. None if there is nothing to step through.
std::vector<PictureFacts::Part> layers_as_parts(const PictureFacts& facts);

// These, or the parts.
std::vector<PictureFacts::Part> parts_to_step_through(const PictureFacts& facts);

// Which of the layers, from 0, holds the first channel that is read; `channels` are all of the picture.
int shown_layer(const PictureChoice& choice, const std::vector<PictureFacts::Part>& layers,
                const std::vector<std::string>& channels);

}  // namespace texelscope
