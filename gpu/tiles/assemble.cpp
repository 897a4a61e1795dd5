#include "gpu/tiles/assemble.h"

#include <algorithm>
#include <cstring>

namespace texelscope {
namespace {

// One run along each axis, in bytes of texels.
void gather(const WindowRun& columns, const WindowRun& rows, size_t texel, const ReadSamples& read, Image& to) {
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

// On average, wherever the window lies.
double samples_in_tiles(const ImageWindow& window, int tile) {
    const auto along = [tile](const AxisWindow& axis, int n) { return std::min(double(axis.count) + tile, double(n)); };
    return along(window.x, window.width) * along(window.y, window.height);
}

template <class Visit> void for_runs(const ImageWindow& window, Visit visit) {
    const auto columns = runs_of(window.x, window.address.x, window.width);
    for (const WindowRun& rows : runs_of(window.y, window.address.y, window.height))
        for (const WindowRun& run : columns) visit(run, rows);
}

}  // namespace

bool is_read_alone(const ImageWindow& window, const TileSource& source) {
    return source.reads_any_region() && 8 * window.samples() < samples_in_tiles(window, source.tile());
}

double samples_read(const ImageWindow& window, const TileSource& source) {
    return is_read_alone(window, source) ? window.samples() : samples_in_tiles(window, source.tile());
}

Image assembled(const ImageWindow& window, int channels, SampleType type, Alpha alpha, const ReadSamples& read) {
    Image image(int(window.x.count), int(window.y.count), channels, type, alpha);
    const size_t texel = size_t(channels) * size_t(bytes_per_sample(type));
    for_runs(window,
             [&](const WindowRun& columns, const WindowRun& rows) { gather(columns, rows, texel, read, image); });
    return image;
}

std::vector<SampleRegion> regions_of(const ImageWindow& window) {
    std::vector<SampleRegion> regions;
    for_runs(window, [&](const WindowRun& columns, const WindowRun& rows) {
        if (columns.stored >= 0 && rows.stored >= 0)
            regions.push_back({columns.lowest(), rows.lowest(), columns.samples(), rows.samples()});
    });
    return regions;
}

}  // namespace texelscope
