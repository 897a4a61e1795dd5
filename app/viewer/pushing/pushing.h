#pragma once
// Pushing: what other programs ask of a running window, where windows listen and are found, and the thread that takes
// images.

#include <cstddef>
#include <filesystem>
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

// What other programs ask of a running window, one line of JSON each; docs/pushing.md describes it.

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

// Close the image of this name.
struct PushedClose {
    std::string name;
};

using PushRequest = std::variant<PushedImage, PushedFiles, PushedClose>;

// One line without its end. Throws Error: one sentence.
PushRequest parse_push_request(std::string_view line);

// With the end of the line.
std::string to_line(const PushedImage& image);
std::string to_line(const PushedFiles& files);
std::string to_line(const PushedClose& close);

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
using PushedThing = std::variant<PushedFrame, PushedFiles, PushedClose>;

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

// Where windows listen, and where programs find them.

struct PushPlace {
    std::filesystem::path folder;  // texelscope/ in XDG_RUNTIME_DIR; empty: windows do not listen …
    std::string problem;           // … because of this

    std::filesystem::path socket() const { return folder / "socket"; }  // a link to that of the newest window
};

PushPlace push_place();

// For `texelscope info`: "/run/user/1000/texelscope/socket, 2 windows are open", or why there is none.
std::string push_facts();

// Makes the folder if there is none. Throws Error if others than this user could use what is in it.
void prepare_push_folder(const std::filesystem::path& folder);

// The sockets of windows in the folder, dead ones as well, the newest first.
std::vector<std::filesystem::path> window_sockets(const std::filesystem::path& folder);

// A descriptor connected to the socket; below 0: no one listens, or it is not ours.
int connect_to(const std::filesystem::path& socket);

// Binds a new socket in the folder for the owner alone, listens, and lets the link point to it. Sockets of windows that
// are gone are removed. Throws Error.
struct ListeningSocket {
    int descriptor;
    std::filesystem::path path;
};
ListeningSocket listen_in(const std::filesystem::path& folder);

// Removes it; the link then points to the newest of the other windows.
void leave_socket(const std::filesystem::path& path);

// The program's own way to push: into the window that was opened last.

class PushClient {
public:
    // Empty if no window listens there.
    static std::optional<PushClient> connect(const std::filesystem::path& folder);
    PushClient(PushClient&& other) noexcept;
    PushClient& operator=(PushClient&&) = delete;
    ~PushClient();

    // These return once the window has what was sent, and throw Error with its sentence if it refuses that.
    void show(const std::string& name, const Image& image);
    void open(const std::vector<std::string>& files);
    void close(const std::string& name);

private:
    explicit PushClient(int descriptor) : descriptor_(descriptor) {}
    void send(const void* bytes, size_t count);
    void check_answer();

    int descriptor_;
    bool refused_ = false;  // the window takes no more bytes, but has said why
};

// Takes images and files from other programs, in a thread of its own.

struct PushLimits {
    int clients = 8;
    int names = 32;             // of pushed images that are open
    double stall_seconds = 10;  // without a byte, within a message
};

// What arrived since the last time. Of each name the newest image only. What is to be closed comes before the images: one
// that was pushed again after that is among them.
struct Pushed {
    std::vector<std::string> closed;  // names
    std::vector<PushedFrame> frames;
    std::vector<PushedFiles> files;
    std::string problem;  // the last refusal; empty: none
};

class PushServer {
public:
    // Listens in this folder. `wake` is called from the thread when has_news() has become true. Throws Error.
    PushServer(const std::filesystem::path& folder, std::function<void()> wake, const PushLimits& limits = {});
    ~PushServer();

    bool has_news() const;
    Pushed take();

    // The names of the pushed images that are open: others are refused once there are PushLimits::names, and only these
    // can be closed.
    void set_open(std::vector<std::string> names);

private:
    class Thread;
    std::unique_ptr<Thread> thread_;
};

}  // namespace texelscope
