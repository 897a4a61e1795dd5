#pragma once
// The recording of the window: started and stopped by the user, fed with each frame.

#include <filesystem>
#include <optional>

#include "app/viewer/recording/recorder.h"
#include "app/state/app_state.h"

namespace texelscope {

class Recording {
public:
    // Starts with the next frame, or stops. Throws Error where it cannot be started.
    void toggle(AppState& state, Extent framebuffer);

    bool active() const { return recorder_.has_value(); }

    // The frame that is in OpenGL's back buffer, of this size. Call before it is swapped.
    void take_frame(const AppState& state, Extent framebuffer);

    // What is due by now; what came of it becomes a message. True where there is something new to draw.
    bool tick(AppState& state);

    // Seconds until the next tick is due; below 0 where nothing is recorded.
    double patience() const;

private:
    std::optional<Recorder> recorder_;
    std::filesystem::path path_;
    Extent size_;
    double start_ = 0;
    bool stopping_ = false;
};

// "texelscope-recording.mp4" in a folder, or the first of "texelscope-recording-2.mp4", … that is not there.
std::filesystem::path free_recording_path(const std::filesystem::path& folder, const std::string& ending);

// A picture on black, cut or filled to this size from its upper left corner. u8×3.
std::shared_ptr<const Image> of_size(Image picture, Extent size);

}  // namespace texelscope
