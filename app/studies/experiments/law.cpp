#include "app/studies/experiments/law.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace texelscope {
namespace {

// Odd, so that one half is among the fractions.
constexpr int samples = 4096, fractions = 65, places = 64;

Image sampled(const PictureFunction& function) {
    Image image(samples, 1, 1, SampleType::f32);
    for (int k = 0; k < samples; ++k) image.row_as<float>(0)[k] = float(function.at({double(k), 0})[0]);
    image.set_one_dimensional(true);
    return image;
}

// Positions far apart, away from the ends; the same for each fraction.
std::vector<double> points() {
    std::vector<double> result;
    constexpr double golden = 0.6180339887498949;
    for (int fraction = 0; fraction < fractions; ++fraction)
        for (int n = 0; n < places; ++n)
            result.push_back(64 + std::floor((samples - 128) * (golden * n - std::floor(golden * n))) +
                             (fraction + 0.5) / fractions);
    return result;
}

// |A| of error = Re(A · exp(iωx)), by least squares.
double amplitude(double omega, const PictureFunction& truth, const double* x, const float* value) {
    double cc = 0, cs = 0, ss = 0, ec = 0, es = 0;
    for (int n = 0; n < places; ++n) {
        const double c = std::cos(omega * x[n]), s = std::sin(omega * x[n]),
                     e = double(value[n]) - truth.at({x[n], 0})[0];
        cc += c * c, cs += c * s, ss += s * s, ec += e * c, es += e * s;
    }
    const double determinant = cc * ss - cs * cs;
    return std::hypot((ec * ss - es * cs) / determinant, (es * cc - ec * cs) / determinant);
}

// Least squares of y = Σ a_j · column_j by the normal equations; y is the last column.
template <size_t N> std::array<double, N> least_squares(const std::vector<std::array<double, N + 1>>& rows) {
    double m[N][N + 1] = {};
    for (const auto& row : rows)
        for (size_t i = 0; i < N; ++i)
            for (size_t j = 0; j <= N; ++j) m[i][j] += row[i] * row[j];
    for (size_t i = 0; i < N; ++i)
        for (size_t r = 0; r < N; ++r) {
            if (r == i) continue;
            const double factor = m[r][i] / m[i][i];
            for (size_t j = i; j <= N; ++j) m[r][j] -= factor * m[i][j];
        }
    std::array<double, N> solution;
    for (size_t i = 0; i < N; ++i) solution[i] = m[i][N] / m[i][i];
    return solution;
}

}  // namespace

SinusoidProbe::SinusoidProbe(std::shared_ptr<Backend> backend, double period)
    : period_(period),
      truth_(plane_wave({1 / period, 0})),
      points_(points()),
      source_(std::move(backend), sampled(*truth_)) {}

SinusoidErrors SinusoidProbe::errors(const MethodSpec& spec) {
    const double omega = 2 * std::numbers::pi / period_;
    SampleRequest request;
    request.spec = spec;
    const PointsView view{points_.data(), nullptr, points_.size(), 1, true};
    const std::vector<float> values = source_.sample_to_host(request, view);
    SinusoidErrors errors{period_, 0, 0};
    for (int fraction = 0; fraction < fractions; ++fraction) {
        const double e =
            amplitude(omega, *truth_, points_.data() + fraction * places, values.data() + fraction * places);
        errors.largest = std::max(errors.largest, e);
        errors.mean_square_root += e * e / fractions;
    }
    errors.mean_square_root = std::sqrt(errors.mean_square_root);
    return errors;
}

PowerLaw fitted_law(const std::vector<PowerPoint>& points, int order) {
    std::vector<std::array<double, 5>> free;
    std::vector<std::array<double, 4>> known;
    for (const PowerPoint& p : points) {
        const double squared = p.frequency * p.frequency, log = std::log(p.frequency);
        free.push_back({1, log, squared, squared * squared, std::log(p.error)});
        known.push_back({1, squared, squared * squared, std::log(p.error) - order * log});
    }
    return {least_squares<4>(free)[1], std::exp(least_squares<3>(known)[0])};
}

}  // namespace texelscope
