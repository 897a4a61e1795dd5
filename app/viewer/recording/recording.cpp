#include "app/viewer/recording/recording.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <exception>
#include <utility>

#include <fmt/format.h>

#include "app/files/desktop/desktop.h"
#include "app/window/gl/gl_objects.h"

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

void Recording::toggle(AppState& state, Extent framebuffer) {
    if (recorder_) return stop(state);
    const std::string ffmpeg = program_on_path("ffmpeg");
    const fs::path path = free_recording_path(fs::current_path(), ffmpeg.empty() ? "" : ".mp4");
    if (ffmpeg.empty()) ask(state, question_before_pictures(path, framebuffer));
    else start(state, {path.string(), ffmpeg}, framebuffer);
}

void Recording::stop(const AppState& state) {
    if (!recorder_ || std::exchange(stopping_, true)) return;
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
    state.report.recording = {true, 0, 0, path_.string()};
}

void Recording::take_frame(const AppState& state, Extent framebuffer) {
    if (!recorder_ || stopping_) return;
    recorder_->show(of_size(back_buffer(framebuffer.width, framebuffer.height), size_), state.now);
}

bool Recording::poll(AppState& state) {
    if (!recorder_) return false;
    if (!stopping_) recorder_->keep_up(state.now);
    const double before = state.report.recording.seconds;
    if (!stopping_) state.report.recording.seconds = state.now - start_;
    state.report.recording.bytes = recorder_->bytes();
    if (!recorder_->done()) return std::floor(before) != std::floor(state.report.recording.seconds);
    const std::string problem = recorder_->problem();
    if (problem.empty())
        post_saved(state.messages, path_.string(),
                   fmt::format("{:.1f} s of {}×{} pixels", double(recorder_->frames()) / frames_per_second_recorded,
                               size_.width, size_.height));
    else post(state.messages, Message::Level::error, problem);
    failed_ = !problem.empty();
    recorder_.reset();
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

}  // namespace texelscope
