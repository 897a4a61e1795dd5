#pragma once
// Takes images and files from other programs, in a thread of its own.

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/viewer/pushing/push_messages.h"

namespace texelscope {

struct PushLimits {
    int clients = 8;
    int names = 32;             // of pushed images that are open
    double stall_seconds = 10;  // without a byte, within a message
};

// What arrived since the last time. Of each name the newest image only.
struct Pushed {
    std::vector<PushedFrame> frames;
    std::vector<PushedFiles> files;
    std::string problem;  // the last refusal; empty: none
};

class PushServer {
public:
    // Listens in this folder. `wake` is called from the thread when has_news() has become true. Throws Error.
    PushServer(const std::filesystem::path& folder, std::function<void()> wake, const PushLimits& limits = {});
    ~PushServer();

    bool has_news() const;
    Pushed take();

    // The names of the pushed images that are open: others are refused once there are PushLimits::names.
    void set_open(std::vector<std::string> names);

private:
    class Thread;
    std::unique_ptr<Thread> thread_;
};

}  // namespace texelscope
