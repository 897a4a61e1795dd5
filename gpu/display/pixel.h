#pragma once
// One pixel of a DisplayJob, for host and device.

#include "gpu/core/colour.h"
#include "gpu/core/platform.h"
#include "gpu/display/display.h"
#include "gpu/method/output.h"
#include "gpu/method/position.h"

namespace texelscope {

// OKLab, a colour space in which equal steps look equal: Björn Ottosson 2020, A perceptual color space for image
// processing. Only the conversion to sRGB.

struct Rgb {
    float r, g, b;
};

// Linear sRGB of OKLab (lightness 0 … 1, a, b); components beyond [0, 1] are colours that the screen cannot show.
TS_HD Rgb linear_from_oklab(float lightness, float a, float b) {
    const float l = lightness + 0.3963377774f * a + 0.2158037573f * b;
    const float m = lightness - 0.1055613458f * a - 0.0638541728f * b;
    const float s = lightness - 0.0894841775f * a - 1.2914855480f * b;
    const float l3 = l * l * l, m3 = m * m * m, s3 = s * s * s;
    return {4.0767416621f * l3 - 3.3077115913f * m3 + 0.2309699292f * s3,
            -1.2684380046f * l3 + 2.6097574011f * m3 - 0.3413193965f * s3,
            -0.0041960863f * l3 - 0.7034186147f * m3 + 1.7076147010f * s3};
}

// sRGB-coded, from the same in polar form: chroma, and hue in radians.
TS_HD Rgb srgb_from_oklch(float lightness, float chroma, float hue) {
    const Rgb c = linear_from_oklab(lightness, chroma * cosf(hue), chroma * sinf(hue));
    return {srgb_encoded(c.r), srgb_encoded(c.g), srgb_encoded(c.b)};
}

// Lightness and chroma at which sRGB has every hue, for the phases of complex numbers.
inline constexpr float phase_lightness = 0.72f, phase_chroma = 0.12f;

// The colour of a complex number: its phase as hue, with a part (0 … 1) of the full lightness and chroma.
TS_HD Rgb polar_colour(float part, float phase) {
    const float p = fminf(fmaxf(part, 0.0f), 1.0f);
    return srgb_from_oklch(phase_lightness * p, phase_chroma * p, phase);
}

TS_HD uint32_t rgba_of(float r, float g, float b) {
    return to_8_bits(r) | to_8_bits(g) << 8 | to_8_bits(b) << 16 | 255u << 24;
}

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

TS_HD bool is_standard(const DisplaySettings& s, bool has_alpha) {
    return s.exposure == 0 && s.gamma == 1 && s.channel == ChannelView::all &&
           (!has_alpha || s.backdrop == Backdrop::grey) && s.black == 0 && s.white == 1 && s.curve == ToneCurve::none &&
           !s.invert && s.map == ColourMap::channels;
}

TS_HD float clamped(float v) { return fminf(fmaxf(v, 0.0f), 1.0f); }

// Under black and white level.
TS_HD float levelled(const DisplaySettings& s, float v) { return (v - s.black) / fmaxf(s.white - s.black, 1e-30f); }

// Krzysztof Narkowicz 2015, ACES Filmic Tone Mapping Curve. Beyond 10⁴ it is white.
TS_HD float aces_curve(float v) {
    const float x = fminf(fmaxf(v, 0.0f), 1e4f);
    return x * (2.51f * x + 0.03f) / (x * (2.43f * x + 0.59f) + 0.14f);
}

TS_HD float to_power(float v, float exponent) {
    const float power = powf(fabsf(v), exponent);
    return v < 0 ? -power : power;
}

// A straight colour under all but the levels, in place. Light that `conversion` has left linear gets the screen's curve
// after the tone curve.
TS_HD void tone(const DisplaySettings& s, const ColourConversion& conversion, float (&v)[3]) {
    const float gain = exp2f(s.exposure);
    for (int c = 0; c < 3; ++c) v[c] *= gain;
    if (s.curve == ToneCurve::reinhard) {
        const float scale = 1 / (1 + fminf(fmaxf(luma(v[0], v[1], v[2]), 0.0f), 1e30f));
        for (int c = 0; c < 3; ++c) v[c] *= scale;
    }
    if (s.curve == ToneCurve::aces)
        for (int c = 0; c < 3; ++c) v[c] = aces_curve(v[c]);
    code_colour(conversion, v);
    for (int c = 0; c < 3; ++c) {
        if (s.gamma != 1) v[c] = to_power(v[c], 1 / s.gamma);
        if (s.invert) v[c] = 1 - clamped(v[c]);
    }
}

// round(255 · v), v clamped to [0, 1].
TS_HD uint32_t level_of(double v) { return !(v > 0) ? 0u : v >= 1 ? 255u : uint32_t(v * 255 + 0.5); }

// A single value, already toned, over what is behind it.
TS_HD uint32_t single_pixel(const DisplayJob& job, float v, float alpha, float behind) {
    if (job.display.map == ColourMap::channels) return grey_pixel(alpha * clamped(v) + behind);
    const uint32_t colour = job.colours[level_of(double(v))];
    const auto over = [&](int shift) { return alpha * (float(colour >> shift & 255u) / 255.0f) + behind; };
    return rgba_of(over(0), over(8), over(16));
}

TS_HD uint32_t complex_pixel(const DisplayJob& job, float re, float im) {
    const DisplaySettings& s = job.display;
    const float magnitude = hypotf(re, im);
    if (s.complex == ComplexView::magnitude) {
        const float value = levelled(s, magnitude);
        float v[3] = {value, value, value};
        tone(s, {}, v);
        return single_pixel(job, v[0], 1, 0);
    }
    const float hue = atan2f(im, re);
    if (s.complex == ComplexView::polar) {
        float v[3] = {levelled(s, magnitude), 0, 0};
        tone(s, {}, v);
        const Rgb c = polar_colour(v[0], hue);
        return rgba_of(c.r, c.g, c.b);
    }
    const float m = magnitude * exp2f(s.exposure);
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

// Straight colour, levelled, converted, toned, then laid over the backdrop, one channel of it or all.
TS_HD uint32_t picture_pixel(const DisplayJob& job, const Pixel<4>& p, int i, int j) {
    const DisplaySettings& s = job.display;
    const int colours = job.channels - (job.has_alpha ? 1 : 0);
    const float alpha = job.has_alpha ? p.v[(job.channels - 1) & 3] : 1.0f;
    if (s.channel == ChannelView::alpha) return single_pixel(job, alpha, 1, 0);
    // What has colour without alpha is added to what is behind it.
    const float share = alpha == 0 ? 1.0f : alpha;
    float level = background_level;
    if (s.backdrop == Backdrop::checkerboard) level = ((i >> 3) + (j >> 3)) & 1 ? 153 / 255.0f : 102 / 255.0f;
    const float behind = job.has_alpha ? (1 - alpha) * level : 0.0f;
    if (alpha == 0 && p.v[0] == 0 && (colours < 2 || p.v[1] == 0) && (colours < 3 || p.v[2] == 0))
        return grey_pixel(behind);  // whatever the levels make of 0
    float v[3];
    for (int c = 0; c < 3; ++c) {
        const float value = colours == 1 ? p.v[0] : c < colours ? p.v[c] : 0.0f;
        v[c] = levelled(s, value / share);
    }
    if (s.channel != ChannelView::all || (colours == 1 && s.map != ColourMap::channels)) {
        const float value = s.channel == ChannelView::luma     ? luma(v[0], v[1], v[2])
                            : s.channel == ChannelView::second ? v[1]
                            : s.channel == ChannelView::third  ? v[2]
                                                               : v[0];
        v[0] = v[1] = v[2] = value;
        tone(s, {}, v);
        return single_pixel(job, v[0], share, behind);
    }
    convert_colour(job.conversion, v);
    tone(s, job.conversion, v);
    if (colours == 2) v[2] = 0;
    for (int c = 0; c < 3; ++c) v[c] = share * clamped(v[c]) + behind;
    return rgba_of(v[0], v[1], v[2]);
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
        return complex_pixel(job, p.v[0], p.v[1]);
    if (is_standard(job.display, job.has_alpha) && job.conversion.kind == ColourConversion::Kind::none)
        return to_rgba8(p, job.channels, job.has_alpha);
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
        default: return d;  // a map is no function of two values
    }
}

// Where the colour map of gain 1 ends.
TS_HD double difference_range(DifferenceKind kind) { return kind == DifferenceKind::delta_e ? 100 : 1; }

TS_HD uint32_t map_pixel(const DisplayJob& job, int i, int j) {
    const double v = job.map[size_t(j) * size_t(job.width) + size_t(i)];
    if (v != v) return hatched_pixel(i, j);
    const uint32_t level = level_of(double(job.difference.gain) * v / difference_range(job.difference.kind));
    return job.difference.map == ColourMap::channels ? packed(level, level, level) : job.colours[level];
}

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
    else if (job.map) row[i] = map_pixel(job, i, j);
    else row[i] = job.against.values ? difference_pixel(job, i, j) : value_pixel(job, i, j);
}

}  // namespace texelscope
