#pragma once
// What it takes to give a decoder its work. Internal to this folder.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "app/files/decoding/channel.h"
#include "app/files/decoding/descriptor.h"
#include "app/files/decoding/host.h"
#include "gpu/core/image.h"

namespace texelscope::decoding {

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

// Of all processors together, in case that this process is held up.
uint64_t processor_seconds(std::chrono::milliseconds patience);

// What is asked about a file, but for memory and seconds. Throws Error.
Message request_about(const EncodedFile& file, Message::Kind kind);

// The picture's frame in a claim; unset if there is none, or it is so far away that it makes no sense.
std::optional<SampleRegion> frame_of(const Message& claim);

// A decoder that has been sent the request. Throws Error.
ChildProcess child_with(const Message& request, std::span<const int> descriptors);
ChildProcess child_with(const Message& request, const EncodedFile& file);

// How a decoder that has said nothing ended, for the user: "the SGI is damaged, or its decoder is at fault: it crashed
// (an invalid memory access)". `status`: of waitpid.
std::string words_of_ending(int status, std::string_view format_name);

}  // namespace texelscope::decoding
