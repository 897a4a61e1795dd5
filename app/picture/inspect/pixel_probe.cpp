#include "app/picture/inspect/pixel_probe.h"

#include <algorithm>
#include <utility>

#include "gpu/backend/source_image.h"
#include "gpu/method/position.h"

namespace texelscope {
namespace {

// `probe` with the size of its part of the request, whose first pixel is (x, y).
PixelProbe placed(PixelProbe probe, Extent image, const RenderRequest& request, int x, int y) {
    Affine a = positions_of(request, image.width, image.height);
    const double x0 = affine_position(a.xx, a.xy, a.x0, x, y), y0 = affine_position(a.yy, a.yx, a.y0, y, x);
    a.x0 = x0;
    a.y0 = y0;
    probe.request.positions = a;
    return probe;
}

}  // namespace

PixelProbe probe_at(Extent image, const RenderRequest& request, int i, int j) {
    PixelProbe probe{request};
    const int room = request.warp.kind == Warp::Kind::none ? 1 : 2;
    const auto first = [room](int at, int& length, int& place) {
        const int start = std::clamp(at, 0, std::max(length - room, 0));
        length = std::min(length, room);
        place = std::clamp(at - start, 0, std::max(length - 1, 0));
        return start;
    };
    const int x = first(i, probe.request.width, probe.x), y = first(j, probe.request.height, probe.y);
    return placed(std::move(probe), image, request, x, y);
}

PixelProbe block_probe_at(Extent image, const RenderRequest& request, int i, int j) {
    if (request.warp.kind != Warp::Kind::none) return probe_at(image, request, i, j);
    constexpr int block = 64;  // as the CPU's vector code
    PixelProbe probe{request};
    const int column = std::clamp(i, 0, std::max(request.width - 1, 0)),
              row = std::clamp(j, 0, std::max(request.height - 1, 0));
    probe.x = column % block;
    probe.request.width = std::min(request.width - (column - probe.x), int{block});
    probe.request.height = std::min(request.height, 1);
    return placed(std::move(probe), image, request, column - probe.x, row);
}

std::optional<std::array<float, 4>> rendered(SourceImage& source, const PixelProbe& probe, Scratch& memory) {
    Backend& backend = source.backend();
    const size_t channels = size_t(source.samples().channels()), row = size_t(probe.request.width) * channels;
    std::vector<float> floats(row * size_t(probe.request.height));
    const std::shared_ptr<void> pixels = memory.at_least(backend, floats.size() * sizeof(float));
    if (!source.render(probe.request, {pixels.get(), row * sizeof(float), RenderTarget::Format::floats, no_timer}))
        return {};
    backend.read_back(floats.data(), pixels.get(), floats.size() * sizeof(float));
    std::array<float, 4> value{};
    for (size_t c = 0; c < channels; ++c) value[c] = floats[size_t(probe.y) * row + size_t(probe.x) * channels + c];
    return value;
}

}  // namespace texelscope
