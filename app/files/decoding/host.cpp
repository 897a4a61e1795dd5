#include "app/files/decoding/host.h"

#include <algorithm>
#include <array>
#include <csignal>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/files/decoding/channel.h"
#include "app/files/decoding/pidfd.h"
#include "app/files/decoding/worker.h"
#include "gpu/core/errors.h"

namespace texelscope::decoding {
namespace {

struct Child {
    pid_t number = 0;
    Descriptor process, status;
};

// A decoder that waits for its file.
struct Spare {
    Child child;
    Descriptor socket, status;  // for the program
};

class Host {
public:
    Host(Descriptor control, const Decoder& decoder) : control_(std::move(control)), decoder_(decoder) {}

    [[noreturn]] void run() {
        for (;;) {
            if (!spare_) spare_ = made();
            std::vector<pollfd> waits = {{control_.number(), POLLIN, 0}};
            for (const Child& child : children_) waits.push_back({child.process.number(), POLLIN, 0});
            if (::poll(waits.data(), waits.size(), -1) < 0) continue;
            if (waits[0].revents) answer();
            std::erase_if(children_, [](const Child& child) { return reported(child); });
        }
    }

private:
    std::optional<Spare> made() {
        int pipe[2];
        if (::pipe2(pipe, O_CLOEXEC) != 0) return {};
        Spare spare;
        spare.status = Descriptor(pipe[0]);
        spare.child.status = Descriptor(pipe[1]);
        Descriptor childs;
        try {
            std::tie(spare.socket, childs) = connected_sockets();
        } catch (const Error&) {
            return {};
        }
        const pid_t host = ::getpid(), number = ::fork();
        if (number == 0) become_decoder(host, childs.number());
        if (number < 0) return {};
        spare.child.number = number;
        spare.child.process = Descriptor(open_process(number));
        return spare;
    }

    [[noreturn]] void become_decoder(pid_t host, int socket) {
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (::getppid() != host) ::_exit(0);  // it ended before that took effect
        ::prctl(PR_SET_NAME, "texelscope-file");
        ::dup2(socket, 3);
        ::close_range(4, ~0u, 0);  // the ends of others: closing them must be noticed
        run_worker(Descriptor(3), decoder_, sandbox_);
    }

    void answer() {
        const Received request = receive(control_.number());
        if (request.what != Received::What::message)
            ::_exit(0);  // the program has ended, and its decoders do with this
        prepare(request.message.modules);
        Message message;
        if (!spare_) {
            message.kind = Message::Kind::failed;
            send(control_.number(), message);
            return;
        }
        const std::array descriptors = {spare_->socket.number(), spare_->child.process.number(),
                                        spare_->status.number()};
        send(control_.number(), message, descriptors);
        children_.push_back(std::move(spare_->child));
        spare_.reset();
    }

    // The decoder that waits was made before: it ends as its socket is closed.
    void prepare(uint32_t modules) {
        if ((modules & ~modules_) == 0) return;
        modules_ |= modules;
        if (decoder_.prepare) decoder_.prepare(modules);
        if (spare_) children_.push_back(std::move(spare_->child));
        spare_ = made();
    }

    static bool reported(const Child& child) {
        int status = 0;
        if (::waitpid(child.number, &status, WNOHANG) != child.number) return false;
        static_cast<void>(::write(child.status.number(), &status, sizeof status) == sizeof status);
        return true;
    }

    Descriptor control_;
    const Decoder& decoder_;
    const Sandbox sandbox_;
    std::optional<Spare> spare_;
    uint32_t modules_ = 0;  // that are there, or cannot be
    std::vector<Child> children_;
};

}  // namespace

void run_host(Descriptor control, const Decoder& decoder) {
    ::setsid();  // Ctrl+C in the terminal is the program's business
    ::prctl(PR_SET_NAME, "texelscope-host");
    ::signal(SIGPIPE, SIG_IGN);
    const int kept = ::fcntl(control.number(), F_DUPFD, 4);  // it may be one of the three, if they were closed
    const int nowhere = ::open("/dev/null", O_RDWR);
    for (const int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::dup2(nowhere, standard);
    ::dup2(kept, 3);
    ::close_range(4, ~0u, 0);
    ::fcntl(3, F_SETFD, FD_CLOEXEC);
    Host(Descriptor(3), decoder).run();
}

}  // namespace texelscope::decoding
