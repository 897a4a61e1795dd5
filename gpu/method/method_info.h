#pragma once
// The record that describes a method. Menus, command line, tests and documentation are all made from it.

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/core/names.h"

namespace texelscope {

struct AxisWeights;
struct BoundRecipe;
class CustomMethod;
struct DeviceQueue;
struct KernelChoice;
struct Prefilter;
struct ResampleJob;

// What menus sort methods by.
enum class MethodGroup { simple, cubic, spline, sinc, polar, library, own };
inline constexpr NamedValue<MethodGroup> method_groups[] = {
    {MethodGroup::simple, "simple", "Few taps along each axis, or positive weights that only smooth.", "Simple"},
    {MethodGroup::cubic, "cubic", "Piecewise cubics of four taps that are computed from the samples directly.",
     "Cubic"},
    {MethodGroup::spline, "spline", "B-splines and o-MOMS: smooth, and exact by their prefilter.", "Splines"},
    {MethodGroup::sinc, "sinc",
     "The ideal sinc function, cut off by a window, and piecewise polynomials that approximate it.", "Sinc"},
    {MethodGroup::polar, "polar", "Elliptical weighted averages: weights by the distance in the plane.", "EWA"},
    {MethodGroup::library, "library", "Resizing as other libraries do it: their rules, rounding included.",
     "Libraries"},
    {MethodGroup::own, "own", "Weight functions and CUDA kernels of your own.", "Own"}};
constexpr auto& names_table(MethodGroup) { return method_groups; }

// A tunable number of a method. Values outside [minimum, maximum] are refused.
struct ParameterInfo {
    std::string_view id;    // as in SPEC: bc:b=0.2
    std::string_view name;  // as in the panel
    std::string_view unit;  // empty: a plain number
    double minimum, maximum, standard;
    std::string_view summary;
};

// Values in the order of MethodInfo::parameters.
struct MethodParameters {
    static constexpr int capacity = 4;
    double value[capacity] = {};
    bool operator==(const MethodParameters&) const = default;
};

// One linear-filtered fetch of the path `hardware`: at `offset` samples from floor(x), times `weight`.
struct FilteredFetch {
    float offset, weight;
};

// Taps along an axis that kernels are compiled for.
inline constexpr int most_unrolled_taps = 8;

struct MethodInfo {
    std::string_view id = {};      // "catmull-rom"
    std::string_view family = {};  // the file in gpu/methods/ without its extension: "bc_cubic"
    MethodGroup group = MethodGroup::own;
    std::string_view name = {};           // "Catmull–Rom"
    std::string_view summary = {};        // one sentence for tooltip and documentation
    std::string_view paper = {};          // where it was published
    std::string_view formula = {};        // w(x) as a weights file has it (docs/weights.md); empty: there is none
    bool formula_divided = false;         // by the sum of the phase's weights
    int rank = 0;                         // position in menus; key 1 … 9 is rank 1 … 9
    bool interpolating = false;           // passes through the samples (with its prefilter, if it has poles)
    int order = 0;                        // approximation order L: error ~ h^L
    int order_unfiltered = 0;             // the same without prefilter
    int smoothness = -1;                  // continuous derivatives of the weight function; −1: it jumps
    std::vector<double> poles = {};       // of the prefilter; empty: the method takes samples, not coefficients
    std::string_view hardware_note = {};  // what the hardware path does, and its limits
    double tolerance = 0;                 // exact paths against float64, of the samples' range
    std::vector<ParameterInfo> parameters = {};

    // The weights of a method that a text defines (custom_method.h); null for all others.
    const CustomMethod* custom = nullptr;
    bool derives_prefilter = false;  // custom: from its weights, for each set of parameters

    const BoundRecipe* recipe = nullptr;  // gpu/recipes: how a library resizes with these weights; null for all others

    // The rest is filled in by described_by<Method>().
    int taps = 0;              // along each axis: the weight function is zero beyond |x| > taps / 2
    double radius = 0;         // where it ends, if that is before taps / 2: one tap is always zero; see radius_of()
    int hardware_fetches = 0;  // along each axis on the path `hardware`; 0: it has no such path

    // Weight function at distance x (samples), float64.
    std::function<double(double x, const MethodParameters&)> weight = nullptr;

    // The function that `weight` divides by its sum at each phase, up to a factor; null if it divides none.
    std::function<double(double x, const MethodParameters&)> undivided = nullptr;

    // The first derivative of `weight`; null if that is not continuously differentiable.
    std::function<double(double x, const MethodParameters&)> slope = nullptr;

    // The float32 weights of the `taps` taps, as the method's own code computes them: the simple code of the CPU and,
    // for a few methods, the GPU. All other code uses axis_weights(), which agree to 2.5e-7. t as in AxisPosition.
    std::function<std::vector<float>(float t, const MethodParameters&)> tap_weights = nullptr;

    // The fetches along one axis on the path `hardware`, t in [0, 1); empty for a point-filtered fetch.
    std::function<std::vector<FilteredFetch>(float t, const MethodParameters&)> filtered_fetches = nullptr;

    // Computes rows [first, last) of the job on the calling thread.
    std::function<void(const ResampleJob&, int first, int last)> resample_rows = nullptr;

    // Enqueues the whole job on the kernel of choose(), with axis_weights() of its method: launch() of cuda_launch.h, mostly by
    // launch_shared() of cuda_shared.h; null in builds without CUDA. Throws Error if the launch is refused.
    std::function<void(const ResampleJob&, const KernelChoice&, const AxisWeights&, const DeviceQueue&)> launch =
        nullptr;

    bool has_prefilter() const { return !poles.empty() || derives_prefilter; }

    // More taps than kernels unroll: on every path weights come from a table (tabulated.h).
    bool is_wide() const { return !custom && taps > most_unrolled_taps; }
    MethodParameters standard_parameters() const;
};

// Which function weights come from: the method's own; the one that antialiasing widens; the derivative.
enum class WeightForm { own, widened, derivative };

// What antialiasing widens: the weight function, before it is divided by its sums if it is, of the same integral. Refers to
// the record.
std::function<double(double x)> widened_function(const MethodInfo& method, const MethodParameters& parameters);

// All methods by rank. The references stay valid for the life of the program.
std::span<const MethodInfo* const> all_methods();

// Null if there is none with that id.
const MethodInfo* find_method(std::string_view id);

// A method file's static object; the record must outlive the program's main.
struct RegisterMethod {
    explicit RegisterMethod(MethodInfo info);
};

// What every backend requires of a method: checked once, when it registers itself.

// Throws Error for more poles than most_poles, for one not between −largest_pole and largest_pole, or 0, and for two
// that are not least_distance_of_poles apart.
void check_poles(std::span<const double> poles);

// Throws Error for a FIR whose number of taps is even, or not within min_taps … max_taps.
void check_prefilter(const Prefilter& prefilter);

// Throws Error for a record that some backend could not compute, or whose parameters are inconsistent.
void check_method(const MethodInfo& method);

}  // namespace texelscope
