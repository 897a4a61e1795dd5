#include "app/viewer/recording/recorder.h"

#include <cmath>
#include <exception>
#include <utility>

namespace texelscope {
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
