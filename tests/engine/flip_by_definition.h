#pragma once
// FLIP as Andersson et al. 2020 define it, in float64 and without separable filters.

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

namespace texelscope::test {

using Triple = std::array<double, 3>;

struct ColourPlane {
    int width = 0, height = 0;
    std::vector<Triple> v;

    // Edges are repeated.
    const Triple& at(int x, int y) const {
        return v[size_t(std::clamp(y, 0, height - 1) * width + std::clamp(x, 0, width - 1))];
    }
};

inline constexpr double to_xyz[3][3] = {{10135552.0 / 24577794, 8788810.0 / 24577794, 4435075.0 / 24577794},
                                        {2613072.0 / 12288897, 8788810.0 / 12288897, 887015.0 / 12288897},
                                        {1425312.0 / 73733382, 8788810.0 / 73733382, 70074185.0 / 73733382}};
inline constexpr Triple white = {0.950428545, 1, 1.088900371};

inline Triple xyz_of(const Triple& rgb) {
    Triple xyz{};
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) xyz[size_t(i)] += to_xyz[i][j] * rgb[size_t(j)];
    return xyz;
}

inline Triple ycxcz_of(const Triple& rgb) {
    Triple t = xyz_of(rgb);
    for (size_t k = 0; k < 3; ++k) t[k] /= white[k];
    return {116 * t[1] - 16, 500 * (t[0] - t[1]), 200 * (t[1] - t[2])};
}

// The inverse matrix, as published.
inline Triple rgb_of_ycxcz(const Triple& o) {
    const double y = (o[0] + 16) / 116;
    const Triple xyz = {(y + o[1] / 500) * white[0], y * white[1], (y - o[2] / 200) * white[2]};
    constexpr double m[3][3] = {{3.241003275, -1.537398934, -0.498615861},
                                {-0.969224334, 1.875930071, 0.041554224},
                                {0.055639423, -0.204011202, 1.057148933}};
    Triple rgb{};
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) rgb[size_t(i)] += m[i][j] * xyz[size_t(j)];
    return rgb;
}

inline Triple hunt_adjusted(Triple rgb) {
    for (double& c : rgb) c = std::clamp(c, 0.0, 1.0);
    Triple t = xyz_of(rgb);
    const double d = 6.0 / 29;
    for (size_t k = 0; k < 3; ++k) {
        t[k] /= white[k];
        t[k] = t[k] > d * d * d ? std::cbrt(t[k]) : t[k] / (3 * d * d) + 4.0 / 29;
    }
    const double l = 116 * t[1] - 16;
    return {l, 0.01 * l * 500 * (t[0] - t[1]), 0.01 * l * 200 * (t[1] - t[2])};
}

inline double hyab_of(const Triple& p, const Triple& q) {
    return std::abs(p[0] - q[0]) + std::hypot(p[1] - q[1], p[2] - q[2]);
}

// Square filters, row after row.
struct SquareFilter {
    int radius = 0;
    std::vector<double> taps;
    double& at(int x, int y) { return taps[size_t((y + radius) * (2 * radius + 1) + x + radius)]; }
    double at(int x, int y) const { return const_cast<SquareFilter*>(this)->at(x, y); }
};

template <class Function> SquareFilter square_filter(int radius, Function value) {
    SquareFilter filter{radius, std::vector<double>(size_t((2 * radius + 1) * (2 * radius + 1)))};
    for (int y = -radius; y <= radius; ++y)
        for (int x = -radius; x <= radius; ++x) filter.at(x, y) = value(x, y);
    return filter;
}

inline SquareFilter sensitivity(int channel, double per_degree) {
    constexpr double pi = std::numbers::pi;
    constexpr double a1[] = {1, 1, 34.1}, b1[] = {0.0047, 0.0053, 0.04}, a2[] = {0, 0, 13.5},
                     b2[] = {1e-5, 1e-5, 0.025};
    const int radius = int(std::ceil(3 * std::sqrt(0.04 / (2 * pi * pi)) * per_degree));
    SquareFilter filter = square_filter(radius, [&](int x, int y) {
        const double z = (x * x + y * y) / (per_degree * per_degree);
        return a1[channel] * std::sqrt(pi / b1[channel]) * std::exp(-pi * pi * z / b1[channel]) +
               a2[channel] * std::sqrt(pi / b2[channel]) * std::exp(-pi * pi * z / b2[channel]);
    });
    double sum = 0;
    for (const double tap : filter.taps) sum += tap;
    for (double& tap : filter.taps) tap /= sum;
    return filter;
}

// Along x: the first derivative of a Gaussian, or the second.
inline SquareFilter feature_filter(bool point, double per_degree) {
    const double sd = 0.5 * 0.082 * per_degree;
    SquareFilter filter = square_filter(int(std::ceil(3 * sd)), [&](int x, int y) {
        const double g = std::exp(-(x * x + y * y) / (2 * sd * sd));
        return point ? (x * x / (sd * sd) - 1) * g : -x * g;
    });
    double above = 0, below = 0;
    for (const double tap : filter.taps) (tap > 0 ? above : below) += tap;
    for (double& tap : filter.taps) tap /= tap > 0 ? above : -below;
    return filter;
}

inline double filtered(const ColourPlane& plane, int x, int y, int channel, const SquareFilter& filter,
                       bool turned = false) {
    double sum = 0;
    for (int j = -filter.radius; j <= filter.radius; ++j)
        for (int i = -filter.radius; i <= filter.radius; ++i)
            sum += (turned ? filter.at(j, i) : filter.at(i, j)) * plane.at(x + i, y + j)[size_t(channel)];
    return sum;
}

// Of two planes of linear colours in 0 … 1.
inline std::vector<double> flip_by_definition(const ColourPlane& a, const ColourPlane& r, double per_degree) {
    std::array<ColourPlane, 2> opponents = {a, r};
    for (ColourPlane& plane : opponents)
        for (Triple& pixel : plane.v) pixel = ycxcz_of(pixel);
    const std::array<SquareFilter, 3> colour = {sensitivity(0, per_degree), sensitivity(1, per_degree),
                                                sensitivity(2, per_degree)};
    const SquareFilter edge = feature_filter(false, per_degree), point = feature_filter(true, per_degree);
    const double largest = std::pow(hyab_of(hunt_adjusted({0, 1, 0}), hunt_adjusted({0, 0, 1})), 0.7);
    std::vector<double> map;
    for (int y = 0; y < a.height; ++y)
        for (int x = 0; x < a.width; ++x) {
            std::array<Triple, 2> lab;
            double edges[2], points[2];
            for (size_t n = 0; n < 2; ++n) {
                Triple o;
                for (int c = 0; c < 3; ++c) o[size_t(c)] = filtered(opponents[n], x, y, c, colour[size_t(c)]);
                lab[n] = hunt_adjusted(rgb_of_ycxcz(o));
                // The filters sum to 0, so that the offset of Y does not matter.
                edges[n] =
                    std::hypot(filtered(opponents[n], x, y, 0, edge), filtered(opponents[n], x, y, 0, edge, true)) /
                    116;
                points[n] =
                    std::hypot(filtered(opponents[n], x, y, 0, point), filtered(opponents[n], x, y, 0, point, true)) /
                    116;
            }
            const double error = std::pow(hyab_of(lab[0], lab[1]), 0.7), knee = 0.4 * largest;
            const double of_colour =
                error < knee ? 0.95 / knee * error : 0.95 + (error - knee) / (largest - knee) * 0.05;
            const double feature = std::max(std::abs(edges[0] - edges[1]), std::abs(points[0] - points[1]));
            map.push_back(std::pow(of_colour, 1 - std::sqrt(feature / std::sqrt(2.0))));
        }
    return map;
}

}  // namespace texelscope::test
