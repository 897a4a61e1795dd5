#pragma once
// Decoders as a damaged or hostile file might make them.

#include "app/files/decoding/decoder.h"

namespace texelscope::test {

// Does what the file is called, "!abort" and so on (see the table); decodes other files as the program does.
const Decoder& misbehaving_decoder();

}  // namespace texelscope::test
