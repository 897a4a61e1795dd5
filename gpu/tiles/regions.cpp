#include "gpu/tiles/regions.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include <fmt/format.h>

#include "gpu/backend/job.h"
#include "gpu/core/errors.h"
#include "gpu/core/parallel.h"
#include "gpu/core/pixel.h"
#include "gpu/method/kernel_method.h"
#include "gpu/method/output.h"
#include "gpu/method/polar_method.h"
#include "gpu/method/tabulated.h"
#include "gpu/prefilter/prefilter.h"

namespace texelscope {
namespace {

// The radius of the weight function along an axis, in samples of the level.
double support(const Resampling& request, double stretch, double longest_step) {
    const MethodInfo& method = *request.spec.method;
    const ReadPlan& reading = request.reading;
    const double largest = largest_stretch(method);
    double widened = stretch;
    if (reading.local_stretch) widened = largest;
    else if (is_polar(method) && reading.widened()) widened = std::clamp(longest_step, 1.0, largest);
    return radius_of(method) * widened;
}

int prefilter_reach(const Resampling& request) {
    const Prefilter prefilter = request.spec.effective_prefilter();
    if (!request.reading.prefiltered || prefilter.kind == Prefilter::Kind::none) return 0;
    const int margin = coefficient_margin(request.spec.inverse_filter());
    return prefilter.kind == Prefilter::Kind::fir ? std::max(margin, prefilter.taps / 2) : margin;
}

int64_t floor_modulo(int64_t i, int64_t n) {
    const int64_t rest = i % n;
    return rest < 0 ? rest + n : rest;
}

}  // namespace

RegionReach region_reach(const Resampling& request) { return region_reach(request, prefilter_reach(request)); }

RegionReach region_reach(const Resampling& request, int coefficients) {
    const Affine& p = request.reading.positions;
    const double longest = std::sqrt(p.xx * p.xx + p.xy * p.xy + p.yx * p.yx + p.yy * p.yy);
    const auto reach = [&](double stretch) {
        constexpr int slack = 2;  // a tap of an even number of them, and positions that are rounded
        return int(std::ceil(support(request, stretch, longest))) + slack + coefficients;
    };
    return {reach(request.reading.stretch_x), reach(request.reading.stretch_y)};
}

AxisRegion axis_region(AddressMode mode, int n, PositionRange positions, int reach) {
    if (positions.empty()) positions = {0, 0};
    if (!is_periodic(mode)) {  // from there on the image is constant
        const double beyond = reach + 2.0;
        positions.low = std::clamp(positions.low, -beyond, n - 1 + beyond);
        positions.high = std::clamp(positions.high, -beyond, n - 1 + beyond);
    }
    AxisRegion region;
    region.first = int64_t(std::floor(positions.low)) - reach;
    region.count = int64_t(std::ceil(positions.high)) + reach + 1 - region.first;
    if (region.count >= n) return {0, n, true};
    return region;
}

// A region is shorter than the image, so there are few runs.
std::vector<RegionRun> runs_of(const AxisRegion& region, AddressMode mode, int n) {
    const int64_t first = is_periodic(mode) ? floor_modulo(region.first, period_of(mode, n)) : region.first;
    std::vector<RegionRun> runs;
    const auto joins = [&](int stored) {
        if (runs.empty()) return false;
        RegionRun& run = runs.back();
        if (run.stored < 0 || stored < 0) return run.stored < 0 && stored < 0;
        const int step = stored - (run.stored + run.step * (run.count - 1));
        if (run.count == 1 && std::abs(step) <= 1) run.step = step;
        return step == run.step;
    };
    for (int at = 0; at < int(region.count); ++at) {
        const int stored = addressed(mode, int(first) + at, n);
        if (joins(stored)) ++runs.back().count;
        else runs.push_back({at, 1, stored, 1});
    }
    return runs;
}

namespace {

// One run along each axis, in bytes of texels.
void gather(const RegionRun& columns, const RegionRun& rows, size_t texel, const ReadSamples& read, Image& to) {
    const auto target = [&](int row) { return to.row(rows.at + row) + size_t(columns.at) * texel; };
    if (columns.stored < 0 || rows.stored < 0) return;  // the image is filled with zeros
    const SampleRegion region{columns.lowest(), rows.lowest(), columns.samples(), rows.samples()};
    const bool in_order = columns.step > 0 && rows.step > 0;
    if (in_order) return read(region, target(0), to.row_bytes());

    const size_t row_bytes = size_t(region.width) * texel;
    std::vector<std::byte> stored(row_bytes * size_t(region.height));
    read(region, stored.data(), row_bytes);
    for (int j = 0; j < rows.count; ++j) {
        const int row = rows.stored + rows.step * j - rows.lowest();
        const std::byte* from = stored.data() + size_t(row) * row_bytes;
        std::byte* at = target(j);
        if (columns.step > 0) {
            std::memcpy(at, from, row_bytes);
            continue;
        }
        for (int i = 0; i < columns.count; ++i, at += texel)
            std::memcpy(at, from + size_t(columns.stored + columns.step * i - columns.lowest()) * texel, texel);
    }
}

// How many samples the tiles under a region have, on average over the places where it may lie.
double samples_in_tiles(const ImageRegion& region, int tile) {
    const auto along = [tile](const AxisRegion& axis, int n) { return std::min(double(axis.count) + tile, double(n)); };
    return along(region.x, region.width) * along(region.y, region.height);
}

template <class Visit> void for_runs(const ImageRegion& region, Visit visit) {
    const auto columns = runs_of(region.x, region.address.x, region.width);
    for (const RegionRun& rows : runs_of(region.y, region.address.y, region.height))
        for (const RegionRun& run : columns) visit(run, rows);
}

}  // namespace

bool is_read_alone(const ImageRegion& region, const TileSource& source) {
    return source.reads_any_region() && 8 * region.samples() < samples_in_tiles(region, source.tile());
}

double samples_read(const ImageRegion& region, const TileSource& source) {
    return is_read_alone(region, source) ? region.samples() : samples_in_tiles(region, source.tile());
}

Image assembled(const ImageRegion& region, int channels, SampleType type, Alpha alpha, const ReadSamples& read) {
    Image image(int(region.x.count), int(region.y.count), channels, type, alpha);
    const size_t texel = size_t(channels) * size_t(bytes_per_sample(type));
    for_runs(region,
             [&](const RegionRun& columns, const RegionRun& rows) { gather(columns, rows, texel, read, image); });
    return image;
}

std::vector<SampleRegion> regions_of(const ImageRegion& region) {
    std::vector<SampleRegion> regions;
    for_runs(region, [&](const RegionRun& columns, const RegionRun& rows) {
        if (columns.stored >= 0 && rows.stored >= 0)
            regions.push_back({columns.lowest(), rows.lowest(), columns.samples(), rows.samples()});
    });
    return regions;
}

namespace work {
inline constexpr WorkName tiled_points{"points of a block"};
}

namespace {

PositionRange within_extent(PositionRange range, Outside outside, int n, double beyond) {
    if (outside == Outside::extend) return range;
    const double more = outside == Outside::nan ? 0 : beyond;
    return {std::max(range.low, -more), std::min(range.high, n - 1 + more)};
}

// A position that reads the same and can be counted from a region; NaN if there is none.
double near_enough(double x, AddressMode mode, int n, int reach) {
    return std::abs(x) < farthest_region ? x : reduced_position(x, mode, n, reach);
}

bool holds(const AxisRegion& region, const AxisRegion& other) {
    if (region.whole || other.whole) return region.whole;
    return region.first <= other.first && other.first + other.count <= region.first + region.count;
}

}  // namespace

void check_reads_regions(const MethodSpec& spec) {
    if (kernel_of(*spec.method))
        throw Error(fmt::format(
            "the kernel '{}' may read any sample, so it needs the whole image in memory: choose another method",
            spec.method->name));
}

bool holds(const ImageRegion& region, const ImageRegion& other) {
    return holds(region.x, other.x) && holds(region.y, other.y);
}

std::array<PixelRange, 2> halves(const PixelRange& b) {
    if (b.width >= b.height) {
        const int left = b.width / 2;
        return {PixelRange{b.x, b.y, left, b.height}, PixelRange{b.x + left, b.y, b.width - left, b.height}};
    }
    const int top = b.height / 2;
    return {PixelRange{b.x, b.y, b.width, top}, PixelRange{b.x, b.y + top, b.width, b.height - top}};
}

std::vector<double> counted_points(const BlockRegion& block, const ImageRegion& from) {
    std::vector<double> points = block.points;
    for (size_t k = 0; k < points.size(); k += 2) {
        points[k] -= double(from.x.first);
        points[k + 1] -= double(from.y.first);
    }
    return points;
}

BlockRegions::BlockRegions(const PlannedRequest& planned, const TileSource& source, bool linear, bool border)
    : BlockRegions(planned, source, linear, border, region_reach(planned)) {}

BlockRegions::BlockRegions(const PlannedRequest& planned, const TileSource& source, bool linear, bool border,
                           const RegionReach& reach)
    : planned_(planned),
      source_(source),
      info_(source.info()),
      linear_(linear),
      border_(border),
      size_{halved(info_.width, planned_.reading.level.x), halved(info_.height, planned_.reading.level.y)},
      address_(address_on(planned_.reading.level, planned_.spec.address)),
      reach_(reach) {}

bool BlockRegions::prefilters() const { return planned_.filtered(); }

double BlockRegions::bytes_per_sampled_texel() const {
    const bool stored = planned_.reading.level == Level{};
    const int stored_bytes = stored ? bytes_per_sample(info_.type) : 4;
    const bool decoded = stored && (linear_ || border_ || !is_texel_type(info_.type));
    const bool multiplied = stored && info_.alpha == Alpha::straight;
    return info_.channels * stored_bytes + (decoded ? 4 * info_.channels : 0) + (multiplied ? 8 * info_.channels : 0) +
           pixel_channels(info_.channels) * (decoded || multiplied ? 4 : stored_bytes);
}

double BlockRegions::bytes_per_texel() const {
    const int coefficient = planned_.spec.prefilter.half_float ? 6 : 4;
    return bytes_per_sampled_texel() + (prefilters() ? pixel_channels(info_.channels) * coefficient : 0);
}

bool BlockRegions::is_sparse(const BlockRegion& block) const {
    const auto cost = [&](const ImageRegion& region) {
        return level() == Level{} ? samples_read(region, source_) : region.samples();
    };
    ImageRegion pixel = block.region;
    pixel.x = {0, 2 * reach_.x + 2, false};
    pixel.y = {0, 2 * reach_.y + 2, false};
    return cost(block.region) >
           2.0 * block.pixels.width * block.pixels.height * (cost(pixel) + source_.samples_per_request());
}

BlockRegion BlockRegions::of(const PixelRange& block) const {
    BlockRegion read;
    read.pixels = block;
    if (planned_.warp.kind == Warp::Kind::none && corners(block, read.x, read.y)) {
        read.x = within_extent(read.x, planned_.outside, size_.width, planned_.reading.level_x.beyond());
        read.y = within_extent(read.y, planned_.outside, size_.height, planned_.reading.level_y.beyond());
    } else {
        if (planned_.reading.local_stretch) read.pixels = with_neighbours(block);
        find_points(read);
    }
    const bool nothing = read.x.empty() || read.y.empty();  // all is outside
    const auto region = [&](AddressMode mode, int n, const PositionRange& range, int reach) {
        return nothing ? axis_region(mode, n, {0, 0}, 0) : axis_region(mode, n, range, reach);
    };
    read.region = {region(address_.x, size_.width, read.x, reach_.x),
                   region(address_.y, size_.height, read.y, reach_.y), size_.width, size_.height, address_};
    return read;
}

// The positions of an affine view's block. False if they are too far away to be counted from a region.
bool BlockRegions::corners(const PixelRange& block, PositionRange& x, PositionRange& y) const {
    const Affine& p = planned_.reading.positions;
    x = y = {INFINITY, -INFINITY};
    for (const double i : {double(block.x), block.x + block.width - 1.0})
        for (const double j : {double(block.y), block.y + block.height - 1.0}) {
            const double px = affine_position(p.xx, p.xy, p.x0, i, j), py = affine_position(p.yy, p.yx, p.y0, j, i);
            if (!(std::abs(px) < farthest_region && std::abs(py) < farthest_region)) return false;
            x = {std::min(x.low, px), std::max(x.high, px)};
            y = {std::min(y.low, py), std::max(y.high, py)};
        }
    return true;
}

// One more column and row, on the side where local_stretches() and steps_at() look.
PixelRange BlockRegions::with_neighbours(PixelRange block) const {
    const auto widen = [](int& first, int& count, int all) {
        if (first + count < all) ++count;
        else if (count == 1 && first > 0) --first, ++count;
    };
    widen(block.x, block.width, planned_.width);
    widen(block.y, block.height, planned_.height);
    return block;
}

// The positions of all pixels, of the level; what is read of them.
void BlockRegions::find_points(BlockRegion& read) const {
    const ReadPlan& reading = planned_.reading;
    const Affine& a = reading.positions;
    const PixelRange& pixels = read.pixels;
    const bool warped_view = planned_.warp.kind != Warp::Kind::none;
    read.points.resize(2 * size_t(pixels.width) * size_t(pixels.height));
    parallel_for(work::tiled_points, pixels.height, 8, [&](int j) {
        double* pair = read.points.data() + 2 * size_t(j) * size_t(pixels.width);
        for (int i = 0; i < pixels.width; ++i, pair += 2) {
            const double column = double(pixels.x) + i, row = double(pixels.y) + j;
            Point p{affine_position(a.xx, a.xy, a.x0, column, row), affine_position(a.yy, a.yx, a.y0, row, column)};
            if (warped_view) {
                p = warped(planned_.warp, p, info_.width, info_.height);
                p = {reading.level_x.at(p.x), reading.level_y.at(p.y)};
            }
            pair[0] = p.x;
            pair[1] = p.y;
        }
    });
    read.x = read.y = {INFINITY, -INFINITY};
    for (size_t k = 0; k < read.points.size(); k += 2) {
        double &px = read.points[k], &py = read.points[k + 1];
        if (is_outside_axis(planned_.outside, px, size_.width, reading.level_x.beyond()) ||
            is_outside_axis(planned_.outside, py, size_.height, reading.level_y.beyond()))
            continue;
        px = near_enough(px, address_.x, size_.width, reach_.x);
        py = near_enough(py, address_.y, size_.height, reach_.y);
        if (px != px || py != py) continue;  // NaN
        read.x = {std::min(read.x.low, px), std::max(read.x.high, px)};
        read.y = {std::min(read.y.low, py), std::max(read.y.high, py)};
    }
}

Resampling BlockRegions::request(const BlockRegion& block, const ImageRegion& from) const {
    Resampling part = planned_;
    part.spec.address = {from.x.address(address_.x), from.y.address(address_.y)};
    part.width = block.pixels.width;
    part.height = block.pixels.height;
    part.cut = cut_of(planned_.reading.positions, size_.width, size_.height, double(from.x.first), double(from.y.first),
                      block.pixels.x, block.pixels.y);
    if (block.points.empty()) part.reading.positions = cut_positions(planned_.reading.positions, part.cut);
    return part;
}

BlockRegions::Part BlockRegions::part(const BlockRegion& block, BackendMemory& backend, Scratch& scratch) const {
    Part part{request(block, block.region), {}};
    if (block.points.empty()) return part;
    const std::vector<double> points = counted_points(block, block.region);
    const size_t bytes = points.size() * sizeof(double);
    part.points = scratch.at_least(backend, bytes);
    backend.write(part.points.get(), points.data(), bytes);
    part.request.points = PointsView::pairs(static_cast<double*>(part.points.get()), points.size() / 2);
    return part;
}

void BlockRegions::divide(const PixelRange& block, double most, const Bytes& bytes,
                          const std::function<void(const BlockRegion&, const PixelRange&)>& compute) const {
    const BlockRegion read = of(block);
    const double needed = bytes(read);
    if (needed > most || is_sparse(read)) {
        if (block.width > 1 || block.height > 1) {
            for (const PixelRange& half : halves(block)) divide(half, most, bytes, compute);
            return;
        }
        if (needed > most)
            throw OutOfMemory(
                fmt::format("a pixel of this view needs {:.0f} MiB of samples and coefficients: more "
                            "than is set aside for them",
                            needed / 0x1p20));
    }
    compute(read, block);
}

void BlockRegions::ask(const PixelRange& block, double most, const Bytes& bytes, TileCache& tiles) const {
    if (level() != Level{} || planned_.warp.kind != Warp::Kind::none) return;
    const BlockRegion read = of(block);
    if (!read.points.empty() || bytes(read) > most || is_sparse(read) || is_read_alone(read.region, source_)) return;
    for (const SampleRegion& region : regions_of(read.region)) tiles.ask(0, region);
}

}  // namespace texelscope
