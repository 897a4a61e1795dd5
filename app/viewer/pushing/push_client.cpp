#include "app/viewer/pushing/push_client.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "app/viewer/pushing/push_place.h"
#include "app/viewer/pushing/push_request.h"
#include "gpu/core/errors.h"

namespace texelscope {

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

}  // namespace texelscope
