#pragma once
// What one program sends, put together from the pieces in which it arrives.

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "app/viewer/pushing/push_request.h"

namespace texelscope {

struct PushedFrame {
    std::string name;
    std::shared_ptr<const Image> image;
};
using PushedThing = std::variant<PushedFrame, PushedFiles>;

class PushConnection {
public:
    // `check` refuses an image by its header, before there is memory for it; `take` gets what is complete. Both may
    // throw Error.
    struct Handlers {
        std::function<void(const PushedImage&)> check;
        std::function<void(PushedThing)> take;
    };
    explicit PushConnection(Handlers handlers = {}) : handlers_(std::move(handlers)) {}
    void set_handlers(Handlers handlers) { handlers_ = std::move(handlers); }  // before anything is received
    ~PushConnection();
    PushConnection(const PushConnection&) = delete;
    PushConnection& operator=(const PushConnection&) = delete;

    // Where the next bytes belong; never empty.
    std::span<std::byte> room();

    // So many have been put there. Throws Error if they cannot be what docs/pushing.md describes; after that the
    // connection is of no more use.
    void received(size_t count);

    // A file descriptor that came with the bytes, before received() is told of them. It is closed here.
    void received_descriptor(int descriptor);

    // Inside a header or an image.
    bool midway() const { return image_ || !line_.empty(); }
    std::string missing() const;  // of what: "3 of 12 MiB of x"

private:
    void take_bytes(std::span<const std::byte> bytes);
    void take_line();
    void begin(const PushedImage& header);
    void end();

    Handlers handlers_;
    std::vector<std::byte> buffer_;  // what room() offers for headers
    std::string line_;               // the header so far
    PushedImage header_;
    std::shared_ptr<Image> image_;  // while its samples arrive
    size_t filled_ = 0;             // bytes of it
    int descriptor_ = -1;
};

}  // namespace texelscope
