#include "app/picture/place_of_difference.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace texelscope {
namespace {

constexpr int square_side = 32;              // samples; areas of 3 × 3 tiles count
constexpr int64_t most_looked_at = 500'000;  // samples of all channels
constexpr int least_in_tile = 4;             // along each side

// The squared second differences of a sample along both axes, over its colours; none where they are not finite.
double bend(const Image& image, int x, int y, int colours) {
    const auto along = [&](int dx, int dy, int c) {
        const auto value = [&](int step) {
            return double(image.value(std::clamp(x + step * dx, 0, image.width() - 1),
                                      std::clamp(y + step * dy, 0, image.height() - 1), c));
        };
        const double difference = value(-1) - 2 * value(0) + value(1);
        return std::isfinite(difference) ? difference * difference : 0;
    };
    double sum = 0;
    for (int c = 0; c < colours; ++c) sum += along(1, 0, c) + along(0, 1, c);
    return sum;
}

struct Tiles {
    int across = 0, down = 0;
    std::vector<double> bends;  // means

    double at(int i, int j) const {
        return i < 0 || j < 0 || i >= across || j >= down ? 0 : bends[size_t(j) * size_t(across) + size_t(i)];
    }
    // Of a tile and those around it; the tile itself twice, so that what stands alone is in the middle.
    double around(int i, int j) const {
        double sum = at(i, j);
        for (int y = -1; y <= 1; ++y)
            for (int x = -1; x <= 1; ++x) sum += at(i + x, j + y);
        return sum;
    }
};

// Places within a tile are spread at random, the same each time: regular ones would meet one phase of a pattern.
class Spread {
public:
    // From 0 to below 1.
    double next() {
        state_ = state_ * 1664525u + 1013904223u;
        return double(state_ >> 8) / double(1 << 24);
    }

private:
    uint32_t state_ = 1;
};

double mean_bend(const Image& image, const SampleRegion& tile, int along, Spread& spread) {
    const int colours = image.alpha() == Alpha::none ? image.channels() : image.channels() - 1;
    double sum = 0;
    for (int j = 0; j < along; ++j)
        for (int i = 0; i < along; ++i) {
            const double x = (i + spread.next()) / along * tile.width, y = (j + spread.next()) / along * tile.height;
            sum += bend(image, int(tile.x) + int(x), int(tile.y) + int(y), colours);
        }
    return sum / (double(along) * along);
}

}  // namespace

std::optional<Point> place_of_difference(const Image& image, const SampleRegion& within) {
    if (!image.in_memory() || within.empty()) return {};
    Tiles tiles{(within.width + square_side - 1) / square_side, (within.height + square_side - 1) / square_side, {}};
    // Beyond some hundred megapixels, larger tiles.
    int side = square_side;
    const int64_t most = most_looked_at / image.channels();
    while (int64_t(tiles.across) * tiles.down * least_in_tile * least_in_tile > most) {
        side *= 2;
        tiles.across = (within.width + side - 1) / side;
        tiles.down = (within.height + side - 1) / side;
    }
    const double per_tile = double(most) / (double(tiles.across) * tiles.down);
    const int along = std::clamp(int(std::sqrt(per_tile)), least_in_tile, side);
    Spread spread;
    for (int j = 0; j < tiles.down; ++j)
        for (int i = 0; i < tiles.across; ++i) {
            const SampleRegion tile{within.x + i * side, within.y + j * side, std::min(side, within.width - i * side),
                                    std::min(side, within.height - j * side)};
            tiles.bends.push_back(mean_bend(image, tile, along, spread));
        }
    double largest = 0;
    Point place;
    for (int j = 0; j < tiles.down; ++j)
        for (int i = 0; i < tiles.across; ++i) {
            const double here = tiles.around(i, j);
            if (!(here > largest)) continue;
            largest = here;
            const int width = std::min(side, within.width - i * side),
                      height = std::min(side, within.height - j * side);
            place = {double(within.x + i * side) + (width - 1) / 2.0, double(within.y + j * side) + (height - 1) / 2.0};
        }
    return largest > 0 ? std::optional(place) : std::nullopt;
}

}  // namespace texelscope
