#pragma once
// How float values become pixels of the screen, beyond clamping them: exposure, single channels, complex data,
// differences, colour maps.

#include <array>
#include <cstdint>
#include <string_view>

namespace texelscope {

// Perceptually uniform: equal steps of the value are equal steps of lightness (OKLab's revised one, see colour_map.cpp).
enum class ColourMap {
    channels,  // none: each colour channel separately
    grey,      // black to white
    ember,     // black, violet, orange, pale yellow: lightness rises all the way
    lagoon,    // dark blue, green, yellow: the same with other hues
    balance    // for signed values: blue, neutral in the middle, orange; lightness rises towards the middle
};
inline constexpr std::array<ColourMap, 5> all_colour_maps = {ColourMap::channels, ColourMap::grey, ColourMap::ember,
                                                             ColourMap::lagoon, ColourMap::balance};
std::string_view name_of(ColourMap map);

// 256 colours, RGBA8 as the screen takes it (red in the lowest byte), opaque. `channels`: the same as grey.
const std::array<uint32_t, 256>& colour_table(ColourMap map);

// The colour channels shown.
enum class ChannelView { all, first, second, third, alpha, luma };

// How two channels of plain data are shown.
enum class ComplexView {
    parts,      // real part red, imaginary part green
    magnitude,  // grey
    phase,      // hue at one lightness
    polar,      // hue by phase, lightness by magnitude: black at the black level, as for `phase` at the white one
    domain      // hue by phase, lightness by magnitude, a step at each power of two
};

// The backdrop of pixels that are not opaque.
enum class Backdrop { grey, checkerboard };

// Brings values above 1 onto the screen, after the exposure.
enum class ToneCurve {
    none,      // what is above 1 is white
    reinhard,  // Reinhard et al. 2002, eq. 3: each colour times 1 / (1 + L), L its Rec. 709 luminance
    aces       // each channel by Narkowicz's fit of the ACES film curve, 2015: 0.8 at 1, white at 7.3
};
inline constexpr std::array<ToneCurve, 3> all_tone_curves = {ToneCurve::none, ToneCurve::reinhard, ToneCurve::aces};
constexpr std::string_view name_of(ToneCurve curve) {
    switch (curve) {
        case ToneCurve::none: return "none";
        case ToneCurve::reinhard: return "reinhard";
        case ToneCurve::aces: return "aces";
    }
    return "";
}

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
inline constexpr std::array<DifferenceKind, 4> all_difference_kinds = {
    DifferenceKind::signed_, DifferenceKind::absolute, DifferenceKind::squared, DifferenceKind::relative};
constexpr std::string_view name_of(DifferenceKind kind) {
    switch (kind) {
        case DifferenceKind::signed_: return "signed";
        case DifferenceKind::absolute: return "absolute";
        case DifferenceKind::squared: return "squared";
        case DifferenceKind::relative: return "relative";
    }
    return "";
}

struct DifferenceSettings {
    DifferenceKind kind = DifferenceKind::absolute;
    float gain = 8;  // 1 … 2²⁴: a difference of 1/gain is the end of the colour map; signed: −1/gain … 1/gain
    ColourMap map = ColourMap::channels;  // with a colour map: the channel with the largest difference

    bool operator==(const DifferenceSettings&) const = default;
};

}  // namespace texelscope
