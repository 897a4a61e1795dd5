#pragma once
// What the system says of this process's memory.

#include <fstream>
#include <string>

namespace texelscope::test {

// Bytes by a key of /proc/self/status, such as VmRSS (in memory now), VmHWM (the most of that since forget_peak()) or RssAnon
// (of that, what no file holds); 0 if it is not said.
inline size_t status_bytes(const std::string& key) {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
        if (line.starts_with(key + ":")) return size_t(std::stoull(line.substr(key.size() + 1))) << 10;
    return 0;
}

// False if the system has no such thing.
inline bool forget_peak() {
    std::ofstream refs("/proc/self/clear_refs");
    refs << 5 << std::flush;
    return bool(refs);
}

}  // namespace texelscope::test
