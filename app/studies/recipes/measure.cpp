// An unknown resizer, measured: where its pixels read, with which weights by distance, and what it does at the edges.

#include "app/studies/recipes/recipe_study.h"

#include <algorithm>
#include <cmath>

#include "gpu/core/address.h"
#include "gpu/core/errors.h"

namespace texelscope {
namespace {

constexpr double first_reach = 4.5, further_reach = 7.5;  // of the weights, in stretches
constexpr double negligible = 2e-3;                       // of the largest weight

using Weights = std::vector<std::pair<int, double>>;  // of samples of the image

// Taps of an axis by a response; nothing beyond the image if `edges` is empty: the others sum to 1.
std::vector<Weights> taps_by(const MeasuredResponse& response, int samples, const std::vector<int>& pixels,
                             std::optional<AddressMode> edges) {
    std::vector<Weights> taps;
    for (const int i : pixels) {
        const double x = response.line.offset + i * response.line.step;
        const int first = int(std::ceil(x + response.distance.front() - 1e-9)),
                  last = int(std::floor(x + response.distance.back() + 1e-9));
        Weights weights;
        double all = 0, inside = 0;
        for (int m = first; m <= last; ++m) {
            const double weight = response.at(m - x);
            const bool is_inside = m >= 0 && m < samples;
            all += weight;
            if (is_inside) inside += weight;
            const int index = is_inside ? m : edges ? addressed(*edges, m, samples) : -1;
            if (index >= 0) weights.push_back({index, weight});
        }
        if (!edges && inside != 0)
            for (auto& weight : weights) weight.second *= all / inside;
        taps.push_back(std::move(weights));
    }
    return taps;
}

std::vector<int> pixels_beyond(const AxisFit& axis) {
    std::vector<int> beyond;
    for (int i = 0; i < axis.pixels; ++i)
        if (axis.phase_of[size_t(i)] < 0) beyond.push_back(i);
    return beyond;
}

double centroid_of(const PhaseWeights& phase) {
    double sum = 0, moment = 0;
    for (size_t k = 0; k < phase.weights.size(); ++k) {
        sum += phase.weights[k];
        moment += phase.weights[k] * (phase.low + double(k));
    }
    return sum != 0 ? moment / sum : phase.fraction;
}

// The line through the centroids of all pixels.
MeasuredLine line_of(const AxisFit& axis) {
    double n = 0, si = 0, sii = 0, sx = 0, sxi = 0;
    for (const PhaseWeights& phase : axis.phases)
        for (const int i : phase.pixels) {
            const double x = axis.floor_of(i) + centroid_of(phase);
            n += 1, si += i, sii += double(i) * i, sx += x, sxi += x * i;
        }
    const double slope = (n * sxi - si * sx) / (n * sii - si * si);
    return {slope, (sx - slope * si) / n, "measured"};
}

// The distance between two lines, at their ends.
double apart(const MeasuredLine& a, const MeasuredLine& b, int pixels) {
    return std::max(std::abs(a.offset - b.offset), std::abs(a.offset - b.offset + (pixels - 1) * (a.step - b.step)));
}

std::vector<MeasuredLine> usual_lines(int samples, int pixels) {
    const double step = double(samples) / pixels;
    std::vector<MeasuredLine> lines = {{step, (step - 1) / 2, "centers"}, {step, 0, "asymmetric"}};
    if (pixels > 1) lines.push_back({(samples - 1.0) / (pixels - 1), 0, "corners"});
    return lines;
}

MeasuredResponse response_of(const AxisFit& axis, const MeasuredLine& line, double error) {
    MeasuredResponse response{.line = line, .distance = {}, .value = {}};
    std::vector<std::pair<double, double>> points;
    double moment = 0, sums = 0;
    for (const PhaseWeights& phase : axis.phases) {
        const int i = phase.pixels.front();
        const double x = line.offset + i * line.step;
        double sum = 0;
        for (size_t k = 0; k < phase.weights.size(); ++k) {
            points.push_back({axis.floor_of(i) + phase.low + int(k) - x, phase.weights[k]});
            sum += phase.weights[k];
            moment += points.back().first * phase.weights[k];
        }
        sums += sum;
        response.ripple = std::max(response.ripple, std::abs(sum - 1));
    }
    response.shift = sums != 0 ? moment / sums : 0;
    std::sort(points.begin(), points.end());
    for (size_t k = 0; k < points.size();) {  // pixels whose fractions are the same but for rounding have one value
        size_t end = k;
        double distance = 0, value = 0;
        for (; end < points.size() && points[end].first - points[k].first < 1e-6; ++end) {
            distance += points[end].first;
            value += points[end].second;
        }
        response.distance.push_back(distance / double(end - k));
        response.value.push_back(value / double(end - k));
        k = end;
    }
    response.uncertain = error / std::max(response.peak(), 1e-12);
    return response;
}

// How far weights matter, of which one is known to about `error`.
double reach_of(const AxisFit& axis, double error) {
    double peak = 0, reach = 0.5;
    for (const PhaseWeights& phase : axis.phases)
        for (const double weight : phase.weights) peak = std::max(peak, std::abs(weight));
    for (const PhaseWeights& phase : axis.phases)
        for (size_t k = 0; k < phase.weights.size(); ++k)
            if (std::abs(phase.weights[k]) > std::max(negligible * peak, 4 * error))
                reach = std::max(reach, std::abs(phase.low + double(k) - phase.fraction));
    return reach;
}

struct FittedPair {
    AxisFit x, y;
    FitOutcome outcome;
};

FittedPair fitted(const ChannelField& from, const ChannelField& to, const MeasuredLine& x, const MeasuredLine& y,
                  double reach_x, double reach_y, bool pooled, const FitOptions& options) {
    FittedPair pair{
        axis_fit(x, from.width, to.width, reach_x, pooled), axis_fit(y, from.height, to.height, reach_y, pooled), {}};
    pair.outcome = fit_both(from, to, pair.x, pair.y, options);
    return pair;
}

FitOptions options_for(const Image& result, const ChannelField& to) {
    FitOptions options;
    options.ridge = result.type() == SampleType::u8 ? 1e-8 : 1e-12;
    const auto [least, largest] = std::minmax_element(to.values.begin(), to.values.end());
    const auto at = [&](double value) { return std::count(to.values.begin(), to.values.end(), value); };
    constexpr int by_chance = 8;
    if (at(*least) > by_chance) options.lowest = *least;
    if (at(*largest) > by_chance) options.highest = *largest;
    return options;
}

// What the pixels near the ends say, along one axis: adds the squares of each kind of edge.
struct EdgeSquares {
    std::vector<double> squares;  // of `edge_kinds`
    size_t count = 0;
};
std::vector<std::optional<AddressMode>> edge_kinds() {
    std::vector<std::optional<AddressMode>> kinds = {std::nullopt};
    for (const AddressMode mode : all_address_modes) kinds.push_back(mode);
    return kinds;
}
void add_edges(EdgeSquares& sums, const ChannelField& from, const ChannelField& to, const AxisFit& x, const AxisFit& y,
               const MeasuredResponse& response, const FitOptions& options) {
    const std::vector<int> rows = pixels_within(y, options.most_lines), beyond = pixels_beyond(x);
    const ChannelField made = combined_rows(from, y, rows);
    const auto kinds = edge_kinds();
    sums.squares.resize(kinds.size(), 0.0);
    for (size_t kind = 0; kind < kinds.size(); ++kind) {
        const std::vector<Weights> taps = taps_by(response, from.width, beyond, kinds[kind]);
        for (size_t k = 0; k < beyond.size(); ++k)
            for (size_t j = 0; j < rows.size(); ++j) {
                const double wanted = to.at(beyond[k], rows[j]);
                if (wanted <= options.lowest || wanted >= options.highest) continue;
                double sum = 0;
                for (const auto& [index, weight] : taps[k]) sum += weight * made.at(index, int(j));
                sums.squares[kind] += (sum - wanted) * (sum - wanted);
                sums.count += kind == 0;
            }
    }
}

MeasuredEdges edges_of(const EdgeSquares& sums, double residual) {
    MeasuredEdges edges;
    if (sums.count == 0) return edges;
    const auto kinds = edge_kinds();
    const auto name = [&](size_t kind) {
        return kinds[kind] ? std::string(name_of(*kinds[kind])) : std::string("normalise");
    };
    const size_t best = size_t(std::min_element(sums.squares.begin(), sums.squares.end()) - sums.squares.begin());
    edges.residual = std::sqrt(sums.squares[best] / double(sums.count));
    constexpr double as_well = 1.2, too_far = 4;  // of the residuals
    if (edges.residual > too_far * residual + 1e-3) return edges;
    edges.name = name(best);
    for (size_t kind = 0; kind < kinds.size(); ++kind)
        if (kind != best && sums.squares[kind] <= as_well * sums.squares[best]) edges.alike.push_back(name(kind));
    return edges;
}

std::optional<AddressMode> mode_of(const MeasuredEdges& edges) {
    for (const AddressMode mode : all_address_modes)
        if (name_of(mode) == edges.name) return mode;
    return edges.name == "normalise" ? std::nullopt : std::optional(AddressMode::clamp);
}

// Samples beyond the range of levels would be there, and are not.
bool is_clipped(const ChannelField& made, const ChannelField& to) {
    constexpr double beyond = 0.02, slack = 1e-6;
    size_t cut = 0, kept = 0;
    for (size_t k = 0; k < made.values.size(); ++k) {
        if (made.values[k] > -beyond && made.values[k] < 1 + beyond) continue;
        (to.values[k] >= -slack && to.values[k] <= 1 + slack ? cut : kept)++;
    }
    return cut > 0 && kept == 0;
}

ChannelField field_by(const MeasuredResizer& resizer, const ChannelField& from, Extent size) {
    const auto along = [](int count) {
        std::vector<int> all;
        for (int k = 0; k < count; ++k) all.push_back(k);
        return all;
    };
    const std::optional<AddressMode> edges = mode_of(resizer.edges);
    const auto apply = [&](const ChannelField& field, const MeasuredResponse& response, int pixels) {
        const std::vector<Weights> taps = taps_by(response, field.width, along(pixels), edges);
        ChannelField made{pixels, field.height, {}};
        made.values.reserve(size_t(pixels) * size_t(field.height));
        for (int j = 0; j < field.height; ++j)
            for (const Weights& weights : taps) {
                double sum = 0;
                for (const auto& [index, weight] : weights) sum += weight * field.at(index, j);
                made.values.push_back(sum);
            }
        return made;
    };
    return transposed(apply(transposed(apply(from, resizer.x, size.width)), resizer.y, size.height));
}

}  // namespace

double MeasuredResponse::at(double where) const {
    constexpr double slack = 1e-7;
    if (distance.size() < 2 || where < distance.front() - slack || where > distance.back() + slack) return 0;
    const size_t after =
        std::clamp(size_t(std::upper_bound(distance.begin(), distance.end(), where) - distance.begin()), size_t(1),
                   distance.size() - 1);
    const double part = std::clamp((where - distance[after - 1]) / (distance[after] - distance[after - 1]), 0.0, 1.0);
    return value[after - 1] + part * (value[after] - value[after - 1]);
}

double MeasuredResponse::peak() const {
    double peak = 0;
    for (const double each : value) peak = std::max(peak, std::abs(each));
    return peak;
}

MeasuredResizer measure_resizer(const Image& original, const Image& result, const std::optional<KnownLines>& known) {
    const ChannelField from = field_of(original), to = field_of(result);
    const FitOptions options = options_for(result, to);
    FitOptions quick = options;
    quick.rounds = 5;
    quick.most_lines = 96;
    const auto reach_by = [](double stretches, int samples, const MeasuredLine& line, int pixels, int across) {
        // As far as a third of the picture: there must be pixels that see all of it. And of each pixel there are as many
        // equations as pixels across, of which some are for the other axis.
        const double stretch = std::max(1.0, line.step);
        const double least = std::max(1.5, 2.2 * stretch);
        return std::max(least, std::min({stretches * stretch, samples / 3.0, pixels * line.step / 3, across / 8.0}));
    };
    // Which step. Where the first pixel reads is in the weights.
    std::vector<std::pair<KnownLines, bool>> guesses;
    if (known) guesses = {{*known, false}};
    else
        for (const bool pooled : {true, false})
            for (const size_t which : {size_t(0), size_t(2)}) {
                const auto x = usual_lines(from.width, to.width), y = usual_lines(from.height, to.height);
                if (which >= x.size() || which >= y.size() || (!pooled && which > 0)) continue;
                guesses.push_back({{x[which], y[which]}, pooled});
            }
    std::optional<FittedPair> best;
    bool pooled = true;
    double stretches = first_reach;
    for (const auto& [lines, together] : guesses) try {
            FittedPair pair =
                fitted(from, to, lines.x, lines.y, reach_by(stretches, from.width, lines.x, to.width, to.height),
                       reach_by(stretches, from.height, lines.y, to.height, to.width), together,
                       guesses.size() > 1 ? quick : options);
            // Where two alignments fit alike, the first of the list is the usual one. A fit with too many unknowns says nothing.
            if (best && pair.outcome.equations < 4 * pair.outcome.unknowns) continue;
            if (best && !(pair.outcome.residual < (together ? 0.9 : 0.5) * best->outcome.residual)) continue;
            best = std::move(pair);
            pooled = together;
        } catch (const Error&) {
            if (&lines == &guesses.back().first && !best) throw;
        }
    // All of the picture, as far as weights matter.
    const MeasuredLine x = best->x.line, y = best->y.line;
    double reach_x = best->x.reach, reach_y = best->y.reach;
    if (reach_of(best->x, best->outcome.error) > 0.9 * reach_x ||
        reach_of(best->y, best->outcome.error) > 0.9 * reach_y) {
        reach_x = reach_by(further_reach, from.width, x, to.width, to.height);
        reach_y = reach_by(further_reach, from.height, y, to.height, to.width);
    }
    const auto again = [&] { best = fitted(from, to, x, y, reach_x, reach_y, pooled, options); };
    again();
    const double needed_x = reach_of(best->x, best->outcome.error) + 0.6,
                 needed_y = reach_of(best->y, best->outcome.error) + 0.6;
    if (needed_x < 0.8 * reach_x || needed_y < 0.8 * reach_y) {
        const FittedPair wide = *best;
        reach_x = std::min(reach_x, needed_x);
        reach_y = std::min(reach_y, needed_y);
        again();
        if (best->outcome.residual > 1.05 * wide.outcome.residual + 1e-7) best = wide;
    }
    // Where pixels read: a usual line if both axes are near the same one.
    MeasuredLine line_x = line_of(best->x), line_y = line_of(best->y);
    if (pooled) line_x.step = x.step, line_y.step = y.step;
    const auto near = [](const MeasuredLine& line, const MeasuredLine& usual, int pixels) {
        return apart(line, usual, pixels) < 0.04 * std::max(1.0, usual.step);
    };
    if (pooled) {
        // By the mean of all pixels: the steps are known.
        const auto offset = [](const AxisFit& axis) {
            double sum = 0, count = 0;
            for (const PhaseWeights& phase : axis.phases)
                for (const int i : phase.pixels)
                    sum += axis.floor_of(i) + centroid_of(phase) - i * axis.line.step, ++count;
            return sum / count;
        };
        line_x.offset = offset(best->x);
        line_y.offset = offset(best->y);
    }
    if (known && near(line_x, known->x, to.width) && near(line_y, known->y, to.height)) {
        line_x = known->x;
        line_y = known->y;
    } else if (!known) {
        const auto usual_x = usual_lines(from.width, to.width), usual_y = usual_lines(from.height, to.height);
        for (size_t k = 0; k < std::min(usual_x.size(), usual_y.size()); ++k)
            if (near(line_x, usual_x[k], to.width) && near(line_y, usual_y[k], to.height)) {
                line_x = usual_x[k];
                line_y = usual_y[k];
                break;
            }
    }
    MeasuredResizer measured;
    measured.x = response_of(best->x, line_x, best->outcome.error);
    measured.y = response_of(best->y, line_y, best->outcome.error);
    measured.residual = best->outcome.residual;
    measured.condition = best->outcome.condition;
    // What is taken from all values alike is in the weights' sum.
    double mean = 0;
    for (const double value : to.values) mean += value / double(to.values.size());
    measured.bias = best->outcome.bias + (sum_of_weights(best->x) - 1) * mean;
    EdgeSquares squares;
    add_edges(squares, from, to, best->x, best->y, measured.x, options);
    add_edges(squares, transposed(from), transposed(to), best->y, best->x, measured.y, options);
    measured.edges = edges_of(squares, measured.residual);
    measured.clipped =
        result.type() != SampleType::u8 && is_clipped(field_by(measured, from, {to.width, to.height}), to);
    return measured;
}

Image made_by(const MeasuredResizer& resizer, const Image& original, Extent size) {
    const ChannelField made = field_by(resizer, field_of(original), size);
    Image image(size.width, size.height, 1, SampleType::f32);
    for (int y = 0; y < size.height; ++y)
        for (int x = 0; x < size.width; ++x) image.row_as<float>(y)[x] = float(made.at(x, y));
    return image;
}

}  // namespace texelscope
