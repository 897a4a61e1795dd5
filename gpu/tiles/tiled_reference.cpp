#include "gpu/tiles/tiled_reference.h"

#include <algorithm>
#include <cstring>

#include "gpu/core/errors.h"
#include "gpu/core/parallel.h"
#include "gpu/core/pixel.h"
#include "gpu/reference/reference.h"
#include "gpu/tiles/tiled_state.h"

namespace texelscope {
namespace {

// Samples on each side of one that its coefficient is made of, in float64; 0 if there is no prefilter.
int exact_reach(const Resampling& request) {
    return request.reading.prefiltered ? exact_prefilter(request.spec.inverse_filter()).reach : 0;
}

}  // namespace

void TiledReference::rows(const PlannedRequest& planned, int first, int count, double* values,
                          const std::stop_token& stop) {
    TiledImage::State& s = *image_.state_;
    const StoppableLoops loops(stop);
    Backend& backend = *s.backend;
    const Resampling& resampling = planned.resampling;
    const AddressPair& address = resampling.spec.address;
    const int reach = exact_reach(resampling), width = resampling.width, end = first + count;
    const BorderPixel border = s.levels.border(address);
    const BlockWindows windows(planned, s.tiles->source(), s.light == Light::linear, !border.is_zero(),
                               window_reach(resampling, reach));
    const size_t pixel = size_t(s.info().channels) * sizeof(double);
    const auto most = double(s.shares.eighth);

    // Coefficients, and rows that are filtered on the way to them, with the margins of an axis that is read whole.
    const double texel = windows.bytes_per_sampled_texel(),
                 coefficient = reach > 0 ? 2.0 * pixel_channels(s.info().channels) * sizeof(double) : 0;
    const BlockWindows::Bytes bytes = [&](const BlockWindow& block) {
        const auto kept = [reach](const AxisWindow& axis) { return double(axis.count) + (axis.whole ? 2 * reach : 0); };
        return block.window.samples() * texel + kept(block.window.x) * kept(block.window.y) * coefficient;
    };

    std::vector<std::byte> rendered;
    const auto compute = [&](const BlockWindow& read, const PixelRange& part) {
        if (stop.stop_requested()) throw Cancelled("cancelled");
        const auto resident = backend.upload(std::make_shared<const Image>(
            s.levels.window(windows.level(), address, read.window.x, read.window.y, stop)));
        BlockWindows::Part of_window = windows.part(read, backend, s.points);
        of_window.request.border = border;
        of_window.request.minus_border = true;
        of_window.request.tile_bytes = s.shares.eighth;
        const size_t row_bytes = size_t(read.pixels.width) * pixel;
        rendered.resize(row_bytes * size_t(read.pixels.height));
        const auto memory = s.output.at_least(backend, rendered.size());
        backend.resample_reference(*resident, of_window.request, static_cast<double*>(memory.get()));
        backend.read_back(rendered.data(), memory.get(), rendered.size());
        for (int j = part.y; j < part.y + part.height; ++j)
            std::memcpy(
                values + (size_t(j - first) * size_t(width) + size_t(part.x)) * size_t(s.info().channels),
                rendered.data() + size_t(j - read.pixels.y) * row_bytes + size_t(part.x - read.pixels.x) * pixel,
                size_t(part.width) * pixel);
    };
    // The pixels of a block, and their copy on the host, take half of their part of the memory.
    const int side =
        int(std::clamp<size_t>(s.shares.eighth / 4 / (size_t(std::min(count, block_side)) * pixel), 1, block_side));
    for (int row = first; row < end; row += block_side)
        for (int column = 0; column < width; column += side) {
            const int height = std::min(block_side, end - row), next = column + side;
            if (next < width) windows.ask({next, row, std::min(side, width - next), height}, most, bytes, *s.tiles);
            windows.divide({column, row, std::min(side, width - column), height}, most, bytes, compute);
        }
}

}  // namespace texelscope
