#pragma once
// Rules: how a library resizes along one axis, as ingredients that can be named, compared and exchanged one at a time, and
// the taps that follow from them. Everything that libraries do along an axis is linear, so taps are all that a backend needs.

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gpu/core/address.h"
#include "gpu/core/names.h"
#include "gpu/method/long_taps.h"

namespace texelscope {

// One axis of a resize, or the part of one that a view shows.
struct ResizedAxis {
    int samples = 1;              // n, of the image
    double pixels = 1;            // N, of the whole result: a whole number but in views
    double first = 0;             // the pixel of the result that the first of `count` is; whole but in views
    int count = 1;
    bool whole() const { return first == 0 && pixels == count; }
    double step() const { return samples / pixels; }
};

// Which position pixel i reads, in samples. `factor` is the rule's own, if the library was given one instead of a size; else
// it is N / n.
enum class Alignment {
    centers,  // (i + ½) / factor − ½
    corners,  // i (n − 1) / (N − 1); 0 where N = 1
    asymmetric,  // i / factor
    corner_areas,  // (i + ½) (n − 1) / (N − 1) − ½: what antialiasing with aligned corners makes of it in PyTorch
};
inline constexpr NamedValue<Alignment> rule_alignments[] = {
    {Alignment::centers, "centers", "The outer edges of both pictures coincide."},
    {Alignment::corners, "corners", "The centres of the corner samples coincide."},
    {Alignment::asymmetric, "asymmetric", "The centres of the first samples coincide, and steps follow from the sizes."},
    {Alignment::corner_areas, "corner areas", "Steps of aligned corners, counted from the outer edge."}};
constexpr auto& names_table(Alignment) { return rule_alignments; }

// Which sample is the nearest to a position.
enum class NearestRule { half_up, half_down, half_even, floor, ceil };
inline constexpr NamedValue<NearestRule> nearest_rules[] = {
    {NearestRule::half_up, "half up", "At ties the sample after."},
    {NearestRule::half_down, "half down", "At ties the sample before."},
    {NearestRule::half_even, "half to even", "At ties the sample of even index."},
    {NearestRule::floor, "floor", "The sample before."},
    {NearestRule::ceil, "ceil", "The sample after."}};
constexpr auto& names_table(NearestRule) { return nearest_rules; }

// What weights the samples have that a pixel reads.
enum class TapRule {
    weights,        // those of a weight function, by distance
    nearest,        // one sample
    box,            // the part of a sample that the pixel's area covers
    bins,           // equal, of all samples that the pixel's area touches (adaptive pooling)
    halves,         // of half as many pixels: equal of two samples; of an odd number of samples 1 2 1, and the last is left out
    opencv_linear,  // two samples, whose weights are the parts of the pixel's area where it enlarges (INTER_AREA of OpenCV)
};
inline constexpr NamedValue<TapRule> tap_rules[] = {
    {TapRule::weights, "weights", "By a weight function."},
    {TapRule::nearest, "nearest", "One sample."},
    {TapRule::box, "area", "Samples by the part of the pixel's area that they fill."},
    {TapRule::bins, "bins", "The mean of all samples that the pixel's area touches."},
    {TapRule::halves, "halves", "The mean of two samples, or of three by 1 2 1."},
    {TapRule::opencv_linear, "area, enlarging", "Two samples, by the parts of the pixel's area."}};
constexpr auto& names_table(TapRule) { return tap_rules; }

// Which samples a weight function is asked for.
enum class TapWindow {
    open,     // those nearer than its radius
    rounded,  // Pillow's: from int(c − r + ½) to int(c + r + ½) − 1, with c = x + ½
    taps,     // the 2r around the position, from floor(x) − r + 1 on
};
inline constexpr NamedValue<TapWindow> tap_windows[] = {{TapWindow::open, "open", "Samples nearer than the radius."},
                                                 {TapWindow::rounded, "rounded", "Ends of the window are rounded."},
                                                 {TapWindow::taps, "taps", "As many samples as taps."}};
constexpr auto& names_table(TapWindow) { return tap_windows; }

// How a number with a fraction becomes an integer.
enum class Rounding { none, half_even, half_up, half_away, down, floor };
inline constexpr NamedValue<Rounding> roundings[] = {
    {Rounding::none, "none", "Not rounded."},
    {Rounding::half_even, "half to even", "To the nearest, ties to the even one."},
    {Rounding::half_up, "half up", "To the nearest, ties up."},
    {Rounding::half_away, "half away", "To the nearest, ties away from zero."},
    {Rounding::down, "towards zero", "Cut off."},
    {Rounding::floor, "floor", "Down."}};
constexpr auto& names_table(Rounding) { return roundings; }
double rounded(double value, Rounding rounding);

// A Gaussian before the resize.
struct BlurBefore {
    double sigma = 0;  // samples; 0: none
    double truncate = 4;  // its radius is int(truncate · sigma + ½)
    bool operator==(const BlurBefore&) const = default;
};

struct Rule;

// The taps of a whole axis in a library's own arithmetic, where the last bits of its weights matter: with parameters of its
// own, and of no other use than the rule that it belongs to. The rule's ingredients describe the same but for these bits.
struct TapTable {
    LongTaps (*make)(const Rule& rule, const ResizedAxis& axis) = nullptr;
    std::array<double, 4> parameters = {};
    bool operator==(const TapTable&) const = default;
};

struct Rule {
    TapRule tap_rule = TapRule::weights;
    // Of TapRule::weights: a method's spec ("bicubic:a=-0.75", "bspline"), or the text of a weight function, as in
    // docs/weights.md, which is the raw one: `normalise = no`.
    std::string weight = "bilinear";
    double radius = 0;     // instead of the weight function's own; 0: that
    bool widened = false;  // where the picture shrinks, by the step
    double least_stretch = 1;
    bool unit_area = true;  // weights are divided by their sum, in the library's own order of operations
    TapWindow window = TapWindow::open;
    NearestRule nearest = NearestRule::half_up;
    Alignment alignment = Alignment::centers;
    std::optional<double> factor = {};  // pixels per sample, given instead of a size
    bool single_positions = false;  // computed in float32
    bool reciprocal_step = false;   // the step is 1 / (N / n), each rounded, and the ½ after is subtracted without rounding
    bool added_steps = false;       // the first position is rounded, and the step added on without
    double position_shift = 0;      // added to positions: at a tie, which sample counts
    int position_steps = 0;         // positions are rounded to 1/n; 0: not
    Rounding position_rounding = Rounding::half_even;
    std::optional<AddressMode> edges = {};  // empty: taps beyond the image are left out, and the others sum to 1
    bool prefilter = true;             // of B-splines
    BlurBefore blur = {};
    bool single_weights = false;       // rounded to float32 before they are divided by their sum
    int bits = 0;  // weights are integers of 2^−bits; 0: floats
    double one = 0;  // the integer that stands for a weight of 1; 0: 2^bits
    Rounding weight_rounding = Rounding::half_even;
    TapTable table = {};  // empty: taps follow from the above
    bool operator==(const Rule&) const = default;
};

// Where pixel first + k of the axis reads, in samples.
double position_of(const Rule& rule, const ResizedAxis& axis, int k);

// The taps of the axis. With `bits`, integers. Taps beyond the image are those of `edges`; without, none are. Throws Error
// for a weight that is none.
LongTaps taps_of(const Rule& rule, const ResizedAxis& axis);

struct ResizeStage;

// What a library does with both axes.
struct ResizeRule {
    Rule x, y;
    LongPasses passes = {};
    bool premultiplied = true;  // a last channel that is alpha; else it is a channel like others
    std::vector<ResizeStage> before = {};  // what is made of the whole picture first, one after the other: x and y read the last
    bool operator==(const ResizeRule&) const;
};

// A picture on the way, by the first rule; with two, `share` of it is by the second.
struct ResizeStage {
    int width = 1, height = 1;
    std::vector<ResizeRule> rules = {};
    float share = 0;
    bool operator==(const ResizeStage&) const = default;
};
inline bool ResizeRule::operator==(const ResizeRule&) const = default;

}  // namespace texelscope
