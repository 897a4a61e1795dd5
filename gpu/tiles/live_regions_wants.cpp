// What a live view asks for: regions with a margin, sketches meanwhile, and what it will need next.

#include <algorithm>
#include <cmath>
#include <utility>

#include "gpu/tiles/live_regions.h"

namespace texelscope {

// Whether there is room for a region while it is made, and held then: beside those that the same frame reads, and one
// that is to come.
bool LiveRegions::fits(const Reading& reading, const ImageRegion& region) const {
    const double making = reading.blocks.bytes_per_texel(), sampled = reading.blocks.bytes_per_sampled_texel();
    const double held = reading.blocks.prefilters() ? making - sampled : sampled;
    return region.samples() * making <= double(shares_.region) &&
           region.samples() * held <= double(shares_.held) / double(regions_in_frame_ + 1);
}

bool LiveRegions::is_too_large(const Reading& reading) const {
    return !fits(reading, reading.all.region) || reading.blocks.is_sparse(reading.all);
}

// As much around the region as there is room for, so that the next views need no other one.
ImageRegion LiveRegions::with_margin(const Reading& reading, const BlockRegion& block) const {
    const auto grown = [&](const AxisRegion& region, AddressMode mode, int n, int reach, double part) {
        if (region.whole) return region;
        const auto margin = int64_t(std::max(part * double(region.count), part > 0 ? 64.0 : 0.0));
        int64_t first = region.first - margin, last = region.first + region.count + margin;
        if (!is_periodic(mode)) {  // beyond that nothing new comes
            const int64_t beyond = 2 * int64_t(reach) + 4;
            first = std::max(first, std::min(region.first, -beyond));
            last = std::min(last, std::max(region.first + region.count, n + beyond));
        }
        return last - first >= n ? AxisRegion{0, n, true} : AxisRegion{first, last - first, false};
    };
    const ImageRegion& region = block.region;
    const RegionReach reach = reading.blocks.reach();
    for (const double part : {0.3, 0.2, 0.15, 0.1, 0.05}) {
        ImageRegion larger = region;
        larger.x = grown(region.x, region.address.x, region.width, reach.x, part);
        larger.y = grown(region.y, region.address.y, region.height, reach.y, part);
        if (fits(reading, larger)) return larger;
    }
    return region;
}

RegionOrder LiveRegions::region_order(const Reading& reading, const ImageRegion& region) const {
    RegionOrder order;
    order.kind = RegionOrder::Kind::region;
    order.key = reading.key;
    order.region = region;
    order.cost = cost_of(region, reading.level());
    if (!reading.blocks.prefilters()) return order;
    order.prefilter = reading.planned.spec;
    order.prefilter.address = {region.x.address(region.address.x), region.y.address(region.address.y)};
    return order;
}

void LiveRegions::want_all(const Reading& reading, RenderTarget::Format format, bool frame) {
    RegionOrder order;
    if (is_too_large(reading)) {
        order.kind = RegionOrder::Kind::picture;
        order.picture = reading.planned;
        order.format = format;
        order.cost = cost_of(reading.all.region, reading.level());
    } else {
        order = region_order(reading, with_margin(reading, reading.all));
    }
    const double cost = order.cost;
    const bool much = cost > little;
    const Urgency urgency = frame ? (much ? much_for_frame : for_frame) : much ? much_for_probe : for_probe;
    // One that is being made serves this view as well.
    const auto serves = [&](const Want& want) {
        const RegionOrder& other = want.order;
        return order.kind == RegionOrder::Kind::region && other.kind == order.kind && other.key == order.key &&
               holds(other.region, reading.all.region);
    };
    if (const auto comes = std::find_if(wants_.begin(), wants_.end(), serves); comes != wants_.end()) {
        comes->frame = comes->frame && frame;
        ask_again(*comes, priority(urgency, cost));
    } else {
        want(std::move(order), priority(urgency, cost), frame);
    }
    if (!frame || !much || reading.planned.warp.kind != Warp::Kind::none) return;
    // Meanwhile a sketch of what is in view.
    const ReadPlan& plan = reading.planned.reading;
    const auto region = [&](const PositionRange& range, const LevelAxis& axis, int n, int64_t& first, int& count) {
        const double step = axis.step(), more = 0.1 * (range.high - range.low) * step;
        const double low = (range.low + 0.5) * step - 0.5 - more, high = (range.high + 0.5) * step + 0.5 + more;
        first = int64_t(std::clamp(std::floor(low), 0.0, n - 1.0));
        count = int(std::clamp(std::ceil(high) - double(first), 1.0, double(n - first)));
    };
    if (reading.all.x.empty() || reading.all.y.empty()) return;
    RegionOrder sketch;
    sketch.kind = RegionOrder::Kind::sketch;
    SketchPlan& of = sketch.sketch;
    region(reading.all.x, plan.level_x, info().width, of.region.x, of.region.width);
    region(reading.all.y, plan.level_y, info().height, of.region.y, of.region.height);
    const double scale = std::max({1.0, of.region.width / 1200.0, of.region.height / 1200.0});
    of.width = std::max(1, int(of.region.width / scale));
    of.height = std::max(1, int(of.region.height / scale));
    of = affordable(*tiles_, of, 4 * little);
    const Held* const whole = sketch_of_all();
    if (whole && whole->made.order.sketch.step_x() < 1.5 * of.step_x()) return;  // hardly better than what is there
    for (const Held& held : held_)
        if (held.made.order.kind == RegionOrder::Kind::sketch && held.made.order.sketch == of) return;
    sketch.cost = cost_of_sketch(*tiles_, of, true);
    sketch.quickly = true;
    if (sketch.cost < 0.5 * cost) want(sketch, priority(sketch_of_view, sketch.cost), true);
}

// How far a view of this kind has moved since it was last seen.
std::pair<double, double> LiveRegions::moved_by(const SourceKey& key, int64_t width, int64_t height, double x,
                                                double y) {
    constexpr size_t most = 32;
    const auto same = [&](const Motion& motion) {  // a region may be a sample wider in other places
        return motion.key == key && std::abs(motion.width - width) < 2 && std::abs(motion.height - height) < 2;
    };
    const auto at = std::find_if(motions_.begin(), motions_.end(), same);
    std::pair<double, double> step(0, 0);
    if (at != motions_.end()) {
        step = {x - at->x, y - at->y};
        motions_.erase(at);
    }
    motions_.push_back({key, width, height, x, y});
    if (motions_.size() > most) motions_.erase(motions_.begin());
    return step;
}

// A view that comes near its region's edge needs another one soon: around where it will be.
void LiveRegions::look_ahead(const Reading& reading, const Held& held) {
    const ImageRegion &view = reading.all.region, &region = held.made.order.region;
    const double x = double(view.x.first) + double(view.x.count) / 2,
                 y = double(view.y.first) + double(view.y.count) / 2;
    const auto [step_x, step_y] = moved_by(reading.key, view.x.count, view.y.count, x, y);
    const auto near_edge = [](const AxisRegion& of_view, const AxisRegion& of_region, double step, AddressMode mode,
                              int n) {
        if (of_region.whole || step == 0 || std::abs(step) > double(of_view.count)) return false;
        const bool forward = step > 0;
        const int64_t slack = forward ? of_region.first + of_region.count - of_view.first - of_view.count
                                      : of_view.first - of_region.first;
        const bool at_end =
            !is_periodic(mode) && (forward ? of_region.first + of_region.count > n : of_region.first < 0);
        return !at_end && double(slack) < 0.12 * double(of_view.count);
    };
    if (!near_edge(view.x, region.x, step_x, region.address.x, region.width) &&
        !near_edge(view.y, region.y, step_y, region.address.y, region.height))
        return;
    BlockRegion next = reading.all;
    const auto moved = [](AxisRegion& axis, double step) {
        if (!axis.whole && std::abs(step) < double(axis.count))
            axis.first += std::clamp<int64_t>(int64_t(8 * step), -axis.count / 4, axis.count / 4);
    };
    moved(next.region.x, step_x);
    moved(next.region.y, step_y);
    const ImageRegion wanted = with_margin(reading, next);
    if (!holds(wanted, view)) return;
    RegionOrder order = region_order(reading, wanted);
    const auto coming = [&](const Want& want) {
        return want.order.kind == RegionOrder::Kind::region && want.order.key == order.key;
    };
    for (Want& want : wants_)
        if (coming(want)) {
            want.turn = turn_;
            return;
        }
    const double cost = order.cost;
    want(std::move(order), priority(ahead, cost), true);
}

}  // namespace texelscope
