#pragma once
// The destination of a recording's frames.

#include <filesystem>
#include <memory>
#include <string>

#include "gpu/core/image.h"

namespace texelscope {

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

}  // namespace texelscope
