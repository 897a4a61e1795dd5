#pragma once
// Weight functions from a text: the formula, and what is made of it.

#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/core/errors.h"
#include "gpu/core/platform.h"
#include "gpu/weights/inverse_filter.h"

namespace texelscope {

// A weight function as text: the format of docs/weights.md, read into its parts. The formula is checked here for words
// and parentheses; what it means is for Formula.

// What is wrong with a text, and where; the sentence stands under that line.
struct WeightProblem {
    int line = 1, column = 1;  // from 1, line 0: in no line; columns count bytes
    std::string sentence;
    bool operator==(const WeightProblem&) const = default;
};

struct WeightParameter {
    std::string id;
    double minimum = 0, maximum = 1, standard = 0;
    bool operator==(const WeightParameter&) const = default;
};

// A prefilter that a text states instead of the one that follows from its weights: poles of recursions, or the taps of an
// even filter, as formulas of the parameters.
struct StatedPrefilter {
    struct Value {
        std::string formula;
        int column = 1;
    };
    bool recursive = true;      // the values are poles; false: taps
    int count = 0;              // taps of a single formula of x; 0: a formula for each
    std::vector<Value> values;  // empty: none is stated
    int line = 1;
};

// The parts of a text. Outside −radius ≤ x < radius all is zero, whatever the formula says.
struct WeightFile {
    static constexpr size_t most_bytes = 16384, most_formula_bytes = 2048, most_name_bytes = 80;
    static constexpr int most_depth = 32;
    static constexpr size_t most_parameters = 4;
    static constexpr double least_radius = 0.25, largest_radius = 8;

    std::string name = "Custom";
    double radius = 0;
    std::vector<WeightParameter> parameters;
    std::string formula;
    int formula_line = 1, formula_column = 1;  // where it begins, for what is found in it
    bool normalise = false;                    // weights are divided by their sum at each phase
    bool prefilter = true;                     // auto, or stated; false: none
    StatedPrefilter stated;

    // This file with the k-th formula of the stated prefilter instead of its own.
    WeightFile with_value(size_t k) const;
};

// Either the parts, or the problems that were found, at most one for each line, in the order of lines; 0: of no line.
struct ParsedWeights {
    WeightFile file;
    std::vector<WeightProblem> problems;
};

ParsedWeights parse_weights(std::string_view text);

// "line 3, column 8: …"
std::string to_string(const WeightProblem& problem);

// The words of a formula: which there are, and whether they fit together. No value is computed here.

inline constexpr std::array<std::string_view, 9> formula_functions = {"abs",  "min", "max",  "sin", "cos",
                                                                      "sinc", "exp", "sqrt", "pow"};

// Does a word begin with a letter, followed by letters, digits and underscores?
bool is_identifier(std::string_view word);

// A word that no parameter may be called: of formulas, or of method specs.
bool is_reserved(std::string_view word);

// What is wrong with the formula's words, parentheses or depth. `has_x`: it may use x.
std::optional<WeightProblem> problem_of_words(const WeightFile& file, bool has_x = true);

// What texts of one's own methods have in common, weight functions and CUDA kernels: lines of key = value, names, parameters.

// A finite number and nothing else.
bool parse_number(std::string_view text, double& value);

// Quoted in a sentence: short, and of printable characters.
std::string shown(std::string_view text);

// Whether menus can show it: at most WeightFile::most_name_bytes, printable.
bool is_shown_name(std::string_view name);
std::string bad_name_sentence();

// What a radius must be that is not this.
bool is_radius(double radius);
std::string bad_radius_sentence(std::string_view shown);

struct ParameterLine {
    WeightParameter parameter;
    std::string problem;  // empty: none
    bool at_id = false;   // where the problem is: its name, else its value
};

// "0.5 from 0 to 1" for a parameter of this name.
ParameterLine parse_parameter(std::string_view id, std::string_view value);

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

    // Poles or taps of the stated prefilter, to be checked by problem(). Only if one is stated.
    std::vector<double> stated_values(std::span<const double> parameters) const;

private:
    double formula_at(double x, std::span<const double> parameters) const;
    std::optional<WeightProblem> problem_of_prefilter(std::span<const double> parameters) const;
    std::string with_these(std::string sentence, std::span<const double> parameters) const;

    std::string text_;
    WeightFile file_;
    mutable std::mutex one_at_a_time_;
    std::optional<Formula> formula_;  // evaluates in its own variables
    std::vector<Formula> stated_;
    RealFunction function_;  // if there is no formula
};

// A prefilter that a text states, whatever its weights are.

// Why a filter of these poles, or of these taps from the first to the last, cannot be a prefilter, and which value is to
// blame.
struct FilterProblem {
    size_t value = 0;
    std::string sentence;
};
std::optional<FilterProblem> problem_of_filter(bool recursive, std::span<const double> values);

// That filter, without a problem: the recursions forth and back at each pole z, which let a constant pass,
// Π (1 − z)² / ((1 − z/ζ)(1 − zζ)); or the convolution with the taps. Its response is exact to the last digits everywhere.
DerivedPrefilter stated_prefilter(bool recursive, std::span<const double> values);

// A weight function as polynomials over pieces, for host and device: found by bisection, so that kinks and jumps lie
// between two pieces wherever they are.

inline constexpr int piece_degree = 13;

// Σ c[n]·sⁿ on begin ≤ x < end, s = (x − begin) / (end − begin). Never beyond an integer.
struct FittedPiece {
    double begin = 0, end = 0;
    int degree = 0;
    double c[piece_degree + 1] = {};

    double width() const { return end - begin; }
    double operator()(double x) const;
    // The n-th derivative at begin or, as a limit, at end.
    double derivative(int n, bool at_end) const;
};

// h on [−reach, reach), in order and without gaps; reach: a whole number of samples. Within 2e-13 of h times its largest
// value or 1, and by float32 arithmetic within 2e-7, except within 1e-14 of a place where h is not analytic. Exact at
// the left end of each piece. Throws Error if that takes more pieces or more evaluations than there is time for.
std::vector<FittedPiece> fit_pieces(const std::function<double(double)>& h, int reach, double radius);

// Their derivatives.
std::vector<FittedPiece> derivatives(std::vector<FittedPiece> pieces);

// Evaluated; zero outside.
double value_of(std::span<const FittedPiece> pieces, double x);

// A piece as plain data that a kernel reads.
template <class Real> struct PackedPiece {
    Real begin = 0, scale = 0;  // s = (t − begin) · scale, where t counts from the integer below
    Real c[piece_degree + 1] = {};
};

template <class Real> struct PieceTable {
    const PackedPiece<Real>* pieces = nullptr;  // memory of the backend
    const int* first = nullptr;                 // of each integer's pieces, from −reach; one more than 2 · reach
    int reach = 0, degree = 0;
};

// The memory of a table: its pieces, then `first`.
template <class Real> struct PackedPieces {
    std::vector<std::byte> bytes;
    size_t first_offset = 0;
    int reach = 0, degree = 0;

    PieceTable<Real> at(const void* memory) const {
        const char* start = static_cast<const char*>(memory);
        return {reinterpret_cast<const PackedPiece<Real>*>(start), reinterpret_cast<const int*>(start + first_offset),
                reach, degree};
    }
};

template <class Real> PackedPieces<Real> packed(std::span<const FittedPiece> pieces, int reach);

// At `whole` + t, 0 ≤ t < 1: two numbers, so that t is not rounded.
template <class Real> TS_HD Real piece_value(const PieceTable<Real>& table, int whole, Real t) {
    if (whole < -table.reach || whole >= table.reach) return 0;
    int low = table.first[whole + table.reach], high = table.first[whole + table.reach + 1] - 1;
    while (low < high) {  // the last one that begins at t or before
        const int middle = (low + high + 1) / 2;
        if (table.pieces[middle].begin <= t) low = middle;
        else high = middle - 1;
    }
    const PackedPiece<Real>& piece = table.pieces[low];
    const Real s = (t - piece.begin) * piece.scale;
    Real sum = piece.c[table.degree];
    for (int n = table.degree - 1; n >= 0; --n) sum = sum * s + piece.c[n];
    return sum;
}

// The largest difference of the float32 table to h, at closely spaced distances.
double largest_error(const PackedPieces<float>& table, const std::function<double(double)>& h,
                     std::span<const FittedPiece> pieces);

// What follows from a weight function alone. Each a pure function; moments as in Strang & Fix: M_m(t) = Σ (t − k)^m
// w(t − k).

// The extremes of the sum of the weights over the phases t in [0, 1).
struct WeightSum {
    double least = 1, largest = 1;
    double ripple() const { return largest - least; }
    bool is_one() const { return least > 1 - 1e-9 && largest < 1 + 1e-9; }
};
WeightSum weight_sum(std::span<const FittedPiece> pieces);

// 1 at 0, 0 at all other integers, to 1e-9; with a prefilter of this response, if there is one (see below).
bool is_interpolating(std::span<const FittedPiece> pieces, std::span<const double> response = {});

// Error ~ constant · h^order · max|f^(order)| for signals of period ≫ h. Order 0: constants are not reproduced, and the
// constant is the largest relative error of theirs.
struct ApproximationOrder {
    int order = 0;
    double constant = 0, l2_constant = 0;  // of the largest error, and of its mean square over the phases
};

// The order of the weights on samples; prefiltered, on coefficients of the exact prefilter, which must exist, or of one with
// the response `stated`, of stated_prefilter().
ApproximationOrder approximation_order(std::span<const FittedPiece> pieces, bool prefiltered = false,
                                       std::span<const double> stated = {});

// Continuous derivatives; −1: the function jumps; most_smoothness: at least that many.
inline constexpr int most_smoothness = 6;
int smoothness_of(std::span<const FittedPiece> pieces);

// The least interval outside of which it is zero.
struct Support {
    double left = 0, right = 0;
};
Support support_of(std::span<const FittedPiece> pieces);

// Here and below, `response` is b(−far) … b(far) of the prefilter, if there is one.

// How far the values between samples of a step from 0 to 1 go beyond 0 and 1, of its height.
double step_overshoot(std::span<const FittedPiece> pieces, std::span<const double> response = {});

// The factor by which a wave of `frequency` cycles per sample is passed: ∫ w(x) cos(2π f x) dx over P for an even
// function, its magnitude for any.
double gain_at(std::span<const FittedPiece> pieces, double frequency, std::span<const double> response = {});

// The factor of gain_at() without a prefilter and with its sign, if the function is even.
double spectrum_at(std::span<const FittedPiece> pieces, double frequency);

// The strongest image, near frequencies n ± f with n ≥ 1, of waves up to f = 1/4 cycle per sample.
double strongest_image(std::span<const FittedPiece> pieces, std::span<const double> response = {});

// Fetches along an axis by which a texture unit that filters linearly computes it: neighbours are merged where their
// weights have no opposite sign. 0: it cannot, because no two taps can be merged.
int fetches_along_axis(std::span<const FittedPiece> pieces, int taps);

}  // namespace texelscope
