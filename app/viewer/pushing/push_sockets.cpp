#include "app/viewer/pushing/pushing.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "gpu/core/errors.h"

namespace texelscope {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view beginning = "window-";
constexpr size_t longest_name = 24;  // of a socket in the folder

// False if the path is too long for a socket.
bool fill(sockaddr_un& address, const fs::path& path) {
    address = {};
    address.sun_family = AF_UNIX;
    const std::string text = path.string();
    if (text.size() >= sizeof address.sun_path) return false;
    std::memcpy(address.sun_path, text.c_str(), text.size() + 1);
    return true;
}

// Whether a program answers at the socket, or at what a link leads to.
bool answers(const fs::path& socket) {
    const int descriptor = connect_to(socket);
    if (descriptor >= 0) ::close(descriptor);
    return descriptor >= 0;
}

bool is_private(const struct stat& folder) {
    return S_ISDIR(folder.st_mode) && folder.st_uid == ::geteuid() && (folder.st_mode & 077) == 0;
}

std::string unsafe(const fs::path& folder) {
    return fmt::format("{}: must be a folder that only you can use; make it so by chmod 700, or remove it",
                       folder.string());
}

void point_to(const fs::path& socket) {
    const fs::path link = socket.parent_path() / "socket", fresh = socket.string() + ".link";
    std::error_code ignored;
    fs::remove(fresh, ignored);
    fs::create_symlink(socket.filename(), fresh, ignored);
    fs::rename(fresh, link, ignored);
}

}  // namespace

PushPlace push_place() {
    const char* runtime = std::getenv("XDG_RUNTIME_DIR");
    if (!runtime || !*runtime) return {{}, "XDG_RUNTIME_DIR is not set"};
    const fs::path folder = fs::path(runtime) / "texelscope";
    if (!folder.is_absolute()) return {{}, "XDG_RUNTIME_DIR is not an absolute path"};
    if (folder.string().size() + longest_name >= sizeof(sockaddr_un::sun_path))
        return {{}, "the path in XDG_RUNTIME_DIR is too long for a socket"};
    return {folder, ""};
}

std::string push_facts() {
    const PushPlace place = push_place();
    if (!place.problem.empty()) return "none: " + place.problem;
    struct stat info {};
    if (::lstat(place.folder.c_str(), &info) == 0 && !is_private(info)) return "none: " + unsafe(place.folder);
    const auto sockets = window_sockets(place.folder);
    const auto windows = std::count_if(sockets.begin(), sockets.end(), answers);
    return fmt::format("{}, {}", place.socket().string(),
                       windows == 0   ? "no window is open"
                       : windows == 1 ? "a window is open"
                                      : fmt::format("{} windows are open", windows));
}

void prepare_push_folder(const fs::path& folder) {
    if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST)
        throw Error(fmt::format("{}: cannot be made: {}", folder.string(), std::strerror(errno)));
    struct stat info {};
    if (::lstat(folder.c_str(), &info) != 0 || !is_private(info)) throw Error(unsafe(folder));
}

std::vector<fs::path> window_sockets(const fs::path& folder) {
    std::vector<std::pair<timespec, fs::path>> found;
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
        struct stat info {};
        if (!entry.path().filename().string().starts_with(beginning)) continue;
        if (::lstat(entry.path().c_str(), &info) == 0 && S_ISSOCK(info.st_mode))
            found.emplace_back(info.st_mtim, entry.path());
    }
    std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
        return std::pair(a.first.tv_sec, a.first.tv_nsec) > std::pair(b.first.tv_sec, b.first.tv_nsec);
    });
    std::vector<fs::path> paths;
    for (auto& [time, path] : found) paths.push_back(std::move(path));
    return paths;
}

int connect_to(const fs::path& socket) {
    sockaddr_un address;
    if (!fill(address, socket)) return -1;
    const int descriptor = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    ucred other{};
    socklen_t size = sizeof other;
    const bool ours = descriptor >= 0 &&
                      ::connect(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 &&
                      ::getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &other, &size) == 0 && other.uid == ::geteuid();
    if (ours) return descriptor;
    if (descriptor >= 0) ::close(descriptor);
    return -1;
}

ListeningSocket listen_in(const fs::path& folder) {
    prepare_push_folder(folder);
    std::error_code ignored;
    for (const fs::path& other : window_sockets(folder))
        if (!answers(other)) fs::remove(other, ignored);
    static std::atomic<int> number = 0;
    const fs::path path = folder / fmt::format("{}{}-{}", beginning, ::getpid(), number++);
    fs::remove(path, ignored);  // of a process that had this number, if it cannot be asked
    sockaddr_un address;
    const int descriptor = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    // Before it has a name, so that no one else can use it at any moment.
    const bool listens = descriptor >= 0 && fill(address, path) && ::fchmod(descriptor, 0600) == 0 &&
                         ::bind(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 &&
                         ::listen(descriptor, 16) == 0;
    if (!listens) {
        const std::string why = std::strerror(errno);
        if (descriptor >= 0) ::close(descriptor);
        throw Error(fmt::format("{}: cannot listen there: {}", path.string(), why));
    }
    point_to(path);
    return {descriptor, path};
}

void leave_socket(const fs::path& path) {
    std::error_code ignored;
    const fs::path link = path.parent_path() / "socket";
    const bool newest = fs::read_symlink(link, ignored) == path.filename();
    fs::remove(path, ignored);
    if (!newest) return;
    for (const fs::path& other : window_sockets(path.parent_path()))
        if (answers(other)) return point_to(other);
    fs::remove(link, ignored);
}

std::optional<PushClient> PushClient::connect(const std::filesystem::path& folder) {
    int descriptor = connect_to(folder / "socket");
    for (const auto& socket : window_sockets(folder))  // the newest may have crashed
        if (descriptor < 0) descriptor = connect_to(socket);
    if (descriptor < 0) return {};
    const timeval patience{30, 0};
    ::setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    ::setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    return PushClient(descriptor);
}

PushClient::PushClient(PushClient&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), refused_(other.refused_) {}

PushClient::~PushClient() {
    if (descriptor_ >= 0) ::close(descriptor_);
}

void PushClient::send(const void* bytes, size_t count) {
    const char* next = static_cast<const char*>(bytes);
    while (count > 0 && !refused_) {
        const ssize_t sent = ::send(descriptor_, next, count, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        if (sent < 0 && errno == EAGAIN) throw Error("the window does not respond");
        if (sent < 0) refused_ = true;
        if (sent < 0) return;
        next += sent;
        count -= size_t(sent);
    }
}

void PushClient::check_answer() {
    std::string line;
    while (line.empty() || line.back() != '\n') {
        std::array<char, 4096> part;
        const ssize_t count = ::recv(descriptor_, part.data(), part.size(), 0);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0 && errno == EAGAIN) throw Error("the window does not respond");
        if (count <= 0) throw Error("the window has closed the connection");
        line.append(part.data(), size_t(count));
    }
    check_reply(line);
}

void PushClient::show(const std::string& name, const Image& image) {
    const std::string line = to_line(PushedImage{name, image.width(), image.height(), image.channels(), image.type(),
                                                 image.alpha(), image.one_dimensional()});
    send(line.data(), line.size());
    send(image.data(), image.size_bytes());
    check_answer();
}

void PushClient::open(const std::vector<std::string>& files) {
    const std::string line = to_line(PushedFiles{files});
    send(line.data(), line.size());
    check_answer();
}

void PushClient::close(const std::string& name) {
    const std::string line = to_line(PushedClose{name});
    send(line.data(), line.size());
    check_answer();
}

}  // namespace texelscope
