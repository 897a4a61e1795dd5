#pragma once
// What a decoder may do: compute, read the file that it was given and its companions, fill the memory that it was given, and say
// so.

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

#include <linux/filter.h>

#include "app/files/decoding/companions.h"

namespace texelscope::decoding {

// Filters of system calls. Made once, in the host, since making one takes longer than reading a small file.
class Sandbox {
public:
    Sandbox();

    // For good, for this process and what it would start. `opens_file`: it may open this file and its companions by their names,
    // and without Landlock any file, to read. What the kernel does not have is left out.
    void enter(int file, bool opens_file, const Companions* companions = nullptr) const;

private:
    std::vector<sock_filter> closed_, opening_;  // empty: no seccomp
};

// "limits, seccomp, Landlock": what this build and this kernel have.
std::string sandbox_facts();

// Limits the calling process: no dumps, few descriptors, no files written.
void limit_process();

// Data that it may hold beyond what it has now.
class MemoryLimit {
public:
    MemoryLimit();  // notes what it has
    void permit(size_t more) const;

private:
    size_t before_ = 0;
};

// Processor time from now on.
void limit_time(std::chrono::seconds time);

// No path can be opened any more, except for `file` (−1: none) and its companions, and no network used.
void enter_landlock(int file, const Companions* companions);
bool has_landlock();

}  // namespace texelscope::decoding
