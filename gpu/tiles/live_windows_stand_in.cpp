// What a live view shows of samples that are not there yet, and the texels themselves.

#include <algorithm>
#include <cmath>

#include "gpu/method/kernel_method.h"
#include "gpu/tiles/live_reading.h"
#include "gpu/tiles/live_windows.h"

namespace texelscope {
namespace {

constexpr int stand_in_side = 128;  // pixels of blocks that may come from different samples

}  // namespace

void LiveWindows::fill(const RenderTarget& target, int width, int height) {
    const std::vector<std::byte> zeros(size_t(width) * pixel_bytes(target.format));
    auto* const to = static_cast<std::byte*>(target.pixels);
    for (int y = 0; y < height; ++y) backend_->write(to + size_t(y) * target.row_bytes, zeros.data(), zeros.size());
}

// What has been made right is shown right, block by block.
void LiveWindows::stand_in(const Reading& reading, const RenderTarget& target) {
    const Resampling& request = reading.request();
    const auto draw = [&] {
        if (!reading.all.points.empty() || request.derivative != Derivative::none) {
            if (!stand_in(reading, reading.all, target)) fill(target, request.width, request.height);
            return;
        }
        for (int y = 0; y < request.height; y += stand_in_side)
            for (int x = 0; x < request.width; x += stand_in_side) {
                const PixelRange pixels{x, y, std::min(stand_in_side, request.width - x),
                                        std::min(stand_in_side, request.height - y)};
                RenderTarget part = target;
                part.timer = no_timer;
                part.pixels = static_cast<std::byte*>(target.pixels) + size_t(y) * target.row_bytes +
                              size_t(x) * pixel_bytes(target.format);
                const BlockWindow block = reading.blocks.of(pixels);
                const Held* const exact = window_for(reading, block);
                if (exact) compute(reading, block, *exact, part);
                else if (!stand_in(reading, block, part)) fill(part, pixels.width, pixels.height);
            }
    };
    if (target.timer == no_timer) draw();
    else backend_->timed(target.timer, draw);
}

// By the samples that are most like those that are wanted. False if there are none.
bool LiveWindows::stand_in(const Reading& reading, const BlockWindow& block, const RenderTarget& target) {
    const Resampling& request = reading.request();
    if (request.derivative != Derivative::none) return false;  // that of a sketch would be another one
    const AddressPair& address = request.spec.address;
    std::optional<StandIn> best;
    const Held* of_best = nullptr;
    for (const Held& held : held_) {
        const WindowOrder& order = held.made.order;
        std::optional<StandIn> other;
        if (order.kind == WindowOrder::Kind::sketch) other.emplace(held.made.samples, info(), order.sketch, address);
        else if (order.kind == WindowOrder::Kind::window && !order.prefilter.method && order.key.address == address)
            other.emplace(held.made.samples, info(), order.key.level, address, order.window);
        if (!other || !other->covers(block, request.reading)) continue;
        if (best && best->unlikeness(request.reading) <= other->unlikeness(request.reading)) continue;
        best = std::move(other);
        of_best = &held;
    }
    if (!best) return false;
    Resampling part = best->request(request, block.pixels, light_ == Light::linear);
    std::vector<double> points = block.points;
    for (size_t k = 0; k < points.size(); k += 2) {
        const Point p = best->texel_at({points[k], points[k + 1]}, request.reading);
        points[k] = p.x;
        points[k + 1] = p.y;
    }
    if (!points.empty()) {
        part.reading.local_stretch = false;
        part.reading.stretch_x = part.reading.stretch_y = 1;
    }
    const bool minus = of_best->made.order.kind == WindowOrder::Kind::sketch && !reading.border.is_zero();
    const auto samples = minus ? minus_border(*of_best, address) : nullptr;
    resample(samples ? *samples : best->samples(), part, reading.border, points, target);
    return true;
}

std::shared_ptr<const ResidentImage> LiveWindows::minus_border(const Held& sketch, const AddressPair& address) {
    const std::shared_ptr<const ResidentImage>& of = sketch.made.samples;
    if (minus_.of != of || !(minus_.border == address.border))
        minus_ = {of, address.border, backend_->minus(*of, Reading::border_of(info(), address, light_))};
    return minus_.samples;
}

bool LiveWindows::texels(const PlannedRequest& planned, const SampleRegion& region, std::vector<float>& values) {
    collect();
    PlannedRequest there = planned;  // a request that reads just these
    there.warp = {};
    Resampling& request = there.resampling;
    request.outside = Outside::extend;
    request.width = region.width;
    request.height = region.height;
    request.reading.positions = {1, 0, double(region.x), 0, 1, double(region.y)};
    const Reading reading(there, info(), light_);
    const Held* const held = window_for(reading, reading.all);
    if (!held) {
        want_all(reading, RenderTarget::Format::floats, false);
        return false;
    }
    const ImageWindow& window = held->made.order.window;
    Resampling nearest;  // reads exactly the texel at whole positions
    nearest.spec = default_spec(parse_method("nearest"));
    nearest.spec.address = window.own_address();
    nearest.spec.address.border = request.spec.address.border;
    nearest.width = region.width;
    nearest.height = region.height;
    nearest.reading.positions = {1, 0, double(region.x - window.x.first), 0, 1, double(region.y - window.y.first)};
    const size_t row = size_t(region.width) * size_t(info().channels);
    values.resize(row * size_t(region.height));
    const auto memory = backend_->allocate(values.size() * sizeof(float));
    resample(*held->made.samples, nearest, reading.border, {},
             {memory.get(), row * sizeof(float), RenderTarget::Format::floats, no_timer});
    backend_->read_back(values.data(), memory.get(), values.size() * sizeof(float));
    return true;
}

}  // namespace texelscope
