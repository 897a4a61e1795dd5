#pragma once
// Where windows listen, and where programs find them.

#include <filesystem>
#include <string>
#include <vector>

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

}  // namespace texelscope
