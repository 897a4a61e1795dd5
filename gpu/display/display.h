#pragma once
// How float values become pixels of the screen, beyond clamping them: exposure, single channels, complex data,
// differences, colour maps.

#include <array>
#include <cstddef>
#include <cstdint>

#include "gpu/core/names.h"
#include "gpu/core/view.h"
#include "gpu/display/colour_conversion.h"

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

// What is shown of two renderings. Values: a of the pane, r of what it is compared with. The first four are differences of
// values, the others maps: one number of at least 0 for each pixel, which depends on its surroundings (gpu/compare/error_map.h).
enum class DifferenceKind {
    signed_,   // a − r
    absolute,  // |a − r|
    squared,   // (a − r)²
    relative,  // |a − r| / max(|r|, 1/255)
    ssim,      // 1 − SSIM
    delta_e,   // ΔE2000
    flip,      // FLIP
    gradient   // 1 − similarity of the gradients' magnitudes
};
constexpr bool is_map(DifferenceKind kind) { return kind >= DifferenceKind::ssim; }

struct DifferenceInfo {
    DifferenceKind value;
    std::string_view name, formula, meaning, title = {};  // title: in menus, if that is not the name

    constexpr std::string_view label() const { return title.empty() ? name : title; }
};
inline constexpr DifferenceInfo difference_kinds[] = {
    {DifferenceKind::signed_, "signed", "a − r", "Signed: grey, or the middle of the colour map, means agreement."},
    {DifferenceKind::absolute, "absolute", "|a − r|", "Absolute difference."},
    {DifferenceKind::squared, "squared", "(a − r)²", "Squared difference."},
    {DifferenceKind::relative, "relative", "|a − r| / |r|",
     "Relative difference; what it is divided by is limited to at least 1/255."},
    {DifferenceKind::ssim, "ssim", "1 − SSIM",
     "Structural similarity of the 11×11 pixels around each, taken from 1: 0 means agreement (Wang et al. 2004).",
     "SSIM"},
    {DifferenceKind::delta_e, "delta-e", "ΔE2000",
     "How different the two colours look, each pixel for itself: about 1 is just noticeable (Sharma et al. 2005).",
     "colour (ΔE2000)"},
    {DifferenceKind::flip, "flip", "FLIP",
     "How much is seen when the two pictures take turns, 0 to 1, from the viewing distance (Andersson et al. 2020).",
     "FLIP"},
    {DifferenceKind::gradient, "gradient", "1 − GMS",
     "Similarity of the gradients' magnitudes, taken from 1: 0 means agreement (Xue et al. 2014).", "gradients (GMS)"}};
constexpr auto& names_table(DifferenceKind) { return difference_kinds; }

// Pixels per degree of visual angle: of a screen this many pixels wide, as wide as this, from this far; both in one unit.
// FLIP's usual 67 are 3840 pixels on 0.7 m from 0.7 m.
double pixels_per_degree(double pixels, double width, double distance);
inline constexpr float usual_pixels_per_degree = 67.020645f, least_pixels_per_degree = 5, most_pixels_per_degree = 400;

inline constexpr auto all_difference_kinds = all_values<DifferenceKind>;

struct DifferenceSettings {
    DifferenceKind kind = DifferenceKind::absolute;
    float gain =
        8;  // 1 … 2²⁴: a difference of 1/gain, of ΔE2000 100/gain, is the end of the colour map; signed: −1/gain …
    ColourMap map = ColourMap::channels;                // with a colour map: the channel with the largest difference
    float pixels_per_degree = usual_pixels_per_degree;  // of FLIP

    bool operator==(const DifferenceSettings&) const = default;
};

struct DisplayJob {
    ValuePlane shown;    // premultiplied if there is alpha
    ValuePlane against;  // no values: `shown` is displayed unchanged; else the difference of the two
    int width = 0, height = 0, channels = 1;
    bool has_alpha = false;       // the last channel
    bool against_masked = false;  // NaN in `against` is a pixel that is not compared: hatched
    // A map of errors instead of both: one number per pixel, in memory of the backend, by difference.kind; NaN is hatched.
    const float* map = nullptr;
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
    return job.against.values || job.map ? job.difference.map : job.display.map;
}

// Computes rows [first, last) on the calling thread.
void display_rows(const DisplayJob& job, int first, int last);

// Enqueues the job on the stream. Throws Error if the launch is refused.
void launch_display(const DisplayJob& job, CUstream_st* stream);

}  // namespace texelscope
