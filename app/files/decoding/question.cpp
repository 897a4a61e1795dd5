// Work on hostile bytes that is no picture: a question to a decoder, and its answer. Nothing that comes from it is trusted.

#include <algorithm>
#include <array>
#include <new>

#include <fmt/format.h>

#include "app/files/decoding/child_request.h"
#include "app/files/decoding/decoding.h"
#include "app/files/decoding/endings.h"

namespace texelscope {
namespace decoding {
namespace {

constexpr size_t question_memory = size_t(512) << 20;  // of libraries and their buffers

// What the decoder says when it is done: how many bytes it has written.
size_t written(const ChildProcess& child, std::chrono::milliseconds patience) {
    using What = Received::What;
    using Kind = Message::Kind;
    const Received received = receive(child.socket(), patience);
    if (received.what == What::silence)
        throw Error(fmt::format("it was given up after {:.3g} seconds", double(patience.count()) / 1000));
    if (received.what == What::end) {
        const int status = child.ending();
        throw Error(status < 0 ? "its decoder was killed" : words_of_ending(status, "profile"));
    }
    if (received.what == What::message) {
        const Message& message = received.message;
        if (message.kind == Kind::done) return size_t(message.bytes);
        if (message.kind == Kind::failed || message.kind == Kind::out_of_memory) throw Error(message.sentence());
    }
    throw Error("its decoder was stopped: what it said made no sense");
}

}  // namespace
}  // namespace decoding

std::vector<std::byte> compute_in_child(std::span<const std::byte> question, size_t most_bytes,
                                        std::chrono::milliseconds patience) {
    using namespace decoding;
    try {
        SharedMemory asked, answered;
        SampleMemory copy = asked(question.size());
        std::copy(question.begin(), question.end(), copy.data());
        const SampleMemory answer = answered(most_bytes);
        Message request;
        request.kind = Message::Kind::question;
        request.bytes = question.size();
        request.memory = question_memory;
        request.seconds = processor_seconds(patience);
        const std::array descriptors = {asked.file.number(), answered.file.number()};
        const ChildProcess child = child_with(request, descriptors);
        struct End {
            const ChildProcess& child;
            ~End() { child.end(); }
        } const end{child};
        const size_t count = written(child, patience);
        if (count > most_bytes) throw Error("its decoder was stopped: what it said made no sense");
        return {answer.data(), answer.data() + count};
    } catch (const std::bad_alloc&) {
        throw OutOfMemory("not enough memory to work it out");
    }
}

}  // namespace texelscope
