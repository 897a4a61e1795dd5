// FLIP on the host: strips of rows, whose filters are sums along columns, then along rows, by the vector code.

#include "gpu/compare/flip.h"

#include <algorithm>
#include <array>
#include <limits>
#include <numbers>
#include <vector>

#include "gpu/core/parallel.h"
#include "gpu/core/timing.h"
#include "gpu/method/simd/kernels.h"

namespace texelscope {
namespace {

constexpr double pi = std::numbers::pi;

// The 2r + 1 values of a function of −r … r, over their sum; returns that.
template <class Function> double write_taps(float* taps, int radius, Function value) {
    double sum = 0;
    for (int k = -radius; k <= radius; ++k) sum += value(k);
    for (int k = -radius; k <= radius; ++k) taps[k + radius] = float(value(k) / sum);
    return sum;
}

// Positive weights sum to 1, negative ones to −1.
template <class Function> void write_feature(float* taps, int radius, Function value) {
    double above = 0, below = 0;
    for (int k = -radius; k <= radius; ++k) (value(k) > 0 ? above : below) += value(k);
    for (int k = -radius; k <= radius; ++k)
        taps[k + radius] = value(k) == 0 ? 0 : float(value(k) / (value(k) > 0 ? above : -below));
}

// A Gaussian of table 1: its transform, the contrast sensitivity, is a · exp(−b f²).
struct Sensitivity {
    double a, b;
    double at(double degrees) const { return std::exp(-pi * pi * degrees * degrees / b); }
};
constexpr Sensitivity luminance{1, 0.0047}, red_green{1, 0.0053}, blue_yellow[] = {{34.1, 0.04}, {13.5, 0.025}};

// The matrix of opponents_of(), of X, Y, Z relative to white, inverted.
void write_inverse(FlipFilters& filters) {
    const double m[3][3] = {{10135552 / 23359437.0, 8788810 / 23359437.0, 4435075 / 23359437.0},
                            {2613072 / 12288897.0, 8788810 / 12288897.0, 887015 / 12288897.0},
                            {1425312 / 80288307.0, 8788810 / 80288307.0, 70074185 / 80288307.0}};
    const auto minor = [&](int i, int j) {
        const int a = (i + 1) % 3, b = (i + 2) % 3, c = (j + 1) % 3, d = (j + 2) % 3;
        return m[a][c] * m[b][d] - m[a][d] * m[b][c];
    };
    const double determinant = m[0][0] * minor(0, 0) + m[0][1] * minor(0, 1) + m[0][2] * minor(0, 2);
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) filters.inverse[i][j] = float(minor(j, i) / determinant);
}

}  // namespace

FlipFilters flip_filters(double per_degree) {
    FlipFilters filters{};
    const double widest = blue_yellow[0].b;
    filters.colour_radius = int(std::ceil(3 * std::sqrt(widest / (2 * pi * pi)) * per_degree));
    const auto write = [&](float* taps, const Sensitivity& s) {
        return write_taps(taps, filters.colour_radius, [&](int k) { return s.at(k / per_degree); });
    };
    write(filters.luminance, luminance);
    write(filters.red_green, red_green);
    double shares[2];
    for (int n = 0; n < 2; ++n) {
        const double sum = write(filters.blue_yellow[n], blue_yellow[n]);
        shares[n] = blue_yellow[n].a * std::sqrt(pi / blue_yellow[n].b) * sum * sum;
    }
    for (int n = 0; n < 2; ++n) filters.share[n] = float(shares[n] / (shares[0] + shares[1]));

    const double deviation = 0.5 * 0.082 * per_degree;  // 0.082°: from peak to trough
    const int radius = filters.feature_radius = int(std::ceil(3 * deviation));
    const auto gaussian = [&](int k) { return std::exp(-0.5 * k * k / (deviation * deviation)); };
    write_taps(filters.gaussian, radius, gaussian);
    write_feature(filters.edge, radius, [&](int k) { return -k * gaussian(k); });
    write_feature(filters.point, radius, [&](int k) { return (k * k / (deviation * deviation) - 1) * gaussian(k); });

    write_inverse(filters);
    const auto hunted = [&](float r, float g, float b) { return hunt_lab(filters, opponents_of(r, g, b)); };
    filters.largest_colour = std::pow(hyab(hunted(0, 1, 0), hunted(0, 0, 1)), flip_colour_power);
    return filters;
}

namespace {

constexpr int strip_rows = 64;

// One plane of a strip, with as many rows and columns around it as the filters reach.
class Plane {
public:
    void resize(int width, int rows) {
        width_ = width;
        values_.resize(size_t(width) * size_t(rows));
    }
    float* row(int y) { return values_.data() + size_t(y) * size_t(width_); }

private:
    int width_ = 0;
    std::vector<float> values_;
};

// What a thread needs for its strips.
struct Strip {
    void (*sum)(const void* const*, const float*, int, int,
                float*) = simd::kernels(simd::best_instructions()).sum_rows[int(SampleType::f32)];
    std::array<std::array<Plane, 3>, 2> opponents;  // of both pictures: Y, X − Y, Y − Z
    std::vector<float> columns;                     // a row, filtered along columns
    std::vector<const void*> from;
    std::array<std::vector<float>, 4> colours[2], features[2];  // rows; colours: Y, X − Y, the two of Y − Z
};

class Flip {
public:
    Flip(const ErrorMapJob& job, float* map)
        : job_(job),
          map_(map),
          filters_(flip_filters(job.pixels_per_degree)),
          reach_(std::max(filters_.colour_radius, filters_.feature_radius)),
          padded_(job.width + 2 * reach_) {}

    // The map's rows of a strip become the larger of what they are and the error in this light.
    void add(Strip& strip, int number, const FlipLight& light, bool first) const {
        const int top = number * strip_rows, rows = std::min(strip_rows, job_.height - top);
        prepare(strip);
        for (int y = 0; y < rows + 2 * reach_; ++y) read_row(strip, y, top + y - reach_, light);
        for (int y = 0; y < rows; ++y) {
            for (int n = 0; n < 2; ++n) filter_row(strip, n, y + reach_);
            float* out = map_ + size_t(top + y) * size_t(job_.width);
            for (int x = 0; x < job_.width; ++x) {
                const float error = error_at(strip, size_t(x));
                out[x] = first ? error : std::max(out[x], error);
            }
        }
    }

    void leave_out_row(int y) const {
        for (int x = 0; x < job_.width; ++x)
            if (!compares(job_, value_index(job_, x, y)))
                map_[size_t(y) * size_t(job_.width) + size_t(x)] = std::numeric_limits<float>::quiet_NaN();
    }

private:
    void prepare(Strip& strip) const {
        if (!strip.columns.empty()) return;
        for (auto& picture : strip.opponents)
            for (Plane& plane : picture) plane.resize(padded_, strip_rows + 2 * reach_);
        strip.columns.resize(size_t(padded_));
        strip.from.resize(FlipFilters::most_taps);
        for (int n = 0; n < 2; ++n)
            for (int k = 0; k < 4; ++k) {
                strip.colours[n][size_t(k)].resize(size_t(job_.width));
                strip.features[n][size_t(k)].resize(size_t(job_.width));
            }
    }

    // Row `row` of the pictures, whose edges are repeated beyond them, into row y of the strip.
    void read_row(Strip& strip, int y, int row, const FlipLight& light) const {
        row = std::clamp(row, 0, job_.height - 1);
        for (int n = 0; n < 2; ++n) {
            std::array<float*, 3> to;
            for (int c = 0; c < 3; ++c) to[size_t(c)] = strip.opponents[size_t(n)][size_t(c)].row(y);
            for (int x = 0; x < job_.width; ++x) {
                const size_t at = value_index(job_, x, row);
                Opponents o = flip_background();
                if (compares(job_, at)) {
                    float rgb[3];
                    read_colour(job_, n == 0 ? job_.values : job_.reference, at, rgb);
                    o = opponents_of(rgb, light);
                }
                to[0][x + reach_] = o.y;
                to[1][x + reach_] = o.cx;
                to[2][x + reach_] = o.cz;
            }
            for (float* line : to) {
                std::fill(line, line + reach_, line[reach_]);
                std::fill(line + reach_ + job_.width, line + padded_, line[reach_ + job_.width - 1]);
            }
        }
    }

    // Row y of a plane of the strip, along columns by `down` and along rows by `across`.
    void filter_down(Strip& strip, Plane& plane, int y, const float* down, int radius) const {
        for (int k = -radius; k <= radius; ++k) strip.from[size_t(k + radius)] = plane.row(y + k);
        strip.sum(strip.from.data(), down, 2 * radius + 1, padded_, strip.columns.data());
    }
    void filter_across(Strip& strip, const float* across, int radius, std::vector<float>& out) const {
        for (int k = -radius; k <= radius; ++k) strip.from[size_t(k + radius)] = strip.columns.data() + reach_ + k;
        strip.sum(strip.from.data(), across, 2 * radius + 1, job_.width, out.data());
    }

    void filter_row(Strip& strip, int picture, int y) const {
        auto& [luminance_plane, cx, cz] = strip.opponents[size_t(picture)];
        auto& colours = strip.colours[picture];
        auto& features = strip.features[picture];
        const FlipFilters& f = filters_;
        const auto colour = [&](Plane& plane, const float* taps, std::vector<float>& out) {
            filter_down(strip, plane, y, taps, f.colour_radius);
            filter_across(strip, taps, f.colour_radius, out);
        };
        colour(luminance_plane, f.luminance, colours[0]);
        colour(cx, f.red_green, colours[1]);
        colour(cz, f.blue_yellow[0], colours[2]);
        colour(cz, f.blue_yellow[1], colours[3]);
        filter_down(strip, luminance_plane, y, f.gaussian, f.feature_radius);
        filter_across(strip, f.edge, f.feature_radius, features[0]);
        filter_across(strip, f.point, f.feature_radius, features[2]);
        filter_down(strip, luminance_plane, y, f.edge, f.feature_radius);
        filter_across(strip, f.gaussian, f.feature_radius, features[1]);
        filter_down(strip, luminance_plane, y, f.point, f.feature_radius);
        filter_across(strip, f.gaussian, f.feature_radius, features[3]);
    }

    float error_at(const Strip& strip, size_t x) const {
        Opponents colour[2];
        FlipFeatures feature[2];
        for (int n = 0; n < 2; ++n) {
            const auto& c = strip.colours[n];
            const auto& f = strip.features[n];
            colour[n] = {c[0][x], c[1][x], filters_.share[0] * c[2][x] + filters_.share[1] * c[3][x]};
            feature[n] = {f[0][x], f[1][x], f[2][x], f[3][x]};
        }
        return flip_of(flip_colour_error(filters_, colour[0], colour[1]), flip_feature_error(feature[0], feature[1]));
    }

    const ErrorMapJob& job_;
    float* map_;
    FlipFilters filters_;
    int reach_, padded_;  // pixels beyond the picture that filters read; a padded row
};

}  // namespace

void flip_on_cpu(const ErrorMapJob& job, float* map) {
    const Flip flip(job, map);
    const int strips = (job.height + strip_rows - 1) / strip_rows;
    parallel_for_with<Strip>(work::flip, strips, 1, [&](Strip& strip, int number) {
        for (int k = 0; k < std::max(job.exposures.count, 1); ++k) flip.add(strip, number, flip_light(job, k), k == 0);
        const int last = std::min((number + 1) * strip_rows, job.height);
        for (int y = number * strip_rows; y < last; ++y) flip.leave_out_row(y);
    });
}

}  // namespace texelscope
