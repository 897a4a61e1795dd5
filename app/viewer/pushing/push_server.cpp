#include "app/viewer/pushing/pushing.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstring>
#include <list>
#include <mutex>
#include <set>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "gpu/core/errors.h"

namespace texelscope {
namespace {

using Clock = std::chrono::steady_clock;

bool is_ours(int descriptor) {
    ucred other{};
    socklen_t size = sizeof other;
    return ::getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &other, &size) == 0 && other.uid == ::geteuid();
}

// Replies are short: a program that leaves so many of them unread that one does not fit is not waited for.
bool reply(int descriptor, const std::string& line) {
    return ::send(descriptor, line.data(), line.size(), MSG_DONTWAIT | MSG_NOSIGNAL) == ssize_t(line.size());
}

// Bytes into `room`, and descriptors that come with them. As recv.
ssize_t receive(int descriptor, std::span<std::byte> room, PushConnection& connection) {
    constexpr size_t most_descriptors = 4;
    alignas(cmsghdr) std::array<char, CMSG_SPACE(most_descriptors * sizeof(int))> control;
    iovec part{room.data(), room.size()};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = control.data();
    message.msg_controllen = control.size();
    const ssize_t count = ::recvmsg(descriptor, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    if (count < 0) return count;
    for (cmsghdr* head = CMSG_FIRSTHDR(&message); head; head = CMSG_NXTHDR(&message, head)) {
        if (head->cmsg_level != SOL_SOCKET || head->cmsg_type != SCM_RIGHTS) continue;
        const size_t descriptors = (head->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (size_t i = 0; i < descriptors; ++i) {
            int number;
            std::memcpy(&number, CMSG_DATA(head) + i * sizeof(int), sizeof number);
            connection.received_descriptor(number);
        }
    }
    return count;
}

}  // namespace

class PushServer::Thread {
public:
    Thread(const std::filesystem::path& folder, std::function<void()> wake, const PushLimits& limits)
        : wake_(std::move(wake)), limits_(limits), listening_(listen_in(folder)), stop_(::eventfd(0, EFD_CLOEXEC)) {
        thread_ = std::thread([this] { run(); });
    }

    ~Thread() {
        ::eventfd_write(stop_, 1);
        thread_.join();
        for (const Client& client : clients_) ::close(client.descriptor);
        ::close(listening_.descriptor);
        ::close(stop_);
        leave_socket(listening_.path);
    }

    bool has_news() const { return news_; }

    Pushed take() {
        const std::lock_guard lock(mutex_);
        news_ = false;
        open_ = open_now();  // until the window says which are
        return std::exchange(pushed_, {});
    }

    void set_open(std::vector<std::string> names) {
        const std::lock_guard lock(mutex_);
        open_ = {names.begin(), names.end()};
    }

private:
    struct Client {
        explicit Client(int number) : descriptor(number) {}
        int descriptor;
        PushConnection connection;
        Clock::time_point heard = Clock::now();
        bool gone = false;
    };

    void tell() {
        if (!news_.exchange(true)) wake_();
    }

    void note_problem(const std::string& why) {
        {
            const std::lock_guard lock(mutex_);
            pushed_.problem = why;
        }
        tell();
    }

    // With what the window has not taken yet. Locked by the caller.
    std::set<std::string> open_now() const {
        std::set<std::string> names = open_;
        for (const std::string& name : pushed_.closed) names.erase(name);
        for (const PushedFrame& frame : pushed_.frames) names.insert(frame.name);
        return names;
    }

    void check(const PushedImage& header) {
        const std::lock_guard lock(mutex_);
        const std::set<std::string> names = open_now();
        if (!names.contains(header.name) && names.size() >= size_t(limits_.names))
            throw Error(fmt::format(
                "{} pushed images are open, and no more can be: close one (texelscope push --close NAME, or "
                "File ▸ Close, Ctrl+W, in the window), or push under one of their names",
                names.size()));
    }

    void take(Client& client, PushedThing thing) {
        if (const auto* close = std::get_if<PushedClose>(&thing)) {
            // Only the program is told: for the window nothing has gone wrong.
            if (!take(*close)) return answer_last(client, fmt::format("no pushed image named {} is open", close->name));
        } else {
            const std::lock_guard lock(mutex_);
            if (auto* files = std::get_if<PushedFiles>(&thing)) pushed_.files.push_back(std::move(*files));
            else take(std::get<PushedFrame>(std::move(thing)));
        }
        tell();
        if (!reply(client.descriptor, accepted_line())) client.gone = true;
    }

    // Locked by the caller.
    void take(PushedFrame frame) {
        const auto at = std::ranges::find(pushed_.frames, frame.name, &PushedFrame::name);
        if (at == pushed_.frames.end()) pushed_.frames.push_back(std::move(frame));
        else at->image = std::move(frame.image);
    }

    // False: there is none of this name.
    bool take(const PushedClose& close) {
        const std::lock_guard lock(mutex_);
        if (!open_now().contains(close.name)) return false;
        std::erase_if(pushed_.frames, [&](const PushedFrame& frame) { return frame.name == close.name; });
        const bool known = std::ranges::find(pushed_.closed, close.name) != pushed_.closed.end();
        if (open_.contains(close.name) && !known) pushed_.closed.push_back(close.name);
        return true;
    }

    static void answer_last(Client& client, const std::string& why) {
        reply(client.descriptor, refused_line(why));
        client.gone = true;
    }

    void refuse(Client& client, const std::string& why) {
        answer_last(client, why);
        note_problem(why);
    }

    void welcome() {
        const int number = ::accept4(listening_.descriptor, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
        if (number < 0) return;
        if (!is_ours(number) || clients_.size() >= size_t(limits_.clients)) {
            if (is_ours(number))
                reply(number, refused_line(fmt::format(
                                  "{} programs are connected, more are not served; try again later", clients_.size())));
            ::close(number);
            return;
        }
        Client& client = clients_.emplace_back(number);
        client.connection.set_handlers({[this](const PushedImage& header) { check(header); },
                                        [this, &client](PushedThing thing) { take(client, std::move(thing)); }});
    }

    void listen_to(Client& client) {
        try {
            const ssize_t count = receive(client.descriptor, client.connection.room(), client.connection);
            if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
            client.heard = Clock::now();
            if (count > 0) return client.connection.received(size_t(count));
            client.gone = true;
            // The refusal goes to the program, too, which may have shut down its sending side only.
            if (client.connection.midway()) refuse(client, "it ended after " + client.connection.missing());
        } catch (const Error& error) {
            refuse(client, error.what());
        } catch (const std::exception& error) {
            refuse(client, std::string("it cannot be taken: ") + error.what());
        }
    }

    // Milliseconds until the next one has said nothing for too long; −1: none is awaited.
    int patience() const {
        double least = -1;
        for (const Client& client : clients_) {
            if (!client.connection.midway()) continue;
            const double left = std::max(limits_.stall_seconds - silent(client), 0.0);
            least = least < 0 ? left : std::min(least, left);
        }
        return least < 0 ? -1 : int(std::ceil(least * 1000));
    }

    static double silent(const Client& client) {
        return std::chrono::duration<double>(Clock::now() - client.heard).count();
    }

    void drop_stalled() {
        for (Client& client : clients_)
            if (!client.gone && client.connection.midway() && silent(client) >= limits_.stall_seconds)
                refuse(client, fmt::format("nothing came for {:g} s after {}", limits_.stall_seconds,
                                           client.connection.missing()));
    }

    void run() {
        for (;;) {
            std::vector<pollfd> waited = {{stop_, POLLIN, 0}, {listening_.descriptor, POLLIN, 0}};
            for (const Client& client : clients_) waited.push_back({client.descriptor, POLLIN, 0});
            if (::poll(waited.data(), nfds_t(waited.size()), patience()) < 0 && errno != EINTR) return;
            if (waited[0].revents) return;
            size_t index = 2;
            for (Client& client : clients_)
                if (waited[index++].revents) listen_to(client);
            drop_stalled();
            clients_.remove_if([](const Client& client) {
                if (client.gone) ::close(client.descriptor);
                return client.gone;
            });
            if (waited[1].revents) welcome();
        }
    }

    std::function<void()> wake_;
    PushLimits limits_;
    ListeningSocket listening_;
    int stop_;
    std::list<Client> clients_;  // used by the thread only
    std::atomic<bool> news_ = false;
    mutable std::mutex mutex_;
    Pushed pushed_;
    std::set<std::string> open_;
    std::thread thread_;
};

PushServer::PushServer(const std::filesystem::path& folder, std::function<void()> wake, const PushLimits& limits)
    : thread_(std::make_unique<Thread>(folder, std::move(wake), limits)) {}

PushServer::~PushServer() = default;

bool PushServer::has_news() const { return thread_->has_news(); }
Pushed PushServer::take() { return thread_->take(); }
void PushServer::set_open(std::vector<std::string> names) { thread_->set_open(std::move(names)); }

}  // namespace texelscope
