#pragma once
// FLIP at one pixel, and its filters, for host and device. Andersson, Nilsson, Akenine-Möller, Oskarsson, Åström & Fairchild
// 2020, FLIP: A Difference Evaluator for Alternating Images. Internal to this folder.

#include <cmath>

#include "gpu/compare/compared_pixel.h"
#include "gpu/compare/error_map.h"
#include "gpu/core/platform.h"

namespace texelscope {

// The filters along one axis for a viewing distance; both-axes filters are products of them. A filter has 2 · radius + 1 taps.
struct FlipFilters {
    static constexpr int most_radius = 55, most_taps = 2 * most_radius + 1;

    int colour_radius = 0, feature_radius = 0;
    // Contrast sensitivity (section 4.1), each summing to 1. That of blue and yellow is a sum of two, with these shares.
    float luminance[most_taps], red_green[most_taps], blue_yellow[2][most_taps], share[2];
    // Features (section 4.2): the Gaussian, summing to 1, its first derivative and its second one, whose positive weights
    // sum to 1 and negative ones to −1.
    float gaussian[most_taps], edge[most_taps], point[most_taps];
    float inverse[3][3];   // of opponents_of()
    float largest_colour;  // the error of green against blue, which none exceeds
};

// For 5 to 400 pixels per degree. Everything in float64, then rounded.
FlipFilters flip_filters(double pixels_per_degree);

// Relative to white: Y, X − Y, Y − Z of linear sRGB. Those of the paper, YCxCz, are 116 Y − 16, 500 (X − Y), 200 (Y − Z).
struct Opponents {
    float y, cx, cz;
};

TS_HD Opponents opponents_of(float r, float g, float b) {
    const float x = (10135552 / 23359437.0f) * r + (8788810 / 23359437.0f) * g + (4435075 / 23359437.0f) * b;
    const float y = (2613072 / 12288897.0f) * r + (8788810 / 12288897.0f) * g + (887015 / 12288897.0f) * b;
    const float z = (1425312 / 80288307.0f) * r + (8788810 / 80288307.0f) * g + (70074185.0f / 80288307.0f) * b;
    return {y, x - y, y - z};
}

// Narkowicz's curve with the exposure of 0.6 that ACES has, on values of at least 0.
TS_HD float flip_tone_mapped(float v, float gain) {
    const float x = fminf(fmaxf(v, 0.0f) * gain, 1e6f);
    return fminf((0.9036f * x * x + 0.018f * x) / (0.8748f * x * x + 0.354f * x + 0.14f), 1.0f);
}

TS_HD float linear_of_srgb(float coded) {
    return coded <= 0.04045f ? coded / 12.92f : powf((coded + 0.055f) / 1.055f, 2.4f);
}

// How a pixel's values become linear colour.
struct FlipLight {
    bool linear, tone_mapped;
    float gain;  // 2^exposure
};

TS_HD Opponents opponents_of(const float (&rgb)[3], const FlipLight& light) {
    float v[3];
    for (int c = 0; c < 3; ++c) {
        const float in = light.tone_mapped ? flip_tone_mapped(rgb[c], light.gain) : fminf(fmaxf(rgb[c], 0.0f), 1.0f);
        v[c] = light.tone_mapped || light.linear ? in : linear_of_srgb(in);
    }
    return opponents_of(v[0], v[1], v[2]);
}

// The light of a job's k-th exposure, or its only one.
inline FlipLight flip_light(const ErrorMapJob& job, int k) {
    if (job.exposures.count == 0) return {job.linear, false, 1};
    return {true, true, float(std::exp2(job.exposures.at(k)))};
}

// Opponents of both pictures at a pixel of which at least one is not finite: the grey of the window's background.
TS_HD Opponents flip_background() { return {linear_of_srgb(background_level), 0, 0}; }

TS_HD float flip_lab_response(float t) {
    constexpr float d = 6.0f / 29;
    return t > d * d * d ? cbrtf(t) : t / (3 * d * d) + 4.0f / 29;
}

// CIELAB with Hunt's adjustment: the paler the darker.
struct HuntLab {
    float l, a, b;
};

// The colour of filtered opponents, whose colour is clamped to what a screen shows.
TS_HD HuntLab hunt_lab(const FlipFilters& f, const Opponents& o) {
    const float x = o.y + o.cx, y = o.y, z = o.y - o.cz;
    float v[3];
    for (int c = 0; c < 3; ++c)
        v[c] = fminf(fmaxf(f.inverse[c][0] * x + f.inverse[c][1] * y + f.inverse[c][2] * z, 0.0f), 1.0f);
    const Opponents shown = opponents_of(v[0], v[1], v[2]);
    const float fx = flip_lab_response(shown.y + shown.cx), fy = flip_lab_response(shown.y),
                fz = flip_lab_response(shown.y - shown.cz);
    const float l = 116 * fy - 16, adjusted = 0.01f * l;
    return {l, adjusted * 500 * (fx - fy), adjusted * 200 * (fy - fz)};
}

// HyAB: the city-block distance of lightness and chroma.
TS_HD float hyab(const HuntLab& p, const HuntLab& q) {
    const float a = p.a - q.a, b = p.b - q.b;
    return fabsf(p.l - q.l) + sqrtf(a * a + b * b);
}

inline constexpr float flip_colour_power = 0.7f;

// The colour error in 0 … 1: small differences take most of the range (section 4.1.3).
TS_HD float flip_colour_error(const FlipFilters& f, const Opponents& a, const Opponents& r) {
    constexpr float p_c = 0.4f, p_t = 0.95f;
    const float error = powf(hyab(hunt_lab(f, a), hunt_lab(f, r)), flip_colour_power);
    const float knee = p_c * f.largest_colour;
    if (error < knee) return p_t / knee * error;
    return p_t + (error - knee) / (f.largest_colour - knee) * (1 - p_t);
}

// What the features' filters, along x and along y, make of a picture's Y.
struct FlipFeatures {
    float edge_x, edge_y, point_x, point_y;
};

TS_HD float flip_feature_error(const FlipFeatures& a, const FlipFeatures& r) {
    const auto length = [](float x, float y) { return sqrtf(x * x + y * y); };
    const float edges = fabsf(length(a.edge_x, a.edge_y) - length(r.edge_x, r.edge_y));
    const float points = fabsf(length(a.point_x, a.point_y) - length(r.point_x, r.point_y));
    return fminf(sqrtf(fmaxf(edges, points) * 0.70710678f), 1.0f);
}

TS_HD float flip_of(float colour_error, float feature_error) {
    return colour_error == 0 ? 0.0f : powf(fminf(colour_error, 1.0f), 1 - feature_error);
}

// FLIP's part of error_map_on_cpu().
void flip_on_cpu(const ErrorMapJob& job, float* map);

}  // namespace texelscope
