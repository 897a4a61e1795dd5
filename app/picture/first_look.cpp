#include "app/picture/first_look.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <mutex>
#include <utility>
#include <vector>

#include "app/picture/pane_picture.h"
#include "app/picture/rendered_rows.h"
#include "app/state/panes.h"
#include "gpu/core/image.h"
#include "gpu/core/parallel.h"
#include "gpu/core/quantile.h"
#include "gpu/display/pixel.h"

namespace texelscope {
namespace {

constexpr double most_pixels = 1 << 18;
constexpr double share = 0.001;  // part of the values beyond each level
constexpr double range_slack =
    1 / 16.0;  // part of 0 … 1: values for display may exceed it by this, and take at least this
constexpr double label_slack = 1 / 8.0;  // `range_slack` for 8 bits in one channel: up to 32 labels
constexpr double poles = 4;              // magnitudes may go very far: all beyond this multiple of the median are full
constexpr size_t most_labels = 256;
constexpr WorkName looking{"levels of the data"};

int colours_of(const Image& image) { return image.channels() - (image.alpha() != Alpha::none ? 1 : 0); }
bool is_complex(const Image& image) {
    return image.channels() == 2 && image.alpha() == Alpha::none && !is_normalised(image.type());
}

bool is_missing(const Image& image, int x, int y) {
    const SampleRegion& m = image.missing();
    return !m.empty() && x >= m.x && y >= m.y && x - m.x < m.width && y - m.y < m.height;
}

// The range of finite values in the colour channels, and the kinds of other values.
struct Extremes {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    ImageLook look;

    void add(double value) {
        if (std::isfinite(value)) {
            low = std::min(low, value);
            high = std::max(high, value);
        } else if (std::isnan(value)) {
            look.nan = true;
        } else {
            (value > 0 ? look.plus_infinity : look.minus_infinity) = true;
        }
    }
    void add(const Extremes& other) {
        low = std::min(low, other.low);
        high = std::max(high, other.high);
        look.nan |= other.look.nan;
        look.plus_infinity |= other.look.plus_infinity;
        look.minus_infinity |= other.look.minus_infinity;
    }
};

// The extremes of all samples, or of values in their place.
Extremes extremes_of(const Image& image) {
    const int colours = colours_of(image);
    std::vector<Extremes> rows(size_t(image.height()));
    parallel_for(looking, image.height(), 16, [&](int y) {
        Extremes& row = rows[size_t(y)];
        for (int x = 0; x < image.width(); ++x) {
            if (is_missing(image, x, y)) continue;
            for (int c = 0; c < colours; ++c) row.add(double(image.value(x, y, c)));
        }
    });
    Extremes all;
    for (const Extremes& row : rows) all.add(row);
    return all;
}

std::vector<double> sampled_values(const Image& image, bool complex) {
    const double pixels = double(image.width()) * image.height();
    const int step = std::max(1, int(std::ceil(std::sqrt(pixels / most_pixels))));
    std::vector<double> values;
    for (int y = 0; y < image.height(); y += step)
        for (int x = 0; x < image.width(); x += step) {
            if (is_missing(image, x, y)) continue;
            if (!complex) {
                append_straight_values(image, x, y, ChannelView::all, values);
                continue;
            }
            const double size = std::hypot(double(image.value(x, y, 0)), double(image.value(x, y, 1)));
            if (std::isfinite(size)) values.push_back(size);
        }
    return values;
}

size_t count_of_different(const std::vector<double>& sorted, size_t enough) {
    size_t count = sorted.empty() ? 0 : 1;
    for (size_t i = 1; i < sorted.size() && count <= enough; ++i) count += sorted[i] != sorted[i - 1];
    return count;
}

// Whether numbers are values for display; `low` to `high` is their range without rare values.
bool are_for_display(const Image& image, double low, double median, double high) {
    if (colours_of(image) < 3) return low >= -range_slack * high && high <= 1 + range_slack;
    const auto& profile = image.profile();
    return (profile && profile->linear_light) || (low >= -range_slack * high && median <= 1);
}

// Whether integers that stand for 0 … 1 take so little of it that nothing would be visible.
bool takes_little(const Image& image, double low, double high) {
    return low < high && high - low < (image.type() == SampleType::u8 ? label_slack : range_slack);
}

Levels float_levels(double black, double white) {
    const auto low = float(black), high = float(white);
    if (low < high) return {low, high};
    const float apart = std::max(0.5f, std::abs(low) * 1e-5f);  // distance of the levels from a constant
    return {low - apart, low + apart};
}

// Levels if the samples are data; `all` holds the extremes of all samples, `values` some of them.
std::optional<Levels> levels_of_data(const Image& image, const std::vector<double>& values, const Extremes& all) {
    const auto at = [&](double part) { return quantile(values, part); };
    const double low = at(share), high = at(1 - share);
    if (is_complex(image)) {
        const double most = high > 0 ? high : values.back();
        if (most == 0 || (most <= 1 + range_slack && most >= range_slack)) return {};
        const double median = at(0.5);
        return float_levels(0, median > 0 ? std::min(most, poles * median) : most);
    }
    const bool labels = is_integer(image.type()) && count_of_different(values, most_labels) <= most_labels;
    const bool sparse = labels || !(low < high);
    const double from = sparse ? all.low : low, to = sparse ? all.high : high;
    if (is_normalised(image.type())) {
        if (!takes_little(image, all.low, all.high)) return {};
    } else {
        const bool little = all.low < all.high && all.high - all.low < range_slack && colours_of(image) < 3;
        if (!little && are_for_display(image, from, at(0.5), to)) return {};
    }
    return float_levels(from, to);
}

}  // namespace

bool may_be_data(const Image& image) {
    return !is_normalised(image.type()) ||
           (!image.profile() && (image.type() != SampleType::u8 || image.channels() == 1));
}

ImageLook look_at(const Image& image) { return image.in_memory() ? look_at_values(image, image) : ImageLook(); }

ImageLook look_at_values(const Image& samples, const Image& image) {
    if (!may_be_data(image)) return {};
    std::vector<double> values = sampled_values(samples, is_complex(image));
    if (is_normalised(image.type())) {
        const auto [low, high] = std::ranges::minmax_element(values);
        if (values.empty() || (*low < *high && !takes_little(image, *low, *high))) return {};
    }
    const Extremes all = extremes_of(samples);
    ImageLook look = all.look;
    std::sort(values.begin(), values.end());
    if (!values.empty()) look.levels = levels_of_data(image, values, all);
    return look;
}

ImageLook look_of(const std::shared_ptr<const Image>& image) {
    static std::mutex mutex;
    static std::deque<std::pair<std::weak_ptr<const Image>, ImageLook>> kept;
    constexpr size_t most = 16;
    const auto find = [&]() -> const ImageLook* {
        for (const auto& [of, look] : kept)
            if (!of.owner_before(image) && !image.owner_before(of) && !of.expired()) return &look;
        return nullptr;
    };
    {
        const std::lock_guard lock(mutex);
        if (const ImageLook* look = find()) return *look;
    }
    const ImageLook look = look_at(*image);
    const std::lock_guard lock(mutex);
    kept.emplace_back(image, look);
    if (kept.size() > most) kept.pop_front();
    return look;
}

namespace {

double before_curve(ToneCurve curve, double v) {
    switch (curve) {
        case ToneCurve::none: break;
        case ToneCurve::reinhard: return v < 1 ? v / (1 - v) : std::numeric_limits<double>::infinity();
        case ToneCurve::aces: {  // v · (x (2.43 x + 0.59) + 0.14) = x (2.51 x + 0.03)
            const double a = 2.51 - 2.43 * v, b = 0.03 - 0.59 * v, c = -0.14 * v;
            return (-b + std::sqrt(b * b - 4 * a * c)) / (2 * a);
        }
    }
    return v;
}

}  // namespace

bool shows_single_channel(const Scene& scene, int pane) {
    const DisplaySettings& display = scene.display;
    const auto image = image_of(scene, pane);
    if (!image) return false;
    const bool alpha = image->alpha() != Alpha::none;
    if (image->channels() == 2 && !alpha && display.complex != ComplexView::parts)
        return display.complex == ComplexView::magnitude;
    if (display.channel == ChannelView::alpha) return alpha;
    return display.channel != ChannelView::all || image->channels() - (alpha ? 1 : 0) == 1;
}

bool shows_polar(const AppState& state, int pane) {
    const auto image = image_of(state.scene, pane);
    return image && image->channels() == 2 && image->alpha() == Alpha::none && !shows_difference(state, pane) &&
           state.scene.display.complex == ComplexView::polar;
}

bool shows_false_colour(const AppState& state, int pane) {
    return state.scene.display.map != ColourMap::channels && !shows_difference(state, pane) &&
           shows_single_channel(state.scene, pane);
}

double value_shown_at(const DisplaySettings& s, double part) {
    const double toned = std::pow(s.invert ? 1 - part : part, double(s.gamma));
    const double exposed = before_curve(s.curve, toned) / std::exp2(double(s.exposure));
    return double(s.black) + (double(s.white) - double(s.black)) * exposed;
}

double shown_part(const DisplaySettings& s, double value) {
    if (s.channel == ChannelView::alpha) return std::clamp(value, 0.0, 1.0);
    const float level = levelled(s, float(value));
    float v[3] = {level, level, level};
    tone(s, {}, v);
    return double(clamped(v[0]));
}

ColourBar colour_bar(const DisplaySettings& s, SampleType type) {
    if (s.channel == ChannelView::alpha) return {};
    constexpr double nearly_all = 0.875;  // of the colours, where the tone curve never comes to the last one
    const auto value_at = [&](double part) { return value_shown_at(s, s.invert ? 1 - part : part); };
    const double last = value_at(1), end = std::isfinite(last) ? last : value_at(nearly_all);
    ColourBar bar{double(s.black), std::max(double(s.white), end)};
    if (is_normalised(type)) bar.high = std::min(bar.high, std::max(double(s.white), 1.0));
    bar.below = !is_normalised(type) || bar.low > 0;
    bar.above = bar.high >= last && (!is_normalised(type) || bar.high < 1);
    return bar;
}

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
    // The sum of a tile and its eight neighbours; the tile counts twice, so that a single detail ends up in the middle.
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

std::optional<Point> place_of_difference(const Image& image, const SampleRegion& within,
                                         const std::optional<Region>& places) {
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
            const double here = tiles.around(i, j), x = double(within.x + i * side), y = double(within.y + j * side),
                         right = x + std::min(side, within.width - i * side) - 1,
                         bottom = y + std::min(side, within.height - j * side) - 1;
            const bool outside =
                places && (right < places->x0 || x > places->x1 || bottom < places->y0 || y > places->y1);
            if (outside || !(here > largest)) continue;
            largest = here;
            place = {(x + right) / 2, (y + bottom) / 2};
            if (places)
                place = {std::clamp(place.x, places->x0, places->x1), std::clamp(place.y, places->y0, places->y1)};
        }
    return largest > 0 ? std::optional(place) : std::nullopt;
}

}  // namespace texelscope
