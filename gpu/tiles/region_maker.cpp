#include "gpu/tiles/regions.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <mutex>
#include <new>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "gpu/backend/memory_budget.h"
#include "gpu/core/errors.h"
#include "gpu/core/machine.h"
#include "gpu/core/parallel.h"
#include "gpu/tiles/tiled_image.h"
#include "gpu/tiles/tiled_levels.h"

namespace texelscope {
namespace {

// More than reading a row of tiles takes, and hardly to be noticed when another image is opened.
constexpr std::chrono::milliseconds a_moment(150);

// Threads that nobody waits for. What they use, the device too, is gone once the program has ended: that gives them a
// moment.
class Abandoned {
public:
    void begin() { ++count_; }
    void end() { --count_; }
    ~Abandoned() {
        for (int tries = 0; count_ > 0 && tries < 200; ++tries)
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }

private:
    std::atomic<int> count_ = 0;
} abandoned;

bool same_region(const ImageRegion& a, const ImageRegion& b) { return a.x == b.x && a.y == b.y; }

}  // namespace

bool same_picture(const PlannedRequest& a, const PlannedRequest& b) {
    const ReadPlan &r = a.reading, &s = b.reading;
    return static_cast<const Sampling&>(a) == static_cast<const Sampling&>(b) && a.warp == b.warp &&
           r.level == s.level && r.positions == s.positions && r.stretch_x == s.stretch_x &&
           r.stretch_y == s.stretch_y && r.local_stretch == s.local_stretch && r.prefiltered == s.prefiltered &&
           a.width == b.width && a.height == b.height && a.encode_srgb == b.encode_srgb && a.simple == b.simple;
}

bool same_order(const RegionOrder& a, const RegionOrder& b) {
    if (a.kind != b.kind) return false;
    switch (a.kind) {
        case RegionOrder::Kind::sketch: return a.sketch == b.sketch && a.quickly == b.quickly;
        case RegionOrder::Kind::region: return a.key == b.key && same_region(a.region, b.region);
        case RegionOrder::Kind::picture: return a.format == b.format && same_picture(a.picture, b.picture);
        case RegionOrder::Kind::reference: return same_picture(a.picture, b.picture);
    }
    return false;
}

struct RegionMaker::State {
    BackendInfo device;
    std::shared_ptr<const TileSource> source;
    TiledOptions options;
    std::function<void()> wake;

    mutable std::mutex mutex;
    std::condition_variable something_ordered;
    std::deque<RegionOrder> orders;
    std::optional<RegionOrder> current;
    const TileCache* tiles = nullptr;  // as long as regions are made of an image
    double loaded_before = 0;          // samples, when the current one was begun
    std::stop_source stop;             // of the current one
    std::vector<MadeRegion> made;
    bool ending = false, waking = false, ended = false;
    bool is_abandoned = false;
    std::condition_variable something_ended;  // the thread, or its calling `wake`

    void run() {
        lower_priority();
        make_all();
        const std::lock_guard lock(mutex);
        ended = true;
        if (is_abandoned) abandoned.end();
        something_ended.notify_all();
    }

    void make_all() {
        std::optional<TiledImage> tiled;
        for (std::unique_lock lock(mutex);;) {
            something_ordered.wait(lock, [&] { return ending || !orders.empty(); });
            if (ending) break;
            current = std::move(orders.front());
            orders.pop_front();
            stop = {};
            const RegionOrder order = *current;
            tiles = tiled ? &tiled->tiles() : nullptr;
            loaded_before = tiles ? tiles->samples_loaded() : 0;
            const std::stop_token token = stop.get_token();
            lock.unlock();
            std::optional<MadeRegion> result = make(tiled, order, token);
            lock.lock();
            current.reset();
            if (!result) {
                if (tiled) tiled->tiles().forget_asked();
                continue;
            }
            // It may have been finished although it was to give way.
            std::erase_if(orders, [&](const RegionOrder& other) { return same_order(other, order); });
            made.push_back(std::move(*result));
            if (wake && !ending) {
                waking = true;
                lock.unlock();
                wake();
                lock.lock();
                waking = false;
                something_ended.notify_all();
            }
        }
        made.clear();  // while the backend exists that has made them
        tiles = nullptr;
    }

    // Empty if it was given up.
    std::optional<MadeRegion> make(std::optional<TiledImage>& tiled, const RegionOrder& order,
                                   const std::stop_token& token) const {
        MadeRegion result;
        result.order = order;
        try {
            const StoppableLoops loops(token);
            if (!tiled) tiled.emplace(make_backend_like(device), source, options);
            switch (order.kind) {
                case RegionOrder::Kind::sketch: make_sketch(*tiled, result, token); break;
                case RegionOrder::Kind::region: make_region(*tiled, result, token); break;
                case RegionOrder::Kind::picture: make_picture(*tiled, result, token); break;
                case RegionOrder::Kind::reference: make_reference(*tiled, result, token); break;
            }
        } catch (const Cancelled&) {
            return {};
        } catch (const std::exception& error) {
            result = {};
            result.order = order;
            result.problem = error.what();
        }
        return result;
    }

    static void make_sketch(TiledImage& tiled, MadeRegion& result, const std::stop_token& token) {
        const RegionOrder& order = result.order;
        auto cells =
            std::make_shared<const Image>(sketched(tiled.tiles(), tiled.light(), order.sketch, order.quickly, token));
        result.bytes = cells->size_bytes();
        result.samples = tiled.backend().upload(cells);
        tiled.backend().synchronize();
    }

    static void make_region(TiledImage& tiled, MadeRegion& result, const std::stop_token& token) {
        const RegionOrder& order = result.order;
        auto samples = std::make_shared<const Image>(
            tiled.levels().region(order.key.level, order.key.address, order.region.x, order.region.y, token));
        if (token.stop_requested()) throw Cancelled("cancelled");
        result.bytes = samples->size_bytes();
        result.samples = tiled.backend().upload(samples);
        result.bytes = std::max(result.bytes, result.samples->size_bytes());
        if (order.prefilter.method) {
            result.samples = tiled.backend().prefilter(*result.samples, order.prefilter);
            result.bytes = result.samples->size_bytes();
        }
        tiled.backend().synchronize();
    }

    static void make_picture(TiledImage& tiled, MadeRegion& result, const std::stop_token& token) {
        const RegionOrder& order = result.order;
        const Resampling& request = order.picture;
        const bool screen = order.format == RenderTarget::Format::rgba8;
        const int channels = screen ? 4 : tiled.info().channels;
        Image picture(request.width, request.height, channels, screen ? SampleType::u8 : SampleType::f32);
        tiled.render(
            order.picture, order.format,
            [&](const Image& rows, int first) { std::memcpy(picture.row(first), rows.data(), rows.size_bytes()); },
            {.progress = {}, .stop = token});
        result.bytes = picture.size_bytes();
        result.picture = std::make_shared<const Image>(std::move(picture));
    }

    static void make_reference(TiledImage& tiled, MadeRegion& result, const std::stop_token& token) {
        const PlannedRequest& planned = result.order.picture;
        const int width = planned.width, height = planned.height;
        const double count = double(width) * height * tiled.info().channels, bytes = count * sizeof(double);
        try {
            // A large vector is checked beforehand: see machine.h.
            if (bytes >= 0x1p24 && bytes > double(available_host_memory())) throw std::bad_alloc();
            auto values = std::make_shared<std::vector<double>>(size_t(count));
            TiledReference(tiled).rows(planned, 0, height, values->data(), token);
            result.reference = std::move(values);
        } catch (const std::bad_alloc&) {
            throw OutOfMemory(fmt::format("no memory for the reference: its {}×{} pixels take {:.0f} MiB in float64",
                                          width, height, bytes / 0x1p20));
        }
    }
};

RegionMaker::RegionMaker(const BackendInfo& device, std::shared_ptr<const TileSource> tiles,
                         const TiledOptions& options, const std::function<void()>& wake)
    : state_(std::make_shared<State>()) {
    State& s = *state_;
    s.device = device;
    s.source = std::move(tiles);
    s.options = options;
    s.wake = wake;
    thread_ = std::thread([state = state_] { state->run(); });
}

RegionMaker::~RegionMaker() {
    State& s = *state_;
    {
        std::unique_lock lock(s.mutex);
        s.ending = true;
        s.stop.request_stop();
        s.something_ordered.notify_all();
        s.something_ended.wait(lock, [&] { return !s.waking; });
        if (!s.something_ended.wait_for(lock, a_moment, [&] { return s.ended; })) {
            s.is_abandoned = true;
            abandoned.begin();
        }
    }
    if (s.is_abandoned) thread_.detach();
    else thread_.join();
}

void RegionMaker::order(std::vector<RegionOrder> orders) {
    State& s = *state_;
    {
        const std::lock_guard lock(s.mutex);
        const auto among = [&](const RegionOrder& order) {
            return std::find_if(orders.begin(), orders.end(),
                                [&](const RegionOrder& other) { return same_order(order, other); });
        };
        if (s.current && !s.stop.stop_requested()) {
            const auto at = among(*s.current);
            if (at != orders.end()) s.current->priority = at->priority;
            const bool gives_way = !orders.empty() && at != orders.begin() && orders.front().interrupts(*s.current);
            if (at == orders.end() || gives_way) s.stop.request_stop();
            else orders.erase(at);
        }
        for (const MadeRegion& each : s.made)
            if (const auto at = among(each.order); at != orders.end()) orders.erase(at);
        s.orders.assign(std::make_move_iterator(orders.begin()), std::make_move_iterator(orders.end()));
    }
    s.something_ordered.notify_all();
}

bool RegionMaker::has_news() const {
    const std::lock_guard lock(state_->mutex);
    return !state_->made.empty();
}

std::vector<MadeRegion> RegionMaker::take() {
    const std::lock_guard lock(state_->mutex);
    return std::exchange(state_->made, {});
}

double RegionMaker::part_done() const {
    const std::lock_guard lock(state_->mutex);
    const State& s = *state_;
    if (!s.current || !s.tiles || s.current->cost <= 0) return 0;
    return std::clamp((s.tiles->samples_loaded() - s.loaded_before) / s.current->cost, 0.0, 1.0);
}

size_t RegionMaker::waiting() const {
    const std::lock_guard lock(state_->mutex);
    return state_->orders.size() + (state_->current ? 1 : 0);
}

}  // namespace texelscope
