#include "gpu/tiles/tiled_regions.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "gpu/core/errors.h"
#include "gpu/core/parallel.h"
#include "gpu/tiles/regions.h"
#include "gpu/tiles/tiled_image.h"

namespace texelscope {

TiledRegions::TiledRegions(std::shared_ptr<Backend> backend, std::shared_ptr<const TileSource> tiles,
                           const TiledOptions& options)
    : backend_(std::move(backend)), tiles_(std::move(tiles)), options_(options), tiled_(backend_, tiles_, options) {}

void TiledRegions::move_to(const std::shared_ptr<Backend>& backend) {
    backend_ = backend;
    tiled_ = TiledImage(backend_, tiles_, options_);
}

bool TiledRegions::render(const PlannedRequest& planned, const RenderTarget& target) {
    auto* const to = static_cast<std::byte*>(target.pixels);
    tiled_.render(planned, target.format,
                  [&](const Image& rows, int first) {
                      for (int y = 0; y < rows.height(); ++y)
                          backend_->write(to + size_t(first + y) * target.row_bytes, rows.row(y), rows.row_bytes());
                  },
                  {.progress = {}, .stop = StoppableLoops::of_this_thread()});
    return true;
}

bool TiledRegions::render_reference(const PlannedRequest& planned, double* values, bool) {
    const int width = planned.resampling.width, height = planned.resampling.height;
    const size_t row = size_t(width) * size_t(info().channels);
    TiledReference reference(tiled_);
    std::vector<double> rows;
    for (int first = 0; first < height; first += block_side) {
        const int count = std::min(block_side, height - first);
        rows.resize(row * size_t(count));
        reference.rows(planned, first, count, rows.data(), StoppableLoops::of_this_thread());
        backend_->write(values + size_t(first) * row, rows.data(), rows.size() * sizeof(double));
    }
    return true;
}

bool TiledRegions::texels(const PlannedRequest&, const SampleRegion&, std::vector<float>&) {
    throw Error("single texels of an image that is not in memory are only read in a region");
}

}  // namespace texelscope
