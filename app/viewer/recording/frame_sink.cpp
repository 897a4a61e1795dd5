// A recording as numbered pictures.

#include "app/viewer/recording/frame_sink.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/files/reading/image_files.h"
#include "gpu/core/errors.h"

namespace texelscope {
namespace {

namespace fs = std::filesystem;

class PictureSink : public FrameSink {
public:
    explicit PictureSink(const fs::path& folder) : folder_(folder) {
        std::error_code error;
        if (!fs::create_directory(folder, error))
            throw FileError(folder.string(),
                            "cannot create this folder; start the program in a folder you can write to");
    }

    void write(const Image& frame, int64_t count) override {
        if (count < 1) return;
        const fs::path first = next();
        write_image(frame, first.string());
        std::error_code none;
        bytes_ += count * int64_t(fs::file_size(first, none));
        for (; count > 1; --count) {
            const fs::path copy = next();
            std::error_code error;
            if (!fs::copy_file(first, copy, error))
                throw FileError(copy.string(), "cannot be written: " + error.message());
        }
    }

    int64_t bytes() const override { return bytes_; }

    void finish() override {}

private:
    fs::path next() { return folder_ / fmt::format("frame-{:06}.png", ++written_); }

    fs::path folder_;
    int64_t written_ = 0, bytes_ = 0;
};

}  // namespace

std::unique_ptr<FrameSink> make_picture_sink(const fs::path& folder) { return std::make_unique<PictureSink>(folder); }

}  // namespace texelscope

extern char** environ;

namespace texelscope {

// A recording as a video: raw frames to ffmpeg's standard input.

namespace {

namespace fs = std::filesystem;

// Beside the video, until it is complete.
fs::path unfinished(const fs::path& path) {
    return path.parent_path() / fmt::format(".{}.part", path.filename().string());
}

std::vector<std::string> command(const std::string& program, const fs::path& output, int width, int height) {
    const double bits_a_pixel = 0.25;  // for any encoder: thin lines and text stay sharp
    const auto rate = int64_t(bits_a_pixel * width * height * frames_per_second_recorded);
    const std::string frames = std::to_string(frames_per_second_recorded);
    return {program, "-nostdin", "-hide_banner", "-loglevel", "error", "-y", "-f", "rawvideo", "-pix_fmt", "rgb24",
            "-video_size", fmt::format("{}x{}", width, height), "-framerate", frames, "-i", "pipe:0",
            // The colour formats of most encoders need an even width and height.
            "-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2", "-pix_fmt", "yuv420p", "-b:v", std::to_string(rate), "-movflags",
            "+faststart", "-f", "mp4", "file:" + output.string()};
}

class VideoSink : public FrameSink {
public:
    VideoSink(const std::string& program, const fs::path& path, int width, int height)
        : path_(path), part_(unfinished(path)), bytes_(size_t(width) * size_t(height) * 3) {
        complaints_ = std::tmpfile();
        int ends[2] = {-1, -1};
        if (!complaints_ || ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
            throw Error("ffmpeg cannot be started: the system cannot create another pipe");
        input_ = ends[0];
        const int started = start(command(program, part_, width, height), ends[1]);
        ::close(ends[1]);
        if (started != 0) throw Error(fmt::format("ffmpeg cannot be started: {}", std::strerror(started)));
    }

    ~VideoSink() override {
        stop();
        if (complaints_) std::fclose(complaints_);
        std::error_code ignored;
        fs::remove(part_, ignored);
    }

    void write(const Image& frame, int64_t count) override {
        for (; count > 0; --count) {
            if (frame.row_bytes() * size_t(frame.height()) != bytes_)
                throw Error("a frame of the recording has a different size");
            for (int y = 0; y < frame.height(); ++y) send(frame.row(y), frame.row_bytes());
        }
    }

    int64_t bytes() const override {
        std::error_code none;
        return fs::exists(part_, none) ? int64_t(fs::file_size(part_, none)) : 0;
    }

    void finish() override {
        if (!stop()) complain();
        std::error_code error;
        fs::rename(part_, path_, error);
        if (error) throw FileError(path_.string(), "cannot be written: " + error.message());
    }

private:
    int start(const std::vector<std::string>& words, int input) {
        std::vector<char*> arguments;
        for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
        arguments.push_back(nullptr);
        posix_spawn_file_actions_t actions;
        posix_spawn_file_actions_init(&actions);
        posix_spawn_file_actions_adddup2(&actions, input, 0);
        posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
        posix_spawn_file_actions_adddup2(&actions, ::fileno(complaints_), 2);
        posix_spawn_file_actions_addclosefrom_np(&actions, 3);  // it must not inherit those of the GPU and the display
        const int error = ::posix_spawn(&child_, arguments[0], &actions, nullptr, arguments.data(), environ);
        posix_spawn_file_actions_destroy(&actions);
        if (error != 0) child_ = -1;
        return error;
    }

    void send(const void* data, size_t size) {
        const char* at = static_cast<const char*>(data);
        while (size > 0) {
            const ssize_t sent = ::send(input_, at, size, MSG_NOSIGNAL);
            if (sent < 0 && errno == EINTR) continue;
            if (sent <= 0) {
                stop();
                complain();
            }
            at += sent;
            size -= size_t(sent);
        }
    }

    // True if ffmpeg has ended successfully.
    bool stop() {
        if (input_ >= 0) ::close(std::exchange(input_, -1));
        if (child_ < 0) return false;
        int status = 0;
        while (::waitpid(child_, &status, 0) < 0 && errno == EINTR) {}
        child_ = -1;
        return WIFEXITED(status) && WEXITSTATUS(status) == 0;
    }

    [[noreturn]] void complain() {
        std::string line(300, '\0');
        std::rewind(complaints_);
        line.resize(std::fread(line.data(), 1, line.size(), complaints_));
        line = line.substr(0, line.find('\n'));
        throw Error(fmt::format("{}: the video was not made, since ffmpeg failed{}{}", path_.string(),
                                line.empty() ? "" : ": ", line));
    }

    fs::path path_, part_;
    size_t bytes_;
    std::FILE* complaints_ = nullptr;  // ffmpeg's output
    int input_ = -1;
    pid_t child_ = -1;
};

}  // namespace

std::unique_ptr<FrameSink> make_video_sink(const std::string& program, const fs::path& path, int width, int height) {
    return std::make_unique<VideoSink>(program, path, width, height);
}

}  // namespace texelscope
