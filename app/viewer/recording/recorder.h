#pragma once
// Frames as they were on the screen, thirty a second, on their way into a sink in a thread of its own.

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "app/viewer/recording/frame_sink.h"

namespace texelscope {

class Recorder {
public:
    // `now` is when the first frame is due, seconds.
    Recorder(std::unique_ptr<FrameSink> sink, double now);
    ~Recorder();  // finishes what has come

    // From now on this picture is on the screen. Waits where the sink is far behind.
    void show(std::shared_ptr<const Image> picture, double now);

    // The frames up to now are due, of the picture on the screen.
    void keep_up(double now);

    // No more frames; done() some time later.
    void close();
    bool done() const;  // also where the sink has failed

    // What went wrong, once it is done; empty: all is there.
    std::string problem() const;

    int64_t frames() const { return handed_over_; }

private:
    struct Piece {
        std::shared_ptr<const Image> picture;
        int64_t count;
    };
    void hand_over(int64_t frames);
    void run();

    std::unique_ptr<FrameSink> sink_;
    double start_;
    std::shared_ptr<const Image> picture_;  // on the screen
    int64_t handed_over_ = 0;

    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Piece> waiting_;
    bool closed_ = false, done_ = false;
    std::string problem_;
    std::thread thread_;  // last: it sees all of the above
};

}  // namespace texelscope
