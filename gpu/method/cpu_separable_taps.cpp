// What SeparableWriter prepares once for a job: taps along both axes, and tiles of columns.

#include <algorithm>
#include <array>
#include <cmath>

#include "gpu/method/cpu_vector.h"
#include "gpu/method/output.h"
#include "gpu/method/position.h"

namespace texelscope {
namespace {

// An axis of the job.
struct AxisOfJob {
    AxisOfJob(Axis axis, const ResampleJob& job) : of_x(axis == Axis::x) {
        const TexelArray& a = job.source;
        step = of_x ? job.positions.xx : job.positions.yy;
        start = of_x ? job.positions.x0 : job.positions.y0;
        const Cut& cut = job.cut;
        if (cut.is_part) {
            start = of_x ? cut.x0 : cut.y0;
            first = of_x ? cut.i : cut.j;
            origin = of_x ? cut.x : cut.y;
        }
        pixels = of_x ? job.output.width : job.output.height;
        samples = of_x ? a.width : a.height;
        image_samples = !cut.is_part ? samples : of_x ? cut.width : cut.height;
        margin = of_x ? a.margin_x : a.margin_y;
        mode = of_x ? a.address.x : a.address.y;
        beyond = of_x ? a.beyond_x : a.beyond_y;
        exists = of_x || !a.one_dimensional;
        outside = !exists && job.outside == Outside::nan ? Outside::extend : job.outside;
    }
    bool of_x, exists;
    double step, start, beyond;
    double origin = 0;  // of the source, in the image
    int first = 0;      // of the output's pixels, in the whole
    int pixels, samples, image_samples, margin;
    AddressMode mode;
    Outside outside;
};

std::vector<double> positions_along(const AxisOfJob& axis, std::vector<PixelPlace>& places) {
    std::vector<double> positions(static_cast<size_t>(axis.pixels));
    const auto mark = [&](int n, PixelPlace place) {
        if (places.empty()) places.assign(positions.size(), PixelPlace::inside);
        places[size_t(n)] = place;
    };
    for (int n = 0; n < axis.pixels; ++n) {
        const double x = affine_position(axis.step, 0, axis.start, double(n) + axis.first, 0);
        double reduced = axis.exists ? reduced_position(x - axis.origin, axis.mode, axis.samples, axis.margin) : 0;
        if (reduced != reduced) {
            mark(n, PixelPlace::nowhere);
            reduced = 0;
        }
        if (is_outside_axis(axis.outside, x, axis.image_samples, axis.beyond)) mark(n, PixelPlace::outside);
        positions[size_t(n)] = reduced;
    }
    return positions;
}

// The one row of a signal.
AxisTaps row_of_signal(const AxisOfJob& axis) {
    AxisTaps result{1, std::vector<int>(size_t(axis.pixels)), std::vector<float>(size_t(axis.pixels), 1.0f), {}};
    positions_along(axis, result.places);
    return result;
}

// Gathers the texels of a tile's columns into a line. Taps of neighbouring columns overlap: each texel is stored once.
class LineOfTexels {
public:
    LineOfTexels(ColumnTile& tile, const TexelArray& texels, int taps)
        : tile_(tile), mode_(texels.address.x), stored_(texels.width + 2 * texels.margin_x), taps_(taps) {}

    // The position of the texels first … first + taps − 1.
    int slot_of(int first) {
        if (tile_.texels == 0 || first < begin_ || first > end_ + taps_) {
            begin_ = end_ = first;
            slot_ = tile_.texels;
        }
        for (; end_ < first + taps_; ++end_) append(addressed(mode_, end_, stored_));
        return slot_ + first - begin_;
    }

private:
    void append(int stored) {
        const int at = tile_.texels++;
        if (stored < 0) return;
        if (!tile_.runs.empty()) {
            ColumnTile::Run& run = tile_.runs.back();
            if (run.stored + run.count == stored) {
                ++run.count;
                return;
            }
        }
        tile_.runs.push_back({at, stored, 1});
    }

    ColumnTile& tile_;
    AddressMode mode_;
    int stored_, taps_;
    int begin_ = 0, end_ = 0, slot_ = 0;  // the texels appended last without a gap, and where they begin
};

// The columns are padded to a multiple of 16 with the last one.
void set_weights(ColumnTile& tile, const AxisTaps& columns, int channels, bool pairs) {
    const int repeats = channels == 2 ? 2 : 1;
    const bool colour = pixel_channels(channels) == 4;  // four taps fill the longest vector
    tile.stride = pairs ? 2 : colour ? (columns.taps + 3) / 4 * 4 : simd::stride_of(columns.taps * repeats);
    tile.slot.resize(size_t(tile.count + 15) / 16 * 16, tile.slot.back());
    tile.weights.assign(tile.slot.size() * size_t(tile.stride), 0.0f);
    tile.used.assign(tile.slot.size(), 0);
    for (size_t n = 0; n < size_t(tile.count); ++n)
        for (int k = 0; k < columns.taps * repeats; ++k) {
            const float w = columns.weights[(size_t(tile.first) + n) * size_t(columns.taps) + size_t(k / repeats)];
            tile.weights[n * size_t(tile.stride) + size_t(k)] = w;
            if (w != 0) tile.used[n] = k + 1;
        }
}

ColumnTile column_tile(const TexelArray& texels, const AxisTaps& columns, int first, int count, bool pairs) {
    ColumnTile tile;
    tile.first = first;
    tile.count = count;
    tile.slot.resize(size_t(count));
    LineOfTexels line(tile, texels, columns.taps);
    const auto begin = columns.first.begin() + first;
    const bool backwards = begin[count - 1] < begin[0];
    for (int n = 0; n < count; ++n) {
        const int column = backwards ? count - 1 - n : n;
        tile.slot[size_t(column)] = line.slot_of(begin[column]);
    }
    set_weights(tile, columns, texels.channels, pairs);
    return tile;
}

}  // namespace

std::vector<double> positions_along(Axis axis, const ResampleJob& job, std::vector<PixelPlace>& places) {
    return positions_along(AxisOfJob(axis, job), places);
}

AxisTaps taps_along(Axis which, const ResampleJob& job, const AxisWeights& weights, const simd::Kernels& kernels) {
    const AxisOfJob axis(which, job);
    if (!axis.exists) return row_of_signal(axis);
    AxisTaps result;
    result.taps = weights.taps;
    std::vector<double> positions = positions_along(axis, result.places);
    const size_t padded = (positions.size() + 15) / 16 * 16;
    positions.resize(padded, positions.back());
    result.first.resize(padded);
    result.weights.resize(size_t(axis.pixels) * size_t(weights.taps));
    alignas(64) float w[simd::max_taps][simd::block];
    std::fill_n(w[0], simd::block, 1.0f);  // for one tap
    for (size_t n = 0; n < padded; n += simd::block) {
        const int count = int(std::min<size_t>(simd::block, padded - n));
        kernels.weights(weights, positions.data() + n, count, axis.margin, result.first.data() + n, w);
        for (size_t pixel = n; pixel < std::min(n + size_t(count), size_t(axis.pixels)); ++pixel)
            for (int k = 0; k < weights.taps; ++k)
                result.weights[pixel * size_t(weights.taps) + size_t(k)] = w[k][pixel - n];
    }
    return result;
}

AxisTaps taps_along(Axis which, const TabulatedJob& tabulated, const simd::Kernels& kernels) {
    const AxisOfJob axis(which, tabulated.job);
    if (!axis.exists) return row_of_signal(axis);
    AxisTaps result;
    const std::vector<double> positions = positions_along(axis, result.places);
    const AxisFilter& filter = axis.of_x ? tabulated.x : tabulated.y;
    std::vector<std::array<float, max_widened_taps>> all(positions.size());
    result.first.resize(positions.size());
    for (size_t n = 0; n < positions.size(); ++n) {
        all[n].fill(0);
        float w[tabulated_capacity];
        const int count = tabulated_weights(kernels, filter, axis.mode, positions[n], result.first[n], w);
        result.first[n] += axis.margin;
        std::copy_n(w, count, all[n].begin());
        result.taps = std::max(result.taps, count);
    }
    result.weights.reserve(positions.size() * size_t(result.taps));
    for (const auto& w : all) result.weights.insert(result.weights.end(), w.begin(), w.begin() + result.taps);
    return result;
}

std::vector<ColumnTile> column_tiles(const TexelArray& texels, const AxisTaps& columns, int most_columns, bool pairs) {
    std::vector<ColumnTile> tiles;
    const int width = int(columns.weights.size()) / columns.taps;
    for (int first = 0; first < width; first += most_columns)
        tiles.push_back(column_tile(texels, columns, first, std::min(most_columns, width - first), pairs));
    return tiles;
}

}  // namespace texelscope
