#pragma once
// Descriptors of processes, which are never those of another process that got the same number. Through system calls: the
// header of Debian 12's C library cannot be used from C++.

#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

namespace texelscope::decoding {

// Below 0 if there is no such process, or the kernel is older than 5.3.
inline int open_process(pid_t process) { return int(::syscall(SYS_pidfd_open, process, 0)); }
inline void send_signal(int process, int signal) { ::syscall(SYS_pidfd_send_signal, process, signal, nullptr, 0); }

}  // namespace texelscope::decoding
