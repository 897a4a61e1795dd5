#include "gpu/tiles/block_windows.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "gpu/backend/job.h"
#include "gpu/core/errors.h"
#include "gpu/core/parallel.h"
#include "gpu/core/work_names.h"
#include "gpu/method/output.h"
#include "gpu/method/position.h"

namespace texelscope {

namespace work {
inline constexpr WorkName tiled_points{"points of a block"};
}

namespace {

PositionRange within_extent(PositionRange range, Outside outside, int n, double beyond) {
    if (outside == Outside::extend) return range;
    const double more = outside == Outside::nan ? 0 : beyond;
    return {std::max(range.low, -more), std::min(range.high, n - 1 + more)};
}

std::array<PixelRange, 2> halves(const PixelRange& b) {
    if (b.width >= b.height) {
        const int left = b.width / 2;
        return {PixelRange{b.x, b.y, left, b.height}, PixelRange{b.x + left, b.y, b.width - left, b.height}};
    }
    const int top = b.height / 2;
    return {PixelRange{b.x, b.y, b.width, top}, PixelRange{b.x, b.y + top, b.width, b.height - top}};
}

// A position that reads the same and can be counted from a window; NaN if there is none.
double near_enough(double x, AddressMode mode, int n, int reach) {
    return std::abs(x) < farthest_window ? x : reduced_position(x, mode, n, reach);
}

}  // namespace

BlockWindows::BlockWindows(const PlannedRequest& planned, const ImageInfo& info, const TiledLevels& levels,
                           const WindowReach& reach)
    : planned_(planned),
      resampling_(planned.resampling),
      width_(info.width),
      height_(info.height),
      level_(resampling_.reading.level),
      size_(levels.extent(level_)),
      address_(address_on(level_, resampling_.spec.address)),
      reach_(reach) {}

void BlockWindows::divide(const PixelRange& block, double most, const Bytes& bytes,
                          const std::function<void(const BlockWindow&, const PixelRange&)>& compute) const {
    const BlockWindow read = window_of(block);
    const double needed = bytes(read.window);
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

void BlockWindows::ask(const PixelRange& block, double most, const Bytes& bytes, TileCache& tiles) const {
    if (level_ != Level{} || planned_.warp.kind != Warp::Kind::none) return;
    const BlockWindow read = window_of(block);
    if (!read.points.empty() || bytes(read.window) > most) return;
    for (const SampleRegion& region : regions_of(read.window)) tiles.ask(0, region);
}

BlockWindows::Part BlockWindows::part_of(const BlockWindow& read, Backend& backend, Scratch& scratch) const {
    Part part{resampling_, {}};
    Resampling& request = part.request;
    request.spec.address = read.window.own_address();
    request.width = read.pixels.width;
    request.height = read.pixels.height;
    request.cut = cut_of(resampling_.reading.positions, size_.width, size_.height, double(read.window.x.first),
                         double(read.window.y.first), read.pixels.x, read.pixels.y);
    if (read.points.empty()) {
        request.reading.positions = cut_positions(resampling_.reading.positions, request.cut);
        return part;
    }
    const size_t bytes = read.points.size() * sizeof(double);
    part.points = scratch.at_least(backend, bytes);
    backend.write(part.points.get(), read.points.data(), bytes);
    request.points = PointsView::pairs(static_cast<double*>(part.points.get()), read.points.size() / 2);
    return part;
}

// Of the samples that lie between a block's pixels, most are read for nothing: smaller blocks read less, although each
// costs something for itself.
bool BlockWindows::is_sparse(const BlockWindow& read) const {
    constexpr double each = 65536;  // samples that are read in the time that a block takes
    const double alone = (2.0 * reach_.x + 2) * (2.0 * reach_.y + 2);
    return read.window.samples() > 2.0 * read.pixels.width * read.pixels.height * (alone + each);
}

BlockWindow BlockWindows::window_of(const PixelRange& block) const {
    BlockWindow read;
    read.pixels = block;
    PositionRange x, y;
    if (planned_.warp.kind == Warp::Kind::none && corners(block, x, y)) {
        x = within_extent(x, resampling_.outside, size_.width, resampling_.reading.level_x.beyond());
        y = within_extent(y, resampling_.outside, size_.height, resampling_.reading.level_y.beyond());
    } else {
        if (resampling_.reading.local_stretch) read.pixels = with_neighbours(block);
        find_points(read, x, y);
    }
    const bool nothing = x.empty() || y.empty();  // all is outside
    const auto window = [&](AddressMode mode, int n, const PositionRange& range, int reach) {
        return nothing ? axis_window(mode, n, {0, 0}, 0) : axis_window(mode, n, range, reach);
    };
    read.window = {window(address_.x, size_.width, x, reach_.x), window(address_.y, size_.height, y, reach_.y),
                   size_.width, size_.height, address_};
    for (size_t k = 0; k < read.points.size(); k += 2) {
        read.points[k] -= double(read.window.x.first);
        read.points[k + 1] -= double(read.window.y.first);
    }
    return read;
}

// The positions of an affine view's block. False if they are too far away to be counted from a window.
bool BlockWindows::corners(const PixelRange& block, PositionRange& x, PositionRange& y) const {
    const Affine& p = resampling_.reading.positions;
    x = y = {INFINITY, -INFINITY};
    for (const double i : {double(block.x), block.x + block.width - 1.0})
        for (const double j : {double(block.y), block.y + block.height - 1.0}) {
            const double px = affine_position(p.xx, p.xy, p.x0, i, j), py = affine_position(p.yy, p.yx, p.y0, j, i);
            if (!(std::abs(px) < farthest_window && std::abs(py) < farthest_window)) return false;
            x = {std::min(x.low, px), std::max(x.high, px)};
            y = {std::min(y.low, py), std::max(y.high, py)};
        }
    return true;
}

// One more column and row, on the side where local_stretches() and steps_at() look.
PixelRange BlockWindows::with_neighbours(PixelRange block) const {
    const auto widen = [](int& first, int& count, int all) {
        if (first + count < all) ++count;
        else if (count == 1 && first > 0) --first, ++count;
    };
    widen(block.x, block.width, resampling_.width);
    widen(block.y, block.height, resampling_.height);
    return block;
}

// The positions of all pixels, of the level; what is read of them.
void BlockWindows::find_points(BlockWindow& read, PositionRange& x, PositionRange& y) const {
    const ReadPlan& reading = resampling_.reading;
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
                p = warped(planned_.warp, p, width_, height_);
                p = {reading.level_x.at(p.x), reading.level_y.at(p.y)};
            }
            pair[0] = p.x;
            pair[1] = p.y;
        }
    });
    x = y = {INFINITY, -INFINITY};
    for (size_t k = 0; k < read.points.size(); k += 2) {
        double &px = read.points[k], &py = read.points[k + 1];
        if (is_outside_axis(resampling_.outside, px, size_.width, reading.level_x.beyond()) ||
            is_outside_axis(resampling_.outside, py, size_.height, reading.level_y.beyond()))
            continue;
        px = near_enough(px, address_.x, size_.width, reach_.x);
        py = near_enough(py, address_.y, size_.height, reach_.y);
        if (px != px || py != py) continue;  // NaN
        x = {std::min(x.low, px), std::max(x.high, px)};
        y = {std::min(y.low, py), std::max(y.high, py)};
    }
}

}  // namespace texelscope
