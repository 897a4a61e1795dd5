#pragma once
// A formula that can be evaluated. Parsed by muParser, which is seen only in formula.cpp; nothing it can call touches
// anything but numbers.

#include <memory>
#include <span>

#include "gpu/core/errors.h"
#include "gpu/weights/weight_file.h"

namespace texelscope {

// With the place of what is wrong.
class WeightError : public Error {
public:
    explicit WeightError(const WeightProblem& of) : Error(to_string(of)), problem(of) {}
    WeightProblem problem;
};

class Formula {
public:
    // Throws WeightError where the formula of the file does not parse. The file has no problems (parse_weights).
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

}  // namespace texelscope
