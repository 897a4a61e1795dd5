#pragma once
// Where windows listen, and where programs find them.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "gpu/core/image.h"

namespace texelscope {

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

    // They return once the window has what was sent, and throw Error with its sentence if it refuses that.
    void show(const std::string& name, const Image& image);
    void open(const std::vector<std::string>& files);

private:
    explicit PushClient(int descriptor) : descriptor_(descriptor) {}
    void send(const void* bytes, size_t count);
    void check_answer();

    int descriptor_;
    bool refused_ = false;  // the window takes no more bytes, but has said why
};

}  // namespace texelscope
