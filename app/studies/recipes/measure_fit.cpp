// Weights of an unknown resizer by regression.
//
// A separable resize is R(i, j) = Σ f(m, i) g(n, j) S(m, n). With g known, R is linear in f: pixels at the same fraction of a
// sample share their weights, which are the unknowns. Least squares, x and y in turns, until both settle.

#include "app/studies/recipes/recipe_study.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "gpu/core/errors.h"
#include "gpu/core/parallel.h"

namespace texelscope {
namespace {

inline constexpr WorkName fitting{"measuring a resizer"};

// Normal equations of one phase.
struct NormalEquations {
    explicit NormalEquations(size_t n) : unknowns(n), a(n * n, 0.0), b(n, 0.0) {}
    size_t unknowns, count = 0;
    std::vector<double> a, b;

    void add(const double* samples, double wanted) {
        for (size_t p = 0; p < unknowns; ++p) {
            const double value = samples[p];
            b[p] += value * wanted;
            double* const row = &a[p * unknowns];
            for (size_t q = 0; q <= p; ++q) row[q] += value * samples[q];
        }
        ++count;
    }

    // Cholesky's factor takes the place of a.
    double factorised(double ridge) {
        const size_t n = unknowns;
        double trace = 0;
        for (size_t k = 0; k < n; ++k) trace += a[k * n + k];
        const double added = ridge * trace / double(n) + 1e-300;
        double least = INFINITY, largest = 0;
        for (size_t k = 0; k < n; ++k) {
            double pivot = a[k * n + k] + added;
            for (size_t m = 0; m < k; ++m) pivot -= a[k * n + m] * a[k * n + m];
            pivot = std::max(pivot, 0.5 * added);
            least = std::min(least, pivot);
            largest = std::max(largest, pivot);
            a[k * n + k] = std::sqrt(pivot);
            for (size_t i = k + 1; i < n; ++i) {
                double sum = a[i * n + k];
                for (size_t m = 0; m < k; ++m) sum -= a[i * n + m] * a[k * n + m];
                a[i * n + k] = sum / a[k * n + k];
            }
        }
        return largest / least;
    }

    std::vector<double> solved(std::vector<double> right) const {
        const size_t n = unknowns;
        for (size_t i = 0; i < n; ++i) {
            for (size_t m = 0; m < i; ++m) right[i] -= a[i * n + m] * right[m];
            right[i] /= a[i * n + i];
        }
        for (size_t i = n; i-- > 0;) {
            for (size_t m = i + 1; m < n; ++m) right[i] -= a[m * n + i] * right[m];
            right[i] /= a[i * n + i];
        }
        return right;
    }

    // Σ of the inverse's diagonal.
    double inverse_trace() const {
        double sum = 0;
        for (size_t k = 0; k < unknowns; ++k) {
            std::vector<double> unit(unknowns, 0.0);
            unit[k] = 1;
            sum += solved(std::move(unit))[k];
        }
        return sum;
    }
};

ChannelField rows_of(const ChannelField& field, const std::vector<int>& rows) {
    ChannelField part{field.width, int(rows.size()), {}};
    for (const int row : rows)
        part.values.insert(part.values.end(), field.values.begin() + std::ptrdiff_t(row) * field.width,
                           field.values.begin() + std::ptrdiff_t(row + 1) * field.width);
    return part;
}

bool is_left_out(double value, const FitOptions& options) {
    return value <= options.lowest || value >= options.highest;
}

struct AxisOutcome {
    double squares = 0, sum = 0, condition = 1, inverse_trace = 0;
    size_t count = 0, unknowns = 0;
};

// The weights along x that make `wanted` of rows that are already those of the result.
AxisOutcome fit_axis(AxisFit& axis, const ChannelField& rows, const ChannelField& wanted, const FitOptions& options) {
    std::vector<AxisOutcome> outcomes(axis.phases.size());
    parallel_for(fitting, axis.phases.size(), 1, [&](size_t g) {
        PhaseWeights& phase = axis.phases[g];
        NormalEquations equations(phase.weights.size());
        for (const int i : phase.pixels) {
            const int first = axis.floor_of(i) + phase.low;
            for (int j = 0; j < rows.height; ++j)
                if (!is_left_out(wanted.at(i, j), options))
                    equations.add(&rows.values[size_t(j) * size_t(rows.width) + size_t(first)], wanted.at(i, j));
        }
        AxisOutcome& outcome = outcomes[g];
        outcome.count = equations.count;
        outcome.unknowns = equations.unknowns;
        if (equations.count <= equations.unknowns) return;
        outcome.condition = equations.factorised(options.ridge);
        phase.weights = equations.solved(equations.b);
        outcome.inverse_trace = equations.inverse_trace();
        for (const int i : phase.pixels) {
            const int first = axis.floor_of(i) + phase.low;
            for (int j = 0; j < rows.height; ++j) {
                if (is_left_out(wanted.at(i, j), options)) continue;
                double made = 0;
                for (size_t k = 0; k < phase.weights.size(); ++k) made += phase.weights[k] * rows.at(first + int(k), j);
                outcome.squares += (wanted.at(i, j) - made) * (wanted.at(i, j) - made);
                outcome.sum += wanted.at(i, j) - made;
            }
        }
    });
    AxisOutcome all;
    for (const AxisOutcome& each : outcomes) {
        all.squares += each.squares;
        all.sum += each.sum;
        all.condition = std::max(all.condition, each.condition);
        all.inverse_trace += each.inverse_trace;
        all.count += each.count;
        all.unknowns += each.unknowns;
    }
    return all;
}

}  // namespace

double sum_of_weights(const AxisFit& axis) {
    double sum = 0;
    for (const PhaseWeights& phase : axis.phases)
        for (const double weight : phase.weights) sum += weight;
    return sum / double(axis.phases.size());
}

namespace {

std::vector<double> all_weights(const AxisFit& axis) {
    std::vector<double> all;
    for (const PhaseWeights& phase : axis.phases) all.insert(all.end(), phase.weights.begin(), phase.weights.end());
    return all;
}

}  // namespace

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

ChannelField transposed(const ChannelField& field) {
    ChannelField turned{field.height, field.width, std::vector<double>(field.values.size())};
    for (int y = 0; y < field.height; ++y)
        for (int x = 0; x < field.width; ++x)
            turned.values[size_t(x) * size_t(field.height) + size_t(y)] = field.at(x, y);
    return turned;
}

int AxisFit::floor_of(int pixel) const { return int(std::floor(line.offset + pixel * line.step + 1e-7)); }

AxisFit axis_fit(const MeasuredLine& line, int samples, int pixels, double reach, bool pooled) {
    AxisFit axis{line, samples, pixels, reach, {}, std::vector<int>(size_t(pixels), -1)};
    const double stretch = std::max(1.0, line.step);
    std::map<int64_t, int> known;
    for (int i = 0; i < pixels; ++i) {
        const int floor = axis.floor_of(i);
        const double fraction = line.offset + i * line.step - floor;
        const int low = int(std::ceil(fraction - reach)), high = int(std::floor(fraction + reach));
        if (floor + low < 0 || floor + high >= samples) continue;
        const int64_t key = pooled ? std::llround(fraction * 1e6) : i;
        const auto [at, is_new] = known.try_emplace(key, int(axis.phases.size()));
        if (is_new) {
            PhaseWeights phase{fraction, low, {}, {}};
            for (int k = low; k <= high; ++k)
                phase.weights.push_back(std::max(0.0, 1 - std::abs(k - fraction) / stretch) / stretch);
            axis.phases.push_back(std::move(phase));
        }
        axis.phases[size_t(at->second)].pixels.push_back(i);
        axis.phase_of[size_t(i)] = at->second;
    }
    return axis;
}

std::vector<int> pixels_within(const AxisFit& axis, int most) {
    std::vector<int> within, chosen;
    for (int i = 0; i < axis.pixels; ++i)
        if (axis.phase_of[size_t(i)] >= 0) within.push_back(i);
    if (int(within.size()) <= most) return within;
    for (int k = 0; k < most; ++k) chosen.push_back(within[size_t(k) * within.size() / size_t(most)]);
    return chosen;
}

ChannelField combined_rows(const ChannelField& field, const AxisFit& y, const std::vector<int>& rows) {
    ChannelField made{field.width, int(rows.size()), std::vector<double>(size_t(field.width) * rows.size(), 0.0)};
    parallel_for(fitting, rows.size(), 8, [&](size_t j) {
        const PhaseWeights& phase = y.phases[size_t(y.phase_of[size_t(rows[j])])];
        double* const to = &made.values[j * size_t(field.width)];
        for (size_t k = 0; k < phase.weights.size(); ++k) {
            const double weight = phase.weights[k];
            const double* const from =
                &field.values[size_t(y.floor_of(rows[j]) + phase.low + int(k)) * size_t(field.width)];
            for (int x = 0; x < field.width; ++x) to[x] += weight * from[x];
        }
    });
    return made;
}

FitOutcome fit_both(const ChannelField& original, const ChannelField& result, AxisFit& x, AxisFit& y,
                    const FitOptions& options) {
    const std::vector<int> rows = pixels_within(y, options.most_lines), columns = pixels_within(x, options.most_lines);
    if (rows.size() < 8 || columns.size() < 8)
        throw Error("the pictures are too small to measure a resizer: give some of at least 64 pixels a side");
    const ChannelField original_turned = transposed(original), wanted = rows_of(result, rows),
                       wanted_turned = rows_of(transposed(result), columns);
    FitOutcome outcome;
    std::vector<double> before;
    for (int round = 0; round < options.rounds; ++round) {
        const AxisOutcome along_y = fit_axis(y, combined_rows(original_turned, x, columns), wanted_turned, options);
        // A factor could be in either axis: here it is along x.
        const double sum = sum_of_weights(y);
        if (sum != 0)
            for (PhaseWeights& phase : y.phases)
                for (double& weight : phase.weights) weight /= sum;
        const AxisOutcome along_x = fit_axis(x, combined_rows(original, y, rows), wanted, options);
        // Both axes are fitted to the same pixels.
        const size_t unknowns = along_x.unknowns + along_y.unknowns;
        if (4 * along_x.count < 5 * unknowns || 4 * along_y.count < 5 * unknowns)
            throw Error("the pictures are too small to measure a resizer: give some of at least 64 pixels a side");
        const double variance = along_x.squares / double(along_x.count - unknowns);
        outcome = {.residual = std::sqrt(variance),
                   .bias = along_x.sum / double(along_x.count),
                   .condition = std::max(along_x.condition, along_y.condition),
                   .error = std::sqrt(variance * along_x.inverse_trace / double(along_x.unknowns)),
                   .equations = along_x.count,
                   .unknowns = unknowns};
        std::vector<double> now = all_weights(x);
        double change = 0, largest = 0;
        for (size_t k = 0; k < now.size(); ++k) {
            largest = std::max(largest, std::abs(now[k]));
            change = std::max(change, before.empty() ? INFINITY : std::abs(now[k] - before[k]));
        }
        before = std::move(now);
        if (change < 1e-6 * largest) break;
    }
    return outcome;
}

}  // namespace texelscope
