// What an identification says: sentences, the answer first; what a measured response is nearest to, and its text.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/studies/recipes/recipe_study.h"
#include "gpu/core/errors.h"
#include "gpu/method/custom_method.h"
#include "gpu/method/polar_method.h"

namespace texelscope {
namespace {

using Sentences = std::vector<std::string>;

constexpr size_t most_named = 8;

double levels_of(SampleType type) { return type == SampleType::u8 ? 255 : type == SampleType::u16 ? 65535 : 1; }

void add_answer(Sentences& sentences, const Identification& found) {
    const RankedRecipe& best = found.ranked.front();
    switch (best.match) {
        case Match::exact:
            sentences.push_back(fmt::format("Made by the rule of {}: bit-exact.", best.recipe.text));
            break;
        case Match::within_one:
            sentences.push_back(fmt::format(
                "Made by the rule of {}: no sample is further off than {}, and {:.2f} % are "
                "the same.",
                best.recipe.text, best.closeness.levels ? "one level" : "2e-6", 100 * best.closeness.equal));
            break;
        case Match::possible:
            sentences.push_back(fmt::format(
                "Made by the rule of {}, then stored as a JPEG: {:.2f} % of the coefficients of brightness are those that "
                "the JPEG would have of its picture.",
                best.recipe.text, 100 * best.possible.value_or(0)));
            break;
        case Match::none:
            sentences.push_back(fmt::format(
                "None of the recipes made it: the nearest, {}, is off by up to {:.3g} and by {:.3g} on average.",
                best.recipe.text, best.closeness.largest, best.closeness.mean));
            break;
    }
    if (!best.same.empty())
        sentences.push_back(fmt::format("These pictures cannot tell it from {}.", fmt::join(best.same, ", ")));
    if (best.match != Match::within_one && best.match != Match::possible) return;
    // The last bits of floats tell nothing: all of them are named.
    const bool floats = best.match == Match::within_one && !best.closeness.levels;
    Sentences others;
    for (size_t k = 1; k < found.ranked.size() && (floats || others.size() < most_named); ++k)
        if (found.ranked[k].match == best.match) others.push_back(found.ranked[k].recipe.text);
    if (others.empty()) return;
    const char* const how = floats ? "Within 2e-6 as well, which is too little to tell them apart"
                            : best.match == Match::within_one ? "Within one level as well, but further off on average"
                                                              : "Possible as well, as far as a JPEG can tell";
    sentences.push_back(fmt::format("{}: {}.", how, fmt::join(others, ", ")));
}

void add_jpeg(Sentences& sentences, const Identification& found) {
    const StoredJpeg& jpeg = *found.jpeg;
    const std::string quality =
        jpeg.quality > 0 ? fmt::format("quality {}", jpeg.quality) : std::string("tables of its own");
    const RankedRecipe& best = found.ranked.front();
    sentences.push_back(fmt::format(
        "The result {} a JPEG ({}){}{}.", jpeg.from_file ? "is" : "was once", quality,
        jpeg.from_file ? "" : ", as its 8×8 blocks show",
        best.possible ? ": recipes are compared by what such a JPEG keeps" : ", of a picture that no recipe makes"));
    if (best.match != Match::possible) return;
    for (const RankedRecipe& each : found.ranked)
        if (each.match != Match::possible && each.possible && !each.by_part) {
            sentences.push_back(
                fmt::format("The next recipe, {}, has {:.2f} %.", each.recipe.text, 100 * *each.possible));
            return;
        }
}

std::string line_words(const MeasuredResponse& response) {
    return fmt::format("{:.4f} + i · {:.4f}", response.line.offset + response.shift, response.line.step);
}

void add_rounding(Sentences& sentences, const Identification& found) {
    if (found.measured->linear_light || found.type != SampleType::u8) return;
    // The standard deviation of what rounding takes away, of one channel.
    constexpr double once = 0.289;
    const MeasuredResizer& resizer = found.measured->resizer;
    const double levels = levels_of(found.type), residual = resizer.residual * levels, bias = resizer.bias * levels;
    if (std::abs(bias + 0.5) < 0.15) sentences.push_back("Values were cut off to whole levels, not rounded.");
    else if (residual > 0.3 * once && residual < 1.25 * once && std::abs(bias) < 0.15)
        sentences.push_back("Values were rounded to the nearest level, once.");
    else if (residual < 3 * once && std::abs(bias) < 0.15)
        sentences.push_back("Values were rounded more than once: between the axes as well, or by weights of few bits.");
}

void add_measured(Sentences& sentences, const Identification& found) {
    const Measured& m = *found.measured;
    const MeasuredResizer& resizer = m.resizer;
    sentences.push_back(fmt::format(
        "Measured: pixel i reads {} along x and {} along y ({}), {} antialiasing, by weights nearest to {} (off by up to "
        "{:.3g} of the largest){}.",
        line_words(resizer.x), line_words(resizer.y), resizer.x.line.name, m.x.stretch > 1 ? "with" : "without",
        m.x.name, m.x.error, m.linear_light ? ", in linear light" : ""));
    if (resizer.edges.name.empty()) sentences.push_back("What it does at the edges is none of the usual ways.");
    else
        sentences.push_back(fmt::format(
            "Edges: {}{}.", resizer.edges.name,
            resizer.edges.alike.empty()
                ? std::string()
                : fmt::format(", which these pictures cannot tell from {}", fmt::join(resizer.edges.alike, ", "))));
    add_rounding(sentences, found);
    if (resizer.clipped) sentences.push_back("Values beyond the range 0 … 1 were cut off.");
    sentences.push_back(fmt::format(
        "The weights are known to about {:.1g} of the largest; what they make is off by {:.3g} (RMS, of the range), edges "
        "included.",
        std::max(resizer.x.uncertain, 1e-6), m.reproduced));
    sentences.push_back(
        fmt::format("To resize by these weights: --align {}{} --antialias {} --address {}{}.",
                    resizer.x.line.name == "measured"     ? "centers"
                    : resizer.x.line.name == "asymmetric" ? "origin"
                                                          : resizer.x.line.name,
                    m.linear_light ? " --linear-light" : "", m.x.stretch > 1 ? "on" : "off",
                    resizer.edges.name.empty() || resizer.edges.name == "normalise" ? "clamp" : resizer.edges.name,
                    resizer.edges.name == "normalise" ? ", which is the same but near the edges" : ""));
    constexpr double ill = 1e7;
    if (resizer.condition > ill || resizer.x.uncertain > 0.02)
        sentences.push_back("The original has too little detail for the weights to be certain: noise would tell more.");
    if (resizer.x.line.step > 1 && m.x.error > 0.03)
        sentences.push_back("Whether the weights are widened with the size cannot be told from one size.");
}

}  // namespace

Sentences findings_of(const Identification& found, double likeness) {
    Sentences sentences;
    add_answer(sentences, found);
    if (found.jpeg) add_jpeg(sentences, found);
    const bool fits = found.ranked.front().match != Match::none;
    if (found.cropped)
        sentences.push_back(fmt::format(
            "Assumed: the result is a part of {}×{} pixels, made of the whole original, and begins at {}, {}.",
            found.placement.whole.width, found.placement.whole.height, found.placement.x, found.placement.y));
    constexpr double nothing_in_common = 0.3, other_shape = 0.03;
    const double shape =
        double(found.original.width) * found.result.height / (double(found.original.height) * found.result.width);
    if (!fits && !found.cropped && likeness < nothing_in_common)
        sentences.push_back("The result shows nothing of the original that could be found.");
    else if (!fits && !found.cropped && std::abs(std::log(shape)) > other_shape)
        sentences.push_back(
            "The shapes differ, and the result was found nowhere in the original as a part: it was taken to be all of it.");
    if (found.channels_swapped) sentences.push_back("Red and blue of the result are exchanged.");
    if (found.measured) add_measured(sentences, found);
    else if (!fits && found.original != found.result)
        sentences.push_back(
            "No weights along x and y make it either, or the pictures are too small to tell: nothing was measured.");
    return sentences;
}

// What a measured response is nearest to, and its text as a weight function.

namespace {

constexpr size_t most_pieces = 19;   // of a text, which has room for about 2000 signs
constexpr double negligible = 2e-4;  // of the largest weight
constexpr double most_radius = 8;

using Function = std::function<double(double)>;

double difference(const MeasuredResponse& response, const Function& weight, double radius, double stretch) {
    double largest = 0, peak = 0;
    for (size_t k = 0; k < response.distance.size(); ++k) {
        const double distance = (response.distance[k] - response.shift) / stretch;
        const double wanted = std::abs(distance) <= radius ? weight(distance) / stretch : 0;
        peak = std::max(peak, std::abs(wanted));
        largest = std::max(largest, std::abs(response.value[k] - wanted));
    }
    return largest / std::max(peak, 1e-12);
}

struct WeightPoint {
    double x, y;
};

// The response at positive distances, even by construction: what is odd is a shift, which positions are for.
std::vector<WeightPoint> even_points(const MeasuredResponse& response, double stretch, double& radius) {
    std::vector<WeightPoint> all, merged;
    for (size_t k = 0; k < response.distance.size(); ++k)
        all.push_back({std::abs(response.distance[k] - response.shift) / stretch, response.value[k] * stretch});
    std::sort(all.begin(), all.end(), [](const WeightPoint& a, const WeightPoint& b) { return a.x < b.x; });
    for (size_t k = 0; k < all.size();) {
        WeightPoint mean{0, 0};
        size_t end = k;
        for (; end < all.size() && all[end].x - all[k].x < 2e-3; ++end) mean.x += all[end].x, mean.y += all[end].y;
        merged.push_back({mean.x / double(end - k), mean.y / double(end - k)});
        k = end;
    }
    double peak = 0;
    for (const WeightPoint& point : merged) peak = std::max(peak, std::abs(point.y));
    size_t used = merged.size();
    while (used > 2 && std::abs(merged[used - 2].y) < std::max(negligible, 3 * response.uncertain) * peak) --used;
    // The function ends between the last that counts, or one after it, and the next.
    radius = used < merged.size() ? (merged[used - 1].x + merged[used].x) / 2 : merged[used - 1].x + 1e-3;
    merged.resize(used);
    return merged;
}

// In powers of the distance from a middle: those of x itself may cancel each other to a part in 10⁵.
struct Cubic {
    double middle = 0, c[4] = {};
    double at(double x) const {
        const double t = x - middle;
        return c[0] + t * (c[1] + t * (c[2] + t * c[3]));
    }
};

// Least squares.
Cubic cubic_through(const WeightPoint* points, size_t count) {
    const size_t n = std::min(count, size_t(4));
    const double middle = std::round(500 * (points[0].x + points[count - 1].x)) / 1000,  // few digits of a text
        half = std::max((points[count - 1].x - points[0].x) / 2, 1e-6);
    double a[4][5] = {};
    for (size_t k = 0; k < count; ++k) {
        const double u = (points[k].x - middle) / half;
        const double powers[4] = {1, u, u * u, u * u * u};
        for (size_t p = 0; p < n; ++p) {
            for (size_t q = 0; q < n; ++q) a[p][q] += powers[p] * powers[q];
            a[p][4] += powers[p] * points[k].y;
        }
    }
    for (size_t p = 0; p < n; ++p) {
        size_t pivot = p;
        for (size_t r = p + 1; r < n; ++r)
            if (std::abs(a[r][p]) > std::abs(a[pivot][p])) pivot = r;
        std::swap(a[p], a[pivot]);
        for (size_t r = 0; r < n; ++r) {
            if (r == p || a[p][p] == 0) continue;
            const double by = a[r][p] / a[p][p];
            for (size_t q = p; q < 5; ++q) a[r][q] -= by * a[p][q];
        }
    }
    double d[4] = {};
    for (size_t p = 0; p < n; ++p) d[p] = a[p][p] != 0 ? a[p][4] / a[p][p] : 0;
    const double s = 1 / half;
    return {middle, {d[0], d[1] * s, d[2] * s * s, d[3] * s * s * s}};
}

double worst(const Cubic& cubic, const WeightPoint* points, size_t count) {
    double largest = 0;
    for (size_t k = 0; k < count; ++k) largest = std::max(largest, std::abs(cubic.at(points[k].x) - points[k].y));
    return largest;
}

struct Piece {
    Cubic cubic;
    double end;
};

// As few cubics as come within the tolerance.
std::vector<Piece> pieces_of(const std::vector<WeightPoint>& points, double tolerance) {
    std::vector<Piece> pieces;
    for (size_t first = 0; first < points.size();) {
        size_t end = std::min(points.size(), first + 4);
        // A kink must not hide in the first points either.
        Cubic best = cubic_through(&points[first], end - first);
        while (end < points.size()) {
            const Cubic next = cubic_through(&points[first], end + 1 - first);
            if (worst(next, &points[first], end + 1 - first) > tolerance) break;
            best = next;
            ++end;
        }
        pieces.push_back({best, end < points.size() ? (points[end - 1].x + points[end].x) / 2 : points.back().x});
        first = end;
    }
    return pieces;
}

}  // namespace

std::function<double(double x)> weights_stretched_by(double stretch, const MethodInfo& method,
                                                     const MethodParameters& parameters) {
    if (stretch > 1) return widened_function(method, parameters);
    return [&method, parameters](double x) { return method.weight(x, parameters); };
}

NearestWeights nearest_weights(const MeasuredResponse& response) {
    NearestWeights best{.name = {}, .stretch = 1, .error = INFINITY};
    const double step = response.line.step;
    for (const MethodInfo* method : all_methods()) {
        if (!method->weight || !method->poles.empty()) continue;
        const MethodParameters parameters = method->standard_parameters();
        for (const double stretch : {1.0, std::max(1.0, step)}) {
            const double error =
                difference(response, weights_stretched_by(stretch, *method, parameters), radius_of(*method), stretch);
            if (error < best.error) best = {std::string(method->id), stretch, error};
        }
    }
    return best;
}

namespace {

std::string formula_of(const std::vector<Piece>& pieces) {
    std::string formula;
    for (size_t k = 0; k < pieces.size(); ++k) {
        const auto& [middle, c] = pieces[k].cubic;
        const std::string t = fmt::format("(abs(x)-{:.4g})", middle);
        if (k + 1 < pieces.size()) formula += fmt::format("abs(x)<{:.5g}?", pieces[k].end);
        formula += fmt::format("{1:.7g}+{0}*({2:.6g}+{0}*({3:.5g}+{0}*({4:.5g})))", t, c[0], c[1], c[2], c[3]);
        if (k + 1 < pieces.size()) formula += " : ";
    }
    return formula;
}

}  // namespace

std::string weights_text_of(const MeasuredResponse& response, double stretch, double tolerance) {
    double reach = 1;
    const std::vector<WeightPoint> points = even_points(response, stretch, reach);
    double peak = 0;
    for (const WeightPoint& point : points) peak = std::max(peak, std::abs(point.y));
    // Widened weights are divided by their sum in any case; those of a function that is not widened would be at its own phases.
    constexpr double most_ripple = 0.02, coarsest = 0.1;
    const bool normalised = stretch == 1 && response.ripple < most_ripple;
    const double radius = std::clamp(reach, 0.25, most_radius);
    for (double within = tolerance * peak;; within *= 1.5) {
        const std::vector<Piece> pieces = pieces_of(points, within);
        if (pieces.size() > most_pieces) continue;
        const std::string text = fmt::format(
            "# Measured from a picture and its result.\nname = Measured\nradius = {:.6g}\nnormalise = {}\n"
            "prefilter = none\nw(x) = {}\n",
            radius, normalised ? "yes" : "no", formula_of(pieces));
        // A text may be too long, or a function of so many jumps, however small, too much for a table.
        try {
            const MethodInfo& method = custom_method(text);
            method.custom->weights(method.standard_parameters());
            return text;
        } catch (const Error&) {
            if (within > coarsest * peak) return text;
            within *= 2;
        }
    }
}

RankedShare ranked_share(const Identification& found) {
    if (found.jpeg)
        return {"of JPEG %", "The share of the JPEG's coefficients of brightness that it would have of this picture.",
                [](const RankedRecipe& ranked) { return 100 * ranked.possible.value_or(std::nan("")); }};
    return {"equal %", "The share of samples that are the same.",
            [](const RankedRecipe& ranked) { return 100 * ranked.closeness.equal; }};
}

}  // namespace texelscope
