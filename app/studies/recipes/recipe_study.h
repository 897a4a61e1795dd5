#pragma once
// Which library's rule made a picture, and what each difference between two rules costs.

#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/state/scene.h"
#include "app/studies/experiments/experiment.h"
#include "gpu/backend/backend.h"
#include "gpu/backend/source_image.h"
#include "gpu/core/colour.h"
#include "gpu/core/image.h"
#include "gpu/recipes/recipe.h"

namespace texelscope {

// An unknown resizer, measured from an original and its result.

// Where pixels along an axis read: pixel i at offset + i · step, in samples.
struct MeasuredLine {
    double step = 1, offset = 0;
    std::string name;  // of the usual alignment that it is: "centers"; "measured" if it is none
};

// The weights of an axis by distance (sample minus position, in samples, increasing), their integral 1.
struct MeasuredResponse {
    MeasuredLine line;
    std::vector<double> distance, value;
    double shift = 0;      // samples: the response's centroid, by which pixels read elsewhere than at `line`
    double ripple = 0;     // how far the weights of a pixel are from summing to 1, at most
    double uncertain = 0;  // standard error of a value, of the largest one
    // At any distance, linear between those measured; zero beyond them.
    double at(double distance) const;
    double peak() const;
};

// What pixels do near the ends, by what fits their samples.
struct MeasuredEdges {
    std::string name;  // "clamp", …, or "normalise": weights beyond the image are left out; empty: none of these
    std::vector<std::string> alike;  // others that fit as well
    double residual = 0;             // RMS, of the range
};

struct MeasuredResizer {
    MeasuredResponse x, y;
    double residual =
        0;  // RMS of what it makes to the result, of the samples' range, where weights are within the image
    double condition = 1;  // of the equations: large where the picture has little detail, and weights are uncertain
    double bias = 0;       // mean of the result less what it makes, of the range
    MeasuredEdges edges;
    bool clipped = false;  // values beyond the range 0 … 1 were cut off
};

// Positions of both axes that are known, from a crop.
struct KnownLines {
    MeasuredLine x, y;
};

// Throws Error for pictures too small to tell.
MeasuredResizer measure_resizer(const Image& original, const Image& result,
                                const std::optional<KnownLines>& known = {});

// The result by measured weights: of the mean of the channels, f32 × 1, with edges.
Image made_by(const MeasuredResizer& resizer, const Image& original, Extent size);

// The fit within measure_resizer(): weights of each phase of both axes.

// Samples of one channel, row by row.
struct ChannelField {
    int width = 0, height = 0;
    std::vector<double> values;
    double at(int x, int y) const { return values[size_t(y) * size_t(width) + size_t(x)]; }
};
ChannelField field_of(const Image& image);  // the mean of its colours
ChannelField transposed(const ChannelField& field);

// Pixels of an axis that read at the same fraction of a sample, and their weights of the samples from floor(x) + low on.
struct PhaseWeights {
    double fraction = 0;
    int low = 0;
    std::vector<int> pixels;
    std::vector<double> weights;
};

struct AxisFit {
    MeasuredLine line;
    int samples = 0, pixels = 0;
    double reach = 0;                  // samples
    std::vector<PhaseWeights> phases;  // of pixels whose weights are all within the image
    std::vector<int> phase_of;         // of each pixel; -1: its weights leave the image
    int floor_of(int pixel) const;
};

// Each pixel a phase of its own unless `pooled`. The weights are a triangle's.
AxisFit axis_fit(const MeasuredLine& line, int samples, int pixels, double reach, bool pooled);

struct FitOptions {
    int rounds = 30;
    int most_lines = 256;  // rows or columns that one fit reads
    double ridge = 1e-12;  // of the mean square of the samples: what keeps weights small where nothing tells them
    double lowest = -1e300, highest = 1e300;  // results at these or beyond may have been cut off: left out
};

struct FitOutcome {
    double residual = 0;                 // RMS
    double bias = 0;                     // mean
    double condition = 1;                // of the worst equations
    double error = 0;                    // standard error of a weight along x
    size_t equations = 0, unknowns = 0;  // of both axes
};

// The mean over the phases of what the weights of a pixel add up to.
double sum_of_weights(const AxisFit& axis);

// Least squares, x and y in turns, until both settle. Throws Error if there are too few pixels.
FitOutcome fit_both(const ChannelField& original, const ChannelField& result, AxisFit& x, AxisFit& y,
                    const FitOptions& options);

// Rows of a field by the weights along y: only those in `rows`, all of which have a phase.
ChannelField combined_rows(const ChannelField& field, const AxisFit& y, const std::vector<int>& rows);

// Pixels that have a phase, at most so many.
std::vector<int> pixels_within(const AxisFit& axis, int most);

// A picture resized as the recipe's library would, alpha as that library treats it: f32, straight or without alpha, and where
// `stored` is u8 or u16, whole levels. Throws OutOfMemory or Error.
Image resized_by_rule(const std::shared_ptr<Backend>& backend, const Image& image, const ResizeRule& rule, Extent size);
Image resized_like(const std::shared_ptr<Backend>& backend, const Image& image, const BoundRecipe& recipe, Extent size);
ResizeRule rule_of(const BoundRecipe& recipe, const Image& image, Extent size);

// How far a picture is from another: in levels of its type, for floats as numbers.
struct Closeness {
    double largest = 0, mean = 0;
    double equal = 0;  // share of the samples, 0 … 1
    int worst_x = 0, worst_y = 0;
    double psnr = 0;  // dB, against the range of the type; infinite: equal
    bool levels = true;
    bool exact() const { return largest == 0; }
    bool within_one() const { return levels ? largest <= 1 : largest <= 2e-6; }
};

// How close `made`, rounded to whole levels, is to `result`; both of the same size and channels.
Closeness closeness(const Image& made, const Image& result);

enum class Match { exact, within_one, possible, none };
inline constexpr NamedValue<Match> matches[] = {
    {Match::exact, "bit-exact", "Every sample is the same."},
    {Match::within_one, "within one level", "No sample is further off than one level, or 2e-6 in floats."},
    {Match::possible, "possible", "The JPEG that the result was stored as would be the same."},
    {Match::none, "none", "Some samples are further off."}};
constexpr auto& names_table(Match) { return matches; }

struct RankedRecipe {
    BoundRecipe recipe;
    Closeness closeness;
    Match match = Match::none;
    std::vector<std::string> same;        // recipes that make the same picture of this one: they cannot be told apart
    bool by_part = false;                 // compared on some pixels only, which were far enough off
    std::optional<double> possible = {};  // of a JPEG: the share of its coefficients that it would have stored likewise
};

// A JPEG that a result was stored as: what its coefficients of brightness are multiples of, row by row of a block.
struct StoredJpeg {
    std::array<int, 64> luma = {};
    int quality = 0;         // whose standard table it is; 0: a table of its own
    bool from_file = false;  // else found in the samples
};

// What a file says, if it is a JPEG. Its tables lie before the samples, after what cameras add.
std::optional<StoredJpeg> jpeg_of_file(std::span<const std::byte> bytes);
inline constexpr size_t jpeg_tables_within = 1 << 20;  // bytes

// The whole picture that was made of the original, and where the result lies in it: all of it, unless that is a crop.
struct Placement {
    Extent whole;
    int x = 0, y = 0;
    bool operator==(const Placement&) const = default;
};

// The weight function of a method or a recipe that is nearest to a measured response.
struct NearestWeights {
    std::string name;
    double stretch = 1;  // above 1: widened, so that the resizer antialiases
    double error = 0;    // largest difference of the responses, of the largest weight
};
NearestWeights nearest_weights(const MeasuredResponse& response);

// The method's weight function, or what is widened of it if stretch is above 1; not stretched yet.
std::function<double(double x)> weights_stretched_by(double stretch, const MethodInfo& method,
                                                     const MethodParameters& parameters);

// The response as the text of a weight function (docs/weights.md), in samples if it is not widened, else in pixels of the
// result: cubics, as few as come within `tolerance`, of the largest weight, of what was measured.
std::string weights_text_of(const MeasuredResponse& response, double stretch, double tolerance);

// An unknown resizer, and what it is nearest to.
struct Measured {
    MeasuredResizer resizer;
    NearestWeights x, y;
    bool linear_light = false;  // it fits better where both pictures are linear light
    std::string weights;        // of the response along x
    double reproduced = 0;      // RMS of what the weights make, edges included, to the result, of the range
};

struct Identification {
    std::string original_name, result_name;
    Extent original, result;
    bool channels_swapped = false;  // red and blue of the result, which was ranked with them put right
    SampleType type = SampleType::u8;
    std::vector<RankedRecipe> ranked;   // the nearest first
    std::optional<Measured> measured;   // where no recipe fits
    Placement placement = {};           // the result in what was made of the original
    bool cropped = false;               // it is not all of that
    std::optional<StoredJpeg> jpeg;     // the result was stored as one, and is ranked by its coefficients
    std::vector<std::string> findings;  // sentences, the answer first
};

// The percentage that recipes are ranked by, and what it is of: of a JPEG its coefficients, else equal samples.
struct RankedShare {
    const char *name, *tip;
    double (*percent)(const RankedRecipe&);  // NaN: not compared
};
RankedShare ranked_share(const Identification& found);

// Every recipe with every value of its options that is not a number.
const std::vector<BoundRecipe>& all_bound_recipes();

using StudyProgress = std::function<void(int done, int total)>;  // what it throws ends the study

// `file`: what the result's file says; a JPEG that was stored otherwise since is found in its samples. Throws UsageError for
// channels that do not belong together, Cancelled, OutOfMemory or Error.
Identification identify(const std::shared_ptr<Backend>& backend, const Image& original, const Image& result,
                        const StudyProgress& progress, const std::optional<StoredJpeg>& file = {});
ExperimentResult report_of(const Identification& identification);

// The answer and what it rests on, as sentences. `likeness`: the correlation of the result with all of the original.
std::vector<std::string> findings_of(const Identification& identification, double likeness);

// From one recipe to another, an ingredient at a time, in this order.
enum class Ingredient { alignment, widening, weights, edges, order, arithmetic, alpha };
inline constexpr NamedValue<Ingredient> ingredients[] = {
    {Ingredient::alignment, "alignment", "which position a pixel reads"},
    {Ingredient::widening, "antialiasing", "whether weights are widened where the picture shrinks, and blur before"},
    {Ingredient::weights, "weights", "the weight function, and which samples it is asked for"},
    {Ingredient::edges, "edges", "what counts beyond the image"},
    {Ingredient::order, "order of the axes", "which axis is resized first"},
    {Ingredient::arithmetic, "rounding",
     "fixed-point weights, rounding and clipping between the passes and at the end"},
    {Ingredient::alpha, "alpha", "whether colour is multiplied by alpha first"}};
constexpr auto& names_table(Ingredient) { return ingredients; }

struct ExplainedStep {
    Ingredient changed;
    std::string from, to;  // in words
    ResizeRule rule;
    Image picture;         // after the change
    Closeness step;        // to the picture before
    Closeness from_start;  // to the first recipe's
};

struct Explanation {
    std::string source;
    BoundRecipe from, to;
    Extent size;
    Image first;                       // by `from`
    std::vector<ExplainedStep> steps;  // only ingredients that differ; the last one's picture is that of `to`
    std::string answer() const;        // what changes most, one sentence
};

// Throws OutOfMemory or Error.
Explanation explain(const std::shared_ptr<Backend>& backend, const Image& image, const BoundRecipe& from,
                    const BoundRecipe& to, Extent size, const StudyProgress& progress = {});
ExperimentResult report_of(const Explanation& explanation);

// The picture of such a source, whole, made of its original: by a recipe, or of a step that explain() found. In the type of
// the original. Throws UsageError for recipes and ingredients that there are not, OutOfMemory or Error.
Image resized_picture(const std::shared_ptr<Backend>& backend, const Image& original, const ResizedSource& how);

// The ingredients of a rule in words, one for each Ingredient: what `texelscope methods like:…` and docs/libraries.md say.
std::string words(const ResizeRule& rule, Ingredient ingredient);

// docs/libraries.md; one recipe as a page of text; all of them, a line each.
std::string libraries_page();
std::string recipe_page(const BoundRecipe& recipe);
std::string recipes_list();

// Recipes by how near they come to a result.

// Pixels of what rules make of one original.
class Originals {
public:
    Originals(const std::shared_ptr<Backend>& backend, const Image& original);

    const Image& image() const { return original_; }

    // Columns × rows of the whole result, counted from the placement's corner.
    Image pixels(const ResizeRule& rule, const Placement& placement, const std::vector<int>& columns,
                 const std::vector<int>& rows);

private:
    const LongTaps& taps(const Rule& rule, int samples, int pixels, int first, const std::vector<int>& wanted);

    struct MadeTaps {
        Rule rule;
        int samples, pixels, first;
        std::vector<int> wanted;
        LongTaps taps;
    };

    const Image& original_;
    SourceImage premultiplied_, channels_;
    std::vector<std::unique_ptr<MadeTaps>> made_;  // the last ones: recipes of a library have axes in common
};

// All recipes, those that make the same picture together, the nearest first: all are compared on a few pixels at the edges and in
// the middle, those that are near on all of them. Throws what `progress` throws, OutOfMemory or Error.
std::vector<RankedRecipe> ranked(const std::shared_ptr<Backend>& backend, const Image& original, const Image& result,
                                 const Placement& placement, const StoredJpeg* jpeg, const StudyProgress& progress);

// Columns × rows of an image.
Image picked(const Image& image, const std::vector<int>& columns, const std::vector<int>& rows);

// 0 … count − 1.
std::vector<int> all_pixels(int count);

// A result that is a part of what was made of the original.

struct FoundCrop {
    KnownLines lines;     // where the result's pixels read, to about a tenth of a sample
    double likeness = 0;  // correlation with the original there, 0 … 1
    double of_whole = 0;  // with all of the original at the result's size
};

// Where in the original, and how much smaller, a result is. Empty: nowhere.
std::optional<FoundCrop> find_crop(const Image& original, const Image& result, const StudyProgress& progress);

// The correlation of the result with all of the original at its size, by areas: 1, or nearly, if it shows all of it.
double likeness_of_whole(const Image& original, const Image& result);

// The whole sizes and corners that such lines stand for, by each usual alignment, the likeliest first.
std::vector<Placement> placements_of(const KnownLines& lines, Extent original, Extent result);

// Where pixels of a placed result read, with centres aligned.
KnownLines lines_of(const Placement& placement, Extent original);

// What a JPEG leaves of a picture: whole multiples of its quantisation in 8×8 blocks.

// A picture that was decoded from a JPEG and stored otherwise, by the coefficients of its brightness: the quality whose
// standard table they are multiples of. Empty: it was none, or of a quality too high to be seen.
std::optional<StoredJpeg> jpeg_traces(const Image& image);

// The coefficients of brightness that a JPEG stored.
class JpegLuma {
public:
    JpegLuma(const Image& decoded, const StoredJpeg& jpeg);

    // The share of coefficients that the JPEG would have stored likewise of this picture: columns × rows of the whole one,
    // in whole blocks but for those at the ends. 0 … 1.
    double possible(const Image& made, const std::vector<int>& columns, const std::vector<int>& rows) const;

private:
    struct Block {
        bool cut_off = false;  // a sample at an end of the range: what was decoded beyond it is lost
        std::array<float, 64> coefficients = {};
    };
    const Block& block(int x, int y) const { return blocks_[size_t(y) * size_t(across_) + size_t(x)]; }

    StoredJpeg jpeg_;
    int across_ = 0;
    bool all_cut_off_ = false;
    std::vector<Block> blocks_;
};

}  // namespace texelscope
