#include "app/studies/restoring/spot.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "gpu/display/display.h"

namespace texelscope {
namespace {

constexpr double small_samples = 24;
constexpr int least_side = 64, usual_side = 96, most_side = 240;  // pixels

int side_of(const Restoration& restoration) {
    if (restoration.kind != Restoration::Kind::shrink) return usual_side;
    return int(std::clamp(std::round(small_samples * restoration.factor), double(least_side), double(most_side)));
}

// The first of `side` pixels around one of n.
int first_around(int pixel, int side, int n) { return std::clamp((pixel < 0 ? n / 2 : pixel) - side / 2, 0, n - side); }

float largest_finite(const Image& values) {
    float largest = 0;
    for (int y = 0; y < values.height(); ++y) {
        const float* row = values.row_as<float>(y);
        for (size_t k = 0; k < values.row_bytes() / sizeof(float); ++k)
            if (std::isfinite(row[k])) largest = std::max(largest, row[k]);
    }
    return largest;
}

}  // namespace

WorstSpot spot_around(const Image& original, const Restoration& restoration, int worst_x, int worst_y) {
    const int side = side_of(restoration);
    WorstSpot spot;
    spot.size = {std::min(side, original.width()), std::min(side, original.height())};
    spot.x = first_around(worst_x, spot.size.width, original.width());
    spot.y = first_around(worst_y, spot.size.height, original.height());
    spot.original = shown(cut_out(original, spot), original);
    return spot;
}

Image cut_out(const Image& picture, const WorstSpot& spot) {
    Image cut(spot.size.width, spot.size.height, picture.channels(), picture.type(), picture.alpha());
    const size_t pixel_bytes = picture.row_bytes() / size_t(picture.width());
    for (int y = 0; y < spot.size.height; ++y)
        std::memcpy(cut.row(y), picture.row(spot.y + y) + size_t(spot.x) * pixel_bytes, cut.row_bytes());
    return cut;
}

Image shown(const Image& values, const Image& original) {
    Image pixels(values.width(), values.height(), 4, SampleType::u8);
    DisplayJob job;
    job.shown = {values.data()};
    job.width = values.width();
    job.height = values.height();
    job.channels = values.channels();
    job.has_alpha = values.alpha() != Alpha::none;
    if (const float largest = largest_finite(original); largest > 1) job.display.exposure = -std::log2(largest);
    job.pixels = reinterpret_cast<uint32_t*>(pixels.data());
    job.row_bytes = pixels.row_bytes();
    display_rows(job, 0, job.height);
    return pixels;
}

}  // namespace texelscope
