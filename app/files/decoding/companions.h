#pragma once
// Files that belong to another one and lie beside it: those of slides of several files. Whatever such a file says, its decoder
// opens no others.

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <sys/stat.h>
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

namespace texelscope {

enum class Beside : int32_t {
    nothing,
    folder,  // the files in a folder of the file's name without its extension
    files,   // the files whose names begin with its own without the extension
};

struct Companions {
    Beside kind = Beside::nothing;
    Descriptor folder;  // that holds the file
    std::string name;   // of the file in it

    std::string stem() const;  // the name without its extension
    bool has_folder() const;   // of that name
    // Their paths from `folder`. Regular files alone: no links, which may lead anywhere, and nothing in folders further below.
    std::vector<std::string> files() const;
};

// The companions of an open file, beside its real place. Null: it has none, or is in no folder, as in memory.
std::shared_ptr<const Companions> companions_of(int file, Beside kind);

// The state of one or more files: it differs once one of them has been changed.
struct FileState {
    uint64_t bytes = 0;
    int64_t modified = 0;  // nanoseconds; of several files the sum, in which no time hides behind a later one
    bool operator==(const FileState&) const = default;

    void add(const struct stat& info);
    // Adds those of the files that are there.
    void add(const Companions& companions, const std::vector<std::string>& files);
};

}  // namespace texelscope
