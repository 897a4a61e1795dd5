#include "app/files/decoding/host.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstring>
#include <mutex>
#include <new>
#include <optional>
#include <string>
#include <system_error>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/files/decoding/decoder.h"
#include "gpu/core/errors.h"
#include "gpu/core/parallel.h"

namespace texelscope {
namespace decoding {
namespace {

// The first word of a program that is started only to be a host; the second is the number of its end of the socket.
constexpr const char* host_word = "--decoding-host";

struct Link {
    std::mutex mutex;
    Descriptor control;
    pid_t host = 0;
    bool started = false;

    void forget() {
        control = {};
        if (host > 0) ::kill(host, SIGKILL);
        if (host > 0) ::waitpid(host, nullptr, 0);
        host = 0;
    }
};

Link& link() {
    static Link link;
    return link;
}

bool kernel_can() {
    const Descriptor process(open_process(::getpid()));
    const Descriptor memory(::memfd_create("picture", MFD_CLOEXEC | MFD_ALLOW_SEALING));
    return process && memory;
}

// This program again, from its file: it must not be forked any more, now that it has threads and windows.
void start_again(Link& link) {
    auto [mine, its] = connected_sockets();
    const Descriptor inherited(::fcntl(its.number(), F_DUPFD, 3));  // stays open
    const std::string number = std::to_string(inherited.number());
    const std::array<char*, 4> words = {const_cast<char*>("texelscope"), const_cast<char*>(host_word),
                                        const_cast<char*>(number.c_str()), nullptr};
    if (::posix_spawn(&link.host, "/proc/self/exe", nullptr, nullptr, words.data(), environ) != 0) {
        link.host = 0;
        throw Error("no process can be made to read it");
    }
    link.control = std::move(mine);
}

}  // namespace

ChildProcess::ChildProcess(Descriptor socket, Descriptor process, Descriptor status)
    : socket_(std::move(socket)), process_(std::move(process)), status_(std::move(status)) {}

void ChildProcess::end() const { send_signal(process_.number(), SIGKILL); }

int ChildProcess::ending() const {
    pollfd wait{status_.number(), POLLIN, 0};
    if (::poll(&wait, 1, 500) <= 0) end();  // it may have closed its socket and go on
    int status = -1;
    ssize_t count = 0;
    do count = ::read(status_.number(), &status, sizeof status);
    while (count < 0 && errno == EINTR);
    return count == sizeof status ? status : -1;
}

ChildProcess take_child(uint32_t modules) {
    Link& host = link();
    const std::lock_guard lock(host.mutex);
    for (int attempt = 0; attempt < 2; ++attempt) {
        if (!host.control) start_again(host);
        Message request;
        request.modules = modules;
        send(host.control.number(), request);
        Received answer = receive(host.control.number());
        auto& given = answer.descriptors;
        if (answer.what == Received::What::message && given.size() == 3)
            return {std::move(given[0]), std::move(given[1]), std::move(given[2])};
        if (answer.what == Received::What::message) break;  // the system has no process left
        host.forget();
    }
    throw Error("no process can be made to read it");
}

}  // namespace decoding

void start_decoding(int argc, char** argv, const Decoder& decoder) {
    static Decoder kept;
    kept = decoder;
    if (argc == 3 && std::strcmp(argv[1], decoding::host_word) == 0) {
        int number = -1;
        std::from_chars(argv[2], argv[2] + std::strlen(argv[2]), number);
        if (number < 3 || ::fcntl(number, F_GETFD) < 0) ::_exit(2);
        decoding::run_host(Descriptor(number), kept);
    }
    if (!decoding::kernel_can()) return;
    decoding::Link& host = decoding::link();
    auto [mine, its] = decoding::connected_sockets();
    host.host = ::fork();
    if (host.host == 0) decoding::run_host(std::move(its), kept);
    if (host.host > 0) host.control = std::move(mine);
    host.started = true;  // without a process, it is tried again when there is a file
}

bool decodes_in_child() { return decoding::link().started; }

std::string remedy_without(std::string_view package) { return fmt::format("install {} and build again", package); }

std::string decoding_facts() {
    return decodes_in_child() ? "in a process of its own (" + decoding::sandbox_facts() + ")" : "in this process";
}

}  // namespace texelscope

namespace texelscope::decoding {
namespace {

struct HostedDecoder {
    pid_t number = 0;
    Descriptor process, status;
};

// A decoder that waits for its file.
struct Spare {
    HostedDecoder child;
    Descriptor socket, status;  // for the program
};

class Host {
public:
    Host(Descriptor control, const Decoder& decoder) : control_(std::move(control)), decoder_(decoder) {}

    [[noreturn]] void run() {
        for (;;) {
            if (!spare_) spare_ = made();
            std::vector<pollfd> waits = {{control_.number(), POLLIN, 0}};
            for (const HostedDecoder& child : children_) waits.push_back({child.process.number(), POLLIN, 0});
            if (::poll(waits.data(), waits.size(), -1) < 0) continue;
            if (waits[0].revents) answer();
            std::erase_if(children_, [](const HostedDecoder& child) { return reported(child); });
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

    static bool reported(const HostedDecoder& child) {
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
    std::vector<HostedDecoder> children_;
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

namespace {

// Giving back a large picture takes longer than a frame, which a thread of its own does not hold up.
void unmap(std::byte* data, size_t bytes) noexcept {
    constexpr size_t large = size_t(64) << 20;
    if (bytes >= large) try {
            std::thread([data, bytes] { ::munmap(data, bytes); }).detach();
            return;
        } catch (const std::system_error&) {  // no thread: here, then
        }
    ::munmap(data, bytes);
}

}  // namespace

SampleMemory SharedMemory::operator()(size_t bytes) {
    file = Descriptor(::memfd_create("picture", MFD_CLOEXEC | MFD_ALLOW_SEALING));
    if (!file || ::ftruncate(file.number(), off_t(bytes)) != 0) throw std::bad_alloc();
    ::fcntl(file.number(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL);
    void* data = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file.number(), 0);
    if (data == MAP_FAILED) throw std::bad_alloc();
    return {static_cast<std::byte*>(data), bytes, unmap};
}

size_t touch_ahead(std::span<std::byte> memory, size_t ready, size_t filled, size_t ahead) {
#ifdef MADV_POPULATE_WRITE
    constexpr size_t page = size_t(2) << 20;  // whole pages of any size
    const size_t end = std::min(memory.size(), filled + ahead) / page * page;
    if (ready >= end) return ready;
    ::madvise(memory.data() + ready, end - ready, MADV_POPULATE_WRITE);  // a kernel before 5.14 does nothing
    return end;
#else
    return ready;
#endif
}

uint64_t processor_seconds(std::chrono::milliseconds patience) {
    return uint64_t(patience.count() / 100 + 1) * std::max(1u, std::thread::hardware_concurrency());
}

Message request_about(const EncodedFile& file, Message::Kind kind) {
    Message request;
    request.kind = kind;
    request.format = file.format;
    request.modules = file.modules;
    request.niceness = niceness();  // who waits for it with low priority is not in its way either
    request.bytes = file.bytes;
    request.set_format_name(file.format_name);
    request.set_text(file.name);
    if (!request.set_choice(text_of(file.choice))) throw Error("the names of part and channels are too long");
    if (file.companions) {
        request.beside = file.companions->kind;
        request.set_name_there(file.companions->name);
    }
    return request;
}

std::optional<SampleRegion> frame_of(const Message& claim) {
    constexpr int64_t farthest = int64_t(1) << 32;
    const auto near = [](int64_t place) { return place >= -farthest && place <= farthest; };
    const SampleRegion& frame = claim.frame;
    if (frame.empty() || !near(frame.x) || !near(frame.y)) return {};
    return frame;
}

ChildProcess child_with(const Message& request, const EncodedFile& file) {
    std::vector<int> descriptors = {file.descriptor};
    if (file.companions) descriptors.push_back(file.companions->folder.number());
    return child_with(request, descriptors);
}

ChildProcess child_with(const Message& request, std::span<const int> descriptors) {
    for (int attempt = 0; attempt < 3; ++attempt) {
        ChildProcess child = take_child(request.modules);
        if (send(child.socket(), request, descriptors)) return child;  // else it was killed before its time
    }
    throw Error("its decoders were killed before they could begin");
}

namespace {

std::string crash(int signal) {
    switch (signal) {
        case SIGSEGV: return "it crashed (an invalid memory access)";
        case SIGBUS: return "it crashed (the file may have become shorter while it was read)";
        case SIGFPE: return "it crashed (a division by zero)";
        case SIGABRT: return "it gave up (abort)";
        case SIGILL:
        case SIGTRAP: return "it crashed (an invalid instruction)";
        case SIGSYS: return "it was stopped, since it tried what reading a picture does not need";
        default: return fmt::format("it was ended by signal {}", signal);
    }
}

}  // namespace

std::string words_of_ending(int status, std::string_view format_name) {
    const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    if (signal == SIGKILL) return "its decoder was killed, perhaps because the system ran out of memory";
    if (signal == SIGXCPU) return "its decoder was stopped, since it took far longer than such a picture should";
    return fmt::format("the {} is damaged, or its decoder is at fault: {}", format_name,
                       signal ? crash(signal) : fmt::format("it ended with status {}", WEXITSTATUS(status)));
}

}  // namespace texelscope::decoding
