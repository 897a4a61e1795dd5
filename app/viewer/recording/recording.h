#pragma once
// The recording of the window: started and stopped by the user, fed with each frame.

#include <atomic>
#include <condition_variable>
#include <deque>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "app/state/app_state.h"
#include "app/work/work.h"
#include "gpu/core/image.h"

namespace texelscope {

// The destination of a recording's frames.

inline constexpr int frames_per_second_recorded = 30;

class FrameSink {
public:
    virtual ~FrameSink() = default;

    // A frame, u8×3, `count` times. Throws Error.
    virtual void write(const Image& frame, int64_t count) = 0;

    // On the disk, so far.
    virtual int64_t bytes() const { return 0; }

    // Call after the last frame. Throws Error if the result is unusable. If never called, nothing is left behind.
    virtual void finish() = 0;
};

// A video through ffmpeg at the path `program`. Frames must have this size.
std::unique_ptr<FrameSink> make_video_sink(const std::string& program, const std::filesystem::path& path, int width,
                                           int height);

// frame-000001.png, frame-000002.png, … in a new folder; they stay, however the recording ends.
std::unique_ptr<FrameSink> make_picture_sink(const std::filesystem::path& folder);

// Passes frames from the screen, thirty per second, to a sink in a separate thread.

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

class Recording : public Worker {
public:
    // Starts with the next frame, into this folder, or stops. Without ffmpeg, which makes a recording small, asks before it
    // starts. Throws Error if it cannot be started.
    void toggle(AppState& state, const std::filesystem::path& folder, Extent framebuffer);
    void start(AppState& state, const task::StartRecording& request, Extent framebuffer);

    bool active() const { return recorder_.has_value(); }
    void stop(AppState& state);  // if there is one: no more frames; it is written some time later

    // Whether, since the last call, one could not be written.
    bool take_failure() { return std::exchange(failed_, false); }

    // Takes the frame in OpenGL's back buffer, of this size. Call before swapping.
    void take_frame(const AppState& state, Extent framebuffer);

    // Does the work due by now; its outcome becomes a message. True if there is something new to draw.
    bool poll(AppState& state) override;

    // Asks to be looked at while there is a recording.
    void wake(const AppState& state, WakeUp& wake_up) const override;

private:
    std::optional<Recorder> recorder_;
    std::filesystem::path path_;
    Extent size_;
    double start_ = 0;
    bool stopping_ = false, failed_ = false;
};

// What a user without ffmpeg is asked before frames of this size are written into a folder.
Question question_before_pictures(const std::filesystem::path& folder, Extent frame);

// "texelscope-recording.mp4" in a folder, or the first of "texelscope-recording-2.mp4", … that does not exist yet.
std::filesystem::path free_recording_path(const std::filesystem::path& folder, const std::string& ending);

// A picture on black, cropped or padded to this size from its upper left corner. u8×3.
std::shared_ptr<const Image> of_size(Image picture, Extent size);

}  // namespace texelscope
