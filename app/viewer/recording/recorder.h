#pragma once
// Passes frames from the screen, thirty per second, to a sink in a separate thread.

#include <atomic>
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
    ~Recorder();  // finishes the frames received so far

    // From now on, this picture is on the screen. Waits if the sink is far behind.
    void show(std::shared_ptr<const Image> picture, double now);

    // Adds the frames due up to now, of the picture on the screen.
    void keep_up(double now);

    // No more frames; done() some time later.
    void close();
    bool done() const;  // also if the sink has failed

    // The error, once it is done; empty: success.
    std::string problem() const;

    int64_t frames() const { return handed_over_; }
    int64_t bytes() const { return bytes_; }  // on the disk, so far

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
    std::atomic<int64_t> bytes_ = 0;
    std::thread thread_;  // last: it sees all of the above
};

}  // namespace texelscope
