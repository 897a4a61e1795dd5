#include "gpu/tiles/live_regions.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "gpu/core/errors.h"
#include "gpu/core/image.h"
#include "gpu/tiles/tile_cache.h"

namespace texelscope {
namespace {

// A level that is made of hatched samples is none of the image.
class SoundLevels final : public LevelStore {
public:
    SoundLevels(std::shared_ptr<const HatchedTiles> tiles, std::shared_ptr<LevelStore> store)
        : tiles_(std::move(tiles)), store_(std::move(store)) {}

    bool find(const LevelKind& kind, int64_t column, int64_t row, Image& samples) override {
        return store_->find(kind, column, row, samples);
    }
    void put(const LevelKind& kind, int64_t column, int64_t row, const Image& samples) override {
        if (tiles_->damaged() == 0) store_->put(kind, column, row, samples);
    }

private:
    std::shared_ptr<const HatchedTiles> tiles_;
    std::shared_ptr<LevelStore> store_;
};

}  // namespace

LiveRegions::LiveRegions(std::shared_ptr<Backend> backend, std::shared_ptr<const TileSource> tiles,
                         const LiveOptions& options)
    : backend_(std::move(backend)), options_(options) {
    if (!backend_) throw Error("live regions need a backend: make one with make_backend()");
    if (options.memory < least_live_memory)
        throw Error(fmt::format("live regions need at least {} MiB of memory", least_live_memory >> 20));
    tiles_ = std::make_shared<const HatchedTiles>(std::move(tiles));
    light_ = is_linear(info().profile.get()) ? Light::stored : options.light;
    if (options.levels) options_.levels = std::make_shared<SoundLevels>(tiles_, options.levels);
    begin();
}

void LiveRegions::begin() {
    MemoryThere there{.image = options_.memory};
    if (backend_->info().kind == BackendKind::cuda) there.kept_on_gpu = backend_->memory().limit();
    shares_ = memory_plan(there).live;
    maker_ = std::make_unique<RegionMaker>(backend_->info(), tiles_,
                                           TiledOptions{shares_.maker, options_.light, options_.levels}, options_.wake);
    shows_anything();
}

LiveRegions::~LiveRegions() = default;

void LiveRegions::move_to(const std::shared_ptr<Backend>& backend) {
    maker_.reset();  // it computes on the same device
    held_.clear();
    references_.clear();
    wants_.clear();
    failed_.clear();
    minus_ = {};
    points_ = {};
    border_sum_ = {};
    bytes_ = 0;
    backend_ = backend;
    begin();
}

std::optional<std::string> LiveRegions::take_problem() {
    if (problem_) return std::exchange(problem_, std::nullopt);
    return tiles_->take_problem();
}

size_t LiveRegions::pixel_bytes(RenderTarget::Format format) const { return bytes_per_pixel(format, info().channels); }

// What has come.
void LiveRegions::collect() {
    for (MadeRegion& made : maker_->take()) add(std::move(made));
}

void LiveRegions::add(MadeRegion made) {
    ++arrivals_;
    std::erase_if(wants_, [&](const Want& want) { return same_order(want.order, made.order); });
    if (made.order.kind == RegionOrder::Kind::reference) {
        references_.push_front({made.order.picture, std::move(made.reference), std::move(made.problem), turn_});
        return;
    }
    if (!made.problem.empty()) {
        if (last_problem_ != made.problem) problem_ = made.problem;
        last_problem_ = made.problem;
        failed_.push_back({made.order, {}});
        return;
    }
    if (made.samples) backend_->take_over(*made.samples);
    // A finer sketch of the same part takes the place of the one before.
    if (made.order.kind == RegionOrder::Kind::sketch)
        std::erase_if(held_, [&](const Held& held) {
            const bool replaced = held.made.order.kind == RegionOrder::Kind::sketch &&
                                  held.made.order.sketch.region == made.order.sketch.region;
            if (replaced) bytes_ -= held.made.bytes;
            return replaced;
        });
    bytes_ += made.bytes;
    held_.push_front({std::move(made)});
    make_room();
    most_bytes_ = std::max(most_bytes_, bytes_);
}

// The sketch of the whole stays: there is always something to be shown.
void LiveRegions::make_room() {
    const Held* const whole = sketch_of_all();
    for (auto at = held_.end(); bytes_ > shares_.held && at != held_.begin();) {
        --at;
        if (&*at == whole || at == held_.begin()) continue;
        bytes_ -= at->made.bytes;
        at = held_.erase(at);
    }
}

const LiveRegions::Held* LiveRegions::sketch_of_all() const {
    for (const Held& held : held_)
        if (const MadeRegion& made = held.made; made.order.kind == RegionOrder::Kind::sketch &&
                                                made.order.sketch.region.width == info().width &&
                                                made.order.sketch.region.height == info().height)
            return &held;
    return nullptr;
}

bool LiveRegions::is_sketched() const {
    const Held* const held = sketch_of_all();
    return held && held->made.order.sketch == texelscope::sketch_of_all(info(), overview_side(options_.memory));
}

// Asks for the sketches of the whole, too: first one that is there at once.
bool LiveRegions::shows_anything() {
    collect();
    if (is_sketched()) return true;
    const Held* const held = sketch_of_all();
    const auto sketch = [&](int side, bool quickly) {
        RegionOrder order;
        order.kind = RegionOrder::Kind::sketch;
        order.sketch = texelscope::sketch_of_all(info(), side);
        if (quickly) order.sketch = affordable(*tiles_, order.sketch, little);
        order.quickly = quickly;
        order.cost = cost_of_sketch(*tiles_, order.sketch, quickly);
        return order;
    };
    RegionOrder fine = sketch(overview_side(options_.memory), false);
    if (!held) want(sketch(first_side, true), priority(first_sketch, 0), false);
    const Urgency urgency = fine.cost < little ? sketch_of_view : sketch_of_whole;
    const double cost = fine.cost;
    want(std::move(fine), priority(urgency, cost), false);
    return held != nullptr;
}

void LiveRegions::want(RegionOrder order, double priority, bool frame) {
    constexpr double tried_again_ms = 2000;  // the memory that was lacking may be there
    std::erase_if(failed_, [&](const Failed& each) { return each.since.ms() > tried_again_ms; });
    for (const Failed& each : failed_)
        if (same_order(order, each.order)) return;
    for (Want& want : wants_)
        if (same_order(order, want.order)) return ask_again(want, priority);
    wants_.push_back({std::move(order), priority, turn_, frame});
    send_orders();
}

// What was to come later may be needed at once now.
void LiveRegions::ask_again(Want& want, double priority) {
    want.turn = turn_;
    want.since = {};
    if (priority >= want.priority) return;
    want.priority = priority;
    send_orders();
}

void LiveRegions::send_orders() {
    const auto rank = [](const Want& want) {  // of what is as urgent, the latest first
        return std::tuple(std::floor(want.priority), -want.turn, want.priority);
    };
    wants_.sort([&](const Want& a, const Want& b) { return rank(a) < rank(b); });
    std::vector<RegionOrder> orders;
    for (const Want& want : wants_) {
        orders.push_back(want.order);
        orders.back().priority = want.priority;
        orders.back().patient = int(want.priority) == for_probe;
    }
    maker_->order(std::move(orders));
}

// What a readout or a figure has asked for, and does not ask for again.
bool LiveRegions::is_forgotten(int turn, const StopWatch& since) const {
    constexpr double forgotten_ms = 3000;
    return turn < turn_ && since.ms() > forgotten_ms;
}

void LiveRegions::next_turn() {
    collect();
    std::erase_if(references_, [&](const Reference& each) { return is_forgotten(each.turn, each.since); });
    const size_t before = wants_.size();
    std::erase_if(wants_, [&](const Want& want) {
        if (want.order.kind == RegionOrder::Kind::sketch && !want.frame) return false;
        return want.turn < turn_ && (want.frame || is_forgotten(want.turn, want.since));
    });
    if (wants_.size() != before) send_orders();
    if (!keys_.empty()) regions_in_frame_ = keys_.size();
    keys_.clear();
    shows_levels_of_file_ = false;
    ++turn_;
}

const LiveRegions::Held* LiveRegions::region_for(const Reading& reading, const BlockRegion& block) {
    const SourceKey& key = reading.key;
    for (auto at = held_.begin(); at != held_.end(); ++at) {
        const RegionOrder& order = at->made.order;
        if (order.kind != RegionOrder::Kind::region || !(order.key == key) || !holds(order.region, block.region))
            continue;
        held_.splice(held_.begin(), held_, at);
        return &held_.front();
    }
    return nullptr;
}

const LiveRegions::Held* LiveRegions::picture_for(const PlannedRequest& planned, RenderTarget::Format format) {
    for (auto at = held_.begin(); at != held_.end(); ++at) {
        const RegionOrder& order = at->made.order;
        if (order.kind != RegionOrder::Kind::picture || order.format != format || !same_picture(order.picture, planned))
            continue;
        held_.splice(held_.begin(), held_, at);
        return &held_.front();
    }
    return nullptr;
}

bool LiveRegions::ready(const PlannedRequest& planned, RenderTarget::Format format) {
    check_reads_regions(planned.spec);
    collect();
    const Reading reading(planned, *tiles_, light_);
    if (region_for(reading, reading.all) || picture_for(planned, format)) return true;
    want_all(reading, format, false);
    return false;
}

bool LiveRegions::render(const PlannedRequest& planned, const RenderTarget& target) {
    check_reads_regions(planned.spec);
    collect();
    const Reading reading(planned, *tiles_, light_);
    if (render_exactly(reading, target)) return true;
    want_all(reading, target.format, false);
    return false;
}

bool LiveRegions::render_at_hand(const PlannedRequest& planned, const RenderTarget& target) {
    check_reads_regions(planned.spec);
    shows_anything();
    const Reading reading(planned, *tiles_, light_);
    if (!roughly_ && std::find(keys_.begin(), keys_.end(), reading.key) == keys_.end()) keys_.push_back(reading.key);
    if (render_exactly(reading, target)) return true;
    if (roughly_) {
        stand_in(reading, target);
        return is_sketched();
    }
    want_all(reading, target.format, true);
    stand_in(reading, target);
    return false;
}

bool LiveRegions::render_exactly(const Reading& reading, const RenderTarget& target) {
    if (const Held* held = region_for(reading, reading.all)) {
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

const LiveRegions::Reference* LiveRegions::reference_for(const PlannedRequest& planned) {
    for (Reference& each : references_)
        if (same_picture(each.planned, planned)) {
            each.turn = turn_;
            each.since = {};
            return &each;
        }
    return nullptr;
}

MadeReference LiveRegions::find_reference(const PlannedRequest& planned) {
    collect();
    const Reference* const found = reference_for(planned);
    return found ? found->values : nullptr;
}

bool LiveRegions::render_reference(const PlannedRequest& planned, double* values, bool for_frame) {
    check_reads_regions(planned.spec);
    collect();
    if (const Reference* const found = reference_for(planned)) {
        if (!found->values) throw Error(found->problem);
        backend_->write(values, found->values->data(), found->values->size() * sizeof(double));
        return true;
    }
    RegionOrder order;
    order.kind = RegionOrder::Kind::reference;
    order.picture = planned;
    order.cost = cost_of(Reading(planned, *tiles_, light_).all.region, planned.reading.level);
    const double cost = order.cost;
    want(std::move(order), priority(in_float64, cost), for_frame);
    return false;
}

void LiveRegions::resample(const ResidentImage& source, const Resampling& request, const BorderPixel& border,
                           const std::vector<double>& points, const RenderTarget& target) {
    Resampling part = request;
    part.border = border;
    std::shared_ptr<void> pairs;
    if (!points.empty()) {
        const size_t bytes = points.size() * sizeof(double);
        pairs = points_.at_least(*backend_, bytes);
        backend_->write(pairs.get(), points.data(), bytes);
        part.points = PointsView::pairs(static_cast<double*>(pairs.get()), points.size() / 2);
    }
    border_sum_.render(*backend_, source, part, target);
}

void LiveRegions::compute(const Reading& reading, const BlockRegion& block, const Held& held,
                          const RenderTarget& target) {
    const ImageRegion& region = held.made.order.region;
    const std::vector<double> points = block.points.empty() ? std::vector<double>() : counted_points(block, region);
    resample(*held.made.samples, reading.blocks.request(block, region), reading.border, points, target);
}

}  // namespace texelscope
