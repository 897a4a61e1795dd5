#pragma once
// What of a picture fits into a file: its samples, their type, its colour profile.

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "app/files/bytes/rows.h"
#include "app/files/codecs/codecs.h"
#include "gpu/core/image.h"

namespace texelscope {

// Converts an image to a form that a file format can hold.

// The sample type to write by default: integers keep every level if the format allows it; floats stay floats if the
// format has them, else they become 8 bits.
SampleType default_type(const Codec& codec, SampleType stored);

// Channels, alpha and type as the format takes them; `channels` are the numbers of channels it allows, e.g. "13".
// - Alpha becomes straight or premultiplied, whichever the format stores. Without alpha the picture is laid over black.
// - If the format does not have that number of channels, grey becomes RGB, two plain channels become R, G and 0, and
//   the last of four plain channels is dropped.
// Losses are added to `losses`, unless that is null. Throws Error if a picture would lose its colour.
Image fitted(const Codec& codec, const Image& image, SampleType type, std::string_view channels,
             Losses* losses = nullptr);

// In which type a picture is written, and why not in that of the image it comes from.

// The type of the file's samples, "8 bits", and why it is another than asked for: "8 bits: PNG has no floats".
struct WrittenDepth {
    SampleType type;
    std::string words;
    bool less = false;  // than the image has
};

// The type in which a picture made from samples of type `stored` is written, see options_for(). Throws UsageError if
// the format does not hold the chosen type.
WrittenDepth written_depth(const std::filesystem::path& path, SampleType stored, std::optional<SampleType> chosen);

// Colour profiles in files that are written.

// The profile whose ICC bytes go into a file of this format; null: the picture has none for its channels, or this build
// cannot write it.
std::shared_ptr<const ColourProfile> written_profile(const Codec& codec, const RowSource& picture);

// Whether a file of this name says of the picture's colours what its profile says: by an ICC profile, or because all files of
// its format are like that. Formats of plain numbers (.npy, .pfm) say nothing, and nobody expects it: true.
bool carries_profile(const std::filesystem::path& path, const RowSource& picture);

}  // namespace texelscope
