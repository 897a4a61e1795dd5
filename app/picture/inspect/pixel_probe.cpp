#include "app/picture/inspect/pixel_probe.h"

#include <algorithm>

#include "gpu/backend/source_image.h"
#include "gpu/method/position.h"

namespace texelscope {

PixelProbe probe_at(Extent image, const RenderRequest& request, int i, int j) {
    PixelProbe probe{request};
    // A CPU finds the positions of this many pixels of a row together, and rounds those of a block alike.
    static constexpr int block = 64;
    const bool alone = request.warp.kind == Warp::Kind::none;
    const auto first = [](int at, int room, int& length, int& place) {
        const int start = std::clamp(at, 0, std::max(length - room, 0));
        length = std::min(length, room);
        place = std::clamp(at - start, 0, std::max(length - 1, 0));
        return start;
    };
    const auto first_of_block = [](int at, int& length, int& place) {
        const int inside = std::clamp(at, 0, std::max(length - 1, 0)), start = inside - inside % block;
        length = std::min(length - start, block);
        place = inside - start;
        return start;
    };
    const int x = alone ? first_of_block(i, probe.request.width, probe.x) : first(i, 2, probe.request.width, probe.x),
              y = first(j, alone ? 1 : 2, probe.request.height, probe.y);
    Affine a = positions_of(request, image.width, image.height);
    const double x0 = affine_position(a.xx, a.xy, a.x0, x, y), y0 = affine_position(a.yy, a.yx, a.y0, y, x);
    a.x0 = x0;
    a.y0 = y0;
    probe.request.positions = a;
    return probe;
}

std::array<float, 4> rendered(SourceImage& source, const PixelProbe& probe, Scratch& memory) {
    Backend& backend = source.backend();
    const size_t channels = size_t(source.samples().channels()), row = size_t(probe.request.width) * channels;
    std::vector<float> floats(row * size_t(probe.request.height));
    const std::shared_ptr<void> pixels = memory.at_least(backend, floats.size() * sizeof(float));
    source.render(probe.request, {pixels.get(), row * sizeof(float), RenderTarget::Format::floats, no_timer});
    backend.read_back(floats.data(), pixels.get(), floats.size() * sizeof(float));
    std::array<float, 4> value{};
    for (size_t c = 0; c < channels; ++c) value[c] = floats[size_t(probe.y) * row + size_t(probe.x) * channels + c];
    return value;
}

}  // namespace texelscope
