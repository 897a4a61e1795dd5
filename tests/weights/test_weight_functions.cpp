// Weight functions from a text: the format, and their polynomials.

#include <gmock/gmock.h>

#include <cmath>
#include <numbers>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "gpu/core/errors.h"
#include "gpu/weights/weights.h"

namespace texelscope {
namespace {

using ::testing::HasSubstr;

// The format of docs/weights.md: what is read, and the sentence under each line that cannot be.

const char* const keys =
    "# a comment\n"
    "name = Keys\n"
    "radius = 2\n"
    "parameter a = -0.5 from -1 to 0   # where the outer lobes go\n"
    "w(x) = abs(x) < 1 ? (a+2)*abs(x)^3 - (a+3)*x^2 + 1 : a*(abs(x)^3 - 5*x^2 + 8*abs(x) - 4)\n";

// The first problem of a text; empty sentence: there is none.
WeightProblem problem_of(const std::string& text) {
    try {
        const WeightFunction function(text);
        std::vector<double> standard;
        for (const WeightParameter& p : function.file().parameters) standard.push_back(p.standard);
        return function.problem(standard).value_or(WeightProblem{0, 0, ""});
    } catch (const WeightError& error) {
        return error.problem;
    }
}

std::string with_formula(const std::string& formula) { return "radius = 2\nw(x) = " + formula; }

TEST(WeightFile, AllPartsAreRead) {
    const ParsedWeights parsed = parse_weights(std::string(keys) + "normalise = yes\r\nprefilter = none\n");
    ASSERT_TRUE(parsed.problems.empty()) << to_string(parsed.problems.front());
    const WeightFile& file = parsed.file;
    EXPECT_EQ(file.name, "Keys");
    EXPECT_EQ(file.radius, 2);
    ASSERT_EQ(file.parameters.size(), 1u);
    EXPECT_EQ(file.parameters[0], (WeightParameter{"a", -1, 0, -0.5}));
    EXPECT_EQ(file.formula_line, 5);
    EXPECT_EQ(file.formula_column, 8);
    EXPECT_TRUE(file.normalise);
    EXPECT_FALSE(file.prefilter);
}

TEST(WeightFile, APrefilterMayBeStated) {
    const auto values = [](const std::string& line, std::vector<double> parameters = {}) {
        const WeightFunction function("parameter z = -0.25 from -0.5 to 0\nradius = 2\nw(x) = 1\nprefilter = " + line);
        if (parameters.empty()) parameters = {-0.25};
        return function.stated_values(parameters);
    };
    EXPECT_EQ(values("poles -0.3"), (std::vector<double>{-0.3}));
    EXPECT_EQ(values("poles z, min(z, -0.4) , 0.1"), (std::vector<double>{-0.25, -0.4, 0.1}));
    EXPECT_EQ(values("poles z", {-0.125}), (std::vector<double>{-0.125}));
    EXPECT_EQ(values("taps z, 1 - 2*z, z"), (std::vector<double>{-0.25, 1.5, -0.25}));
    EXPECT_EQ(values("taps 5 of z^abs(x)"), (std::vector<double>{0.0625, -0.25, 1, -0.25, 0.0625}));
    EXPECT_FALSE(parse_weights("radius = 2\nw(x) = 1\nprefilter = poles -0.3").file.stated.values.empty());
    EXPECT_TRUE(parse_weights("radius = 2\nw(x) = 1\nprefilter = none").file.stated.values.empty());
}

TEST(WeightFile, APrefilterThatCannotBeIsRefusedAtItsValue) {
    struct Case {
        std::string line;
        int column;
        const char* sentence;
    };
    std::string many = "taps 1";
    for (int k = 0; k < 50; ++k) many += ", 1";
    for (const Case& c : {
             Case{"poles 1.2", 19, "a pole at 1.2 grows without end: its magnitude must be less than 1"},
             {"poles -0.2, -1", 25, "a pole at -1 grows without end"},
             {"poles 0.8", 19, "a pole at 0.8 decays too slowly: magnitudes up to 0.56"},
             {"poles 0", 19, "filters nothing"},
             {"poles 0.2, 0.2001", 24, "too close"},
             {"poles 1/0", 19, "not a finite number"},
             {"poles 0.1, 0.2, 0.3, 0.4, 0.5", 19, "5 poles are too many: up to 4"},
             {"poles x", 19, "x has no meaning in a list of values"},
             {"poles y", 19, "unknown word 'y'"},
             {"poles 0.1,, 0.2", 19, "a value is missing"},
             {"poles (0.1", 19, "not closed"},
             {"poles", 13, "choose auto or none, or poles or taps with their values, not 'poles'"},
             {"some", 13, "not 'some'"},
             {"taps 1, 2", 18, "a filter of 2 taps has none in its middle: write an odd number of them, from 3 to 49"},
             {"taps 4 of 1", 18, "a filter of 4 taps has none in its middle"},
             {"taps 2", 18, "a filter of 1 taps cannot be computed"},
             {many, 18, "a filter of 51 taps cannot be computed"},
             {"taps many of x", 18, "how many taps"},
             {"taps -0.5, 1, -0.5", 18, "the taps sum to 0"},
             {"taps 1, 2, 3", 18, "the taps are 1 before the middle and 3 after it"},
             {"taps 3 of x", 23, "the taps are -1 before the middle and 1 after it"},
             {"taps 1, 2000, 1", 21, "a tap of 2000 is too large"},
         }) {
        const WeightProblem problem = problem_of("radius = 2\nw(x) = 1\nprefilter = " + c.line);
        EXPECT_THAT(problem.sentence, HasSubstr(c.sentence)) << c.line;
        EXPECT_EQ(problem.line, 3) << c.line;
        EXPECT_EQ(problem.column, c.column) << c.line << ": " << problem.sentence;
    }
    // A value that depends on a parameter is refused with that parameter's value.
    const WeightFunction function("parameter z = 0.5 from 0 to 1\nradius = 2\nw(x) = 1\nprefilter = poles z");
    EXPECT_EQ(function.problem(std::vector{0.5}), std::nullopt);
    EXPECT_THAT(to_string(function.problem(std::vector{1.0}).value()),
                HasSubstr("line 4, column 19: a recursion with a pole at 1 grows without end"));
    EXPECT_THAT(function.problem(std::vector{1.0})->sentence, HasSubstr(", with z = 1"));
}

TEST(WeightFile, FormulasHaveTheValuesOfTheirMathematics) {
    const auto value = [](const std::string& formula, double x) {
        return WeightFunction(with_formula(formula))(x, {});
    };
    const double x = 0.37, pi = std::numbers::pi;
    EXPECT_DOUBLE_EQ(value("1 + 2*3^2", x), 19);
    EXPECT_DOUBLE_EQ(value("abs(-x) + min(x, 2, 1) + max(x, -1)", x), 3 * x);
    EXPECT_DOUBLE_EQ(value("sin(x) * cos(x) + exp(-x*x)", x), std::sin(x) * std::cos(x) + std::exp(-x * x));
    EXPECT_DOUBLE_EQ(value("sinc(x)", x), std::sin(pi * x) / (pi * x));
    EXPECT_DOUBLE_EQ(value("sinc(x)", 0), 1);
    EXPECT_DOUBLE_EQ(value("sqrt(x) + pow(x, 3) + pi", x), std::sqrt(x) + x * x * x + pi);
    EXPECT_DOUBLE_EQ(value("x < 0.3 ? 1 : x <= 0.4 && x != 0.1 ? 2 : 3", x), 2);
    EXPECT_DOUBLE_EQ(value("-x^2", x), -x * x);
    EXPECT_EQ(value("1", 2.0), 0);  // −radius ≤ x < radius
    EXPECT_EQ(value("1", -2.0), 1);
}

TEST(WeightFile, NormalisedWeightsSumToOneAtEachPhase) {
    const WeightFunction lanczos("radius = 3\nw(x) = sinc(x)*sinc(x/3)\nnormalise = yes");
    for (double t = 0; t < 1; t += 0.03) {
        double sum = 0;
        for (int k = -3; k <= 3; ++k) sum += lanczos(t + k, {});
        EXPECT_NEAR(sum, 1, 1e-15) << t;
    }
}

TEST(WeightFile, ASentenceStandsUnderTheLineAndColumnThatIsWrong) {
    struct Case {
        std::string text;
        int line, column;
        const char* sentence;
    };
    const std::string long_formula = "radius = 2\nw(x) = " + std::string(3000, '1');
    for (const Case& c : {
             Case{"", 1, 1, "radius is missing"},
             {"radius = 2", 1, 1, "formula is missing"},
             {"radius = 0\nw(x) = 1", 1, 10, "from 0.25 to 8"},
             {"radius = 100\nw(x) = 1", 1, 10, "from 0.25 to 8"},
             {"radius = nan\nw(x) = 1", 1, 10, "from 0.25 to 8"},
             {"radius = 2\nradius = 2\nw(x) = 1", 2, 1, "given twice"},
             {"radius = 2\ncolour = red\nw(x) = 1", 2, 1, "unknown key 'colour'"},
             {"radius = 2\nnonsense\nw(x) = 1", 2, 1, "key = value"},
             {"radius = 2\nw(x) =", 2, 1, "nothing stands after"},
             {"radius = 2\nnormalise = maybe\nw(x) = 1", 2, 13, "choose yes or no"},
             {"radius = 2\nparameter x = 1 from 0 to 2\nw(x) = 1", 2, 1, "cannot be called x"},
             {"radius = 2\nparameter sin = 1 from 0 to 2\nw(x) = 1", 2, 1, "cannot be called sin"},
             {"radius = 2\nparameter a = 1\nw(x) = a", 2, 15, "default and range"},
             {"radius = 2\nparameter a = 3 from 0 to 2\nw(x) = a", 2, 15, "within the range"},
             {"radius = 2\nparameter a = 1 from 0 to 2\nparameter a = 1 from 0 to 2\nw(x) = a", 3, 1, "given twice"},
             {with_formula("w(x)"), 2, 8, "its own formula"},
             {with_formula("1 + w(x - 1)"), 2, 12, "its own formula"},
             {with_formula("y + 1"), 2, 8, "unknown word 'y'"},
             {with_formula("system(1)"), 2, 8, "unknown word 'system'"},
             {with_formula("sin x"), 2, 8, "in parentheses"},
             {with_formula("(x + 1"), 2, 8, "not closed"},
             {with_formula("x + 1)"), 2, 13, "closes none"},
             {with_formula("x = 1"), 2, 10, "compare by =="},
             {with_formula("1 $ 2"), 2, 10, "'$' has no meaning"},
             {with_formula("2x"), 2, 9, "* is missing"},
             {with_formula("1..2"), 2, 8, "not a number"},
             {with_formula("x +"), 2, 11, "ends too early"},
             {with_formula("1, 2"), 2, 8, "comma"},
             {with_formula("pow(1)"), 2, 13, "too few values"},
             {with_formula("1 / x"), 2, 8, "infinite at x = 0"},
             {with_formula("sqrt(x)"), 2, 8, "not a number at x = -2"},
             {with_formula("0 * x"), 2, 8, "zero everywhere"},
             {with_formula("1e9"), 2, 8, "at most 10⁶"},
             {with_formula(std::string(40, '(') + "1" + std::string(40, ')')), 2, 40, "nested deeper"},
             {long_formula, 2, 8, "3000 characters"},
             {std::string(1'000'000, '('), 1, 1, "1000000 bytes"},
             {std::string("radius = 2\n\0w(x) = 1", 21), 1, 1, "no text"},
         }) {
        const WeightProblem problem = problem_of(c.text);
        const std::string shown = c.text.substr(0, 60);
        EXPECT_THAT(problem.sentence, HasSubstr(c.sentence)) << shown;
        EXPECT_EQ(problem.line, c.line) << shown;
        EXPECT_EQ(problem.column, c.column) << shown << ": " << problem.sentence;
    }
}

TEST(WeightFile, EachWrongLineHasItsOwnSentence) {
    const ParsedWeights parsed = parse_weights("radius = 9\nnormalise = 1\nw(x) = q");
    ASSERT_EQ(parsed.problems.size(), 3u);
    for (int i = 0; i < 3; ++i) EXPECT_EQ(parsed.problems[size_t(i)].line, i + 1);
}

// What is missing does not hide what is wrong, and the other way round. A line of its own where one is free.
TEST(WeightFile, WhatIsMissingIsSaidBesideWhatIsWrong) {
    struct Case {
        std::string text;
        std::vector<std::pair<int, const char*>> said;  // line, part of the sentence
    };
    for (const Case& c : {
             Case{"w(x) = fo(x)", {{0, "radius is missing"}, {1, "unknown word 'fo'"}}},
             {"w(x) = 1 +", {{0, "radius is missing"}, {1, "ends too early"}}},
             {"w(x) = 1", {{0, "radius is missing"}}},
             {"w(x) = q\n# the end", {{1, "unknown word 'q'"}, {2, "radius is missing"}}},
             {"name = A\nnormalise = maybe\nw(x) = (1",
              {{0, "radius is missing"}, {2, "choose yes or no"}, {3, "not closed"}}},
             {"radius = 9", {{0, "formula is missing"}, {1, "from 0.25 to 8"}}},
             {"radius = 9\nw(x) = pow(1)", {{1, "from 0.25 to 8"}, {2, "too few values"}}},
             // One of these lines may be meant for it.
             {"radus = 2\nw(x) = q", {{1, "unknown key 'radus'"}, {2, "unknown word 'q'"}}},
             {"radius 2\nw(x) = q", {{1, "key = value"}, {2, "unknown word 'q'"}}},
             {"radius = \nw(x) = 1", {{1, "nothing stands after"}}},
             // A parameter whose range is wrong has a name for the formula all the same.
             {"radius = 2\nparameter a = 1\nw(x) = a*(1", {{2, "default and range"}, {3, "not closed"}}},
             {"radius = 2\nparameter a = 1\nw(x) = a", {{2, "default and range"}}},
         }) {
        const std::vector<WeightProblem> problems = problems_of_text(c.text);
        ASSERT_EQ(problems.size(), c.said.size()) << c.text;
        for (size_t i = 0; i < problems.size(); ++i) {
            EXPECT_EQ(problems[i].line, c.said[i].first) << c.text;
            EXPECT_THAT(problems[i].sentence, HasSubstr(c.said[i].second)) << c.text;
        }
    }
    EXPECT_TRUE(problems_of_text(keys).empty());
    EXPECT_THAT(problem_of("w(x) = fo(x)").sentence, HasSubstr("radius is missing")) << "the command line says one";
}

TEST(WeightFile, AnyBytesAreReadOrRefused) {
    std::mt19937 random(7);
    const std::string words[] = {"x",    "radius", "=",           "2",    "w(x)", "(",     ")", "sin", "?",
                                 ":",    "\n",     "parameter a", "from", "to",   "-1",    "^", ",",   "abs(",
                                 "min(", "<",      "&&",          "\xc3", " ",    "1e400", "#"};
    for (int i = 0; i < 3000; ++i) {
        std::string text = i % 2 ? "radius = 2\nw(x) = " : "";
        for (int n = int(random() % 30); n > 0; --n) text += words[random() % std::size(words)];
        if (i % 3 == 0 && !text.empty()) text[random() % text.size()] = char(random());
        const WeightProblem problem = problem_of(text);
        EXPECT_LT(problem.sentence.size(), 300u);
        const std::vector<WeightProblem> all = problems_of_text(text);
        for (size_t k = 1; k < all.size(); ++k) EXPECT_LT(all[k - 1].line, all[k].line) << text;
    }
}

using Function = std::function<double(double)>;

// The polynomials of a weight function: within their stated error of it, with kinks and jumps at their place.

double sinc(double x) { return x == 0 ? 1 : std::sin(std::numbers::pi * x) / (std::numbers::pi * x); }

struct Case {
    const char* name;
    double radius;
    Function h;
};

const Case cases[] = {
    {"hat", 1, [](double x) { return std::max(0.0, 1 - std::abs(x)); }},
    {"box", 1, [](double x) { return x >= -0.3 && x < 0.41 ? 1.0 : 0.0; }},
    {"box, the other ends included", 1, [](double x) { return x > -0.3 && x <= 0.41 ? 1.0 : 0.0; }},
    {"kink", 2, [](double x) { return std::abs(x - 0.123456789) + 0.5 * std::abs(x + 1.1); }},
    {"saw", 3, [](double x) { return x - std::floor(x * 1.7) / 1.7; }},
    {"Lanczos 8", 8, [](double x) { return sinc(x) * sinc(x / 8); }},
    {"Lanczos stretched", 3.6, [](double x) { return std::abs(x) < 3.6 ? sinc(x / 1.2) * sinc(x / 3.6) : 0; }},
    {"Gauss", 2.5, [](double x) { return std::abs(x) <= 2.5 ? std::exp(-2 * x * x) : 0; }},
    {"fast", 1, [](double x) { return std::sin(60 * x); }},
    {"root", 1, [](double x) { return std::sqrt(std::abs(x)); }},
};

TEST(Pieces, FunctionsAreWithinTheirErrorEverywhere) {
    std::mt19937 random(1);
    for (const Case& c : cases) {
        const int reach = int(std::ceil(c.radius));
        const Function h = [&](double x) { return x >= -c.radius && x < c.radius ? c.h(x) : 0; };
        const std::vector<FittedPiece> pieces = fit_pieces(h, reach, c.radius);
        ASSERT_EQ(pieces.front().begin, -reach);
        ASSERT_EQ(pieces.back().end, reach);
        const PackedPieces<float> floats = packed<float>(pieces, reach);
        const PackedPieces<double> doubles = packed<double>(pieces, reach);
        for (int i = 0; i < 20000; ++i) {
            const int whole = int(random() % unsigned(2 * reach)) - reach;
            const float t = float(random() % (1 << 24)) / (1 << 24);  // any phase that float32 has
            const double x = whole + double(t);
            ASSERT_NEAR(value_of(pieces, x), h(x), 1e-12) << c.name << " at " << x;
            ASSERT_NEAR(piece_value(doubles.at(doubles.bytes.data()), whole, double(t)), h(x), 1e-12) << c.name;
            ASSERT_NEAR(piece_value(floats.at(floats.bytes.data()), whole, t), h(x), 1e-6) << c.name << " at " << x;
        }
        EXPECT_LT(largest_error(floats, h, pieces), 1e-6) << c.name;
        EXPECT_EQ(value_of(pieces, -reach - 0.5), 0);
        EXPECT_EQ(value_of(pieces, reach), 0);
    }
}

TEST(Pieces, JumpsAreAtTheirPlaceToTheLastBit) {
    const double at = 0.41;
    const auto box = [&](double x) { return x < at ? 1.0 : 0.0; };
    const std::vector<FittedPiece> pieces = fit_pieces(box, 1, 1);
    const PackedPieces<float> floats = packed<float>(pieces, 1);
    const float after = std::nextafter(float(at), double(float(at)) < at ? 2.0f : float(at));
    const float first = double(after) >= at ? after : std::nextafter(after, 2.0f), last = std::nextafter(first, 0.0f);
    EXPECT_EQ(piece_value(floats.at(floats.bytes.data()), 0, first), 0);
    EXPECT_EQ(piece_value(floats.at(floats.bytes.data()), 0, last), 1);
    EXPECT_EQ(value_of(pieces, std::nextafter(at, 0.0)), 1);
    EXPECT_EQ(value_of(pieces, at), 0);
}

TEST(Pieces, APolynomialIsOnePieceBetweenSamples) {
    const auto cubic = [](double x) { return 1 - 0.3 * x + 0.7 * x * x - 0.2 * x * x * x; };
    const std::vector<FittedPiece> pieces = fit_pieces(cubic, 2, 2);
    ASSERT_EQ(pieces.size(), 4u);
    for (const FittedPiece& piece : pieces) {
        EXPECT_EQ(piece.degree, 3);
        EXPECT_NEAR(piece.derivative(1, true), -0.3 + 1.4 * piece.end - 0.6 * piece.end * piece.end, 1e-11);
        EXPECT_NEAR(piece.derivative(2, false), 1.4 - 1.2 * piece.begin, 1e-11);
    }
}

TEST(Pieces, AKinkHasOnePieceOnEachSide) {
    const auto kink = [](double x) { return std::abs(x - 0.3); };
    const std::vector<FittedPiece> pieces = fit_pieces(kink, 1, 1);
    int wide = 0;
    for (const FittedPiece& piece : pieces) wide += piece.width() > 1e-9;
    EXPECT_EQ(wide, 3);
}

TEST(Pieces, WhatVariesTooFastIsRefused) {
    EXPECT_THROW(fit_pieces([](double x) { return std::sin(1e6 * x); }, 8, 8), Error);
}

}  // namespace
}  // namespace texelscope
