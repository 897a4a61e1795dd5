#pragma once
// The processes that decode: the host, which has the next one ready; what it takes to give a decoder its work; its life.
// Internal to this folder.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "app/files/decoding/channel.h"
#include "app/files/decoding/decoder.h"
#include "app/files/decoding/descriptor.h"
#include "app/files/decoding/sandbox.h"
#include "gpu/core/image.h"

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

// From several threads; starts the host again if it has ended. `modules`: see EncodedFile. Throws Error if there can be
// no process.
ChildProcess take_child(uint32_t modules);

// The life of the host: hands out decoders to whoever asks at `control`, says at each one's pipe how it ended (what
// waitpid says, an int), and ends with the program.
[[noreturn]] void run_host(Descriptor control, const Decoder& decoder);

// Memory that this process sizes and the decoder fills: whoever holds it can neither shrink it, which would end this
// process when it looks, nor let it grow.
struct SharedMemory {
    Descriptor file;

    SampleMemory operator()(size_t bytes);  // throws std::bad_alloc
};

// Takes the pages that a decoder fills next from the system, while that computes: the first touch of a page takes about as
// long as decoding what it holds. `ready` bytes have been touched and `filled` bytes hold pixels; gives the new `ready`,
// at most `ahead` bytes beyond them.
size_t touch_ahead(std::span<std::byte> memory, size_t ready, size_t filled, size_t ahead);

// The limit of a decoder's processor time, seconds of all processors together: ten times the patience, in case this
// process is held up.
uint64_t processor_seconds(std::chrono::milliseconds patience);

// What is asked about a file, except for memory and seconds. Throws Error.
Message request_about(const EncodedFile& file, Message::Kind kind);

// The picture's frame in a claim; unset if there is none, or it is so far away that it makes no sense.
std::optional<SampleRegion> frame_of(const Message& claim);

// A decoder that has been sent the request. Throws Error.
ChildProcess child_with(const Message& request, std::span<const int> descriptors);
ChildProcess child_with(const Message& request, const EncodedFile& file);

// How a decoder that has said nothing ended, for the user: "the SGI is damaged, or its decoder is at fault: it crashed
// (an invalid memory access)". `status`: of waitpid.
std::string words_of_ending(int status, std::string_view format_name);

// The life of a decoder: waits for a file at `socket`, decodes it, ends. To be called in a process that has nothing else
// open.
[[noreturn]] void run_worker(Descriptor socket, const Decoder& decoder, const Sandbox& sandbox);

}  // namespace texelscope::decoding
