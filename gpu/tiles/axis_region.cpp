#include "gpu/tiles/axis_region.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "gpu/method/polar_method.h"
#include "gpu/method/widened.h"
#include "gpu/prefilter/filter.h"

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

}  // namespace texelscope
