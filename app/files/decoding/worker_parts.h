#pragma once
// What the kinds of work of a decoder have in common. Internal to this folder.

#include <algorithm>
#include <chrono>
#include <exception>
#include <new>
#include <string>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include "app/files/decoding/channel.h"
#include "app/files/decoding/sandbox.h"
#include "gpu/core/ascii.h"

namespace texelscope::decoding {

// What libraries print. Some report damage nowhere else (libtiff, LibRaw). More than the pipe holds is lost.
class Printed {
public:
    Printed() {
        int ends[2];
        if (::pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) return;
        ::dup2(ends[1], STDERR_FILENO);
        ::close(ends[1]);
        read_ = Descriptor(ends[0]);
    }
    // The first line that is no warning, or "".
    std::string complaint() {
        std::string text(65536, '\0');
        const ssize_t count = ::read(read_.number(), text.data(), text.size());
        text.resize(size_t(std::max<ssize_t>(count, 0)));
        for (size_t begin = 0; begin < text.size();) {
            const size_t end = std::min(text.find('\n', begin), text.size());
            const std::string line = text.substr(begin, end - begin);
            if (!line.empty() && lower_case(line).find("warning") == line.npos) return line;
            begin = end + 1;
        }
        return {};
    }

private:
    Descriptor read_;
};

// What the process that asked permits.
class Permission {
public:
    explicit Permission(const Message& request) : request_(request) { give(request); }

    void give(const Message& message, size_t for_picture = 0) const {
        // Who reads regions holds neither the file nor the picture.
        const uint64_t for_file = request_.kind == Message::Kind::regions ? 0 : 2 * request_.bytes;
        memory_.permit(size_t(message.memory + for_file) + for_picture);
        limit_time(std::chrono::seconds(message.seconds));
    }

private:
    const Message& request_;
    MemoryLimit memory_;
};

// What `work` comes to, which fills in the message.
inline Message outcome(auto work) {
    Message message;
    message.kind = Message::Kind::done;
    try {
        work(message);
    } catch (const OutOfMemory& error) {
        message.kind = Message::Kind::out_of_memory;
        message.set_text(error.what());
    } catch (const std::bad_alloc&) {
        message.kind = Message::Kind::out_of_memory;
        message.set_text("reading it takes more memory than such a picture should need");
    } catch (const std::exception& error) {
        message.kind = Message::Kind::failed;
        message.set_text(error.what());
    }
    return message;
}

// Both are memory that the asking process has made, which cannot change its size.
struct Mapped {
    Mapped(int file, int rights)
        : bytes(size_t(std::max<off_t>(::lseek(file, 0, SEEK_END), 0))),
          data(::mmap(nullptr, bytes, rights, MAP_SHARED, file, 0)) {
        if (data == MAP_FAILED) ::_exit(0);
    }
    std::byte* begin() const { return static_cast<std::byte*>(data); }

    size_t bytes;
    void* data;
};

// Serves regions of the file until no one asks any more.
[[noreturn]] void serve_regions(int socket, const EncodedFile& file, const Decoder& decoder, Printed& printed,
                                const Permission& permission);

}  // namespace texelscope::decoding
