#pragma once
// Rules: how a library resizes along one axis, as ingredients that can be named, compared and exchanged one at a time, and
// the taps that follow from them. Everything that libraries do along an axis is linear, so taps are all that a backend needs.

#include <array>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gpu/core/address.h"
#include "gpu/core/names.h"
#include "gpu/core/rounding.h"
#include "gpu/method/long_taps.h"

namespace texelscope {

// One axis of a resize, or the part of one that a view shows.
struct ResizedAxis {
    int samples = 1;    // n, of the image
    double pixels = 1;  // N, of the whole result: a whole number but in views
    double first = 0;   // the pixel of the result that the first of `count` is; whole but in views
    int count = 1;
    bool whole() const { return first == 0 && pixels == count; }
    bool of_whole_pixels() const { return first == double(int64_t(first)) && pixels == double(int64_t(pixels)); }
    double step() const { return samples / pixels; }
    bool operator==(const ResizedAxis&) const = default;
};

// Which position pixel i reads, in samples. `factor` is the rule's own, if the library was given one instead of a size; else
// it is N / n.
enum class Alignment {
    centers,       // (i + ½) / factor − ½
    corners,       // i (n − 1) / (N − 1); 0 where N = 1
    asymmetric,    // i / factor
    corner_areas,  // (i + ½) (n − 1) / (N − 1) − ½: what antialiasing with aligned corners makes of it in PyTorch
    half_pixels,  // (i + ½) / factor: half a sample too far, but for the sample before
    symmetric,    // as centers, but the middles of both pictures coincide, also where n · factor is not whole
    region,       // (n − 1) (from + i (to − from) / (N − 1)); the region's middle where N = 1
};
inline constexpr NamedValue<Alignment> rule_alignments[] = {
    {Alignment::centers, "centers", "The outer edges of both pictures coincide."},
    {Alignment::corners, "corners", "The centres of the corner samples coincide."},
    {Alignment::asymmetric, "asymmetric",
     "The centres of the first samples coincide, and steps follow from the sizes."},
    {Alignment::corner_areas, "corner areas", "Steps of aligned corners, counted from the outer edge."},
    {Alignment::half_pixels, "half pixels", "The middle of each pixel is the place of a sample."},
    {Alignment::symmetric, "symmetric", "The middles of both pictures coincide."},
    {Alignment::region, "region", "The corner pixels are those of a region of the image."}};
constexpr auto& names_table(Alignment) { return rule_alignments; }

// How a position follows from sizes n, N or a factor, in the arithmetic of the positions. It matters where these are float32,
// and at ties.
enum class Stepping {
    sizes,            // × n/N, and of nearest samples by one division of whole numbers
    step,             // × n/N
    quotient,         // × n, / N
    factor,           // / (N/n)
    inverse,          // × 1/(N/n)
    rounded_inverse,  // × 1/(N/n), which was computed in float64
    one_based,        // of centers: ½ + ½/(N/n) + i/(N/n) in float64, then rounded if positions are float32, less 1
    reciprocal,       // of centers: × 1 / (N / n), each rounded, and ½ is subtracted unrounded
    added,            // of centers: the first position is rounded, and that step added on without
    summed,           // of centers: the first and one step after the other, in float64: which sample counts at ties
    grid,  // of centers and corners: by coordinates from −1 to 1 in float32, as PyTorch's affine_grid and grid_sample have
};
inline constexpr NamedValue<Stepping> steppings[] = {
    {Stepping::sizes, "sizes", "By the sizes, exactly."},
    {Stepping::step, "step", "Times samples per pixel."},
    {Stepping::quotient, "quotient", "Times samples, by pixels."},
    {Stepping::factor, "factor", "By pixels per sample."},
    {Stepping::inverse, "inverse", "Times the inverse of pixels per sample."},
    {Stepping::rounded_inverse, "rounded inverse", "Times the inverse of pixels per sample, of float64."},
    {Stepping::one_based, "one-based", "By pixels per sample, counted from 1."},
    {Stepping::reciprocal, "reciprocal", "Times the inverse of pixels per sample; half a sample is taken off exactly."},
    {Stepping::added, "added", "A step after the other, from the first position on."},
    {Stepping::summed, "summed", "A step after the other, each sum rounded."},
    {Stepping::grid, "grid", "By coordinates from -1 to 1."}};
constexpr auto& names_table(Stepping) { return steppings; }

// What a pixel is whose position is before the first sample or beyond the last.
enum class Beyond {
    extended,  // by the edges
    value,     // LongPasses::fill
    period,    // that of the position modulo n − 1
};
inline constexpr NamedValue<Beyond> beyonds[] = {
    {Beyond::extended, "by the edges", "The image goes on there."},
    {Beyond::value, "one value", "One value."},
    {Beyond::period, "period", "The image begins again, its last sample on the first."}};
constexpr auto& names_table(Beyond) { return beyonds; }

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
    weights,  // those of a weight function, by distance
    nearest,  // one sample
    box,      // the part of a sample that the pixel's area covers
    bins,     // equal, of all samples that the pixel's area touches (adaptive pooling)
    pairs,  // of half as many pixels: equal of two samples; of an odd number of samples 1 2 1, and the last is left out
    opencv_linear,  // two samples, whose weights are the parts of the pixel's area where it enlarges (INTER_AREA of OpenCV)
};
inline constexpr NamedValue<TapRule> tap_rules[] = {
    {TapRule::weights, "weights", "By a weight function."},
    {TapRule::nearest, "nearest", "One sample."},
    {TapRule::box, "area", "Samples by the part of the pixel's area that they fill."},
    {TapRule::bins, "bins", "The mean of all samples that the pixel's area touches."},
    {TapRule::pairs, "pairs", "The mean of two samples, or of three by 1 2 1."},
    {TapRule::opencv_linear, "area, enlarging", "Two samples, by the parts of the pixel's area."}};
constexpr auto& names_table(TapRule) { return tap_rules; }

// Which samples a weight function is asked for.
enum class TapWindow {
    open,  // those nearer than its radius
    rounded,  // Pillow's: from int(c − r + ½) to int(c + r + ½) − 1, with c = x + ½; distances are multiplied by 1 / stretch
    taps,  // the 2r around the position, from floor(x) − r + 1 on
};
inline constexpr NamedValue<TapWindow> tap_windows[] = {
    {TapWindow::open, "open", "Samples nearer than the radius."},
    {TapWindow::rounded, "rounded", "Ends of the window are rounded."},
    {TapWindow::taps, "taps", "As many samples as taps."}};
constexpr auto& names_table(TapWindow) { return tap_windows; }

// In which arithmetic positions are computed, or weights, their sums and quotients.
enum class Precision {
    float64,
    steps,    // float64; but the step between positions is float32
    rounded,  // float64, and rounded to float32: positions by such a step; weights before they are divided by their sum
    float32,
};
inline constexpr NamedValue<Precision> precisions[] = {
    {Precision::float64, "float64", "All in float64."},
    {Precision::steps, "float32 steps", "By a step that is float32."},
    {Precision::rounded, "rounded to float32", "Computed in float64, then rounded to float32."},
    {Precision::float32, "float32", "All in float32."}};
constexpr auto& names_table(Precision) { return precisions; }

// A Gaussian before the resize.
struct BlurBefore {
    double sigma = 0;     // samples; 0: none
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
    // The weights of TapRule::weights: a method's spec ("bicubic:a=-0.75", "bspline"), or the text of a weight function, as in
    // docs/weights.md, which is the raw one: `normalise = no`.
    std::string weight = "bilinear";
    double radius = 0;     // instead of the weight function's own; 0: that
    bool widened = false;  // where the picture shrinks, by the step
    double least_stretch = 1;
    double stretch = 0;  // instead of the step; 0: that
    // Weights are divided by their sum, in the library's own order of operations; if not, widened ones are by the stretch,
    // and those of bins are 1.
    bool unit_area = true;
    Precision weight_precision = Precision::float64;
    TapWindow window = TapWindow::open;
    NearestRule nearest = NearestRule::half_up;
    double tie = 0;  // positions so near to a tie are one
    Alignment alignment = Alignment::centers;
    std::optional<double> factor = {};  // pixels per sample, given instead of a size
    Stepping stepping = Stepping::sizes;
    double region_from = 0, region_to = 1;  // of Alignment::region
    Precision position_precision = Precision::float64;
    double position_shift = 0;  // added to positions: at a tie, which sample counts
    int position_steps = 0;     // positions are rounded to 1/n; 0: not
    double span = 0;            // samples that all pixels cover together, from the first edge on; 0: all
    Rounding position_rounding = Rounding::half_even;
    std::optional<AddressMode> edges = {};  // empty: taps beyond the image are left out, and the others sum to 1
    Beyond beyond = Beyond::extended;
    bool prefilter = true;  // of B-splines; of a text only if that says `prefilter = auto`
    int padding = 0;  // the prefilter sees an image that is continued by so many samples, and mirrored from there on
    bool coefficients = false;  // what is read are B-spline coefficients, `padding` more of them at both ends
    BlurBefore blur = {};
    int bits = 0;    // weights are integers of 2^−bits; 0: floats
    double one = 0;  // the integer that stands for a weight of 1; 0: 2^bits
    Rounding weight_rounding = Rounding::half_even;
    bool rounded_within = false;  // after taps beyond the image have been added to those within; else before
    TapTable table = {};          // empty: taps follow from the above
    bool operator==(const Rule&) const = default;
};

// Where pixel `place` of the whole axis reads, in samples; places between pixels are allowed.
double position_of(const Rule& rule, const ResizedAxis& axis, double place);

// The taps of the axis in float64, all of the same number, whose weights are not rounded to float32 but by the rule itself.
struct RuleTaps {
    int taps = 1;
    std::vector<int> first;
    std::vector<double> weights;  // of a pixel: `taps` from pixel · taps on
};
RuleTaps exact_taps_of(const Rule& rule, const ResizedAxis& axis);

// The taps of any places of the axis, by which the picture's pixels are numbered, in any order.
RuleTaps taps_at(const Rule& rule, const ResizedAxis& axis, std::span<const double> places);

// The taps of the axis. With `bits`, integers. Taps beyond the image are those of `edges`; without, none are. Throws Error
// for a weight that is none.
LongTaps taps_of(const Rule& rule, const ResizedAxis& axis);

// The taps by which B-spline coefficients follow from samples, for an axis whose rule then reads these: none if it has no
// prefilter, or rounds its weights. `rule` becomes that of the coefficients.
std::optional<RuleTaps> taken_prefilter(Rule& rule, int samples);

struct ResizeStage;

// Pictures on the way, one after the other. A rule has them, and they have rules.
class ResizeStages {
public:
    ResizeStages();
    ResizeStages(std::vector<ResizeStage> stages);
    ResizeStages(std::initializer_list<ResizeStage> stages);
    ResizeStages(const ResizeStages&);
    ResizeStages(ResizeStages&&) noexcept;
    ResizeStages& operator=(const ResizeStages&);
    ResizeStages& operator=(ResizeStages&&) noexcept;
    ~ResizeStages();
    bool operator==(const ResizeStages&) const;

    std::vector<ResizeStage>& all() { return stages_; }
    const std::vector<ResizeStage>& all() const { return stages_; }

private:
    std::vector<ResizeStage> stages_;
};

// What a library does with both axes.
struct ResizeRule {
    Rule x, y;
    LongPasses passes = {};
    bool premultiplied = true;  // a last channel that is alpha; else it is a channel like others
    ResizeStages before = {};   // what is made of the whole picture first: x and y read the last
    bool operator==(const ResizeRule&) const = default;
};

// A picture on the way, by the first rule; with two, `share` of it is by the second.
struct ResizeStage {
    int width = 1, height = 1;
    std::vector<ResizeRule> rules = {};
    float share = 0;
    bool operator==(const ResizeStage&) const = default;
};

}  // namespace texelscope
