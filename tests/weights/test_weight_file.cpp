// The format of docs/weights.md: what is read, and the sentence under each line that cannot be.

#include <cmath>
#include <numbers>
#include <random>

#include <gmock/gmock.h>

#include "gpu/weights/weight_function.h"

namespace texelscope {
namespace {

using ::testing::HasSubstr;

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
    }
}

}  // namespace
}  // namespace texelscope
