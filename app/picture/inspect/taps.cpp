#include "app/picture/inspect/inspector.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/state/inspect_report.h"
#include "gpu/backend/backend.h"
#include "gpu/backend/job.h"
#include "gpu/backend/source_image.h"
#include "gpu/method/custom_method.h"
#include "gpu/method/kernel_method.h"
#include "gpu/method/output.h"
#include "gpu/method/polar_method.h"
#include "gpu/method/position.h"
#include "gpu/method/resample_job.h"
#include "gpu/method/spec.h"
#include "gpu/method/tabulated.h"
#include "gpu/method/tap_source.h"

namespace texelscope {
namespace {

// The image of a source that a request reads: samples or coefficients, and the level of the pyramid.

struct ReadLevel {
    TexelArray texels;  // without memory: only size, margins and address modes
    Level level;
    bool coefficients = false;
};

ReadLevel read_level(const ResidentImage& samples, const Resampling& resampling) {
    const ReadPlan& plan = resampling.reading;
    const MethodSpec& spec = resampling.spec;
    ReadLevel read;
    read.level = plan.level;
    read.coefficients = plan.prefiltered && spec.filters();
    TexelArray& a = read.texels;
    a.width = halved(samples.width(), plan.level.x);
    a.height = halved(samples.height(), plan.level.y);
    a.channels = samples.channels();
    a.one_dimensional = samples.one_dimensional();
    MethodSpec on_level = spec;
    a.address = on_level.address = resampling.address();
    a.beyond_x = plan.level_x.beyond();
    a.beyond_y = plan.level_y.beyond();
    if (read.coefficients) a = coefficient_array(a, on_level);
    a.normalised = needs_normalised_coordinates(a);
    return read;
}

// The weights of a pixel's taps, as each path computes them.

using TapWeights = std::map<std::pair<int, int>, double>;  // by (y, x): row by row

// Taps along one axis: first, first + 1, …
struct TapRun {
    int first = 0;
    std::vector<float> weights;
};
const TapRun the_only_row{0, {1.0f}};  // of a signal

TapRun exact_axis(const MethodSpec& spec, double x) {
    const int taps = spec.method->taps;
    const int centre = int(floor_to_integer(taps % 2 == 0 ? x : x + 0.5));
    return {centre - (taps - 1) / 2, spec.method->tap_weights(float(x - centre), spec.parameters)};
}

TapRun tabulated_axis(const AxisFilter& filter, AddressMode mode, double x) {
    float w[max_widened_taps];
    TapRun axis;
    const int count = filter.pieces.pieces ? tabulated_weights<true>(filter, mode, x, axis.first, w)
                                           : tabulated_weights<false>(filter, mode, x, axis.first, w);
    axis.weights.assign(w, w + count);
    return axis;
}

void add_product(TapWeights& weights, const TapRun& x, const TapRun& y) {
    for (size_t j = 0; j < y.weights.size(); ++j)
        for (size_t i = 0; i < x.weights.size(); ++i)
            weights[{y.first + int(j), x.first + int(i)}] += double(x.weights[i]) * double(y.weights[j]);
}

// Adds the weights of a polar method, divided by their sum.
void add_polar(TapWeights& weights, const PolarJob& polar, const Footprint<float>& footprint, bool signal, Point p) {
    const Floored x = floored(p.x), y = floored(p.y);
    double sum = 0;
    for_rows_under(polar, footprint, x.part, y.part, [&](int j, float dy, int left, int right) {
        for (int i = left; i <= right; ++i) {
            const float w = polar_weight(polar, footprint, x.part - float(i), dy);
            sum += w;
            if (w != 0) weights[{signal ? 0 : y.whole + j, x.whole + i}] += double(w);
        }
    });
    for (auto& [at, weight] : weights) weight /= sum;
}

// Position of a fetch along one axis, as the texture unit reads it.
struct AxisFetch {
    UnitCoordinate unit;
    double at = 0;  // sample space
    double weight = 0;
};

AxisFetch axis_fetch(float coordinate, float weight, int margin, int n, bool normalised) {
    const int stored = n + 2 * margin;
    AxisFetch fetch{unit_coordinate(coordinate, stored, normalised), 0, double(weight)};
    fetch.at = (normalised ? double(coordinate) * stored : double(coordinate)) - 0.5 - margin;
    fetch.unit.nearest -= margin;
    fetch.unit.first -= margin;
    return fetch;
}

std::vector<AxisFetch> axis_fetches(const MethodSpec& spec, AddressMode mode, double x, int margin, int n,
                                    bool normalised) {
    const int whole = int(floor_to_integer(x));
    const float t = float(x - whole);
    std::vector<AxisFetch> result;
    for (const FilteredFetch& f : spec.method->filtered_fetches(t, spec.parameters))
        result.push_back(axis_fetch(texture_coordinate(mode, whole, f.offset + 0.5f, margin, n, normalised), f.weight,
                                    margin, n, normalised));
    if (result.empty())  // point-filtered
        result.push_back(
            axis_fetch(nearest_coordinate(mode, whole, t, margin, n, normalised), 1, margin, n, normalised));
    return result;
}

// In 1/256, as EmulatedTextureSource has them.
// The weights that a linear-filtered fetch gives its four texels (two for a signal).
void add_fetch(TapWeights& weights, const TapFetch& f, bool signal) {
    const auto add = [&](int x, int y, int weight) { weights[{y, x}] += f.weight * weight / 256; };
    const int a = f.fraction_x, b = f.fraction_y, both = (a * b + 128) >> 8;
    add(f.column, f.row, 256 - a - b + both);
    add(f.column + 1, f.row, a - both);
    if (signal) return;
    add(f.column, f.row + 1, b - both);
    add(f.column + 1, f.row + 1, both);
}

// The `hardware` path at p: its fetches, and the weights they give each texel.
void add_hardware(std::vector<TapFetch>& fetches, TapWeights& weights, const MethodSpec& spec, const TexelArray& a,
                  Point p) {
    const std::vector<AxisFetch> columns = axis_fetches(spec, a.address.x, p.x, a.margin_x, a.width, a.normalised);
    std::vector<AxisFetch> rows = {AxisFetch{{0, 0, 0}, 0, 1}};
    if (!a.one_dimensional) rows = axis_fetches(spec, a.address.y, p.y, a.margin_y, a.height, a.normalised);
    if (spec.method->filtered_fetches(0, spec.parameters).empty()) {
        weights[{rows[0].unit.nearest, columns[0].unit.nearest}] = 1;
        return;
    }
    for (const AxisFetch& y : rows)
        for (const AxisFetch& x : columns) {
            const double weight = double(x.weight) * y.weight;
            if (weight == 0) continue;
            fetches.push_back({{x.at, y.at}, x.unit.first, y.unit.first, x.unit.fraction, y.unit.fraction, weight, {}});
            add_fetch(weights, fetches.back(), a.one_dimensional);
        }
}

Point affine_point(const Affine& a, int i, int j) {
    return {affine_position(a.xx, a.xy, a.x0, i, j), affine_position(a.yy, a.yx, a.y0, j, i)};
}

// The points of the probe on the level that is read, as the backend computes them.
std::vector<double> probe_points(const SourceImage& source, const PixelProbe& probe, const Resampling& resampling) {
    const ResidentImage& samples = source.samples();
    const RenderRequest& r = probe.request;
    const WarpedGrid grid{r.warp,
                          resampling.reading.positions,
                          samples.width(),
                          samples.height(),
                          resampling.reading.level_x,
                          resampling.reading.level_y,
                          r.width,
                          r.height};
    std::vector<double> points(2 * size_t(r.width) * size_t(r.height));
    for (int j = 0; j < r.height; ++j)
        for (int i = 0; i < r.width; ++i) {
            double* pair = &points[2 * (size_t(j) * size_t(r.width) + size_t(i))];
            if (r.warp.kind != Warp::Kind::none) {
                write_warped_point(grid, i, j, points.data());
            } else {
                const Point p = affine_point(resampling.reading.positions, i, j);
                pair[0] = p.x;
                pair[1] = p.y;
            }
        }
    return points;
}

// Kept until the next call, since the cursor requests the same ones repeatedly.
const std::vector<float>& kept_table(const MethodSpec& spec, WeightForm form) {
    static thread_local MethodCache<std::vector<float>> tables(8);
    return tables.get(spec, form,
                      [&] { return weight_table(*spec.method, spec.parameters, form == WeightForm::derivative); });
}

// The tables of both axes.
void set_tables(TabulatedJob& tabulated, const MethodSpec& spec) {
    static thread_local MethodCache<PackedPieces<float>> pieces(8);
    for (AxisFilter* axis : {&tabulated.x, &tabulated.y}) {
        if (spec.method->custom) {
            const auto made = [&] { return spec.method->custom->packed(spec.parameters, axis->form()); };
            const PackedPieces<float>& kept = pieces.get(spec, axis->form(), made);
            axis->pieces = kept.at(kept.bytes.data());
            continue;
        }
        axis->table = kept_table(spec, axis->form()).data();
    }
}

ResampleJob probe_job(const Resampling& resampling, const PixelProbe& probe, const ReadLevel& level,
                      const std::vector<double>& points) {
    ResampleJob job(resampling);
    job.source = level.texels;
    job.positions = resampling.reading.positions;
    job.output.width = probe.request.width;
    job.output.height = probe.request.height;
    job.points = PointsView::pairs(points.data(), points.size() / 2);
    return job;
}

TabulatedJob tabulated_filters(const Resampling& resampling, const PixelProbe& probe, const ReadLevel& level,
                               const std::vector<double>& points) {
    const ResampleJob job = probe_job(resampling, probe, level, points);
    TabulatedJob tabulated = tabulated_job(job, resampling.reading);
    set_tables(tabulated, resampling.spec);
    if (tabulated.local_stretch) fit_to_points(job, probe.x, probe.y, tabulated.x, tabulated.y);
    return tabulated;
}

// A block of texels around all taps.
class TexelBlock {
public:
    TexelBlock(SourceImage& source, const RenderRequest& request, const TapWeights& weights)
        : channels_(size_t(source.samples().channels())) {
        y_ = weights.begin()->first.first;
        const int last_y = weights.rbegin()->first.first;
        x_ = weights.begin()->first.second;
        int last_x = x_;
        for (const auto& [at, weight] : weights) {
            x_ = std::min(x_, at.second);
            last_x = std::max(last_x, at.second);
        }
        width_ = size_t(last_x - x_ + 1);
        texels_ = source.texels(request, x_, y_, int(width_), last_y - y_ + 1);
    }
    bool to_come() const { return texels_.empty(); }
    std::array<float, 4> at(int x, int y) const {
        std::array<float, 4> texel{};
        const size_t first = (size_t(y - y_) * width_ + size_t(x - x_)) * channels_;
        std::copy_n(texels_.begin() + std::ptrdiff_t(first), channels_, texel.begin());
        return texel;
    }

private:
    size_t channels_, width_ = 0;
    int x_ = 0, y_ = 0;
    std::vector<float> texels_;
};

// False if they have still to come.
bool read_texels(TapReport& report, SourceImage& source, const RenderRequest& request, const TapWeights& weights) {
    const TexelBlock block(source, request, weights);
    if (block.to_come()) return false;
    for (const auto& [at, weight] : weights) {
        report.taps.push_back({at.second, at.first, weight, block.at(at.second, at.first)});
        for (int c = 0; c < report.channels; ++c) report.sum[size_t(c)] += report.taps.back().contribution(c);
    }
    const bool signal = source.samples().one_dimensional();
    for (TapFetch& fetch : report.fetches) {
        TapFetch alone = fetch;
        alone.weight = 1;
        TapWeights four;
        add_fetch(four, alone, signal);
        for (const auto& [at, weight] : four)
            for (int c = 0; c < report.channels && weight != 0; ++c)
                fetch.value[size_t(c)] += float(weight) * block.at(at.second, at.first)[size_t(c)];
    }
    return true;
}

std::array<float, 4> as_it_leaves(const TapReport& report) {
    Pixel<4> pixel = Pixel<4>::zero();
    for (int c = 0; c < report.channels; ++c) pixel.v[c] = float(report.sum[size_t(c)]);
    if (report.linear_light) pixel = encoded(pixel, report.channels, report.has_alpha);
    return {pixel.v[0], pixel.v[1], pixel.v[2], pixel.v[3]};
}

}  // namespace

std::optional<TapReport> taps_at(SourceImage& source, const RenderRequest& request, int i, int j) {
    if (kernel_of(*request.spec.method))
        throw Error(fmt::format("the kernel '{}' takes its samples itself: its taps and weights are not known",
                                request.spec.method->name));
    const PixelProbe probe = block_probe_at({source.samples().width(), source.samples().height()}, request, i, j);
    const Resampling resampling = source.plan(probe.request);
    const ReadLevel level = read_level(source.samples(), resampling);
    const TexelArray& a = level.texels;
    const std::vector<double> points = probe_points(source, probe, resampling);
    const double* pair = &points[2 * (size_t(probe.y) * size_t(probe.request.width) + size_t(probe.x))];

    TapReport report;
    report.i = i;
    report.j = j;
    report.position = {pair[0], pair[1]};
    report.level_x = level.level.x;
    report.level_y = level.level.y;
    report.width = a.width;
    report.height = a.height;
    report.path = request.spec.effective_path();
    report.coefficients = level.coefficients;
    report.widened = !resampling.plain();
    report.linear_light = resampling.encode_srgb;
    report.has_alpha = source.samples().alpha() != Alpha::none;
    report.channels = source.samples().channels();
    Scratch memory;
    const auto shown = rendered(source, probe, memory);
    if (!shown) return {};
    report.shown = *shown;

    ResampleJob place;
    place.source = a;
    place.outside = request.outside;
    const bool polar = is_polar(*request.spec.method);
    const Point p{reduced_position(pair[0], a.address.x, a.width, a.margin_x),
                  a.one_dimensional ? 0 : reduced_position(pair[1], a.address.y, a.height, a.margin_y)};
    report.outside = is_outside(place, report.position) || std::isnan(p.x) || std::isnan(p.y);
    if (report.outside) return report;

    TapWeights weights;
    if (polar) {
        PolarJob radial = polar_job(probe_job(resampling, probe, level, points), resampling.reading);
        radial.table = kept_table(request.spec, WeightForm::widened).data();
        add_polar(weights, radial, footprint_at(radial, probe.x, probe.y), a.one_dimensional, p);
    } else if (report.widened || request.spec.method->is_wide()) {
        const TabulatedJob filters = tabulated_filters(resampling, probe, level, points);
        add_product(weights, tabulated_axis(filters.x, a.address.x, p.x),
                    a.one_dimensional ? the_only_row : tabulated_axis(filters.y, a.address.y, p.y));
    } else if (report.path == FetchPath::hardware) {
        add_hardware(report.fetches, weights, request.spec, a, p);
    } else {
        add_product(weights, exact_axis(request.spec, p.x),
                    a.one_dimensional ? the_only_row : exact_axis(request.spec, p.y));
    }
    if (!read_texels(report, source, probe.request, weights)) return {};
    report.result = as_it_leaves(report);
    return report;
}

}  // namespace texelscope
