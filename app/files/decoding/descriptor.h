#pragma once

#include <utility>

#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

namespace texelscope {

// Closes a file descriptor at the end.
class Descriptor {
public:
    Descriptor() = default;
    explicit Descriptor(int number) : number_(number) {}
    Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
    Descriptor& operator=(Descriptor other) noexcept {
        std::swap(number_, other.number_);
        return *this;
    }
    ~Descriptor() {
        if (number_ >= 0) ::close(number_);
    }

    explicit operator bool() const { return number_ >= 0; }
    int number() const { return number_; }

private:
    int number_ = -1;
};

}  // namespace texelscope

namespace texelscope::decoding {

// Descriptors of processes, which are never those of another process that got the same number. Through system calls: the
// header of Debian 12's C library cannot be used from C++.

// Below 0 if there is no such process, or the kernel is older than 5.3.
inline int open_process(pid_t process) { return int(::syscall(SYS_pidfd_open, process, 0)); }
inline void send_signal(int process, int signal) { ::syscall(SYS_pidfd_send_signal, process, signal, nullptr, 0); }

}  // namespace texelscope::decoding
