#include "app/picture/inspect/histogram.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace texelscope {
namespace {

constexpr double half_level = 0.5 / 255;

void find_range(HistogramReport& h, bool integers) {
    const bool nothing = h.least > h.most;
    if (nothing) h.least = h.most = 0;
    h.low = h.least;
    h.high = h.most;
    if (integers) {
        h.low = std::min(h.low, -half_level);
        h.high = std::max(h.high, 1 + half_level);
    }
    if (!(h.high > h.low)) {  // one value: a bin around it
        const double around = std::max(std::abs(h.low) * 1e-3, 1e-6);
        h.low -= around;
        h.high += around;
    }
}

}  // namespace

HistogramReport histogram_of(std::span<const float> values, int channels, bool integers,
                             std::span<const unsigned char> counted) {
    HistogramReport h;
    h.channels = channels;
    h.least = std::numeric_limits<double>::infinity();
    h.most = -h.least;
    const size_t pixels = values.size() / size_t(channels);
    const auto counts = [&](size_t k) { return counted.empty() || counted[k] != 0; };
    for (size_t k = 0; k < pixels; ++k) {
        if (!counts(k)) continue;
        ++h.pixels;
        for (const float v : values.subspan(k * size_t(channels), size_t(channels))) {
            if (std::isnan(v)) ++h.not_a_number;
            else if (std::isinf(v)) ++h.infinite;
            else {
                h.least = std::min(h.least, double(v));
                h.most = std::max(h.most, double(v));
            }
        }
    }
    find_range(h, integers);
    for (int c = 0; c < channels; ++c) h.bins[size_t(c)].assign(histogram_bins, 0);
    const double bins_per_unit = histogram_bins / (h.high - h.low);
    for (size_t k = 0; k < pixels; ++k)
        for (size_t c = 0; counts(k) && c < size_t(channels); ++c) {
            const double v = double(values[k * size_t(channels) + c]);
            if (!std::isfinite(v)) continue;
            const int bin = std::clamp(int((v - h.low) * bins_per_unit), 0, histogram_bins - 1);
            ++h.bins[c][size_t(bin)];
        }
    return h;
}

}  // namespace texelscope
