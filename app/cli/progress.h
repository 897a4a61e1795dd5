#pragma once

#include <cstddef>

#include "gpu/core/stop_watch.h"

namespace texelscope {

// A bar on stderr for work that takes longer than a second; nothing if stderr is not a terminal.
class Progress {
public:
    explicit Progress(size_t total);
    ~Progress();  // clears the bar
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    void show(size_t done);

private:
    size_t total_;
    bool terminal_, drawn_ = false;
    StopWatch watch_;
};

}  // namespace texelscope
