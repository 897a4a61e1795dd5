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
#include "app/studies/recipes/measure.h"
#include "gpu/backend/backend.h"
#include "gpu/core/colour.h"
#include "gpu/core/image.h"
#include "gpu/recipes/recipe.h"

namespace texelscope {

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

// Of `made`, rounded to whole levels, to `result`; both of the same size and channels.
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

}  // namespace texelscope
