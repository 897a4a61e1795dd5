#pragma once
// What other programs ask of a running window, one line of JSON each; docs/pushing.md describes it.

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "gpu/core/image.h"

namespace texelscope {

inline constexpr size_t most_push_header_bytes = size_t(64) << 10;
inline constexpr size_t most_push_name_bytes = 100, most_push_files = 1000;

// Show this image, or replace the one of that name; its samples follow.
struct PushedImage {
    std::string name;
    int width = 0, height = 0, channels = 1;
    SampleType type = SampleType::u8;
    Alpha alpha = Alpha::none;
    bool signal = false;  // one row, interpolated only along x
    bool memory = false;  // the samples are in shared memory whose descriptor comes with the line

    Image image() const;  // zero-filled. Throws Error or OutOfMemory
};

// Open these, and ask for the user's attention.
struct PushedFiles {
    std::vector<std::string> files;  // absolute paths or test images
};

using PushRequest = std::variant<PushedImage, PushedFiles>;

// One line without its end. Throws Error: one sentence.
PushRequest parse_push_request(std::string_view line);

// With the end of the line.
std::string to_line(const PushedImage& image);
std::string to_line(const PushedFiles& files);

std::string accepted_line();
std::string refused_line(const std::string& why);

// Throws Error with the sentence of a reply that is not accepted_line().
void check_reply(std::string_view line);

// Samples of an image in bytes, as it is sent.
size_t bytes_of(const PushedImage& image);

// What one program sends, put together from the pieces in which it arrives.

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
