#pragma once
// How float values become pixels of the screen, beyond clamping them: colour profiles, exposure, single channels, complex
// data, differences, colour maps.

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "gpu/core/names.h"
#include "gpu/core/platform.h"
#include "gpu/core/view.h"

namespace texelscope {

// From the colours that an image's profile describes to those of the screen, for host and device.

// Applied to straight values. Everything but `light` clamps them to [0, 1] first.
struct ColourConversion {
    enum class Kind {
        none,
        light,  // linear light without bounds: the matrix; when it has been toned, the root and a curve for each channel
        matrix,  // a curve for each channel, the matrix, the root, a curve for each channel
        grey,    // one channel: three curves
        table    // three channels: a lattice of colours, interpolated in tetrahedra
    };
    static constexpr int curve_size = 4096;  // values of a curve, evenly spaced from 0 to 1
    static constexpr int lattice_size = 33;  // points along each axis; red varies slowest

    Kind kind = Kind::none;
    float matrix[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};  // row-major
    // In memory of the backend. matrix: six curves, light and grey: three, table: lattice_size³ times red, green, blue.
    const float* values = nullptr;

    static constexpr size_t value_count(Kind kind) {
        switch (kind) {
            case Kind::matrix: return 6 * size_t(curve_size);
            case Kind::light:
            case Kind::grey: return 3 * size_t(curve_size);
            case Kind::table: return 3 * size_t(lattice_size) * lattice_size * lattice_size;
            case Kind::none: break;
        }
        return 0;
    }
};

namespace detail {

// Position of a value among n evenly spaced ones: index of the lower neighbour, and the fraction. NaN: the first.
TS_HD int place_among(int n, float v, float& fraction) {
    const float at = fminf(fmaxf(v, 0.0f), 1.0f) * float(n - 1);
    const int below = at < float(n - 2) ? int(at) : n - 2;
    fraction = at - float(below);
    return below;
}

TS_HD float on_curve(const float* curve, float v) {
    float t;
    const int i = place_among(ColourConversion::curve_size, v, t);
    return curve[i] + t * (curve[i + 1] - curve[i]);
}

// Three curves over the root of light, which spreads the dark values.
TS_HD void code_light(const float* curves, float (&v)[3]) {
    for (int c = 0; c < 3; ++c) v[c] = on_curve(curves + c * ColourConversion::curve_size, sqrtf(fmaxf(v[c], 0.0f)));
}

TS_HD void by_matrix(const float* m, float (&v)[3]) {
    const float r = v[0], g = v[1], b = v[2];
    for (int c = 0; c < 3; ++c) v[c] = m[3 * c] * r + m[3 * c + 1] * g + m[3 * c + 2] * b;
}

// From the corner below, along the axes in the order of their fractions, to the corner above.
TS_HD void by_lattice(const float* lattice, float (&v)[3]) {
    constexpr int n = ColourConversion::lattice_size;
    float t[3];
    int step[3] = {3 * n * n, 3 * n, 3};
    int at = 0;
    for (int c = 0; c < 3; ++c) at += step[c] * place_among(n, v[c], t[c]);
    const auto order = [&](int a, int b) {
        if (t[a] >= t[b]) return;
        const float fraction = t[a];
        t[a] = t[b], t[b] = fraction;
        const int along = step[a];
        step[a] = step[b], step[b] = along;
    };
    order(0, 1), order(1, 2), order(0, 1);
    const float weights[4] = {1 - t[0], t[0] - t[1], t[1] - t[2], t[2]};
    float sum[3] = {0, 0, 0};
    for (int corner = 0; corner < 4; ++corner) {
        for (int c = 0; c < 3; ++c) sum[c] += weights[corner] * lattice[at + c];
        if (corner < 3) at += step[corner];
    }
    for (int c = 0; c < 3; ++c) v[c] = sum[c];
}

}  // namespace detail

// A straight colour, in place; one channel is given three times. Linear light stays that until code_colour.
TS_HD void convert_colour(const ColourConversion& conversion, float (&v)[3]) {
    constexpr int n = ColourConversion::curve_size;
    switch (conversion.kind) {
        case ColourConversion::Kind::none: return;
        case ColourConversion::Kind::light: return detail::by_matrix(conversion.matrix, v);
        case ColourConversion::Kind::matrix:
            for (int c = 0; c < 3; ++c) v[c] = detail::on_curve(conversion.values + c * n, v[c]);
            detail::by_matrix(conversion.matrix, v);
            return detail::code_light(conversion.values + 3 * n, v);
        case ColourConversion::Kind::grey:
            for (int c = 0; c < 3; ++c) v[c] = detail::on_curve(conversion.values + c * n, v[c]);
            return;
        case ColourConversion::Kind::table: return detail::by_lattice(conversion.values, v);
    }
}

// What convert_colour has left as linear light becomes the screen's values, in place.
TS_HD void code_colour(const ColourConversion& conversion, float (&v)[3]) {
    if (conversion.kind == ColourConversion::Kind::light) detail::code_light(conversion.values, v);
}

}  // namespace texelscope

struct CUstream_st;

namespace texelscope {

// Perceptually uniform: equal steps of the value are equal steps of lightness (OKLab's revised one, see display.cpp).
enum class ColourMap {
    channels,  // none: each colour channel separately
    grey,      // black to white
    ember,     // lightness rises all the way
    lagoon,    // the same with other hues
    balance    // for signed values: lightness rises towards the middle
};
inline constexpr NamedValue<ColourMap> colour_maps[] = {
    {ColourMap::channels, "channels", "The channel in grey.", "none"},
    {ColourMap::grey, "grey", "Grey of even lightness.", "even grey"},
    {ColourMap::ember, "ember", "Black, violet, orange, pale yellow, like inferno."},
    {ColourMap::lagoon, "lagoon", "Dark blue, green, yellow, like viridis."},
    {ColourMap::balance, "balance", "Blue, neutral in the middle, orange, like coolwarm."}};
constexpr auto& names_table(ColourMap) { return colour_maps; }
inline constexpr auto all_colour_maps = all_values<ColourMap>;

// 256 colours, RGBA8 as the screen takes it (red in the lowest byte), opaque. `channels`: the same as grey.
const std::array<uint32_t, 256>& colour_table(ColourMap map);

// The colour channels shown.
enum class ChannelView { all, first, second, third, alpha, luma };
inline constexpr NamedValue<ChannelView> channel_views[] = {
    {ChannelView::all, "all", "All channels, as colour."},
    {ChannelView::first, "first", "The first channel in grey.", "first (red)"},
    {ChannelView::second, "second", "The second channel in grey.", "second (green)"},
    {ChannelView::third, "third", "The third channel in grey.", "third (blue)"},
    {ChannelView::alpha, "alpha", "The opacity in grey."},
    {ChannelView::luma, "luma", "0.2126 R + 0.7152 G + 0.0722 B, in grey."}};
constexpr auto& names_table(ChannelView) { return channel_views; }

// How two channels of plain data are shown.
enum class ComplexView {
    parts,      // real part red, imaginary part green
    magnitude,  // grey
    phase,      // hue at one lightness
    polar,      // hue by phase, lightness by magnitude: black at the black level, as for `phase` at the white one
    domain      // hue by phase, lightness by magnitude, a step at each power of two
};
inline constexpr NamedValue<ComplexView> complex_views[] = {
    {ComplexView::parts, "parts", "Real part in red, imaginary part in green."},
    {ComplexView::polar, "polar", "Phase as hue, magnitude as lightness, between the levels.", "magnitude and phase"},
    {ComplexView::magnitude, "magnitude", "The magnitude in grey."},
    {ComplexView::phase, "phase", "The phase as hue."},
    {ComplexView::domain, "domain", "Phase as hue, magnitude as lightness, with a step at each power of two.",
     "domain colouring"}};
constexpr auto& names_table(ComplexView) { return complex_views; }

// The backdrop of pixels that are not opaque.
enum class Backdrop { grey, checkerboard };
inline constexpr NamedValue<Backdrop> backdrops[] = {
    {Backdrop::grey, "grey", "Backdrop of pixels that are not opaque."},
    {Backdrop::checkerboard, "checkerboard", "Backdrop of pixels that are not opaque."}};
constexpr auto& names_table(Backdrop) { return backdrops; }

// Brings values above 1 onto the screen, after the exposure.
enum class ToneCurve {
    none,      // what is above 1 is white
    reinhard,  // Reinhard et al. 2002, eq. 3: each colour times 1 / (1 + L), L its Rec. 709 luminance
    aces       // each channel by Narkowicz's fit of the ACES film curve, 2015: 0.8 at 1, white at 7.3
};
inline constexpr NamedValue<ToneCurve> tone_curves[] = {
    {ToneCurve::none, "none", "What is above 1 is white."},
    {ToneCurve::reinhard, "reinhard",
     "Each colour times 1 / (1 + L), L its luminance: nothing is ever white (Reinhard et al. 2002, eq. 3).",
     "Reinhard"},
    {ToneCurve::aces, "aces",
     "A film curve for each channel: white from 7.3 on (Narkowicz's fit of the ACES curve, 2015).", "ACES"}};
constexpr auto& names_table(ToneCurve) { return tone_curves; }
inline constexpr auto all_tone_curves = all_values<ToneCurve>;

// In the order in which they act: black and white level, profile, exposure, tone curve, gamma, inverting, false colour.
struct DisplaySettings {
    float exposure = 0;  // stops, −16 … 16: values times 2^exposure
    float gamma = 1;     // 0.1 … 10: values to the power 1 / gamma, after the tone curve
    ChannelView channel = ChannelView::all;
    ComplexView complex = ComplexView::polar;
    Backdrop backdrop = Backdrop::checkerboard;
    bool mark_nonfinite = true;  // NaN magenta, +∞ yellow, −∞ cyan
    float black = 0, white = 1;  // stored values that become 0 and 1; white is above black
    ToneCurve curve = ToneCurve::none;
    bool invert = false;                  // 1 − value, last
    ColourMap map = ColourMap::channels;  // of a single channel; `channels`: grey
    bool by_profile = true;               // colours as the image's profile describes them

    bool operator==(const DisplaySettings&) const = default;
};

// Colours of marked samples as RGBA8, red in the lowest byte.
inline constexpr uint32_t nan_mark = 0xffff00ffu, plus_infinity_mark = 0xff00ffffu, minus_infinity_mark = 0xffffff00u;

// What is shown of two renderings. Values: a of the pane, r of what it is compared with.
enum class DifferenceKind {
    signed_,   // a − r
    absolute,  // |a − r|
    squared,   // (a − r)²
    relative   // |a − r| / max(|r|, 1/255)
};
struct DifferenceInfo {
    DifferenceKind value;
    std::string_view name, formula, meaning;
};
inline constexpr DifferenceInfo difference_kinds[] = {
    {DifferenceKind::signed_, "signed", "a − r", "Signed: grey, or the middle of the colour map, means agreement."},
    {DifferenceKind::absolute, "absolute", "|a − r|", "Absolute difference."},
    {DifferenceKind::squared, "squared", "(a − r)²", "Squared difference."},
    {DifferenceKind::relative, "relative", "|a − r| / |r|",
     "Relative difference; what it is divided by is limited to at least 1/255."}};
constexpr auto& names_table(DifferenceKind) { return difference_kinds; }
inline constexpr auto all_difference_kinds = all_values<DifferenceKind>;

struct DifferenceSettings {
    DifferenceKind kind = DifferenceKind::absolute;
    float gain = 8;  // 1 … 2²⁴: a difference of 1/gain is the end of the colour map; signed: −1/gain … 1/gain
    ColourMap map = ColourMap::channels;  // with a colour map: the channel with the largest difference

    bool operator==(const DifferenceSettings&) const = default;
};

struct DisplayJob {
    ValuePlane shown;    // premultiplied if there is alpha
    ValuePlane against;  // no values: `shown` is displayed unchanged; else the difference of the two
    int width = 0, height = 0, channels = 1;
    bool has_alpha = false;       // the last channel
    bool against_masked = false;  // NaN in `against` is a pixel that is not compared: hatched
    DisplaySettings display;
    DifferenceSettings difference;
    ColourConversion conversion;        // of what is shown as colour; differences and single channels are stored values
    const uint32_t* colours = nullptr;  // the 256 of colour_map_of(job), in memory of the backend
    uint32_t* pixels = nullptr;         // memory of the backend
    size_t row_bytes = 0;

    // Pixels whose position is outside the samples' extent [−½, n − ½) show the plain background, whatever the
    // settings; the same as in a rendering with Outside::background.
    struct Placement {
        Affine positions;
        int width = 0, height = 0;  // of the image, samples; 0: every pixel shows its value
    };
    Placement placement;
};

// The colour map of the difference, or of the single channel shown.
inline ColourMap colour_map_of(const DisplayJob& job) {
    return job.against.values ? job.difference.map : job.display.map;
}

// Computes rows [first, last) on the calling thread.
void display_rows(const DisplayJob& job, int first, int last);

// Enqueues the job on the stream. Throws Error if the launch is refused.
void launch_display(const DisplayJob& job, CUstream_st* stream);

}  // namespace texelscope
