// swscale, of FFmpeg, on a plane of 8 or 16 bits: what scales gray and YUV. Weights are integers of 14 bits along x and
// of 12 along y, and what rounding takes from one of them is added to the next.

#include <algorithm>
#include <bit>
#include <cmath>

#include <fmt/format.h>

#include "gpu/recipes/recipe.h"

namespace texelscope {
namespace {

enum class Algorithm { neighbor, bilinear, bicubic, area, gauss, lanczos, spline, sinc, fast_bilinear };

constexpr int bits_x = 14, bits_y = 12;

// Distances are integers of 2^−30 samples.
constexpr int64_t unit_distance = int64_t(1) << 30;

// How many samples on both sides together a weight function is asked for.
double width_of(Algorithm algorithm, double parameter) {
    switch (algorithm) {
        case Algorithm::bicubic: return 4;
        case Algorithm::area: return 1;
        case Algorithm::gauss: return 8;
        case Algorithm::lanczos: return std::ceil(2 * parameter);
        case Algorithm::spline:
        case Algorithm::sinc: return 20;
        default: return 2;
    }
}

// A cubic spline through 1 and zeros; from the second sample on its pieces are alike but for a factor.
struct SplinePiece {
    double constant, linear, square, cube;
    double at(double x) const { return ((cube * x + square) * x + linear) * x + constant; }
};
SplinePiece spline_piece(int index) {
    constexpr double p = -2.196152422706632;
    SplinePiece piece{1, 0, p, -p - 1};
    for (int i = 0; i < index; ++i)
        piece = {0, piece.linear + 2.0 * piece.square + 3.0 * piece.cube, piece.square + 3.0 * piece.cube,
                 -piece.linear - 3.0 * piece.square - 6.0 * piece.cube};
    return piece;
}
double spline_weight(double distance) {
    double x = distance;
    int index = 0;
    for (; x > 1; --x) ++index;
    return spline_piece(index).at(x);
}

// Weights are integers, `one` for 1.
int64_t bicubic_weight(int64_t d, const std::array<double, 4>& parameters, int64_t one) {
    if (d >= 2 * unit_distance) return 0;
    const int64_t b = int64_t(parameters[0] * (1 << 24)), c = int64_t(parameters[1] * (1 << 24)), whole = 1 << 24;
    const int64_t square = (d * d) >> 30, cube = (square * d) >> 30;
    const int64_t weight = d < unit_distance
                               ? (12 * whole - 9 * b - 6 * c) * cube + (-18 * whole + 12 * b + 6 * c) * square +
                                     (6 * whole - 2 * b) * unit_distance
                               : (-b - 6 * c) * cube + (6 * b + 30 * c) * square + (-12 * b - 48 * c) * d +
                                     (8 * b + 24 * c) * unit_distance;
    return weight / ((int64_t(1) << 54) / one);
}

int64_t area_weight(int64_t d, int64_t step, int64_t one) {
    const int64_t edge = (d - (int64_t(1) << 29)) * step, half = int64_t(1) << 45;
    return (edge < -half ? 2 * half : edge < half ? half - edge : 0) * (one >> 46);
}

int64_t weight_of(Algorithm algorithm, int64_t d, int64_t step, const std::array<double, 4>& parameters, int64_t one) {
    const double x = double(d) * (1.0 / unit_distance), p = parameters[0];
    const auto whole = [&](double weight) { return int64_t(weight * double(one)); };
    switch (algorithm) {
        case Algorithm::bicubic: return bicubic_weight(d, parameters, one);
        case Algorithm::area: return area_weight(d, step, one);
        case Algorithm::gauss: return whole(std::exp2(-p * x * x));
        case Algorithm::sinc: return whole(d ? std::sin(x * M_PI) / (x * M_PI) : 1);
        case Algorithm::lanczos:
            if (x > p) return 0;
            return whole(d ? std::sin(x * M_PI) * std::sin(x * M_PI / p) / (x * x * M_PI * M_PI / p) : 1);
        case Algorithm::spline: return whole(spline_weight(x));
        default: return std::max<int64_t>(unit_distance - d, 0) * (one >> 30);
    }
}

struct Window {
    int64_t first = 0;
    std::vector<int64_t> weights = {};
};

// Weights at both ends of a window that together are below 1/500 are left out: those before the samples that matter by
// moving the window, those after them if all windows can do without.
void cut(std::vector<Window>& windows, int64_t one, int multiple) {
    const double least = 0.002 * double(one);
    const size_t taps = windows[0].weights.size();
    size_t needed = 0;
    for (size_t i = windows.size(); i-- > 0;) {
        auto& [first, weights] = windows[i];
        int64_t sum = 0;
        for (size_t k = 0; k < taps; ++k) {
            sum += std::abs(weights[0]);
            if (double(sum) > least || (i + 1 < windows.size() && first >= windows[i + 1].first)) break;
            std::rotate(weights.begin(), weights.begin() + 1, weights.end());
            weights.back() = 0;
            ++first;
        }
        sum = 0;
        size_t used = taps;
        while (used > 1) {
            sum += std::abs(weights[used - 1]);
            if (double(sum) > least) break;
            --used;
        }
        needed = std::max(needed, used);
    }
    if (needed == 1 && multiple == 2) multiple = 1;
    const size_t kept = (needed + size_t(multiple) - 1) / size_t(multiple) * size_t(multiple);
    for (Window& window : windows) window.weights.resize(kept, 0);
}

// Taps beyond the edges are added to those at the edges.
void fold(Window& window, int samples) {
    const int64_t taps = int64_t(window.weights.size()),
                  first = std::clamp<int64_t>(window.first, 0, std::max<int64_t>(samples - taps, 0));
    std::vector<int64_t> inside(window.weights.size(), 0);
    for (int64_t k = 0; k < taps; ++k)
        inside[size_t(std::clamp<int64_t>(window.first + k, 0, samples - 1) - first)] += window.weights[size_t(k)];
    window = {first, inside};
}

int64_t divided(int64_t value, int64_t by) { return (value >= 0 ? value + (by >> 1) : value - (by >> 1)) / by; }

LongTaps rounded_table(std::vector<Window>& windows, int samples, int bits) {
    LongTaps table{.taps = int(windows[0].weights.size()), .first = {}, .weights = {}};
    const int64_t unit = int64_t(1) << bits;
    for (Window& window : windows) {
        fold(window, samples);
        table.first.push_back(int(window.first));
        int64_t sum = 0, left = 0;
        for (const int64_t w : window.weights) sum += w;
        sum = (sum + unit / 2) / unit;
        if (sum == 0) sum = 1;
        for (const int64_t w : window.weights) {
            const int64_t value = w + left, rounded = divided(value, sum);
            table.weights.push_back(float(rounded));
            left = value - rounded * sum;
        }
    }
    return table;
}

// Parameters: two of the algorithm, and the step, if it is not the one that follows from the sizes, in 1/65536 sample.
template <Algorithm algorithm> LongTaps table_of(const Rule& rule, const ResizedAxis& axis) {
    const auto& parameters = rule.table.parameters;
    const int64_t samples = axis.samples, pixels = int64_t(axis.pixels);
    const int64_t step = parameters[2] != 0 ? int64_t(parameters[2]) : ((samples << 16) + (pixels >> 1)) / pixels;
    const int ratio = int(samples / pixels);
    const int64_t one = int64_t(1) << (54 - std::min(ratio > 0 ? int(std::bit_width(unsigned(ratio))) - 1 : 0, 8));
    constexpr bool two_taps = algorithm == Algorithm::fast_bilinear;
    std::vector<Window> windows;
    for (int64_t i = 0; i < pixels; ++i) {
        const int64_t place = (step >> 1) + i * step;  // of the pixel's middle, from the outer edge
        Window window;
        if (std::abs(step - (1 << 16)) < 10) {
            window = {i, {one}};
        } else if (algorithm == Algorithm::neighbor) {
            window = {place >> 16, {one}};
        } else if (two_taps || (algorithm == Algorithm::area && step <= 1 << 16)) {
            window.first = (place - (1 << 15)) >> 16;
            for (int64_t k = 0; k < 2; ++k) {
                const int64_t distance = std::abs(((window.first + k) << 16) + (1 << 15) - place);
                window.weights.push_back(std::max<int64_t>(one - distance * (one >> 16), 0));
            }
        } else {
            const auto width = int64_t(width_of(algorithm, parameters[0]));
            const int64_t wanted = step <= 1 << 16 ? 1 + width : 1 + (width * samples + pixels - 1) / pixels,
                          taps = std::max<int64_t>(std::min(wanted, samples - 2), 1),
                          position = step - (1 << 16) + i * 2 * step;  // in 2^−17 samples
            window.first = (position - (taps - 2) * (1 << 16)) / (1 << 17);
            for (int64_t k = 0; k < taps; ++k) {
                int64_t distance = std::abs((window.first + k) * (1 << 17) - position) << 13;
                if (step > 1 << 16) distance = distance * pixels / samples;
                window.weights.push_back(weight_of(algorithm, distance, step, parameters, one));
            }
        }
        windows.push_back(std::move(window));
    }
    cut(windows, one, rule.bits == bits_x ? 4 : 2);
    return rounded_table(windows, axis.samples, rule.bits);
}

// Fast enlarging in vector code: fractions of seven bits, counted from the first sample, and in each eighth of a row
// from a whole one.
LongTaps fast_table(const Rule&, const ResizedAxis& axis) {
    const int64_t samples = axis.samples, pixels = int64_t(axis.pixels),
                  step = ((samples << 16) + (pixels >> 1)) / pixels + 20, piece = pixels / 8;
    LongTaps table{.taps = 2, .first = {}, .weights = {}};
    for (int64_t i = 0; i < pixels; ++i) {
        const bool last = (i * step) >> 16 >= samples - 1;
        const int64_t place = i % piece * step, fraction = last ? 0 : ((place & 0xffff) >> 9) + 1;
        table.first.push_back(int(last ? samples - 1 : i / piece * ((piece * step) >> 16) + (place >> 16)));
        table.weights.push_back(float(128 - fraction));
        table.weights.push_back(float(fraction));
    }
    return table;
}

std::string number(double value) { return fmt::format("({:.17g})", value); }

// The weight function as an ingredient.
std::string words_of(Algorithm algorithm, const std::array<double, 4>& parameters) {
    switch (algorithm) {
        case Algorithm::bicubic:
            if (parameters[0] == 0) return fmt::format("bicubic:a={:g}", -parameters[1]);
            return fmt::format("bc:b={:g},c={:g}", parameters[0], parameters[1]);
        case Algorithm::gauss:
            return fmt::format("radius = 4.5\nw(x) = exp(-{}*x^2)\n", number(parameters[0] * std::log(2.0)));
        case Algorithm::lanczos:
            return fmt::format("radius = {0:g}\nw(x) = sinc(x)*sinc(x/{0:g})\n", std::min(parameters[0], 8.0));
        case Algorithm::sinc: return "radius = 8\nw(x) = sinc(x)\n";
        case Algorithm::spline: {
            std::string text = "0";
            for (int i = 6; i-- > 0;) {
                const SplinePiece piece = spline_piece(i);
                text = fmt::format("abs(x) < {} ? (({}*(abs(x)-{})+{})*(abs(x)-{})+{})*(abs(x)-{})+{} : {}", i + 1,
                                   number(piece.cube), i, number(piece.square), i, number(piece.linear), i,
                                   number(piece.constant), text);
            }
            return "radius = 6\nw(x) = " + text + "\n";
        }
        default: return "bilinear";
    }
}

template <Algorithm algorithm> ResizeRule scaled(const RecipeCall& call) {
    std::array<double, 4> parameters{};
    for (const std::string_view id : {"param0", "param1"})
        if (call.options.values.contains(id)) parameters[id == "param1"] = call.options.number(id);
    const bool whole = call.type != RecipeType::f32, bytes = call.type == RecipeType::u8;
    const auto axis = [&](const ResizedAxis& size, int bits) {
        Rule rule{.weight = words_of(algorithm, parameters),
                  .widened = algorithm != Algorithm::fast_bilinear,
                  .edges = AddressMode::clamp,
                  .bits = whole ? bits : 0};
        if (algorithm == Algorithm::neighbor) rule.tap_rule = TapRule::nearest;
        if (algorithm == Algorithm::area && size.step() > 1) rule.tap_rule = TapRule::box;
        if (whole) rule.table = {table_of<algorithm>, parameters};
        return rule;
    };
    ResizeRule rule{.x = axis(call.x, bits_x), .y = axis(call.y, bits_y), .passes = {}, .premultiplied = false};
    if (!whole) return rule;
    rule.passes.unit = bytes ? 255 : 65535;
    rule.passes.whole = true;
    rule.passes.first = {.fixed = true,
                         .shift = bytes ? 7 : 11,
                         .clipped = true,
                         .low = bytes ? -32768.0f : -2147483648.0f,
                         .high = bytes ? 32767.0f : 524287.0f};
    rule.passes.second = {.fixed = true,
                          .shift = bytes ? 19 : 15,
                          .add = bytes ? 1 << 18 : 1 << 14,
                          .clipped = true,
                          .low = 0,
                          .high = rule.passes.unit};
    if (!call.x.whole() || !call.y.whole()) return rule;
    if (algorithm == Algorithm::fast_bilinear && bytes) {
        const int samples = call.x.samples, pixels = int(call.x.pixels);
        if (samples < 8 || pixels < 8) {
            rule.x.table.make = rule.y.table.make = table_of<Algorithm::bilinear>;
            rule.x.widened = rule.y.widened = true;
        } else if (pixels >= samples && pixels % 32 == 0 && samples % 16 == 0) {
            rule.x.table.make = fast_table;
            rule.x.alignment = Alignment::asymmetric;
            rule.x.bits = 7;
            rule.passes.first.shift = 0;
        } else {
            rule.x.table.parameters[2] = double((int64_t(samples - 2) << 16) / (pixels - 2) - 20);
        }
    }
    if (algorithm == Algorithm::fast_bilinear && !bytes && (call.x.samples < 8 || call.x.pixels < 8))
        rule.x.table.make = rule.y.table.make = table_of<Algorithm::bilinear>;
    // Vector code cuts each product along y off, and rounds less well the more there are.
    if (bytes && call.options.is("accurate_rnd", "false")) {
        const int taps = rule.y.table.make(rule.y, call.y).taps;
        if (taps > 1) {
            rule.passes.second.product_shift = 16;
            rule.passes.second.shift = 3;
            rule.passes.second.add = (64 + 8 * (taps - 1)) >> 4;
        }
    }
    return rule;
}

}  // namespace

std::vector<Recipe> swscale_recipes() {
    constexpr std::string_view
        versions = "FFmpeg 5.1.9 (libswscale 6.7)",
        bound = "bit-exact in 8 and 16 bits of gray and YUV 4:4:4; without accurate_rnd one level in the last two rows",
        unknown =
            "RGB is scaled as YUV: one level in 5 % of smooth pictures with full_chroma_int+full_chroma_inp, far "
            "more without; floats are scaled in 16 bits, of which sinc overflows";
    const RecipeOption accurate{"accurate_rnd", "false", {"true", "false"}, 0, 0, "Products are not cut off along y."};
    const std::vector<RecipeOption> options{accurate};
    return {
        {"swscale", "neighbor", "ffmpeg -i in -vf scale=W:H:flags=neighbor out", versions, bound, unknown, options,
         scaled<Algorithm::neighbor>},
        {"swscale", "fast_bilinear", "ffmpeg -i in -vf scale=W:H:flags=fast_bilinear out", versions, bound, unknown,
         options, scaled<Algorithm::fast_bilinear>},
        {"swscale", "bilinear", "ffmpeg -i in -vf scale=W:H:flags=bilinear out", versions, bound, unknown, options,
         scaled<Algorithm::bilinear>},
        {"swscale",
         "bicubic",
         "ffmpeg -i in -vf scale=W:H out",
         versions,
         bound,
         unknown,
         {accurate, {"param0", "0", {}, 0, 1, "B of the cubic."}, {"param1", "0.6", {}, 0, 1, "C of the cubic."}},
         scaled<Algorithm::bicubic>},
        {"swscale", "area", "ffmpeg -i in -vf scale=W:H:flags=area out", versions, bound, unknown, options,
         scaled<Algorithm::area>},
        {"swscale",
         "gauss",
         "ffmpeg -i in -vf scale=W:H:flags=gauss out",
         versions,
         bound,
         unknown,
         {accurate, {"param0", "3", {}, 0, 100, "The weight is 2 to the power of minus this at a distance of 1."}},
         scaled<Algorithm::gauss>},
        {"swscale",
         "lanczos",
         "ffmpeg -i in -vf scale=W:H:flags=lanczos out",
         versions,
         bound,
         unknown,
         {accurate, {"param0", "3", {}, 1, 25, "Lobes."}},
         scaled<Algorithm::lanczos>},
        {"swscale", "spline", "ffmpeg -i in -vf scale=W:H:flags=spline out", versions, bound, unknown, options,
         scaled<Algorithm::spline>},
        {"swscale", "sinc", "ffmpeg -i in -vf scale=W:H:flags=sinc out", versions, bound, unknown, options,
         scaled<Algorithm::sinc>},
    };
}

}  // namespace texelscope
