#pragma once
// Methods made from a text (gpu/weights): their record, and all that is computed for one set of their parameters.

#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "gpu/method/axis_weights.h"
#include "gpu/method/method_info.h"
#include "gpu/method/spec.h"
#include "gpu/weights/inverse_filter.h"
#include "gpu/weights/weights.h"

namespace texelscope {

inline constexpr std::string_view custom_id = "custom";

// For one set of parameters.
struct CustomWeights {
    std::vector<FittedPiece> pieces,
        undivided;  // the second: of what is widened if the text says `normalise`; else none
    DerivedPrefilter prefilter;
    bool stated = false;  // by the text, whatever the weights are
    PackedPieces<float> packed;
    double largest_error = 0;  // of the packed weights to the formula, wherever that is continuous

    // Polynomials in the fraction, for the code that methods share; taps 0: the function is uneven, has kinks between
    // samples or more than eight taps, and weights come from the pieces.
    AxisWeights shared;
    int fetches = 0;  // along an axis on the path `hardware`; 0: it computes exact weights like `lookup`

    const std::vector<FittedPiece>& widened() const { return undivided.empty() ? pieces : undivided; }

    // On samples or, prefiltered, on the prefilter's coefficients.
    ApproximationOrder order(bool prefiltered) const {
        return approximation_order(pieces, prefiltered, stated ? prefilter.response : std::span<const double>());
    }
    bool interpolates(bool prefiltered) const {
        return is_interpolating(pieces, prefiltered ? prefilter.response : std::span<const double>());
    }

    // Fetches of the shared kernels that compute these weights: all taps in pairs, or the two in the middle in one.
    int kernel_fetches() const {
        return shared.taps == 2 || 2 * fetches == shared.taps ? shared.taps / 2 : shared.taps - 1;
    }
};

class CustomMethod {
public:
    // Throws WeightError for the first problem of the text, with standard parameters.
    explicit CustomMethod(std::string text);

    // A method of a function of the program instead of a text, see WeightFunction. The function is called here only.
    CustomMethod(const WeightFile& file, const RealFunction& function);

    const WeightFunction& function() const { return function_; }
    const MethodInfo& info() const { return info_; }

    // Kept for the last few. Throws Error, with the place, if the formula has no weights with these parameters.
    std::shared_ptr<const CustomWeights> weights(const MethodParameters& parameters) const;

    // Their pieces in float32.
    PackedPieces<float> packed(const MethodParameters& parameters, WeightForm form) const;

private:
    struct Kept {
        MethodParameters parameters;
        std::shared_ptr<const CustomWeights> weights;
    };

    std::shared_ptr<const CustomWeights> computed(const MethodParameters& parameters) const;
    void check_and_describe();
    void describe();

    WeightFunction function_;
    MethodInfo info_;
    mutable std::mutex one_at_a_time_;
    mutable std::list<Kept> kept_;  // the last used first
};

// The method of a text, made at its first use; the same text has the same record, for the life of the program. Throws
// WeightError. At most most_custom_methods: an Error says so.
inline constexpr size_t most_custom_methods = 4096;
const MethodInfo& custom_method(const std::string& text);

// A method of a function of the program, a new one with each call, which counts as well.
const MethodInfo& custom_method(const WeightFile& file, const RealFunction& function);

// A custom method from a file of at most WeightFile::most_bytes. Throws FileError, with line and column of a problem.
const MethodInfo& custom_method_of_file(const std::string& path);

// A text as one word of a spec: letters, digits, '-', '_' and '.' as they are, others as %XX. Reading throws UsageError.
std::string encoded_text(std::string_view text);
std::string decoded_text(std::string_view word);

// Every method as a text that can be edited.

// The text of a built-in method with the spec's parameters, or a custom method's own.
std::string weights_text(const MethodSpec& spec);

}  // namespace texelscope
