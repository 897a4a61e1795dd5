#include "gpu/tiles/live_windows.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "gpu/core/colour_profile.h"
#include "gpu/core/errors.h"
#include "gpu/method/kernel_method.h"
#include "gpu/tiles/live_reading.h"

namespace texelscope {
namespace {

// Parts of the memory, in sixteenths: the maker's tiles, levels and windows in the making 10, what is held 6, of which one
// window may take half.
size_t held_bytes(size_t memory) { return memory / 16 * 6; }
size_t window_bytes(size_t memory) { return memory / 16 * 3; }
size_t maker_bytes(size_t memory) { return memory / 16 * 10; }

constexpr int first_side = 192;  // cells of the first sketch of the whole
int overview_side(size_t memory) { return memory < (size_t(256) << 20) ? 512 : 1024; }
constexpr double little = 0x1p24;  // samples that are read in a moment

// From the best to the least urgent; what costs less comes first within each.
enum Urgency {
    first_sketch,
    for_frame,
    for_probe,
    sketch_of_view,
    sketch_of_whole,
    much_for_frame,
    much_for_probe,
    ahead
};
double priority(Urgency urgency, double cost) { return double(urgency) + cost / (cost + 0x1p30); }

// Samples of the image under a window of a level.
double cost_of(const ImageWindow& window, Level level) { return std::ldexp(window.samples(), level.x + level.y); }

}  // namespace

LiveWindows::LiveWindows(std::shared_ptr<Backend> backend, std::shared_ptr<const TileSource> tiles,
                         const LiveOptions& options)
    : backend_(std::move(backend)), options_(options) {
    if (!backend_) throw Error("live windows need a backend: make one with make_backend()");
    if (options.memory < least_live_memory)
        throw Error(fmt::format("live windows need at least {} MiB of memory", least_live_memory >> 20));
    tiles_ = std::make_shared<const HatchedTiles>(std::move(tiles));
    light_ = is_linear(info().profile.get()) ? Light::stored : options.light;
    maker_ = std::make_unique<WindowMaker>(backend_->info(), tiles_,
                                           TiledOptions{maker_bytes(options.memory), options.light}, options.wake);
    shows_anything();
}

LiveWindows::~LiveWindows() = default;

void LiveWindows::move_to(const std::shared_ptr<Backend>& backend) {
    maker_.reset();  // it computes on the same device
    held_.clear();
    wants_.clear();
    failed_.clear();
    minus_ = {};
    points_ = {};
    border_sum_ = {};
    bytes_ = 0;
    backend_ = backend;
    maker_ = std::make_unique<WindowMaker>(backend_->info(), tiles_,
                                           TiledOptions{maker_bytes(options_.memory), options_.light}, options_.wake);
    shows_anything();
}

std::optional<std::string> LiveWindows::take_problem() {
    if (problem_) return std::exchange(problem_, std::nullopt);
    return tiles_->take_problem();
}

size_t LiveWindows::pixel_bytes(RenderTarget::Format format) const {
    return format == RenderTarget::Format::rgba8 ? 4 : size_t(info().channels) * sizeof(float);
}

// What has come.
void LiveWindows::collect() {
    for (MadeWindow& made : maker_->take()) add(std::move(made));
}

void LiveWindows::add(MadeWindow made) {
    ++arrivals_;
    std::erase_if(wants_, [&](const Want& want) { return same_order(want.order, made.order); });
    if (!made.problem.empty()) {
        problem_ = made.problem;
        failed_.push_back(made.order);
        return;
    }
    if (made.samples) backend_->take_over(*made.samples);
    // A finer sketch of the same part takes the place of the one before.
    if (made.order.kind == WindowOrder::Kind::sketch)
        std::erase_if(held_, [&](const Held& held) {
            const bool replaced = held.made.order.kind == WindowOrder::Kind::sketch &&
                                  held.made.order.sketch.region == made.order.sketch.region;
            if (replaced) bytes_ -= held.made.bytes;
            return replaced;
        });
    bytes_ += made.bytes;
    held_.push_front({std::move(made), turn_});
    make_room();
    most_bytes_ = std::max(most_bytes_, bytes_);
}

// The sketch of the whole stays: there is always something to be shown.
void LiveWindows::make_room() {
    const Held* const whole = sketch_of_all();
    for (auto at = held_.end(); bytes_ > held_bytes(options_.memory) && at != held_.begin();) {
        --at;
        if (&*at == whole || at == held_.begin()) continue;
        bytes_ -= at->made.bytes;
        at = held_.erase(at);
    }
}

const LiveWindows::Held* LiveWindows::sketch_of_all() const {
    for (const Held& held : held_)
        if (const MadeWindow& made = held.made; made.order.kind == WindowOrder::Kind::sketch &&
                                                made.order.sketch.region.width == info().width &&
                                                made.order.sketch.region.height == info().height)
            return &held;
    return nullptr;
}

bool LiveWindows::is_sketched() const {
    const Held* const held = sketch_of_all();
    return held && held->made.order.sketch == texelscope::sketch_of_all(info(), overview_side(options_.memory));
}

// Asks for the sketches of the whole, too: first one that is there at once.
bool LiveWindows::shows_anything() {
    collect();
    const Held* const held = sketch_of_all();
    const auto sketch = [&](int side, bool quickly) {
        WindowOrder order;
        order.kind = WindowOrder::Kind::sketch;
        order.sketch = texelscope::sketch_of_all(info(), side);
        order.quickly = quickly;
        order.cost = cost_of_sketch(*tiles_, order.sketch, quickly);
        return order;
    };
    WindowOrder fine = sketch(overview_side(options_.memory), false);
    if (is_sketched()) return true;
    if (!held) want(sketch(first_side, true), priority(first_sketch, 0), false);
    const Urgency urgency = fine.cost < little ? sketch_of_view : sketch_of_whole;
    const double cost = fine.cost;
    want(std::move(fine), priority(urgency, cost), false);
    return held != nullptr;
}

void LiveWindows::want(WindowOrder order, double priority, bool frame) {
    const auto same = [&](const WindowOrder& other) { return same_order(order, other); };
    if (std::any_of(failed_.begin(), failed_.end(), same)) return;
    for (Want& want : wants_)
        if (same(want.order)) {
            want.turn = turn_;
            want.since = {};
            want.priority = std::min(want.priority, priority);
            return;
        }
    wants_.push_back({std::move(order), priority, turn_, frame});
    send_orders();
}

void LiveWindows::send_orders() {
    wants_.sort([](const Want& a, const Want& b) {  // of views, the latest first
        if (a.frame && b.frame && a.turn != b.turn && std::floor(a.priority) == std::floor(b.priority))
            return a.turn > b.turn;
        return a.priority < b.priority;
    });
    std::vector<WindowOrder> orders;
    for (const Want& want : wants_) {
        orders.push_back(want.order);
        orders.back().priority = want.priority;
    }
    maker_->order(std::move(orders));
}

void LiveWindows::next_turn() {
    constexpr double forgotten_ms = 3000;  // what a readout has asked for, and does not ask for again
    collect();
    const size_t before = wants_.size();
    std::erase_if(wants_, [&](const Want& want) {
        if (want.order.kind == WindowOrder::Kind::sketch && !want.frame) return false;
        return want.turn < turn_ && (want.frame || want.since.ms() > forgotten_ms);
    });
    if (wants_.size() != before) send_orders();
    ++turn_;
}

bool LiveWindows::is_too_large(const Reading& reading) const {
    return reading.blocks.bytes(reading.all) > double(window_bytes(options_.memory)) ||
           reading.blocks.is_sparse(reading.all);
}

const LiveWindows::Held* LiveWindows::window_for(const Reading& reading, const BlockWindow& block) {
    const SourceKey key = reading.key();
    for (auto at = held_.begin(); at != held_.end(); ++at) {
        const WindowOrder& order = at->made.order;
        if (order.kind != WindowOrder::Kind::window || !(order.key == key) || !holds(order.window, block.window))
            continue;
        held_.splice(held_.begin(), held_, at);
        return &held_.front();
    }
    return nullptr;
}

const LiveWindows::Held* LiveWindows::picture_for(const PlannedRequest& planned, RenderTarget::Format format) {
    for (auto at = held_.begin(); at != held_.end(); ++at) {
        const WindowOrder& order = at->made.order;
        if (order.kind != WindowOrder::Kind::picture || order.format != format || !same_picture(order.picture, planned))
            continue;
        held_.splice(held_.begin(), held_, at);
        return &held_.front();
    }
    return nullptr;
}

// As much around the window as there is room for, so that the next views need no other one.
ImageWindow LiveWindows::with_margin(const Reading& reading, const BlockWindow& block) const {
    const auto grown = [&](const AxisWindow& window, AddressMode mode, int n, int reach, double part) {
        if (window.whole) return window;
        const auto margin = int64_t(std::max(part * double(window.count), part > 0 ? 64.0 : 0.0));
        int64_t first = window.first - margin, last = window.first + window.count + margin;
        if (!is_periodic(mode)) {  // beyond that nothing new comes
            const int64_t beyond = 2 * int64_t(reach) + 4;
            first = std::max(first, std::min(window.first, -beyond));
            last = std::min(last, std::max(window.first + window.count, n + beyond));
        }
        return last - first >= n ? AxisWindow{0, n, true} : AxisWindow{first, last - first, false};
    };
    const ImageWindow& window = block.window;
    const WindowReach reach = reading.blocks.reach();
    for (const double part : {0.3, 0.15, 0.05}) {
        ImageWindow larger = window;
        larger.x = grown(window.x, window.address.x, window.width, reach.x, part);
        larger.y = grown(window.y, window.address.y, window.height, reach.y, part);
        if (larger.samples() * reading.blocks.bytes_per_texel() <= double(window_bytes(options_.memory))) return larger;
    }
    return window;
}

WindowOrder LiveWindows::window_order(const Reading& reading, const ImageWindow& window) const {
    WindowOrder order;
    order.kind = WindowOrder::Kind::window;
    order.key = reading.key();
    order.window = window;
    order.cost = cost_of(window, reading.level());
    if (!reading.blocks.prefilters()) return order;
    order.prefilter = reading.request().spec;
    order.prefilter.address = {window.x.address(window.address.x), window.y.address(window.address.y)};
    return order;
}

void LiveWindows::want_all(const Reading& reading, RenderTarget::Format format, bool frame) {
    WindowOrder order;
    if (is_too_large(reading)) {
        order.kind = WindowOrder::Kind::picture;
        order.picture = reading.planned;
        order.format = format;
        order.cost = cost_of(reading.all.window, reading.level());
    } else {
        order = window_order(reading, with_margin(reading, reading.all));
    }
    const double cost = order.cost;
    const bool much = cost > little;
    const Urgency urgency = frame ? (much ? much_for_frame : for_frame) : much ? much_for_probe : for_probe;
    // One that is being made serves this view as well.
    const bool comes = std::any_of(wants_.begin(), wants_.end(), [&](Want& want) {
        const WindowOrder& other = want.order;
        const bool serves = order.kind == WindowOrder::Kind::window && other.kind == order.kind &&
                            other.key == order.key && holds(other.window, reading.all.window);
        if (serves) want.turn = turn_, want.since = {}, want.frame = want.frame && frame;
        return serves;
    });
    if (!comes) want(std::move(order), priority(urgency, cost), frame);
    if (!frame || !much || reading.planned.warp.kind != Warp::Kind::none) return;
    // Meanwhile a sketch of what is in view.
    const ReadPlan& plan = reading.request().reading;
    const auto region = [&](const PositionRange& range, const LevelAxis& axis, int n, int64_t& first, int& count) {
        const double step = axis.step(), more = 0.1 * (range.high - range.low) * step;
        const double low = (range.low + 0.5) * step - 0.5 - more, high = (range.high + 0.5) * step + 0.5 + more;
        first = int64_t(std::clamp(std::floor(low), 0.0, n - 1.0));
        count = int(std::clamp(std::ceil(high) - double(first), 1.0, double(n - first)));
    };
    if (reading.all.x.empty() || reading.all.y.empty()) return;
    WindowOrder sketch;
    sketch.kind = WindowOrder::Kind::sketch;
    SketchPlan& of = sketch.sketch;
    region(reading.all.x, plan.level_x, info().width, of.region.x, of.region.width);
    region(reading.all.y, plan.level_y, info().height, of.region.y, of.region.height);
    const double scale = std::max({1.0, of.region.width / 1200.0, of.region.height / 1200.0});
    of.width = std::max(1, int(of.region.width / scale));
    of.height = std::max(1, int(of.region.height / scale));
    const Held* const whole = sketch_of_all();
    if (whole && whole->made.order.sketch.step_x() < 1.5 * of.step_x()) return;  // hardly better than what is there
    for (const Held& held : held_)
        if (held.made.order.kind == WindowOrder::Kind::sketch && held.made.order.sketch == of) return;
    sketch.cost = cost_of_sketch(*tiles_, of, true);
    sketch.quickly = true;
    if (sketch.cost < 0.5 * cost) want(sketch, priority(sketch_of_view, sketch.cost), true);
}

// From where a view of this kind was before.
std::pair<double, double> LiveWindows::moved_by(const SourceKey& key, int64_t width, int64_t height, double x,
                                                double y) {
    constexpr size_t most = 32;
    const auto same = [&](const Motion& motion) {  // a window may be a sample wider in other places
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

// A view that comes near its window's edge needs another one soon: around where it will be.
void LiveWindows::look_ahead(const Reading& reading, const Held& held) {
    const ImageWindow &view = reading.all.window, &window = held.made.order.window;
    const double x = double(view.x.first) + double(view.x.count) / 2,
                 y = double(view.y.first) + double(view.y.count) / 2;
    const auto [step_x, step_y] = moved_by(reading.key(), view.x.count, view.y.count, x, y);
    const auto near_edge = [](const AxisWindow& of_view, const AxisWindow& of_window, double step, AddressMode mode,
                              int n) {
        if (of_window.whole || step == 0 || std::abs(step) > double(of_view.count)) return false;
        const bool forward = step > 0;
        const int64_t slack = forward ? of_window.first + of_window.count - of_view.first - of_view.count
                                      : of_view.first - of_window.first;
        const bool at_end =
            !is_periodic(mode) && (forward ? of_window.first + of_window.count > n : of_window.first < 0);
        return !at_end && double(slack) < 0.12 * double(of_view.count);
    };
    if (!near_edge(view.x, window.x, step_x, window.address.x, window.width) &&
        !near_edge(view.y, window.y, step_y, window.address.y, window.height))
        return;
    BlockWindow next = reading.all;
    const auto moved = [](AxisWindow& axis, double step) {
        if (!axis.whole && std::abs(step) < double(axis.count))
            axis.first += std::clamp<int64_t>(int64_t(8 * step), -axis.count / 4, axis.count / 4);
    };
    moved(next.window.x, step_x);
    moved(next.window.y, step_y);
    const ImageWindow wanted = with_margin(reading, next);
    if (!holds(wanted, view)) return;
    WindowOrder order = window_order(reading, wanted);
    const auto coming = [&](const Want& want) {
        return want.order.kind == WindowOrder::Kind::window && want.order.key == order.key;
    };
    for (Want& want : wants_)
        if (coming(want)) {
            want.turn = turn_;
            return;
        }
    const double cost = order.cost;
    want(std::move(order), priority(ahead, cost), true);
}

namespace {

void check(const PlannedRequest& planned) {
    if (kernel_of(*planned.resampling.spec.method))
        throw Error(fmt::format(
            "the kernel '{}' may read any sample, so it needs the whole image in memory: choose another method",
            planned.resampling.spec.method->name));
}

}  // namespace

bool LiveWindows::ready(const PlannedRequest& planned, RenderTarget::Format format) {
    check(planned);
    collect();
    const Reading reading(planned, info(), light_);
    if (window_for(reading, reading.all) || picture_for(planned, format)) return true;
    want_all(reading, format, false);
    return false;
}

bool LiveWindows::render(const PlannedRequest& planned, const RenderTarget& target) {
    check(planned);
    collect();
    const Reading reading(planned, info(), light_);
    if (render_exactly(reading, target)) return true;
    want_all(reading, target.format, false);
    return false;
}

bool LiveWindows::render_at_hand(const PlannedRequest& planned, const RenderTarget& target) {
    check(planned);
    shows_anything();
    const Reading reading(planned, info(), light_);
    if (render_exactly(reading, target)) return true;
    if (roughly_) {
        stand_in(reading, target);
        return is_sketched();
    }
    want_all(reading, target.format, true);
    stand_in(reading, target);
    return false;
}

bool LiveWindows::render_exactly(const Reading& reading, const RenderTarget& target) {
    if (const Held* held = window_for(reading, reading.all)) {
        look_ahead(reading, *held);
        compute(reading, reading.all, *held, target);
        return true;
    }
    const Held* const held = picture_for(reading.planned, target.format);
    if (!held) return false;
    const Image& picture = *held->made.picture;
    auto* const to = static_cast<std::byte*>(target.pixels);
    if (target.row_bytes == picture.row_bytes()) {
        backend_->write(to, picture.data(), picture.size_bytes());
        return true;
    }
    for (int y = 0; y < picture.height(); ++y)
        backend_->write(to + size_t(y) * target.row_bytes, picture.row(y), picture.row_bytes());
    return true;
}

void LiveWindows::resample(const ResidentImage& source, const Resampling& request, const BorderPixel& border,
                           const std::vector<double>& points, const RenderTarget& target) {
    Resampling part = request;
    std::shared_ptr<void> pairs;
    if (!points.empty()) {
        const size_t bytes = points.size() * sizeof(double);
        pairs = points_.at_least(*backend_, bytes);
        backend_->write(pairs.get(), points.data(), bytes);
        part.points = PointsView::pairs(static_cast<double*>(pairs.get()), points.size() / 2);
    }
    border_sum_.render(*backend_, source, part, border, target,
                       [this](const ResidentImage& image, const Resampling& what, const RenderTarget& to) {
                           backend_->resample(image, what, to);
                       });
}

void LiveWindows::compute(const Reading& reading, const BlockWindow& block, const Held& held,
                          const RenderTarget& target) {
    const ImageWindow& window = held.made.order.window;
    const std::vector<double> points = block.points.empty() ? std::vector<double>() : counted_points(block, window);
    resample(*held.made.samples, reading.blocks.request(block, window), reading.border, points, target);
}

}  // namespace texelscope
