#pragma once

#include "app/files/decoding/decoder.h"
#include "app/files/decoding/descriptor.h"
#include "app/files/decoding/sandbox.h"

namespace texelscope::decoding {

// The life of a decoder: waits for a file at `socket`, decodes it, ends. To be called in a process that has nothing else
// open.
[[noreturn]] void run_worker(Descriptor socket, const Decoder& decoder, const Sandbox& sandbox);

}  // namespace texelscope::decoding
