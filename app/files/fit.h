#pragma once
// Makes an image into what a file format can hold.

#include "app/files/formats.h"

namespace texelscope {

// The type in which samples go into the format when none is asked for: integers keep every level where the format can,
// floats stay floats where the format has them, else they become 8 bits.
SampleType default_type(const Format& format, SampleType stored);

// Channels, alpha and type as the format takes them; `channels` are the numbers of channels it may have, e.g. "13".
// - Alpha becomes straight or premultiplied as its files store it. Without alpha the picture is laid over black.
// - Where the format has no such number of channels, grey becomes RGB, two plain channels become R, G and 0, and of
//   four plain channels the last is dropped.
// Throws Error where a picture would lose its colour.
Image fitted(const Format& format, const Image& image, SampleType type, std::string_view channels);

}  // namespace texelscope
