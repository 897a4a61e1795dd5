#pragma once
// One pixel of a DisplayJob, for host and device.

#include "gpu/display/display.h"
#include "gpu/display/oklab.h"
#include "gpu/method/output.h"
#include "gpu/method/position.h"

namespace texelscope {

// Around complex numbers: lightness and chroma at which sRGB has every hue.
inline constexpr float phase_lightness = 0.72f, phase_chroma = 0.12f;

inline constexpr uint32_t nan_mark = 0xffff00ffu, plus_infinity_mark = 0xff00ffffu, minus_infinity_mark = 0xffffff00u;

TS_HD double plane_value(const ValuePlane& plane, size_t index) {
    return plane.doubles ? static_cast<const double*>(plane.values)[index]
                         : double(static_cast<const float*>(plane.values)[index]);
}

TS_HD bool is_finite(double v) { return v - v == 0; }

// The mark of the worst of n values: NaN before +∞ before −∞; 0 if all are finite.
TS_HD uint32_t mark_of(const double* v, int n) {
    uint32_t mark = 0;
    for (int c = 0; c < n; ++c) {
        if (v[c] != v[c]) return nan_mark;
        if (!is_finite(v[c]) && mark != plus_infinity_mark) mark = v[c] > 0 ? plus_infinity_mark : minus_infinity_mark;
    }
    return mark;
}

// Hatched: dark grey with lighter diagonal lines.
TS_HD uint32_t hatched_pixel(int i, int j) { return ((i + j) & 7) < 2 ? packed(92, 92, 92) : packed(44, 44, 44); }

TS_HD uint32_t grey_pixel(float v) { return rgba_of(v, v, v); }

TS_HD bool is_standard(const DisplaySettings& s) {
    return s.exposure == 0 && s.gamma == 1 && s.channel == ChannelView::all && s.backdrop == Backdrop::grey;
}

// A straight colour value under exposure and gamma.
TS_HD float toned(const DisplaySettings& s, float v) {
    v *= exp2f(s.exposure);
    if (s.gamma == 1) return v;
    const float power = powf(fabsf(v), 1 / s.gamma);
    return v < 0 ? -power : power;
}

TS_HD uint32_t complex_pixel(const DisplaySettings& s, float re, float im) {
    const float magnitude = hypotf(re, im);
    if (s.complex == ComplexView::magnitude) return grey_pixel(toned(s, magnitude));
    const float m = magnitude * exp2f(s.exposure), hue = atan2f(im, re);
    Rgb c;
    if (s.complex == ComplexView::phase) {
        c = srgb_from_oklch(phase_lightness, m > 0 ? phase_chroma : 0, hue);
    } else {  // dark at 0, light at infinity, a step down at each power of two; less chroma towards both ends
        const float octave = m > 0 ? log2f(m) : 0, within = octave - floorf(octave);
        const float lightness = 0.2f + 0.65f * (m / (1 + m)) + 0.1f * (within - 0.5f);
        const float ends = fminf(lightness / phase_lightness, (1 - lightness) / (1 - phase_lightness));
        c = srgb_from_oklch(lightness, m > 0 ? phase_chroma * fminf(1, ends) : 0, hue);
    }
    return rgba_of(c.r, c.g, c.b);
}

// Straight colour, toned, then laid over the backdrop, one channel of it or all.
TS_HD uint32_t picture_pixel(const DisplayJob& job, const Pixel<4>& p, int i, int j) {
    const DisplaySettings& s = job.display;
    const int colours = job.channels - (job.has_alpha ? 1 : 0);
    const float alpha = job.has_alpha ? p.v[(job.channels - 1) & 3] : 1.0f;
    if (s.channel == ChannelView::alpha) return grey_pixel(alpha);
    float v[3];
    for (int c = 0; c < 3; ++c) {
        const float value = colours == 1 ? p.v[0] : c < colours ? p.v[c] : 0.0f;
        v[c] = alpha == 0 ? toned(s, value) : alpha * toned(s, value / alpha);
    }
    float level = background_level;
    if (s.backdrop == Backdrop::checkerboard) level = ((i >> 3) + (j >> 3)) & 1 ? 153 / 255.0f : 102 / 255.0f;
    const float behind = job.has_alpha ? (1 - alpha) * level : 0.0f;
    switch (s.channel) {
        case ChannelView::first: return grey_pixel(v[0] + behind);
        case ChannelView::second: return grey_pixel(v[1] + behind);
        case ChannelView::third: return grey_pixel(v[2] + behind);
        case ChannelView::luma: return grey_pixel(luma(v[0], v[1], v[2]) + behind);
        default: return rgba_of(v[0] + behind, v[1] + behind, v[2] + behind);
    }
}

TS_HD uint32_t value_pixel(const DisplayJob& job, int i, int j) {
    const size_t index = (size_t(j) * size_t(job.width) + size_t(i)) * size_t(job.channels);
    double v[4] = {};
    Pixel<4> p = Pixel<4>::zero();
    for (int c = 0; c < job.channels; ++c) {
        v[c] = plane_value(job.shown, index + size_t(c));
        p.v[c] = float(v[c]);
    }
    if (job.display.mark_nonfinite)
        if (const uint32_t mark = mark_of(v, job.channels)) return mark;
    if (job.channels == 2 && !job.has_alpha && job.display.complex != ComplexView::parts)
        return complex_pixel(job.display, p.v[0], p.v[1]);
    if (is_standard(job.display)) return to_rgba8(p, job.channels, job.has_alpha);
    return picture_pixel(job, p, i, j);
}

// Selects a pixel's channels by the display settings, in place; returns how many are left.
TS_HD int chosen_channels(const DisplayJob& job, double (&v)[4]) {
    const int colours = job.channels - (job.has_alpha ? 1 : 0);
    const auto colour = [&](int c) { return colours == 1 ? v[0] : c < colours ? v[c] : 0.0; };
    switch (job.display.channel) {
        case ChannelView::all: return job.channels;
        case ChannelView::first: return 1;
        case ChannelView::second: v[0] = colour(1); return 1;
        case ChannelView::third: v[0] = colour(2); return 1;
        case ChannelView::alpha: v[0] = job.has_alpha ? v[(job.channels - 1) & 3] : 1.0; return 1;
        case ChannelView::luma: v[0] = luma(colour(0), colour(1), colour(2)); return 1;
    }
    return job.channels;
}

TS_HD double difference_of(DifferenceKind kind, double a, double r) {
    const double d = a - r;
    switch (kind) {
        case DifferenceKind::signed_: return d;
        case DifferenceKind::absolute: return fabs(d);
        case DifferenceKind::squared: return d * d;
        case DifferenceKind::relative: return fabs(d) / fmax(fabs(r), 1 / 255.0);
    }
    return d;
}

// round(255 · v), v clamped to [0, 1].
TS_HD uint32_t level_of(double v) { return !(v > 0) ? 0u : v >= 1 ? 255u : uint32_t(v * 255 + 0.5); }

TS_HD uint32_t difference_pixel(const DisplayJob& job, int i, int j) {
    const size_t index = (size_t(j) * size_t(job.width) + size_t(i)) * size_t(job.channels);
    const DifferenceSettings& s = job.difference;
    double d[4] = {}, r[4] = {};
    for (int c = 0; c < job.channels; ++c) {
        d[c] = plane_value(job.shown, index + size_t(c));
        r[c] = plane_value(job.against, index + size_t(c));
        if (job.against_masked && r[c] != r[c]) return hatched_pixel(i, j);
    }
    const int n = chosen_channels(job, d);
    chosen_channels(job, r);
    for (int c = 0; c < n; ++c) d[c] = difference_of(s.kind, d[c], r[c]);
    if (const uint32_t mark = mark_of(d, n)) return mark;
    const auto level = [&](double v) {
        return level_of(s.kind == DifferenceKind::signed_ ? 0.5 + 0.5 * double(s.gain) * v : double(s.gain) * v);
    };
    if (s.map != ColourMap::channels) {
        int largest = 0;
        for (int c = 1; c < n; ++c)
            if (fabs(d[c]) > fabs(d[largest])) largest = c;
        return job.colours[level(d[largest])];
    }
    const int colours = n - (job.has_alpha && n == job.channels ? 1 : 0);
    const uint32_t red = level(d[0]), green = colours == 1 ? red : level(d[1]);
    const uint32_t blue = colours == 1 ? red : colours == 2 ? level(0) : level(d[2]);
    return red | green << 8 | blue << 16 | 255u << 24;
}

TS_HD bool is_in_surroundings(const DisplayJob::Placement& image, int i, int j) {
    if (image.width <= 0) return false;
    const Affine& p = image.positions;
    return is_outside_axis(Outside::background, affine_position(p.xx, p.xy, p.x0, i, j), image.width) ||
           is_outside_axis(Outside::background, affine_position(p.yy, p.yx, p.y0, j, i), image.height);
}

TS_HD void display_pixel(const DisplayJob& job, int i, int j) {
    uint32_t* row = reinterpret_cast<uint32_t*>(reinterpret_cast<char*>(job.pixels) + size_t(j) * job.row_bytes);
    if (is_in_surroundings(job.placement, i, j)) row[i] = grey_pixel(background_level);
    else row[i] = job.against.values ? difference_pixel(job, i, j) : value_pixel(job, i, j);
}

}  // namespace texelscope
