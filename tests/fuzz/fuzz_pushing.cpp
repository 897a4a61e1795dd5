// Arbitrary bytes for a connection by which programs push images: each is put together or refused by Error.

#include <cstring>

#include "app/viewer/pushing/pushing.h"
#include "tests/fuzz/fuzz.h"

namespace {

using namespace texelscope;

constexpr size_t most_bytes = 1 << 20;  // of an image; larger ones only take time

// In pieces of this size; how many messages were complete.
int messages_in(ByteSpan bytes, size_t piece) {
    int complete = 0;
    PushConnection connection({[](const PushedImage& image) {
                                   if (bytes_of(image) > most_bytes) throw Error("too large for this");
                               },
                               [&](const PushedThing& thing) {
                                   const auto* frame = std::get_if<PushedFrame>(&thing);
                                   if (frame && (frame->name.empty() || !frame->image || frame->image->empty()))
                                       __builtin_trap();
                                   ++complete;
                               }});
    fuzz::accepts([&] {
        while (!bytes.empty()) {
            const auto room = connection.room();
            if (room.empty()) __builtin_trap();
            const size_t count = std::min({piece, room.size(), bytes.size()});
            std::memcpy(room.data(), bytes.data(), count);
            bytes = bytes.subspan(count);
            connection.received(count);
        }
    });
    return complete;
}

}  // namespace

int fuzz::accepted(ByteSpan bytes) {
    const int whole = messages_in(bytes, bytes.size() + 1), pieces = messages_in(bytes, 5);
    if (whole != pieces) __builtin_trap();
    return whole > 0;
}

std::vector<std::string> fuzz::seeds() {
    return {
        "{\"texelscope\":1,\"do\":\"show\",\"name\":\"x\",\"width\":3,\"height\":2}\nabcdef",
        "{\"texelscope\":1,\"do\":\"show\",\"name\":\"x\",\"width\":1,\"height\":1,\"channels\":4,\"type\":\"f32\","
        "\"alpha\":\"straight\",\"signal\":true}\n0123456789abcdef",
        "{\"texelscope\":1,\"do\":\"open\",\"files\":[\"/a.png\",\"@step:8\"]}\n{\"texelscope\":1,\"do\":\"open\","
        "\"files\":[]}\n",
        "{\"texelscope\":1,\"do\":\"show\",\"name\":\"x\",\"width\":1,\"height\":1,\"memory\":true}\n",
    };
}

FUZZ_TARGET
