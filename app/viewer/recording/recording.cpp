#include "app/viewer/recording/recording.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <exception>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/files/desktop/desktop.h"
#include "app/files/reading/image_files.h"
#include "app/window/gl/gl_objects.h"
#include "gpu/core/errors.h"

namespace texelscope {

namespace fs = std::filesystem;

fs::path free_recording_path(const fs::path& folder, const std::string& ending) {
    std::error_code none;
    for (int number = 1;; ++number) {
        const fs::path path =
            folder / fmt::format("texelscope-recording{}{}", number == 1 ? "" : fmt::format("-{}", number), ending);
        if (!fs::exists(path, none)) return path;
    }
}

std::shared_ptr<const Image> of_size(Image picture, Extent size) {
    if (picture.width() == size.width && picture.height() == size.height)
        return std::make_shared<const Image>(std::move(picture));
    Image fitted(size.width, size.height, 3, SampleType::u8);
    const size_t bytes = std::min(picture.row_bytes(), fitted.row_bytes());
    for (int y = 0; y < size.height; ++y) {
        std::memset(fitted.row(y), 0, fitted.row_bytes());
        if (y < picture.height()) std::memcpy(fitted.row(y), picture.row(y), bytes);
    }
    return std::make_shared<const Image>(std::move(fitted));
}

Question question_before_pictures(const fs::path& folder, Extent frame) {
    constexpr double packed = 0.4;  // of the bytes of a frame: what PNG makes of a window with a photograph
    const double megabytes = packed * 3 * frame.width * frame.height * frames_per_second_recorded / 1e6;
    return {
        .title = "Record without ffmpeg?",
        .text = fmt::format("ffmpeg is not installed, so every frame becomes a PNG file: {} a second, about {:.0f} MB "
                            "per second, {:.1f} GB per minute.",
                            frames_per_second_recorded, std::max(megabytes, 1.0), megabytes * 60 / 1000),
        .details =
            fmt::format("They go into a new folder:\n{}\nWith ffmpeg it would be one small video.", folder.string()),
        .yes = "Start",
        .task = task::StartRecording{folder.string(), ""},
        .enter_does_it = true};
}

void Recording::toggle(AppState& state, const fs::path& folder, Extent framebuffer) {
    if (stopping_) {
        constexpr const char* waits =
            "the recording that was stopped is still being written; the next one can start after it";
        return post(state.messages, Message::Level::info, waits);
    }
    if (recorder_) return stop(state);
    const std::string ffmpeg = program_on_path("ffmpeg");
    const fs::path path = free_recording_path(folder, ffmpeg.empty() ? "" : ".mp4");
    if (ffmpeg.empty()) ask(state, question_before_pictures(path, framebuffer));
    else start(state, {path.string(), ffmpeg}, framebuffer);
}

void Recording::stop(AppState& state) {
    if (!recorder_ || std::exchange(stopping_, true)) return;
    state.report.recording.stopped = true;
    recorder_->keep_up(state.now);
    recorder_->close();
}

void Recording::start(AppState& state, const task::StartRecording& request, Extent framebuffer) {
    if (recorder_) return;
    path_ = request.path;
    size_ = framebuffer;
    start_ = state.now;
    stopping_ = false;
    recorder_.emplace(request.ffmpeg.empty() ? make_picture_sink(path_)
                                             : make_video_sink(request.ffmpeg, path_, size_.width, size_.height),
                      start_);
    state.report.recording = {.active = true, .path = path_.string()};
}

void Recording::take_frame(const AppState& state, Extent framebuffer) {
    if (!recorder_ || stopping_) return;
    recorder_->show(of_size(back_buffer(framebuffer.width, framebuffer.height), size_), state.now);
}

bool Recording::poll(AppState& state) {
    if (!recorder_) return false;
    if (!stopping_) recorder_->keep_up(state.now);
    const double before = state.report.recording.seconds;
    const int64_t bytes = state.report.recording.bytes;
    if (!stopping_) state.report.recording.seconds = state.now - start_;
    state.report.recording.bytes = recorder_->bytes();
    const bool grown = stopping_ && bytes / 100'000 != recorder_->bytes() / 100'000;  // as the status bar shows it
    if (!recorder_->done()) return grown || std::floor(before) != std::floor(state.report.recording.seconds);
    const std::string problem = recorder_->problem();
    if (problem.empty())
        post_saved(state.messages, path_.string(),
                   fmt::format("{:.1f} s of {}×{} pixels", double(recorder_->frames()) / frames_per_second_recorded,
                               size_.width, size_.height));
    else post(state.messages, Message::Level::error, problem);
    failed_ = !problem.empty();
    recorder_.reset();
    stopping_ = false;
    state.report.recording = {};
    return true;
}

void Recording::wake(const AppState& /*state*/, WakeUp& wake_up) const {
    if (recorder_) wake_up.look_in(0.1);
}

namespace {

constexpr size_t most_waiting = 24;  // pictures

}  // namespace

Recorder::Recorder(std::unique_ptr<FrameSink> sink, double now)
    : sink_(std::move(sink)), start_(now), thread_([this] { run(); }) {}

Recorder::~Recorder() {
    close();
    thread_.join();
}

// Frame k is the picture on the screen at k/30 seconds.
void Recorder::show(std::shared_ptr<const Image> picture, double now) {
    if (picture_) hand_over(std::ceil((now - start_) * frames_per_second_recorded));
    picture_ = std::move(picture);
    keep_up(now);
}

void Recorder::keep_up(double now) { hand_over(std::floor((now - start_) * frames_per_second_recorded) + 1); }

void Recorder::hand_over(int64_t frames) {
    if (!picture_ || frames <= handed_over_) return;
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return waiting_.size() < most_waiting || done_; });
    if (done_ || closed_) return;
    const int64_t count = frames - std::exchange(handed_over_, frames);
    if (!waiting_.empty() && waiting_.back().picture == picture_) waiting_.back().count += count;
    else waiting_.push_back({picture_, count});
    changed_.notify_all();
}

void Recorder::close() {
    const std::scoped_lock lock(mutex_);
    closed_ = true;
    changed_.notify_all();
}

bool Recorder::done() const {
    const std::scoped_lock lock(mutex_);
    return done_;
}

std::string Recorder::problem() const {
    const std::scoped_lock lock(mutex_);
    return problem_;
}

void Recorder::run() {
    std::string problem;
    try {
        for (;;) {
            std::unique_lock lock(mutex_);
            changed_.wait(lock, [this] { return !waiting_.empty() || closed_; });
            if (waiting_.empty()) break;
            const Piece piece = std::move(waiting_.front());
            waiting_.pop_front();
            changed_.notify_all();
            lock.unlock();
            sink_->write(*piece.picture, piece.count);
            bytes_ = sink_->bytes();
        }
        sink_->finish();
    } catch (const std::exception& error) {
        problem = error.what();
    }
    sink_.reset();
    const std::scoped_lock lock(mutex_);
    problem_ = std::move(problem);
    done_ = true;
    changed_.notify_all();
}

// A recording as numbered pictures.

namespace {

namespace fs = std::filesystem;

class PictureSink : public FrameSink {
public:
    explicit PictureSink(const fs::path& folder) : folder_(folder) {
        std::error_code error;
        if (!fs::create_directory(folder, error)) throw FileError(folder.string(), "cannot create this folder");
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
