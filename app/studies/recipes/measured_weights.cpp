// What a measured response is nearest to, and its text as a weight function.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "app/studies/recipes/recipe_study.h"
#include "gpu/core/errors.h"
#include "gpu/method/custom_method.h"
#include "gpu/method/polar_method.h"

namespace texelscope {
namespace {

constexpr size_t most_pieces = 24;   // of a text
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

struct Cubic {
    double c[4] = {};
    double at(double x) const { return c[0] + x * (c[1] + x * (c[2] + x * c[3])); }
};

// Least squares, about the middle for the sake of digits, then as powers of x.
Cubic cubic_through(const WeightPoint* points, size_t count) {
    const size_t n = std::min(count, size_t(4));
    const double middle = (points[0].x + points[count - 1].x) / 2,
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
    // d(u), u = (x − m) / h.
    const double s = 1 / half, m = -middle / half;
    return {{d[0] + m * (d[1] + m * (d[2] + m * d[3])), s * (d[1] + m * (2 * d[2] + 3 * m * d[3])),
             s * s * (d[2] + 3 * m * d[3]), s * s * s * d[3]}};
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
        const auto& c = pieces[k].cubic.c;
        if (k + 1 < pieces.size()) formula += fmt::format("abs(x)<{:.6g}?", pieces[k].end);
        formula += fmt::format("{:.7g}+abs(x)*({:.7g}+abs(x)*({:.7g}+abs(x)*({:.7g})))", c[0], c[1], c[2], c[3]);
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
    constexpr double most_ripple = 0.02, coarsest = 1e-3;
    const bool normalised = stretch == 1 && response.ripple < most_ripple;
    const double radius = std::clamp(reach, 0.25, most_radius);
    for (double within = tolerance * peak;; within *= 1.5) {
        const std::vector<Piece> pieces = pieces_of(points, within);
        if (pieces.size() > most_pieces) continue;
        const std::string text = fmt::format(
            "# Measured from a picture and its result.\nname = Measured\nradius = {:.6g}\nnormalise = {}\n"
            "prefilter = none\nw(x) = {}\n",
            radius, normalised ? "yes" : "no", formula_of(pieces));
        // A function of so many jumps, however small, may be too much for a table.
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

}  // namespace texelscope
