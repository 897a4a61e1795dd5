#pragma once
// The weight function that a text defines: a number for each distance.

#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <string>

#include "gpu/weights/formula.h"

namespace texelscope {

// float64, of a distance in samples.
using RealFunction = std::function<double(double)>;

class WeightFunction {
public:
    // Throws WeightError for the first problem of the text.
    explicit WeightFunction(std::string text);

    const std::string& text() const { return text_; }
    const WeightFile& file() const { return file_; }

    // Taps along an axis: at x, those at floor(x) − taps/2 + 1 … floor(x) + taps/2.
    int taps() const;

    // The weight at x, zero unless −radius ≤ x < radius, divided by the sum at this phase if the file says so. From any thread.
    double operator()(double x, std::span<const double> parameters) const;

    // With these parameters. Refers to this object.
    RealFunction with(std::vector<double> parameters) const;

    // The first of closely spaced distances at which it is not a finite number of reasonable size, as a sentence; or
    // that it is zero everywhere.
    std::optional<WeightProblem> problem(std::span<const double> parameters) const;

private:
    double formula_at(double x, std::span<const double> parameters) const;

    std::string text_;
    WeightFile file_;
    mutable std::mutex one_at_a_time_;
    std::optional<Formula> formula_;  // evaluates in its own variables
};

}  // namespace texelscope
