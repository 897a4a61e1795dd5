// An unknown resizer, measured: where its pixels read, and with which weights by distance, from one original and its result.
//
// A separable resize is R(i, j) = Σ f(m − x(i)) g(n − y(j)) S(m, n). With g known, R is linear in f, of which values at
// closely spaced distances are the unknowns: least squares, x and y in turns, until both settle.

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "app/studies/recipes/measure.h"
#include "gpu/core/errors.h"

namespace texelscope {
namespace {

constexpr int knots_per_stretch = 16;  // of the response, which is linear between them
constexpr double most_reach = 4.5;     // of it, in stretches
constexpr int rounds = 4;
constexpr int most_rows = 96;  // of the result that one fit reads

// Samples of one channel, row by row.
struct ChannelField {
    int width = 0, height = 0;
    std::vector<double> values;
    double at(int x, int y) const { return values[size_t(y) * size_t(width) + size_t(x)]; }
};

ChannelField transposed(const ChannelField& field) {
    ChannelField turned{field.height, field.width, std::vector<double>(field.values.size())};
    for (int y = 0; y < field.height; ++y)
        for (int x = 0; x < field.width; ++x)
            turned.values[size_t(x) * size_t(field.height) + size_t(y)] = field.at(x, y);
    return turned;
}

ChannelField field_of(const Image& image) {
    const int colours = image.channels() - (image.alpha() != Alpha::none ? 1 : 0);
    ChannelField field{image.width(), image.height(), {}};
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x) {
            double sum = 0;
            for (int c = 0; c < colours; ++c) sum += image.value(x, y, c);
            field.values.push_back(sum / colours);
        }
    return field;
}

// The response as hat functions on a grid of distances.
struct Response {
    double spacing = 1;
    std::vector<double> values;  // at (k − middle) · spacing
    int middle() const { return int(values.size() / 2); }
    double at(double distance) const {
        const double place = distance / spacing + middle();
        const int k = int(std::floor(place));
        if (k < 0 || k + 1 >= int(values.size())) return 0;
        return values[size_t(k)] + (place - k) * (values[size_t(k) + 1] - values[size_t(k)]);
    }
    double reach() const { return middle() * spacing; }
};

Response triangle(double stretch) {
    Response response{stretch / knots_per_stretch, {}};
    const int middle = int(most_reach * knots_per_stretch);
    for (int k = -middle; k <= middle; ++k)
        response.values.push_back(std::max(0.0, 1 - std::abs(double(k)) / knots_per_stretch) / stretch);
    return response;
}

// Rows of the original made those of the result, by the response along y.
ChannelField shrunk_along_y(const ChannelField& original, const Response& response, const MeasuredLine& line,
                            int height) {
    ChannelField field{original.width, height, std::vector<double>(size_t(original.width) * size_t(height), 0.0)};
    for (int j = 0; j < height; ++j) {
        const double y = line.offset + j * line.step;
        const int first = std::max(0, int(std::ceil(y - response.reach()))),
                  last = std::min(original.height - 1, int(std::floor(y + response.reach())));
        double sum = 0;
        for (int n = first; n <= last; ++n) sum += response.at(n - y);
        for (int n = first; n <= last; ++n) {
            const double weight = response.at(n - y) / (sum != 0 ? sum : 1);
            for (int x = 0; x < original.width; ++x)
                field.values[size_t(j) * size_t(original.width) + size_t(x)] += weight * original.at(x, n);
        }
    }
    return field;
}

// Solves A x = b for a symmetric positive definite A, in place.
std::vector<double> solved(std::vector<double> a, std::vector<double> b) {
    const size_t n = b.size();
    for (size_t k = 0; k < n; ++k) {
        double pivot = a[k * n + k];
        for (size_t m = 0; m < k; ++m) pivot -= a[k * n + m] * a[k * n + m];
        const double root = std::sqrt(std::max(pivot, 1e-300));
        a[k * n + k] = root;
        for (size_t i = k + 1; i < n; ++i) {
            double sum = a[i * n + k];
            for (size_t m = 0; m < k; ++m) sum -= a[i * n + m] * a[k * n + m];
            a[i * n + k] = sum / root;
        }
    }
    for (size_t i = 0; i < n; ++i) {
        for (size_t m = 0; m < i; ++m) b[i] -= a[i * n + m] * b[m];
        b[i] /= a[i * n + i];
    }
    for (size_t i = n; i-- > 0;) {
        for (size_t m = i + 1; m < n; ++m) b[i] -= a[m * n + i] * b[m];
        b[i] /= a[i * n + i];
    }
    return b;
}

struct Fit {
    Response response;
    double squares = 0;  // of what is left, per pixel
};

// The response along x, from rows that are already those of the result.
Fit fitted(const ChannelField& rows, const ChannelField& result, const MeasuredLine& line, double stretch) {
    Fit fit{triangle(stretch), 0};
    Response& response = fit.response;
    const size_t unknowns = response.values.size();
    std::vector<double> a(unknowns * unknowns, 0.0), b(unknowns, 0.0);
    const int row_step = std::max(1, result.height / most_rows);
    // The mean says nothing of the weights but their sum, and would drown the rest.
    const double mean = std::accumulate(result.values.begin(), result.values.end(), 0.0) / double(result.values.size());
    std::vector<std::pair<size_t, double>> terms;
    const auto terms_of = [&](int i, int j) {
        const double x = line.offset + i * line.step;
        terms.clear();
        const int first = int(std::ceil(x - response.reach())), last = int(std::floor(x + response.reach()));
        if (first < 0 || last >= rows.width) return false;
        for (int m = first; m <= last; ++m) {
            const double place = (m - x) / response.spacing + response.middle();
            const int k = std::clamp(int(std::floor(place)), 0, int(unknowns) - 2);
            const double value = rows.at(m, j) - mean, part = place - k;
            terms.push_back({size_t(k), value * (1 - part)});
            terms.push_back({size_t(k) + 1, value * part});
        }
        return true;
    };
    size_t used = 0;
    for (int j = row_step / 2; j < result.height; j += row_step)
        for (int i = 0; i < result.width; ++i) {
            if (!terms_of(i, j)) continue;
            const double wanted = result.at(i, j) - mean;
            for (const auto& [p, v] : terms) {
                b[p] += v * wanted;
                for (const auto& [q, w] : terms)
                    if (q <= p) a[p * unknowns + q] += v * w;
            }
            ++used;
        }
    if (used == 0)
        throw Error("the pictures are too small to measure a resizer: give some of at least 64 pixels a side");
    for (size_t p = 0; p < unknowns; ++p)
        for (size_t q = p + 1; q < unknowns; ++q) a[p * unknowns + q] = a[q * unknowns + p];
    // Distances that no pixel has are taken from their neighbours: second differences count a little.
    double trace = 0;
    for (size_t p = 0; p < unknowns; ++p) trace += a[p * unknowns + p];
    const double smooth = 1e-9 * trace / double(unknowns), small = 1e-12 * trace / double(unknowns);
    for (size_t p = 0; p < unknowns; ++p) a[p * unknowns + p] += small;
    for (size_t p = 1; p + 1 < unknowns; ++p) {
        const size_t at[] = {p - 1, p, p + 1};
        const double weight[] = {1, -2, 1};
        for (int u = 0; u < 3; ++u)
            for (int v = 0; v < 3; ++v) a[at[u] * unknowns + at[v]] += smooth * weight[u] * weight[v];
    }
    response.values = solved(std::move(a), std::move(b));
    size_t counted = 0;
    for (int j = row_step / 2; j < result.height; j += row_step)
        for (int i = 0; i < result.width; ++i) {
            if (!terms_of(i, j)) continue;
            double sum = mean;
            for (const auto& [p, v] : terms) sum += v * response.values[p];
            fit.squares += (sum - result.at(i, j)) * (sum - result.at(i, j));
            ++counted;
        }
    fit.squares /= double(counted);
    return fit;
}

double centroid(const Response& response) {
    double sum = 0, moment = 0;
    for (int k = 0; k < int(response.values.size()); ++k) {
        sum += response.values[size_t(k)];
        moment += response.values[size_t(k)] * (k - response.middle()) * response.spacing;
    }
    return sum != 0 ? moment / sum : 0;
}

// Both responses under these positions.
struct Both {
    Fit x, y;
};
Both both_fitted(const ChannelField& original, const ChannelField& result, const MeasuredLine& along_x,
                 const MeasuredLine& along_y) {
    const double stretch_x = std::max(1.0, along_x.step), stretch_y = std::max(1.0, along_y.step);
    const ChannelField original_turned = transposed(original), result_turned = transposed(result);
    Both both{{triangle(stretch_x), 0}, {triangle(stretch_y), 0}};
    for (int round = 0; round < rounds; ++round) {
        both.x = fitted(shrunk_along_y(original, both.y.response, along_y, result.height), result, along_x, stretch_x);
        both.y = fitted(shrunk_along_y(original_turned, both.x.response, along_x, result.width), result_turned, along_y,
                        stretch_y);
    }
    return both;
}

std::vector<MeasuredLine> usual_lines(int samples, int pixels) {
    const double step = double(samples) / pixels;
    std::vector<MeasuredLine> lines = {{step, (step - 1) / 2, "centers"}, {step, 0, "asymmetric"}};
    if (pixels > 1) lines.push_back({(samples - 1.0) / (pixels - 1), 0, "corners"});
    return lines;
}

MeasuredResponse measured_response(const Fit& fit, const MeasuredLine& line) {
    MeasuredResponse measured{.line = line, .distance = {}, .value = {}};
    const Response& response = fit.response;
    double sum = std::accumulate(response.values.begin(), response.values.end(), 0.0) * response.spacing;
    if (sum == 0) sum = 1;
    for (int k = 0; k < int(response.values.size()); ++k) {
        measured.distance.push_back((k - response.middle()) * response.spacing);
        measured.value.push_back(response.values[size_t(k)] / sum);
    }
    return measured;
}

}  // namespace

MeasuredResizer measure_resizer(const Image& original, const Image& result) {
    const ChannelField from = field_of(original), to = field_of(result);
    MeasuredResizer best;
    best.residual = INFINITY;
    for (const MeasuredLine& x : usual_lines(from.width, to.width))
        for (const MeasuredLine& y : usual_lines(from.height, to.height)) {
            if (x.name != y.name) continue;  // no library aligns its axes differently
            MeasuredLine along_x = x, along_y = y;
            Both both = both_fitted(from, to, along_x, along_y);
            const double residual = std::sqrt((both.x.squares + both.y.squares) / 2);
            if (!(residual < best.residual * 0.98)) continue;  // of two that fit alike, the first is the usual one
            best.residual = residual;
            best.x = measured_response(both.x, along_x);
            best.y = measured_response(both.y, along_y);
            best.x.shift = centroid(both.x.response);
            best.y.shift = centroid(both.y.response);
        }
    return best;
}

}  // namespace texelscope
