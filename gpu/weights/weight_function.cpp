#include "gpu/weights/weights.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <fmt/format.h>
#include <muParser.h>

namespace texelscope {
namespace {

double absolute(double x) { return std::abs(x); }
double sine(double x) { return std::sin(x); }
double cosine(double x) { return std::cos(x); }
double exponential(double x) { return std::exp(x); }
double root(double x) { return std::sqrt(x); }
double power(double x, double y) { return std::pow(x, y); }

// sin(πx) / (πx)
double cardinal_sine(double x) {
    const double angle = std::numbers::pi * x;
    return std::abs(angle) < 1e-8 ? 1.0 : std::sin(angle) / angle;
}

double least(const double* values, int count) {
    double result = values[0];
    for (int i = 1; i < count; ++i) result = values[i] < result || values[i] != values[i] ? values[i] : result;
    return result;
}

double largest(const double* values, int count) {
    double result = values[0];
    for (int i = 1; i < count; ++i) result = values[i] > result || values[i] != values[i] ? values[i] : result;
    return result;
}

}  // namespace

struct Formula::Compiled {
    mu::Parser parser;
    double x = 0;
    double parameter[WeightFile::most_parameters] = {};
};

namespace {

// muParser's own message, as a sentence of ours.
std::string sentence_of(const mu::ParserError& error) {
    switch (error.GetCode()) {
        case mu::ecTOO_MANY_PARAMS:
            return fmt::format("there are too many values in the parentheses of {}", error.GetToken());
        case mu::ecTOO_FEW_PARAMS:
            return fmt::format("there are too few values in the parentheses of {}", error.GetToken());
        case mu::ecUNEXPECTED_EOF: return "the formula ends too early: something is missing after its last sign";
        case mu::ecUNEXPECTED_ARG_SEP: return "this comma is not between the values of a function";
        case mu::ecMISPLACED_COLON:
        case mu::ecMISSING_ELSE_CLAUSE: return "a choice has the form condition ? value : other value";
        case mu::ecUNEXPECTED_OPERATOR:
        case mu::ecUNEXPECTED_VAL:
        case mu::ecUNEXPECTED_VAR:
        case mu::ecUNEXPECTED_FUN:
        case mu::ecUNEXPECTED_PARENS:
        case mu::ecUNEXPECTED_CONDITIONAL:
            return error.GetToken().empty()
                       ? "the formula cannot be read from here on"
                       : fmt::format("'{}' does not fit here: something is missing before it", error.GetToken());
        default: return "the formula cannot be read from here on";
    }
}

}  // namespace

Formula::Formula(const WeightFile& file) : compiled_(std::make_unique<Compiled>()) {
    mu::Parser& parser = compiled_->parser;
    try {
        parser.ClearFun();
        parser.ClearConst();
        parser.DefineConst("pi", std::numbers::pi);
        parser.DefineFun("abs", absolute);
        parser.DefineFun("min", least);
        parser.DefineFun("max", largest);
        parser.DefineFun("sin", sine);
        parser.DefineFun("cos", cosine);
        parser.DefineFun("sinc", cardinal_sine);
        parser.DefineFun("exp", exponential);
        parser.DefineFun("sqrt", root);
        parser.DefineFun("pow", power);
        parser.DefineVar("x", &compiled_->x);
        for (size_t i = 0; i < file.parameters.size(); ++i)
            parser.DefineVar(file.parameters[i].id, &compiled_->parameter[i]);
        parser.SetExpr(file.formula);
        int results = 0;
        parser.Eval(results);  // parses; whatever the values
        if (results != 1)
            throw WeightError({file.formula_line, file.formula_column,
                               "a formula has one value: no comma stands outside of a function's parentheses"});
    } catch (const mu::ParserError& error) {
        const int length = int(file.formula.size()), at = int(error.GetPos());
        throw WeightError({file.formula_line, file.formula_column + std::clamp(at, 0, length), sentence_of(error)});
    }
}

Formula::Formula(Formula&&) noexcept = default;
Formula::~Formula() = default;

double Formula::operator()(double x, std::span<const double> parameters) const {
    compiled_->x = x;
    for (size_t i = 0; i < parameters.size() && i < std::size(compiled_->parameter); ++i)
        compiled_->parameter[i] = parameters[i];
    try {
        return compiled_->parser.Eval();
    } catch (const mu::ParserError&) {
        return std::numeric_limits<double>::quiet_NaN();
    }
}

std::vector<WeightProblem> problems_of_text(std::string_view text) {
    ParsedWeights parsed = parse_weights(text);
    const auto check = [&](const WeightFile& file) {
        const int line = file.formula_line;
        const auto after =
            std::ranges::find_if(parsed.problems, [&](const WeightProblem& p) { return p.line >= line; });
        const bool known = after != parsed.problems.end() && after->line == line;
        if (file.formula.empty() || known) return;
        try {
            const Formula parses(file);
        } catch (const WeightError& error) {
            parsed.problems.insert(after, error.problem);
        }
    };
    check(parsed.file);
    for (size_t k = 0; k < parsed.file.stated.values.size(); ++k) check(parsed.file.with_value(k));
    return parsed.problems;
}

WeightFile WeightFile::with_value(size_t k) const {
    WeightFile file = *this;
    file.formula = stated.values.at(k).formula;
    file.formula_line = stated.line;
    file.formula_column = stated.values[k].column;
    return file;
}

WeightFunction::WeightFunction(std::string text) : text_(std::move(text)) {
    ParsedWeights parsed = parse_weights(text_);
    if (!parsed.problems.empty()) throw WeightError(parsed.problems.front());
    file_ = std::move(parsed.file);
    formula_.emplace(file_);
    for (size_t k = 0; k < file_.stated.values.size(); ++k) stated_.emplace_back(file_.with_value(k));
}

WeightFunction::WeightFunction(WeightFile file, RealFunction function)
    : file_(std::move(file)), function_(std::move(function)) {
    if (!is_radius(file_.radius)) throw WeightError({0, 1, bad_radius_sentence(fmt::format("{}", file_.radius))});
    if (!is_shown_name(file_.name)) throw WeightError({0, 1, bad_name_sentence()});
}

int WeightFunction::taps() const { return 2 * int(std::ceil(file_.radius)); }

double WeightFunction::formula_at(double x, std::span<const double> parameters) const {
    if (!(x >= -file_.radius && x < file_.radius)) return 0;
    return formula_ ? (*formula_)(x, parameters) : function_(x);
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

double WeightFunction::undivided(double x, std::span<const double> parameters) const {
    const std::lock_guard<std::mutex> lock(one_at_a_time_);
    return formula_at(x, parameters);
}

RealFunction WeightFunction::with(std::vector<double> parameters) const {
    return [this, parameters = std::move(parameters)](double x) { return (*this)(x, parameters); };
}

std::optional<WeightProblem> WeightFunction::problem(std::span<const double> parameters) const {
    constexpr int steps = 64;  // a sample; all samples themselves among them
    constexpr double largest = 1e6;
    const auto refused = [&](const std::string& sentence) {
        return WeightProblem{file_.formula_line, file_.formula_column, with_these(sentence, parameters)};
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
    return stated_.empty() ? std::nullopt : problem_of_prefilter(parameters);
}

std::optional<WeightProblem> WeightFunction::problem_of_prefilter(std::span<const double> parameters) const {
    const StatedPrefilter& stated = file_.stated;
    const auto problem = problem_of_filter(stated.recursive, stated_values(parameters));
    if (!problem) return {};
    const auto& value = stated.values[std::min(problem->value, stated.values.size() - 1)];
    return WeightProblem{stated.line, value.column, with_these(problem->sentence, parameters)};
}

std::string WeightFunction::with_these(std::string sentence, std::span<const double> parameters) const {
    for (size_t i = 0; i < file_.parameters.size(); ++i)
        sentence += fmt::format("{} {} = {:.6g}", i == 0 ? ", with" : ",", file_.parameters[i].id, parameters[i]);
    return sentence;
}

std::vector<double> WeightFunction::stated_values(std::span<const double> parameters) const {
    const std::lock_guard<std::mutex> lock(one_at_a_time_);
    std::vector<double> values;
    const int half = file_.stated.count / 2;
    if (file_.stated.count > 0)
        for (int k = -half; k <= half; ++k) values.push_back(stated_.front()(k, parameters));
    else
        for (const Formula& each : stated_) values.push_back(each(0, parameters));
    return values;
}

}  // namespace texelscope
