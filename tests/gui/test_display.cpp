// Displays that drop connections: an X server does, while it starts anew after its last client has gone.

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "gpu/core/errors.h"
#include "tests/gui/viewer_test.h"

namespace texelscope::test {
namespace {

// The socket of a display, which has no file.
std::pair<sockaddr_un, socklen_t> address_of_display(const std::string& display) {
    const std::string path = "/tmp/.X11-unix/X" + display.substr(1);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path + 1, path.data(), path.size());
    return {address, socklen_t(offsetof(sockaddr_un, sun_path) + 1 + path.size())};
}

int socket_at(const std::string& display, int (*use)(int, const sockaddr*, socklen_t)) {
    const int descriptor = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const auto [address, size] = address_of_display(display);
    if (use(descriptor, reinterpret_cast<const sockaddr*>(&address), size) == 0) return descriptor;
    ::close(descriptor);
    return -1;
}

// A display that passes everything on to another one, but drops the first connections, and as many whenever its last client
// has gone.
class DroppingDisplay {
public:
    DroppingDisplay(std::string behind, int first, int later)
        : behind_(std::move(behind)), drops_(first), later_(later) {
        for (int number = 700; listening_ < 0 && number < 1000; ++number) {
            display_ = ":" + std::to_string(number);
            listening_ = socket_at(display_, ::bind);
        }
        ::listen(listening_, 16);
        thread_ = std::jthread([this](const std::stop_token& stop) { serve(stop); });
    }
    ~DroppingDisplay() {
        thread_.request_stop();
        thread_.join();
        for (const auto& [client, server] : clients_) ::close(client), ::close(server);
        ::close(listening_);
    }
    DroppingDisplay(const DroppingDisplay&) = delete;
    DroppingDisplay& operator=(const DroppingDisplay&) = delete;

    const std::string& display() const { return display_; }

private:
    void serve(const std::stop_token& stop) {
        while (!stop.stop_requested()) {
            std::vector<pollfd> all = {{listening_, POLLIN, 0}};
            for (const auto& [client, server] : clients_)
                all.push_back({client, POLLIN, 0}), all.push_back({server, POLLIN, 0});
            ::poll(all.data(), all.size(), 10);
            std::vector<std::pair<int, int>> left;
            for (size_t k = 0; k < clients_.size(); ++k) {
                const auto [client, server] = clients_[k];
                if ((!all[1 + 2 * k].revents || pass(client, server)) &&
                    (!all[2 + 2 * k].revents || pass(server, client))) {
                    left.push_back(clients_[k]);
                    continue;
                }
                ::close(client), ::close(server);
            }
            if (left.empty() && !clients_.empty()) drops_ = later_;
            clients_ = std::move(left);
            if (all[0].revents) let_in();
        }
    }

    void let_in() {
        const int client = ::accept4(listening_, nullptr, nullptr, SOCK_CLOEXEC);
        const int server = drops_ > 0 ? -1 : socket_at(behind_, ::connect);
        if (server >= 0) return clients_.emplace_back(client, server), void();
        --drops_;
        ::close(client);
    }

    // False at the end.
    static bool pass(int from, int to) {
        char bytes[65536];
        const ssize_t count = ::read(from, bytes, sizeof bytes);
        for (ssize_t done = 0; done < count;) {
            const ssize_t sent = ::send(to, bytes + done, size_t(count - done), MSG_NOSIGNAL);
            if (sent <= 0) return false;
            done += sent;
        }
        return count > 0;
    }

    std::string behind_, display_;
    int drops_, later_, listening_ = -1;
    std::vector<std::pair<int, int>> clients_;
    std::jthread thread_;
};

class DroppedConnections : public ViewerTest {
protected:
    void SetUp() override {
        ViewerTest::SetUp();
        if (IsSkipped()) return;
        const int reached = socket_at(screen_->display(), ::connect);
        if (reached < 0) GTEST_SKIP() << "the display has no such socket";
        ::close(reached);
        unsetenv("WAYLAND_DISPLAY");
    }

    static Window::Options hidden() { return {.width = 64, .height = 64, .visible = false}; }
    static constexpr int always = 1 << 30;
};

TEST_F(DroppedConnections, AreTriedAgain) {
    const DroppingDisplay display(screen_->display(), 3, always);
    setenv("DISPLAY", display.display().c_str(), 1);
    EXPECT_NO_THROW(Window{hidden()});
}

TEST_F(DroppedConnections, AreNamedIfNoneIsTaken) {
    const DroppingDisplay display(screen_->display(), always, always);
    setenv("DISPLAY", display.display().c_str(), 1);
    try {
        const Window window(hidden());
        ADD_FAILURE() << "a window without a display";
    } catch (const Unavailable& error) {
        EXPECT_THAT(error.what(), testing::HasSubstr("open display " + display.display()));
    }
}

// The viewer asks the server for the screen's profile before it has a window.
TEST_F(DroppedConnections, AreNotCausedByTheViewerItself) {
    const DroppingDisplay display(screen_->display(), 0, always);
    setenv("DISPLAY", display.display().c_str(), 1);
    setenv("XDG_CONFIG_HOME", scratch("texelscope-dropped").c_str(), 1);
    ViewerOptions options;
    options.images = {"@step:64"};
    EXPECT_NO_THROW(texelscope::Viewer{options});
    unsetenv("XDG_CONFIG_HOME");
}

}  // namespace
}  // namespace texelscope::test
