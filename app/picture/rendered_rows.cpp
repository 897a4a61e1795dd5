#include "app/picture/rendered_rows.h"

#include <algorithm>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <thread>
#include <utility>

#include "gpu/core/errors.h"

namespace texelscope {

struct RenderedRows::State {
    State(TiledImage& image, const RenderRequest& request, std::function<void(double)> progress)
        : info(image.info()),
          alpha(info.alpha == Alpha::none || request.derivative != Derivative::none ? Alpha::none
                                                                                    : Alpha::premultiplied),
          width(request.width),
          height(request.height) {
        thread = std::jthread([this, &image, request, progress = std::move(progress)](const std::stop_token& stop) {
            const RowSink hand_over = [&](const Image& rows, int first) {
                std::unique_lock lock(mutex);
                band = &rows;
                band_first = first;
                changed.notify_all();
                if (!changed.wait(lock, stop, [&] { return band == nullptr; })) throw Cancelled("cancelled");
            };
            std::exception_ptr thrown;
            try {
                image.render(request, RenderTarget::Format::floats, hand_over, {progress, stop});
            } catch (...) {
                thrown = std::current_exception();
            }
            const std::lock_guard lock(mutex);
            failure = thrown;
            ended = true;
            band = nullptr;
            changed.notify_all();
        });
    }

    ~State() {
        thread.request_stop();
        thread.join();  // before what it uses
    }

    Image rows(int first, int last) {
        Image result(width, last - first, info.channels, SampleType::f32, alpha);
        for (int row = first; row < last;) {
            std::unique_lock lock(mutex);
            changed.wait(lock, [&] { return band || ended; });
            if (!band) {
                if (failure) std::rethrow_exception(failure);
                throw Error("there are no more rows");
            }
            const int end = std::min(last, band_first + band->height());
            std::memcpy(result.row(row - first), band->row(row - band_first), size_t(end - row) * result.row_bytes());
            row = end;
            if (end < band_first + band->height()) continue;
            band = nullptr;
            changed.notify_all();
        }
        return result;
    }

    const ImageInfo info;
    const Alpha alpha;
    const int width, height;
    mutable std::mutex mutex;
    std::condition_variable_any changed;
    const Image* band = nullptr;  // until it has been handed over
    int band_first = 0;
    bool ended = false;
    std::exception_ptr failure;
    std::jthread thread;
};

RenderedRows::RenderedRows(TiledImage& image, const RenderRequest& request, std::function<void(double part)> progress)
    : state_(std::make_unique<State>(image, request, std::move(progress))) {}

RenderedRows::~RenderedRows() = default;

RowSource RenderedRows::source() const {
    const State& s = *state_;
    return {s.width,         s.height, s.info.channels,
            SampleType::f32, s.alpha,  [&state = *state_](int first, int last) {
                return state.rows(first, last); }};
}

std::exception_ptr RenderedRows::failure() const {
    const std::lock_guard lock(state_->mutex);
    return state_->failure;
}

}  // namespace texelscope
