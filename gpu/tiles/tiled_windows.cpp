#include "gpu/tiles/tiled_windows.h"

#include <cstddef>
#include <utility>

#include "gpu/core/errors.h"
#include "gpu/core/parallel.h"

namespace texelscope {

TiledWindows::TiledWindows(std::shared_ptr<Backend> backend, std::shared_ptr<const TileSource> tiles,
                           const TiledOptions& options)
    : backend_(std::move(backend)), tiles_(std::move(tiles)), options_(options), tiled_(backend_, tiles_, options) {}

void TiledWindows::move_to(const std::shared_ptr<Backend>& backend) {
    backend_ = backend;
    tiled_ = TiledImage(backend_, tiles_, options_);
}

bool TiledWindows::render(const PlannedRequest& planned, const RenderTarget& target) {
    auto* const to = static_cast<std::byte*>(target.pixels);
    tiled_.render(planned, target.format,
                  [&](const Image& rows, int first) {
                      for (int y = 0; y < rows.height(); ++y)
                          backend_->write(to + size_t(first + y) * target.row_bytes, rows.row(y), rows.row_bytes());
                  },
                  {.progress = {}, .stop = StoppableLoops::of_this_thread()});
    return true;
}

bool TiledWindows::texels(const PlannedRequest&, const SampleRegion&, std::vector<float>&) {
    throw Error("single texels of an image that is not in memory are only read in a window");
}

}  // namespace texelscope
