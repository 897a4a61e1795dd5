#include "gpu/weights/weight_function.h"

#include <cmath>

#include <fmt/format.h>

namespace texelscope {

WeightFunction::WeightFunction(std::string text) : text_(std::move(text)) {
    ParsedWeights parsed = parse_weights(text_);
    if (!parsed.problems.empty()) throw WeightError(parsed.problems.front());
    file_ = std::move(parsed.file);
    formula_.emplace(file_);
}

int WeightFunction::taps() const { return 2 * int(std::ceil(file_.radius)); }

double WeightFunction::formula_at(double x, std::span<const double> parameters) const {
    return x >= -file_.radius && x < file_.radius ? (*formula_)(x, parameters) : 0;
}

double WeightFunction::operator()(double x, std::span<const double> parameters) const {
    if (!(x >= -file_.radius && x < file_.radius)) return 0;
    const std::lock_guard<std::mutex> lock(one_at_a_time_);
    const double weight = formula_at(x, parameters);
    if (!file_.normalise) return weight;
    double sum = 0;
    const double phase = x - std::floor(x);
    for (int k = -taps() / 2; k <= taps() / 2; ++k) sum += formula_at(phase + k, parameters);
    return weight / sum;
}

RealFunction WeightFunction::with(std::vector<double> parameters) const {
    return [this, parameters = std::move(parameters)](double x) { return (*this)(x, parameters); };
}

std::optional<WeightProblem> WeightFunction::problem(std::span<const double> parameters) const {
    constexpr int steps = 64;  // a sample; all samples themselves among them
    constexpr double largest = 1e6;
    const auto refused = [&](std::string sentence) {
        for (size_t i = 0; i < file_.parameters.size(); ++i)
            sentence += fmt::format("{} {} = {:.6g}", i == 0 ? ", with" : ",", file_.parameters[i].id, parameters[i]);
        return WeightProblem{file_.formula_line, file_.formula_column, sentence};
    };
    bool zero = true;
    for (int n = -taps() / 2 * steps; n <= taps() / 2 * steps; ++n) {
        const double x = double(n) / steps, weight = (*this)(x, parameters);
        zero = zero && weight == 0;
        const std::string at = fmt::format("at x = {:.6g}", x);
        if (std::isnan(weight)) return refused("w(x) is not a number " + at);
        if (std::isinf(weight)) return refused("w(x) is infinite " + at);
        if (!(std::abs(weight) <= largest))
            return refused(fmt::format("w(x) is {:.3g} {}: at most 10⁶ can be computed", weight, at));
    }
    if (zero) return refused("w(x) is zero everywhere");
    return {};
}

}  // namespace texelscope
