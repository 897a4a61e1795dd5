// What a live view shows of samples that are not there yet, and the texels themselves.

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "gpu/core/errors.h"
#include "gpu/core/tile_source.h"
#include "gpu/tiles/live_regions.h"

namespace texelscope {
namespace {

// Blocks that may come from different samples: their least side in pixels, and how many there are at most along an axis.
constexpr int least_side = 128, most_blocks = 16;

// A rectangle of a grid of blocks.
struct Cells {
    int x = 0, y = 0, across = 1, down = 1;
};

// Rectangles of equal values that together are the grid.
template <class T, class Visit> void for_equal_cells(const std::vector<T>& values, int columns, Visit visit) {
    const int rows = int(values.size()) / columns;
    std::vector<bool> visited(values.size());
    const auto at = [&](int x, int y) { return size_t(y) * size_t(columns) + size_t(x); };
    for (int y = 0; y < rows; ++y)
        for (int x = 0; x < columns; ++x) {
            if (visited[at(x, y)]) continue;
            const auto joins = [&](int i, int j) { return !visited[at(i, j)] && values[at(i, j)] == values[at(x, y)]; };
            Cells cells{x, y, 1, 1};
            while (x + cells.across < columns && joins(x + cells.across, y)) ++cells.across;
            const auto row_joins = [&](int j) {
                for (int i = x; i < x + cells.across; ++i)
                    if (!joins(i, j)) return false;
                return true;
            };
            while (y + cells.down < rows && row_joins(y + cells.down)) ++cells.down;
            for (int j = y; j < y + cells.down; ++j)
                for (int i = x; i < x + cells.across; ++i) visited[at(i, j)] = true;
            visit(cells);
        }
}

}  // namespace

void LiveRegions::fill(const RenderTarget& target, int width, int height) {
    const std::vector<std::byte> zeros(size_t(width) * pixel_bytes(target.format));
    auto* const to = static_cast<std::byte*>(target.pixels);
    for (int y = 0; y < height; ++y) backend_->write(to + size_t(y) * target.row_bytes, zeros.data(), zeros.size());
}

// What has been made right is shown right, block by block; neighbours from the same samples are drawn together.
void LiveRegions::stand_in(const Reading& reading, const RenderTarget& target) {
    const auto draw_all = [&] {
        const Resampling& request = reading.planned;
        const int width = request.width, height = request.height;
        if (!reading.all.points.empty() || request.derivative != Derivative::none) {
            const Choice choice = chosen(reading, reading.all);
            if (choice.held) draw(reading, reading.all, choice, target);
            else fill(target, width, height);
            return;
        }
        const int side = std::max(least_side, (std::max(width, height) - 1) / most_blocks + 1);
        const int columns = (width - 1) / side + 1, rows = (height - 1) / side + 1;
        const auto block_of = [&](const Cells& cells) {
            const int x = cells.x * side, y = cells.y * side;
            return reading.blocks.of(
                {x, y, std::min(cells.across * side, width - x), std::min(cells.down * side, height - y)});
        };
        const auto draw_block = [&](const BlockRegion& block, const Choice& choice) {
            RenderTarget part = target;
            part.timer = no_timer;
            part.pixels = static_cast<std::byte*>(target.pixels) + size_t(block.pixels.y) * target.row_bytes +
                          size_t(block.pixels.x) * pixel_bytes(target.format);
            if (choice.held) draw(reading, block, choice, part);
            else fill(part, block.pixels.width, block.pixels.height);
        };
        std::vector<const Held*> sources;
        for (int y = 0; y < rows; ++y)
            for (int x = 0; x < columns; ++x) sources.push_back(chosen(reading, block_of({x, y, 1, 1})).held);
        for_equal_cells(sources, columns, [&](const Cells& cells) {
            const BlockRegion together = block_of(cells);
            const Choice choice = chosen(reading, together);
            if (choice.held == sources[size_t(cells.y) * size_t(columns) + size_t(cells.x)])
                return draw_block(together, choice);
            for (int y = cells.y; y < cells.y + cells.down; ++y)
                for (int x = cells.x; x < cells.x + cells.across; ++x) {
                    const BlockRegion alone = block_of({x, y, 1, 1});
                    draw_block(alone, chosen(reading, alone));
                }
        });
    };
    if (target.timer == no_timer) draw_all();
    else backend_->timed(target.timer, draw_all);
}

// The right samples; else those that are most like them.
LiveRegions::Choice LiveRegions::chosen(const Reading& reading, const BlockRegion& block) {
    if (const Held* const exact = region_for(reading, block)) return {exact, {}};
    const Resampling& request = reading.planned;
    if (request.derivative != Derivative::none) return {};  // that of a sketch would be another one
    const AddressPair& address = request.spec.address;
    Choice best;
    for (const Held& held : held_) {
        const RegionOrder& order = held.made.order;
        std::optional<StandIn> other;
        if (order.kind == RegionOrder::Kind::sketch) other.emplace(held.made.samples, info(), order.sketch, address);
        else if (order.kind == RegionOrder::Kind::region && !order.prefilter.method && order.key.address == address)
            other.emplace(held.made.samples, info(), order.key.level, address, order.region);
        if (!other || !other->covers(block, request.reading)) continue;
        if (best.held && best.stand_in->unlikeness(request.reading) <= other->unlikeness(request.reading)) continue;
        best = {&held, std::move(other)};
    }
    return best;
}

void LiveRegions::draw(const Reading& reading, const BlockRegion& block, const Choice& choice,
                       const RenderTarget& target) {
    if (!choice.stand_in) return compute(reading, block, *choice.held, target);
    const Resampling& request = reading.planned;
    const StandIn& source = *choice.stand_in;
    Resampling part = source.request(request, block.pixels, light_ == Light::linear);
    std::vector<double> points = block.points;
    for (size_t k = 0; k < points.size(); k += 2) {
        const Point p = source.texel_at({points[k], points[k + 1]}, request.reading);
        points[k] = p.x;
        points[k + 1] = p.y;
    }
    if (!points.empty()) {
        part.reading.local_stretch = false;
        part.reading.stretch_x = part.reading.stretch_y = 1;
    }
    const RegionOrder& order = choice.held->made.order;
    const bool sketched = order.kind == RegionOrder::Kind::sketch, minus = sketched && !reading.border.is_zero();
    if (!roughly_ && sketched && level_of_sketch(*tiles_, order.sketch) > 0) shows_levels_of_file_ = true;
    const auto samples = minus ? minus_border(*choice.held, request.spec.address) : nullptr;
    resample(samples ? *samples : source.samples(), part, reading.border, points, target);
}

std::shared_ptr<const ResidentImage> LiveRegions::minus_border(const Held& sketch, const AddressPair& address) {
    const std::shared_ptr<const ResidentImage>& of = sketch.made.samples;
    if (minus_.of != of || !(minus_.border == address.border))
        minus_ = {of, address.border, backend_->minus(*of, border_of(info(), address, light_))};
    return minus_.samples;
}

bool LiveRegions::texels(const PlannedRequest& planned, const SampleRegion& region, std::vector<float>& values) {
    collect();
    PlannedRequest request = planned;  // one that reads just these
    request.warp = {};
    request.outside = Outside::extend;
    request.width = region.width;
    request.height = region.height;
    request.reading.positions = {1, 0, double(region.x), 0, 1, double(region.y)};
    const Reading reading(request, *tiles_, light_);
    const Held* const held = region_for(reading, reading.all);
    if (!held) {
        want_all(reading, RenderTarget::Format::floats, false);
        return false;
    }
    const ImageRegion& made = held->made.order.region;
    Resampling nearest;  // reads exactly the texel at whole positions
    nearest.spec = default_spec(parse_method("nearest"));
    nearest.spec.address = made.own_address();
    nearest.spec.address.border = request.spec.address.border;
    nearest.width = region.width;
    nearest.height = region.height;
    nearest.reading.positions = {1, 0, double(region.x - made.x.first), 0, 1, double(region.y - made.y.first)};
    const size_t row = size_t(region.width) * size_t(info().channels);
    values.resize(row * size_t(region.height));
    const auto memory = backend_->allocate(values.size() * sizeof(float));
    resample(*held->made.samples, nearest, reading.border, {},
             {memory.get(), row * sizeof(float), RenderTarget::Format::floats, no_timer});
    backend_->read_back(values.data(), memory.get(), values.size() * sizeof(float));
    return true;
}

namespace {

// Counted from the image's corner, so that regions fit together. Narrow stripes are seen close by, and wide ones, 64 along the
// larger side, in the whole image.
void hatch(const ImageInfo& info, const Extent& extent, const SampleRegion& region, std::byte* to, size_t row_bytes) {
    constexpr int64_t stripe = 16;
    const int64_t wide = stripe * std::max<int64_t>(1, std::max(extent.width, extent.height) / 64 / stripe);
    const size_t sample = size_t(bytes_per_sample(info.type));
    for (int j = 0; j < region.height; ++j) {
        std::byte* at = to + size_t(j) * row_bytes;
        for (int i = 0; i < region.width; ++i) {
            const int64_t place = region.x + i + region.y + j;
            const float light = 0.75f - 0.5f * float(place / stripe % 2) - 0.25f * float(place / wide % 2);
            for (int c = 0; c < info.channels; ++c, at += sample) {
                const bool alpha = info.alpha != Alpha::none && c == info.channels - 1;
                const float value = alpha ? 1.0f : light;
                convert_samples(reinterpret_cast<const std::byte*>(&value), 1, SampleType::f32, at, info.type);
            }
        }
    }
}

}  // namespace

HatchedTiles::HatchedTiles(std::shared_ptr<const TileSource> tiles) : tiles_(std::move(tiles)) {
    if (!tiles_) throw Error("tiles that may be damaged need a source: give it one");
}

void HatchedTiles::read(int level, const SampleRegion& region, std::byte* to, size_t row_bytes) const {
    check_region(*this, level, region);
    try {
        tiles_->read(level, region, to, row_bytes);
    } catch (const OutOfMemory&) {
        throw;
    } catch (const Cancelled&) {
        throw;
    } catch (const Error& error) {
        hatch(info(), level_extent(level), region, to, row_bytes);
        const std::lock_guard lock(mutex_);
        if (damaged_++ == 0)
            problem_ = fmt::format("{} (hatched: {}×{} samples from ({}, {}) on, and whatever else cannot be read)",
                                   error.what(), region.width, region.height, region.x, region.y);
    }
}

std::optional<std::string> HatchedTiles::take_problem() const {
    const std::lock_guard lock(mutex_);
    return std::exchange(problem_, std::nullopt);
}

size_t HatchedTiles::damaged() const {
    const std::lock_guard lock(mutex_);
    return damaged_;
}

}  // namespace texelscope
