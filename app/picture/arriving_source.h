#pragma once
// A source image that is copied to its backend, or read there, while its file is decoded.

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>

#include "app/picture/source_cache.h"

namespace texelscope {

// Written by the thread that reads the file; taken, or given up, by another one.
class ArrivingSource {
public:
    // On a backend like the one described, in stored light. Unset: it is not known yet, and nothing is copied until then.
    explicit ArrivingSource(std::optional<BackendInfo> device = {}) : device_(std::move(device)) {}

    // Called once the backend is known, if it was not from the beginning.
    void go_to(BackendInfo device);

    // So many rows of the image, from the top, will not change any more; its memory stays where it is. Nothing happens to
    // a small image; one that is read in place is not copied. What goes wrong is found again, and said, by whoever uploads
    // the image.
    void note(const Image& so_far, int rows);

    // The image whose rows arrive, once, for a thread that renders what is there and waits for the rest, on a CPU backend
    // of its own; empty if there is none yet, or if it is copied to a GPU.
    struct Rows {
        std::shared_ptr<const Image> image;  // over the same samples
        std::shared_ptr<SourceCache> sources;
    };
    std::optional<Rows> rows_for_thread();

    // All of it is there, unless another image than the noted one was made of it. Waits until the backend is known, if
    // there is something to copy.
    void complete(const Image& image, const std::stop_token& stop);

    // Once, when it is complete; null if it is not.
    std::shared_ptr<SourceImage> take();

    // Frees what is on the device, and copies no more.
    void give_up();

private:
    void begin(const Image& image);
    template <class Step> void attempt(Step step);

    std::mutex mutex_;
    std::condition_variable_any known_;  // the device, or that there will be none
    std::optional<BackendInfo> device_;
    const void* samples_ = nullptr;  // noted
    bool begun_ = false, given_up_ = false;
    std::shared_ptr<const Image> in_place_;  // until rows_for_thread
    // Freed from the last one on: memory before its backend.
    std::shared_ptr<Backend> backend_;
    Upload upload_;
    std::shared_ptr<SourceImage> source_;
};

}  // namespace texelscope
