#include "app/files/decoding/child_request.h"

#include <algorithm>
#include <csignal>
#include <new>
#include <system_error>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gpu/core/errors.h"
#include "gpu/core/parallel.h"

namespace texelscope::decoding {
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
