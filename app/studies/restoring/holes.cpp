// Samples that are not finite: the test runs on a picture in which they are filled, and leaves out what that reaches.

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/studies/restoring/restoring.h"
#include "gpu/compare/compared_pixel.h"
#include "gpu/method/polar_method.h"

namespace texelscope {
namespace {

// One channel of a picture of floats.
struct Channel {
    Image& picture;
    int channel;

    float& at(int x, int y) const {
        return picture.row_as<float>(y)[size_t(x) * size_t(picture.channels()) + size_t(channel)];
    }
};

// Fills what is not finite on a line from its ends: straight between two, level beyond the last one.
template <class At> void bridge(int count, const At& at) {
    int last = -1;
    for (int i = 0; i <= count; ++i) {
        if (i < count && !std::isfinite(at(i))) continue;
        for (int k = last + 1; k < i; ++k) {
            if (last < 0 && i == count) return;
            const double before = last < 0 ? at(i) : at(last), after = i == count ? before : double(at(i));
            at(k) = float(before + (after - before) * (k - last) / (i - last));
        }
        last = i;
    }
}

// As smooth as the rim allows: each filled sample becomes the mean of its neighbours (successive over-relaxation).
void fill(const Channel& channel) {
    const int width = channel.picture.width(), height = channel.picture.height();
    std::vector<Extent> holes;
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            if (!std::isfinite(channel.at(x, y))) holes.push_back({x, y});
    if (holes.empty()) return;
    for (int y = 0; y < height; ++y) bridge(width, [&](int x) -> float& { return channel.at(x, y); });
    for (int x = 0; x < width; ++x) bridge(height, [&](int y) -> float& { return channel.at(x, y); });
    if (!std::isfinite(channel.at(0, 0)))
        for (const auto& [x, y] : holes) channel.at(x, y) = 0;  // there is no finite sample
    constexpr double most_steps = 2e8, faster = 1.8;
    const int times = int(std::clamp(most_steps / double(holes.size()), 8.0, 300.0));
    for (int k = 0; k < times; ++k)
        for (const auto& [x, y] : holes) {
            double sum = 0;
            int count = 0;
            const auto add = [&](int i, int j) {
                if (i < 0 || j < 0 || i >= width || j >= height) return;
                sum += channel.at(i, j);
                ++count;
            };
            add(x - 1, y), add(x + 1, y), add(x, y - 1), add(x, y + 1);
            float& value = channel.at(x, y);
            constexpr double most = std::numeric_limits<float>::max();
            if (count > 0) value = float(std::clamp(value + faster * (sum / count - value), -most, most));
        }
}

// Pixels that are no farther than `reach` from a hole along both axes.
std::vector<bool> widened(const std::vector<bool>& holes, Extent size, int reach) {
    std::vector<bool> result = holes;
    const auto along = [&](int lines, int count, size_t line_step, size_t step) {
        const std::vector<bool> before = result;
        for (int line = 0; line < lines; ++line) {
            const size_t first = size_t(line) * line_step;
            int painted = 0;
            for (int i = 0; i < count; ++i) {
                if (!before[first + size_t(i) * step]) continue;
                const int end = std::min(count, i + reach + 1);
                for (int k = std::max(painted, i - reach); k < end; ++k) result[first + size_t(k) * step] = true;
                painted = end;
            }
        }
    };
    along(size.height, size.width, size_t(size.width), 1);
    along(size.width, size.height, 1, size_t(size.width));
    return result;
}

// How far from a hole the filling changes results: the taps of the filter, those of the longest method, and the samples after
// which even the slowest prefilter (septic, pole −0.54) has decayed to 5e-4 of a step; the filling has no steps. The errors of
// many renderings spread like the root of their number.
double full_reach(const Restoration& restoration) {
    constexpr double settled = 12;
    double radius = 0;
    for (const MethodInfo* method : all_methods()) radius = std::max(radius, radius_of(*method));
    if (restoration.kind == Restoration::Kind::shrink)
        return restoration.factor * (radius_of(*restoration.filter.method) + radius + settled);
    return (radius + settled) * std::sqrt(double(restoration.times) + 1);
}

}  // namespace

Holes holes_of(const RestoringPlan& plan, const Interior& interior) {
    const Image& image = *plan.image;
    Holes holes;
    if (plan.restoration.kind == Restoration::Kind::reduce || all_finite(image)) return holes;
    const Extent size{image.width(), image.height()};
    std::vector<bool> missing(size_t(size.width) * size_t(size.height));
    for (int y = 0; y < size.height; ++y)
        for (int x = 0; x < size.width; ++x)
            for (int c = 0; c < image.channels(); ++c)
                if (!std::isfinite(image.value(x, y, c)))
                    ++holes.samples, missing[size_t(y) * size_t(size.width) + size_t(x)] = true;
    const auto share_left = [&] {
        long long left = 0, all = 0;
        for (int y = 0; y < size.height; ++y)
            for (int x = 0; x < size.width; ++x)
                if (interior.contains(x, y, size))
                    ++all, left += !holes.left_out[size_t(y) * size_t(size.width) + size_t(x)];
        return double(left) / double(std::max(all, 1LL));
    };
    constexpr double least_left = 0.05, shorter = 0.75;
    holes.reach = int(std::ceil(full_reach(plan.restoration)));
    for (;; holes.reach = int(holes.reach * shorter)) {
        holes.left_out = widened(missing, size, holes.reach);
        if (holes.reach == 0 || share_left() >= least_left) break;
    }
    Image filled = converted(part_of(image, {0, 0, size.width, size.height}), SampleType::f32);
    for (int c = 0; c < image.channels(); ++c) fill({filled, c});
    holes.filled = std::make_shared<const Image>(std::move(filled));
    return holes;
}

void leave_out(const Holes& holes, Image& values) {
    auto* value = values.row_as<float>(0);
    for (const bool is_out : holes.left_out) {
        if (is_out) std::fill_n(value, values.channels(), std::numeric_limits<float>::quiet_NaN());
        value += values.channels();
    }
}

std::string left_out_words(const RestoringResult& result) {
    std::string text = words(result.holes);
    const bool no_ssim = std::ranges::all_of(result.methods, [](const RestoredMethod& method) {
        const Metrics& m = method.inside.metrics;
        return std::isnan(m.ssim) && m.pixels > 0;
    });
    if (!text.empty() && no_ssim && !result.methods.empty())
        text += fmt::format("; no {0}×{0} pixels are without them, so there is no SSIM", ssim_taps);
    return text;
}

std::string measured_words(const RestoringResult& result) {
    const std::string holes = left_out_words(result);
    return words(result.interior) + (holes.empty() ? "" : "; " + holes);
}

std::string words(const Holes& holes) {
    if (holes.samples == 0) return "";
    const bool one = holes.samples == 1;
    const std::string who = fmt::format("{} {} not finite", holes.samples, one ? "sample is" : "samples are");
    if (holes.reach == 0) return who + (one ? ": it is" : ": they are") + " left out of the figures";
    return fmt::format("{}: {} and what is within {} pixels are left out of the figures", who, one ? "it" : "they",
                       holes.reach);
}

}  // namespace texelscope
