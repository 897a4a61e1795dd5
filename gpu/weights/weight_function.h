#pragma once
// Weight functions from a text: the formula, and what is made of it.

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/core/errors.h"
#include "gpu/weights/weight_file.h"

namespace texelscope {

// A formula that can be evaluated. Parsed by muParser, which is seen only in weight_function.cpp; nothing it can call touches
// anything but numbers.

// With the place of what is wrong.
class WeightError : public Error {
public:
    explicit WeightError(const WeightProblem& of) : Error(to_string(of)), problem(of) {}
    WeightProblem problem;
};

class Formula {
public:
    // Throws WeightError where the formula of the file does not parse. parse_weights() found no problem in its line.
    explicit Formula(const WeightFile& file);
    Formula(Formula&&) noexcept;
    ~Formula();

    // float64, at distance x; parameters in the order of the file. From one thread at a time. What a formula cannot
    // compute is NaN.
    double operator()(double x, std::span<const double> parameters) const;

private:
    struct Compiled;
    std::unique_ptr<Compiled> compiled_;
};

// All that is wrong with a text as far as no weight is computed: like that of parse_weights(), and whether the formula parses.
std::vector<WeightProblem> problems_of_text(std::string_view text);

// The weight function that a text defines: a number for each distance.

// float64, of a distance in samples.
using RealFunction = std::function<double(double)>;

class WeightFunction {
public:
    // Throws WeightError for the first problem of the text.
    explicit WeightFunction(std::string text);

    // Takes a function of the program instead of a formula. It is called from one thread at a time, as long as this object
    // lives. The parts of `file` have no formula and no parameters. Throws WeightError for a radius that texts may not have.
    WeightFunction(WeightFile file, RealFunction function);

    const std::string& text() const { return text_; }  // empty: of a function
    const WeightFile& file() const { return file_; }

    // Taps along an axis: at x, those at floor(x) − taps/2 + 1 … floor(x) + taps/2.
    int taps() const;

    // The weight at x, zero unless −radius ≤ x < radius, divided by the sum at this phase if the file says so. From any thread.
    double operator()(double x, std::span<const double> parameters) const;

    // The formula itself: what is divided by the sum at each phase if the file says so.
    double undivided(double x, std::span<const double> parameters) const;

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
    RealFunction function_;           // if there is no formula
};

}  // namespace texelscope
