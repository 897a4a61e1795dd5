#pragma once
// The program's side of the host.

#include <cstdint>

#include "app/files/decoding/decoder.h"
#include "app/files/decoding/descriptor.h"

namespace texelscope::decoding {

// A decoder that waits for its file.
class ChildProcess {
public:
    ChildProcess(Descriptor socket, Descriptor process, Descriptor status);

    int socket() const { return socket_.number(); }
    // Ends it; from any thread, and also if it has ended.
    void end() const;
    // Waits for its end: what waitpid says. −1 if no one knows.
    int ending() const;

private:
    Descriptor socket_, process_, status_;
};

// From several threads; starts the host anew if it has ended. `modules`: see EncodedFile. Throws Error if there can be no
// process.
ChildProcess take_child(uint32_t modules);

// The life of the host: hands out decoders to whoever asks at `control`, says at each one's pipe how it ended (what
// waitpid says, an int), and ends with the program.
[[noreturn]] void run_host(Descriptor control, const Decoder& decoder);

}  // namespace texelscope::decoding
