#pragma once
// Converts an image to a form that a file format can hold.

#include "app/files/codecs/codecs.h"
#include "app/files/codecs/losses.h"

namespace texelscope {

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

}  // namespace texelscope
