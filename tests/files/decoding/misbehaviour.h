#pragma once
// Decoders as a damaged or hostile file might make them, which tests/files/main.cpp starts.

#include "app/files/decoding/decoder.h"

namespace texelscope::test {

// Does what the file is called, "!abort" and so on (see the table); decodes other files as the program does.
const Decoder& misbehaving_decoder();

// A sample of the regions that this decoder gives.
std::byte region_sample(int level, int64_t x, int64_t y);

}  // namespace texelscope::test
