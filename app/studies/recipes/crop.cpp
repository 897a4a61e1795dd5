// A result that is a part of what was made of the original: found by correlation, first of a few large pixels at all scales and
// places, then of smaller and smaller ones.

#include "app/studies/recipes/recipe_study.h"

#include <algorithm>
#include <cmath>

#include "gpu/core/parallel.h"

namespace texelscope {
namespace {

inline constexpr WorkName searching{"finding a crop"};

constexpr int coarse_pixels = 16;  // of the result, along its longer side
constexpr int fine_pixels[] = {24, 48, 96, 192};
constexpr double scale_ratio = 1.03;  // of neighbouring scales that are tried
constexpr double most_smaller = 5;    // than all of the original at that scale, a crop
constexpr size_t followed = 10;       // places
// Scales along x by those along y that are tried in turn; refining finds those between.
constexpr double aspects[] = {1, 1.4, 1 / 1.4, 1.9, 1 / 1.9};
constexpr double enough = 0.75;  // correlation

// Sums of all samples above and to the left: the mean of any area by four of them.
class Areas {
public:
    explicit Areas(const ChannelField& field) : width_(field.width), height_(field.height) {
        const size_t row = size_t(width_) + 1;
        sums_.resize(row * (size_t(height_) + 1), 0.0);
        for (int y = 0; y < height_; ++y)
            for (int x = 0; x < width_; ++x)
                sums_[(size_t(y) + 1) * row + size_t(x) + 1] = field.at(x, y) + sums_[size_t(y) * row + size_t(x) + 1] +
                                                               sums_[(size_t(y) + 1) * row + size_t(x)] -
                                                               sums_[size_t(y) * row + size_t(x)];
    }
    int width() const { return width_; }
    int height() const { return height_; }

    // From the outer edge of the image, in samples.
    double mean(double left, double top, double right, double bottom) const {
        return (sum(right, bottom) - sum(left, bottom) - sum(right, top) + sum(left, top)) /
               ((right - left) * (bottom - top));
    }

private:
    double sum(double x, double y) const {
        x = std::clamp(x, 0.0, double(width_));
        y = std::clamp(y, 0.0, double(height_));
        const int i = std::min(int(x), width_ - 1), j = std::min(int(y), height_ - 1);
        const double u = x - i, v = y - j;
        const double* const at = &sums_[size_t(j) * (size_t(width_) + 1) + size_t(i)];
        const double* const below = at + width_ + 1;
        return (1 - v) * ((1 - u) * at[0] + u * at[1]) + v * ((1 - u) * below[0] + u * below[1]);
    }
    int width_, height_;
    std::vector<double> sums_;
};

// Areas of a grid over a part of the image.
ChannelField grid_of(const Areas& areas, double left, double top, double step_x, double step_y, int columns, int rows) {
    ChannelField grid{columns, rows, {}};
    grid.values.reserve(size_t(columns) * size_t(rows));
    // Areas of less than a sample say no more than a sample does.
    const double wide = std::max(step_x, 1.0) / 2, high = std::max(step_y, 1.0) / 2;
    for (int j = 0; j < rows; ++j)
        for (int i = 0; i < columns; ++i) {
            const double x = left + (i + 0.5) * step_x, y = top + (j + 0.5) * step_y;
            grid.values.push_back(areas.mean(x - wide, y - high, x + wide, y + high));
        }
    return grid;
}

double correlation(const ChannelField& a, const ChannelField& b) {
    double sa = 0, sb = 0, saa = 0, sbb = 0, sab = 0;
    const double n = double(a.values.size());
    for (size_t k = 0; k < a.values.size(); ++k) {
        const double u = a.values[k], v = b.values[k];
        sa += u, sb += v, saa += u * u, sbb += v * v, sab += u * v;
    }
    const double spread = (saa - sa * sa / n) * (sbb - sb * sb / n);
    return spread > 0 ? (sab - sa * sb / n) / std::sqrt(spread) : 0;
}

// Where the result's outer edges are in the original.
struct Place {
    double left = 0, top = 0, step_x = 1, step_y = 1;  // samples, samples per pixel
    double likeness = -1;
};

struct Thumbnail {
    ChannelField field;
    double pixels_x = 1, pixels_y = 1;  // of the result, that one of its own is
};

Thumbnail thumbnail_of(const Areas& result, int longer) {
    const double larger = std::max(result.width(), result.height());
    const int columns = std::max(4, int(std::round(longer * result.width() / larger))),
              rows = std::max(4, int(std::round(longer * result.height() / larger)));
    const double x = double(result.width()) / columns, y = double(result.height()) / rows;
    return {grid_of(result, 0, 0, x, y, columns, rows), x, y};
}

double likeness_at(const Areas& original, const Thumbnail& small, const Place& place) {
    const double x = place.step_x * small.pixels_x, y = place.step_y * small.pixels_y;
    constexpr double slack = 0.75;  // samples beyond the image that rounding may have made of it
    if (place.left < -slack || place.top < -slack || place.left + x * small.field.width > original.width() + slack ||
        place.top + y * small.field.height > original.height() + slack)
        return -1;
    return correlation(small.field,
                       grid_of(original, place.left, place.top, x, y, small.field.width, small.field.height));
}

// The best place at one scale, in half pixels of the thumbnail.
Place place_at(const Areas& original, const Thumbnail& small, double step_x, double step_y) {
    const double x = step_x * small.pixels_x, y = step_y * small.pixels_y;
    const int columns = int(2 * original.width() / x) - 1, rows = int(2 * original.height() / y) - 1;
    // Every second area of this grid is one of a thumbnail's.
    ChannelField grid{columns, rows, {}};
    for (int j = 0; j < rows; ++j)
        for (int i = 0; i < columns; ++i)
            grid.values.push_back(original.mean(i * x / 2, j * y / 2, (i + 2) * x / 2, (j + 2) * y / 2));
    const int wide = small.field.width, high = small.field.height;
    double sb = 0, sbb = 0;
    for (const double v : small.field.values) sb += v, sbb += v * v;
    const double n = double(small.field.values.size());
    Place best;
    for (int top = 0; top + 2 * high - 1 <= rows; ++top)
        for (int left = 0; left + 2 * wide - 1 <= columns; ++left) {
            double sa = 0, saa = 0, sab = 0;
            for (int j = 0; j < high; ++j)
                for (int i = 0; i < wide; ++i) {
                    const double u = grid.at(left + 2 * i, top + 2 * j), v = small.field.at(i, j);
                    sa += u, saa += u * u, sab += u * v;
                }
            const double spread = (saa - sa * sa / n) * (sbb - sb * sb / n);
            const double likeness = spread > 0 ? (sab - sa * sb / n) / std::sqrt(spread) : 0;
            if (likeness > best.likeness) best = {left * x / 2, top * y / 2, step_x, step_y, likeness};
        }
    return best;
}

// Nearby places that are better, by smaller and smaller steps.
Place refined(const Areas& original, const Thumbnail& small, Place place, double first, double last) {
    place.likeness = likeness_at(original, small, place);
    const double wide = small.pixels_x * small.field.width, high = small.pixels_y * small.field.height;
    for (double by = first; by > last;) {
        Place best = place;
        const auto look = [&](double left, double right, double top, double bottom) {
            Place moved = place;
            moved.left += left * by * place.step_x;
            moved.top += top * by * place.step_y;
            moved.step_x += (right - left) * by * place.step_x / wide;
            moved.step_y += (bottom - top) * by * place.step_y / high;
            moved.likeness = likeness_at(original, small, moved);
            if (moved.likeness > best.likeness) best = moved;
        };
        for (const double d : {-1.0, 1.0}) {
            look(d, d, 0, 0), look(0, 0, d, d);    // moved
            look(0, d, 0, 0), look(0, 0, 0, d);    // one end
            look(d, 0, 0, 0), look(0, 0, d, 0);    // the other
            look(d, -d, d, -d), look(0, d, 0, d);  // larger or smaller
        }
        if (best.likeness > place.likeness) place = best;
        else by /= 2;
    }
    return place;
}

// At all scales, of which that along x is `aspect` times the one along y.
Place likeliest_place(const Areas& from, const Areas& to, double aspect) {
    const Thumbnail coarse = thumbnail_of(to, coarse_pixels);
    const double wide = std::sqrt(aspect), high = 1 / wide;
    const double largest = std::min(from.width() / (to.width() * wide), from.height() / (to.height() * high));
    std::vector<double> steps;
    for (double step = largest; step > largest / most_smaller; step /= scale_ratio) steps.push_back(step);
    std::vector<Place> places(steps.size());
    parallel_for(searching, steps.size(), 1,
                 [&](size_t k) { places[k] = place_at(from, coarse, steps[k] * wide, steps[k] * high); });
    const auto better = [](const Place& a, const Place& b) { return a.likeness > b.likeness; };
    std::stable_sort(places.begin(), places.end(), better);
    places.resize(std::min(places.size(), followed));
    double before = to.width() / double(coarse.field.width);
    for (const int pixels : fine_pixels) {
        const Thumbnail small = thumbnail_of(to, std::min(pixels, std::max(to.width(), to.height())));
        parallel_for(searching, places.size(), 1,
                     [&](size_t k) { places[k] = refined(from, small, places[k], before / 2, small.pixels_x / 24); });
        before = small.pixels_x;
        std::stable_sort(places.begin(), places.end(), better);
        places.resize(std::max(size_t(1), places.size() / 2));
    }
    return places.front();
}

}  // namespace

double likeness_of_whole(const Image& original, const Image& result) {
    const Areas from(field_of(original)), to(field_of(result));
    const Thumbnail small = thumbnail_of(to, std::min(64, std::max(to.width(), to.height())));
    return likeness_at(from, small, {0, 0, double(from.width()) / to.width(), double(from.height()) / to.height(), -1});
}

std::optional<FoundCrop> find_crop(const Image& original, const Image& result, const StudyProgress& progress) {
    constexpr int least = 16;  // pixels
    if (result.width() < least || result.height() < least) return {};
    const Areas from(field_of(original)), to(field_of(result));
    progress(0, 2);
    Place best;
    for (const double aspect : aspects) {
        const Place found = likeliest_place(from, to, aspect);
        if (found.likeness > best.likeness) best = found;
        if (best.likeness >= enough) break;
        progress(1, 2);
    }
    if (best.likeness < enough) return {};
    const auto line = [](double edge, double step) { return MeasuredLine{step, edge + step / 2 - 0.5, "measured"}; };
    return FoundCrop{{line(best.left, best.step_x), line(best.top, best.step_y)},
                     best.likeness,
                     likeness_of_whole(original, result)};
}

std::vector<Placement> placements_of(const KnownLines& lines, Extent original, Extent result) {
    // How many pixels an axis had before it was cropped, the first of those that are left, and how far that is from the line.
    struct AxisPlacement {
        int pixels, first;
        double off;
    };
    const auto of_axis = [](const MeasuredLine& line, int samples, int count, bool corners, bool asymmetric) {
        std::vector<AxisPlacement> found;
        const int about = int(std::round(corners ? (samples - 1) / line.step + 1 : samples / line.step));
        for (int pixels = std::max(2, about - 3); pixels <= about + 3; ++pixels) {
            const double step = corners ? (samples - 1.0) / (pixels - 1) : double(samples) / pixels,
                         start = corners || asymmetric ? 0 : (step - 1) / 2;
            const double middle = line.offset + line.step * (count - 1) / 2;
            const int first = int(std::round((middle - start) / step - (count - 1) / 2.0));
            if (first < 0 || first + count > pixels) continue;
            const double from = std::abs(start + first * step - line.offset),
                         to = std::abs(start + (first + count - 1) * step - line.offset - (count - 1) * line.step);
            found.push_back({pixels, first, std::max(from, to) / std::max(1.0, step)});
        }
        std::stable_sort(found.begin(), found.end(),
                         [](const AxisPlacement& a, const AxisPlacement& b) { return a.off < b.off; });
        return found;
    };
    constexpr double most_off = 0.35;  // of a pixel
    std::vector<std::pair<double, Placement>> all;
    for (const auto& [corners, asymmetric] :
         {std::pair(false, false), std::pair(false, true), std::pair(true, false)}) {
        const auto x = of_axis(lines.x, original.width, result.width, corners, asymmetric),
                   y = of_axis(lines.y, original.height, result.height, corners, asymmetric);
        for (size_t a = 0; a < std::min(size_t(2), x.size()); ++a)
            for (size_t b = 0; b < std::min(size_t(2), y.size()); ++b) {
                const Placement placement{{x[a].pixels, y[b].pixels}, x[a].first, y[b].first};
                const double off = std::max(x[a].off, y[b].off);
                const bool is_known =
                    std::any_of(all.begin(), all.end(), [&](const auto& each) { return each.second == placement; });
                if (off < most_off && !is_known) all.push_back({off, placement});
            }
    }
    std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<Placement> placements;
    for (const auto& each : all) placements.push_back(each.second);
    return placements;
}

KnownLines lines_of(const Placement& placement, Extent original) {
    const double x = double(original.width) / placement.whole.width,
                 y = double(original.height) / placement.whole.height;
    return {{x, (placement.x + 0.5) * x - 0.5, "centers"}, {y, (placement.y + 0.5) * y - 0.5, "centers"}};
}

}  // namespace texelscope
