#pragma once
// The recording of the window: started and stopped by the user, fed with each frame.

#include <filesystem>
#include <optional>

#include "app/state/app_state.h"
#include "app/viewer/recording/recorder.h"
#include "app/work/worker.h"

namespace texelscope {

class Recording : public Worker {
public:
    // Starts with the next frame, or stops. Without ffmpeg, which makes a recording small, asks before it starts.
    // Throws Error if it cannot be started.
    void toggle(AppState& state, Extent framebuffer);
    void start(AppState& state, const task::StartRecording& request, Extent framebuffer);

    bool active() const { return recorder_.has_value(); }

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
    bool stopping_ = false;
};

// What a user without ffmpeg is asked before frames of this size are written into a folder.
Question question_before_pictures(const std::filesystem::path& folder, Extent frame);

// "texelscope-recording.mp4" in a folder, or the first of "texelscope-recording-2.mp4", … that does not exist yet.
std::filesystem::path free_recording_path(const std::filesystem::path& folder, const std::string& ending);

// A picture on black, cropped or padded to this size from its upper left corner. u8×3.
std::shared_ptr<const Image> of_size(Image picture, Extent size);

}  // namespace texelscope
