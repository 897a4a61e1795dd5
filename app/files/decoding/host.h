#pragma once

#include "app/files/decoding/decoder.h"
#include "app/files/decoding/descriptor.h"

namespace texelscope::decoding {

// The life of the host: hands out decoders to whoever asks at `control`, says at each one's pipe how it ended (what
// waitpid says, an int), and ends with the program.
[[noreturn]] void run_host(Descriptor control, const Decoder& decoder);

}  // namespace texelscope::decoding
