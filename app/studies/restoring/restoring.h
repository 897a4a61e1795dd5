#pragma once
// Which method restores a picture best: the pictures made and compared, the ideal reduction, reports.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/drawing/sheet.h"
#include "app/studies/experiments/experiment.h"
#include "app/studies/restoring/outside_methods.h"
#include "app/text/text.h"
#include "gpu/backend/backend.h"
#include "gpu/compare/error_map.h"
#include "gpu/compare/metrics.h"
#include "gpu/core/colour.h"
#include "gpu/core/image.h"
#include "gpu/method/spec.h"

namespace texelscope {

// Which method is best for a picture: it is changed, restored by each of them, and compared with what it was.

// What is done to a picture that every method has to undo, and whose colours are compared.

// Which pixels' colours are compared.

// Whether an image has colours: three channels, or three and alpha.
bool has_colours(const Image& image);

// From the top: all rows, or of a picture with more than 2 million pixels one at a random place in each of many strips of
// equal height: enough for three digits of the mean and of the percentile. The same rows each time.
std::vector<int> compared_rows(Extent size);

// What is done to a picture that every method has to undo; or what every method does, and should have done.
struct Restoration {
    enum class Kind {
        shrink,  // by the factor, and back to the picture's size by each method
        rotate,  // `times` times by `step` degrees about the centre, and once more if it is not upright then
        shift,   // `times` times by `step` samples along x and y, and once more if they are not a whole number then
        reduce   // by the factor, antialiased, by each method; compared with the ideal reduction (band_limited)
    };
    Kind kind = Kind::shrink;
    double factor = 4;      // samples of the picture per sample of the small one, at least 1
    MethodSpec filter;      // of `shrink`
    bool antialias = true;  // whether the filter is widened by the factor; a recipe says that itself
    double step = 0;
    int times = 0;

    bool operator==(const Restoration&) const = default;
};

inline constexpr NamedValue<Restoration::Kind> restorations[] = {{Restoration::Kind::shrink, "shrink"},
                                                                 {Restoration::Kind::rotate, "rotate"},
                                                                 {Restoration::Kind::shift, "shift"},
                                                                 {Restoration::Kind::reduce, "reduce"}};
constexpr auto& names_table(Restoration::Kind) { return restorations; }

// The filter that shrinks unless another is chosen: Lanczos 3. It is sharp enough for methods to keep the order in which
// they approximate on every kind of picture; behind one that blurs, as the cubic B-spline does, nearest may look best.
MethodSpec usual_filter();

// What can shrink: all methods, then recipes with their usual options, and without or with antialiasing if they let one choose.
std::vector<const MethodInfo*> shrinking_methods();

// "4", "rotate:36x10" (times, degrees), "shift:0.5x8" (samples, times) or "shrink:3" (reduces); `option` names it in
// messages. Throws UsageError.
Restoration parse_restoration(std::string_view option, std::string_view text);

// The inverse, without filter and antialiasing.
std::string to_string(const Restoration& restoration);

// One step more: the degrees that make the picture upright, the part of a sample that makes the shift whole; 0 if it
// already is.
double last_step(const Restoration& restoration);

// The settings of a method that restores, unless its spec says otherwise: mirrored at the edges if it turns, shifts or is reduced.
MethodSpec restoring_defaults(const Restoration& restoration);

// The size of the shrunk or reduced picture: each side rounded, outer edges aligned.
Extent shrunk_size(const Restoration& restoration, const Image& image);

// The size of what is compared: the picture's, or the reduced one's.
Extent compared_size(const Restoration& restoration, const Image& image);

// What it is compared with: "the original" or "the ideal reduction".
std::string_view reference_name(const Restoration& restoration);

// The pixels that are compared as the interior, the same for every method: none of them reads beyond the picture,
// except for the tail of a prefilter, and in a rotated picture for what creeps in turn by turn. Throws Error, which
// begins with the picture's size, if too little of the picture remains or if it cannot be rotated or reduced.
Interior interior_of(const Restoration& restoration, const Image& image);

// "shrunk to 128×128 by bspline", "rotated 36 times by 10°", "shifted 8 times by 0.5 samples".
std::string words(const Restoration& restoration, const Image& image);

// "the image itself", or what the ideal reduction is.
std::string reference_words(const Restoration& restoration);

std::string words(const Interior& interior);

// By what methods are ranked: a figure over the interior.
enum class Judge { psnr, ssim, delta_e, flip, gmsd };
inline constexpr NamedValue<Judge> judges[] = {
    {Judge::psnr, "psnr", "Peak signal-to-noise ratio, dB: how far values are off.", "PSNR"},
    {Judge::ssim, "ssim", "The mean structural similarity: 1 is equal.", "SSIM"},
    {Judge::delta_e, "delta-e", "The mean ΔE2000: how different colours look, each pixel for itself.", "ΔE2000"},
    {Judge::flip, "flip", "The mean FLIP: how much is seen when two pictures take turns, from the viewing distance.",
     "FLIP"},
    {Judge::gmsd, "gmsd", "The spread of the similarity of gradients' magnitudes: 0 is equal.", "GMSD"}};
constexpr auto& names_table(Judge) { return judges; }
inline constexpr auto all_judges = all_values<Judge>;
constexpr bool more_is_better(Judge judge) { return judge == Judge::psnr || judge == Judge::ssim; }

struct RestoringPlan {
    std::string source;  // of the image, as it is named in reports
    std::shared_ptr<const Image> image;
    Light light = Light::stored;
    Restoration restoration;
    std::vector<MethodSpec> specs;
    size_t panes = 0;                         // of the best methods: what they made of the worst spot
    std::shared_ptr<const Image> whole = {};  // of which `image` is this part; null: it is all of the picture
    SampleRegion part = {};
    std::vector<OutsideMethod> outside = {};  // beside the specs, of a plan that shrinks or reduces
    std::vector<Judge> judges = {
        Judge::psnr};  // different ones; the first ranks. FLIP and GMSD are computed if they are here
    float pixels_per_degree = usual_pixels_per_degree;  // of FLIP

    const std::shared_ptr<const Image>& picture() const { return whole ? whole : image; }
};

// The samples of a part, which lies in the image, with its type, alpha and profile. For an image in memory.
Image part_of(const Image& image, const SampleRegion& part);

// Against the original, over one region.
struct RestoredFigures {
    Metrics metrics;
    std::optional<MapFigures> colours = {};              // ΔE2000, if the picture has colours; over compared_rows()
    std::optional<MapFigures> flip = {}, gradient = {};  // if they were wanted
};

// Runs of the same rendering, in milliseconds. Whatever else the machine does makes a run longer, never shorter: the shortest
// is the time, once three agree with it to a tenth.
struct TimedRuns {
    double milliseconds = 0, slowed = 1;  // the shortest; the median over it
};
bool is_confirmed(std::vector<double> times);
TimedRuns timed(std::vector<double> times);

struct RestoredMethod {
    MethodSpec spec;
    RestoredFigures inside = {}, all = {};  // over the interior; over all pixels
    double milliseconds = 0;  // of one rendering to floats, on the backend's clock: the shortest of several
    double slowed = 1;        // how many times as long their median is, since the machine did something else
    double fetches = 0;       // of a rendering, per pixel: an average if it is antialiased; NaN: made elsewhere
    std::optional<Displacement> displacement = {};  // of what was made elsewhere
    std::optional<Image> pane = {};                 // the worst spot, as the viewer shows it: u8 × 4, opaque
};

// Samples that are not finite. The test is made with a picture in which they are filled smoothly from their rim, or else every
// prefilter would ring around them; what depends on the filling is left out of the figures.
struct Holes {
    long long samples = 0;                     // 0: none
    int reach = 0;                             // pixels from one, along each axis, that are left out with it
    std::vector<bool> left_out = {};           // by pixel
    std::shared_ptr<const Image> filled = {};  // f32; null if there are none
};

// The samples of the plan's picture that are not finite. The reach is that of the longest taps and the slowest prefilter of all methods; shorter if less
// than a twentieth of the interior would be left. None for a plan that reduces, which needs finite samples.
Holes holes_of(const RestoringPlan& plan, const Interior& interior);

// Sets the values that are left out to NaN, which is not measured. `values`: f32, as large as the picture.
void leave_out(const Holes& holes, Image& values);

// "1800 samples are not finite: they and what is within 80 pixels are left out of the figures"; empty for none.
std::string words(const Holes& holes);

// The pixels around the largest error inside that the best method makes.
struct WorstSpot {
    int x = 0, y = 0;  // of its first pixel
    Extent size;
    Image original;  // u8 × 4, opaque; or of the ideal reduction
};

struct RestoringResult {
    RestoringPlan plan;
    Interior interior;
    Holes holes;  // without the filled picture
    BackendInfo backend;
    std::vector<RestoredMethod> methods;  // by the plan's first judge best first, otherwise in the plan's order
    std::optional<WorstSpot> spot;        // if the plan wants panes
    double seconds = 0;                   // of the whole comparison
};

// What is left out, and whether that leaves no place for SSIM; empty if nothing is.
std::string left_out_words(const RestoringResult& result);

// The interior and the holes in words.
std::string measured_words(const RestoringResult& result);

// The figure over the interior, as it is counted: a PSNR of at most most_counted_psnr; NaN if it is not known.
inline constexpr double most_counted_psnr = 120;  // dB: from here on it is rounding of float32
double figure_of(const RestoredMethod& method, Judge judge);

// The same, or its negative: more is better. NaN is less than anything for better().
double merit_of(const RestoredMethod& method, Judge judge);
bool better(const RestoredMethod& a, const RestoredMethod& b, Judge judge);
void sort_best_first(std::vector<RestoredMethod>& methods, Judge judge);  // of equal ones the first remains first

// "32.1 dB", "0.0312": a figure as it is shown.
std::string figure_text(Judge judge, double value);

// "psnr" or "flip,psnr": the first ranks; PSNR is added if it is missing. Throws UsageError that begins with `option`.
std::vector<Judge> parse_judges(std::string_view option, std::string_view text);

// Whether a picture has what the judge looks at: ΔE2000 needs colours, FLIP and GMSD colours or grey. Else why not, one
// sentence.
std::string why_no_judge(Judge judge, const Image& image);

// Reports finished parts of the work; throws to end it all.
using RestoringProgress = std::function<void(size_t done, size_t total)>;

// Gets the result so far after each method: without spot and panes.
using RestoringSoFar = std::function<void(const RestoringResult&)>;

// With alpha, premultiplied values are compared. Throws OutOfMemory, Error (see interior_of), or what `progress` throws.
RestoringResult restore_by_each(const RestoringPlan& plan, const std::shared_ptr<Backend>& backend,
                                const RestoringProgress& progress, const RestoringSoFar& so_far = {});

// The small picture that each method magnifies: f32. For a plan that shrinks.
Image shrunk_picture(const RestoringPlan& plan, const std::shared_ptr<Backend>& backend);

// What a method is judged by besides its quality. Fetches are the same on every run and every machine; times are not.
enum class Cost { fetches, time };
double cost_of(const RestoredMethod& method, Cost cost);  // per pixel; ms of one rendering

// Which methods no other one beats in both the judge's figure and cost: the front of quality against cost.
std::vector<bool> on_the_front(const std::vector<RestoredMethod>& methods, Cost cost = Cost::fetches,
                               Judge judge = Judge::psnr);

// The result of restoring in every form: for the terminal, the window and files.

// For a terminal: what was done to which picture, and a row for each method.
std::string restoring_text(const RestoringResult& result);

// Described in docs/compare.md.
std::string restoring_json(const RestoringResult& result);

// In words, with table, plot, panes and settings: result_as_html() makes a page of it, write_folder() files.
ExperimentResult restoring_report(const RestoringResult& result);

// The first judge's figure against cost, every point with its method's name, the front marked and labelled. Empty if no
// method has a finite one.
std::optional<Plot> quality_plot(const RestoringResult& result, Cost cost);

// The worst spot in the original and in the panes of the best methods, with their figures. Throws Error if the plan had
// no panes. `columns` 0: about 16:9.
Image restoring_sheet(const RestoringResult& result, int columns = 0);

// The command that computes it again.
std::string command_words(const RestoringPlan& plan, BackendKind backend);

// The answer to "which is best for this picture?", in one sentence.

// "Quintic B-spline restores this picture best: 32.1 dB against the original; cubic B-spline is 0.2 dB behind with 16
// instead of 36 fetches." By PSNR over the interior and by fetches; `methods`: the best first, as in a result.
std::string verdict(const Restoration& restoration, const std::vector<RestoredMethod>& methods);

// The method besides the best that this sentence is about; null if it is about the best alone.
const RestoredMethod* other_of_verdict(const std::vector<RestoredMethod>& methods);

// The verdict by all judges of the plan: one sentence if they agree, or that they do not: "Which is best depends on the figure: by
// FLIP it is Lanczos 3 (0.0312), by PSNR quintic B-spline (32.1 dB)." By PSNR alone it is the sentence above.
std::string verdict(const RestoringResult& result);
std::string judges_words(const std::vector<Judge>& judges, const std::vector<RestoredMethod>& methods);

// "Quintic B-spline is the best so far, 31.24 dB", of those that are done; empty if no method can be judged.
std::string best_so_far(const RestoringResult& result);

// The columns of the table of restored methods: one source of names, explanations and formats, for terminal, window and
// report.

struct RestoredColumn {
    std::string name, unit;  // "PSNR", "dB"; no unit: a plain number, or words
    std::string meaning;     // a sentence
    std::function<std::string(const RestoredMethod&)> text;
    std::function<double(const RestoredMethod&)> value = {};  // in the unit, NaN if there is none; empty: words
    int digits = 3;                                           // significant ones of the value in a report; 0: all
    bool more_is_better = false;
    std::string plain = {};  // heading in words, where there is room for it

    std::string heading() const { return unit.empty() ? name : name + " " + unit; }
};

// A method within a sentence; with its settings if it is among these more than once.
std::string name_among(const RestoredMethod& method, const std::vector<RestoredMethod>& methods);

// Method, SPEC, figures of the interior, PSNR over all, costs; of ΔE2000 if the picture has colours. Errors in the unit of
// `scale`. The numbers of a column have equally many decimals.
std::vector<RestoredColumn> restored_columns(const RestoringResult& result, const ValueScale& scale = {});

// "shrunk to 128×128 by lanczos3, antialiased, in linear light".
std::string done_words(const RestoringPlan& plan);

// "Closer to the original than anything with as few fetches: nearest neighbour, bilinear and quintic B-spline." Empty if
// no method can be judged.
std::string front_words(const RestoringResult& result);

// A sentence for each result of another program that lies beside the original; empty if none does.
std::string displacement_words(const std::vector<RestoredMethod>& methods);

// That times are rough, a sentence: if the runs of a quarter of the methods, or more, took plainly longer than their shortest.
std::string busy_words(const std::vector<RestoredMethod>& methods);

// The spot of a picture that panes show: where it is, its pixels as the viewer shows them, and the panes themselves.
// Internal to this folder.

// Around this pixel of a picture of this size: large enough for 24 samples of a small picture along each axis.
// (−1, −1): in the centre. Without its pixels.
WorstSpot spot_around(Extent size, const Restoration& restoration, int worst_x, int worst_y);

// f32, premultiplied if there is alpha, as u8 × 4, opaque. If the original has floats above 1, the largest is white.
Image shown(const Image& values, const Image& original);

// The original and the methods that have a pane, with letters, names and figures. Throws Error if there are none.
std::vector<SheetPane> restored_panes(const RestoringResult& result);

// "around the largest error of Quintic B-spline · iir".
std::string spot_place(const RestoringResult& result);

// The spot's size and place: "96×96 pixels around …".
std::string spot_words(const RestoringResult& result);

// The ideal reduction of a picture: what a lens without any detail beyond the small picture's Nyquist frequency would have
// let through.

// Whether every sample is: one that is not spoils the whole spectrum.
bool all_finite(const Image& picture);

// The picture (f32) at a size that is not larger, outer edges aligned: its spectrum, cut off at the small picture's
// Nyquist frequency along each axis and evaluated at the small picture's samples, all in float64. The picture is continued
// by its mirror image (half-sample symmetric), which has no seam. Values beyond the picture's range are kept. Throws Error
// unless all samples are finite, OutOfMemory.
Image band_limited(const Image& picture, Extent size);

}  // namespace texelscope
