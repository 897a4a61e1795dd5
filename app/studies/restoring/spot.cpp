#include "app/studies/restoring/spot.h"

#include <algorithm>
#include <cmath>

#include "gpu/display/display.h"

namespace texelscope {
namespace {

constexpr double small_samples = 24;
constexpr int least_crop_side = 64, usual_crop_side = 96, most_crop_side = 240;  // pixels

int side_of(const Restoration& restoration) {
    if (restoration.kind != Restoration::Kind::shrink) return usual_crop_side;
    return int(
        std::clamp(std::round(small_samples * restoration.factor), double(least_crop_side), double(most_crop_side)));
}

// The first of `side` pixels around one of n.
int first_around(int pixel, int side, int n) { return std::clamp((pixel < 0 ? n / 2 : pixel) - side / 2, 0, n - side); }

// The largest finite value of an image, at least 1; exactly 1 for normalised integers.
float largest_value(const Image& image) {
    float largest = 1;
    if (is_normalised(image.type())) return largest;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            for (int c = 0; c < image.channels(); ++c)
                if (const float value = image.value(x, y, c); std::isfinite(value)) largest = std::max(largest, value);
    return largest;
}

}  // namespace

WorstSpot spot_around(Extent size, const Restoration& restoration, int worst_x, int worst_y) {
    const int side = side_of(restoration);
    WorstSpot spot;
    spot.size = {std::min(side, size.width), std::min(side, size.height)};
    spot.x = first_around(worst_x, spot.size.width, size.width);
    spot.y = first_around(worst_y, spot.size.height, size.height);
    return spot;
}

Image shown(const Image& values, const Image& original) {
    Image pixels(values.width(), values.height(), 4, SampleType::u8);
    DisplayJob job;
    job.shown = {values.data()};
    job.width = values.width();
    job.height = values.height();
    job.channels = values.channels();
    job.has_alpha = values.alpha() != Alpha::none;
    job.display.exposure = -std::log2(largest_value(original));
    job.pixels = reinterpret_cast<uint32_t*>(pixels.data());
    job.row_bytes = pixels.row_bytes();
    display_rows(job, 0, job.height);
    return pixels;
}

}  // namespace texelscope
