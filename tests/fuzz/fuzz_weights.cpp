// Arbitrary bytes for the reader of weight functions: each must become a method, or throw an Error of one sentence with
// its line and column, or line 0 for what is missing from the whole text.

#include "gpu/method/custom_method.h"
#include "tests/fuzz/fuzz.h"

namespace {

using namespace texelscope;

bool weights(ByteSpan bytes) {
    const std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    try {
        const CustomMethod method(text);
        const auto weights = method.weights(method.info().standard_parameters());
        if (weights->pieces.empty() || method.info().taps < 2 || method.info().taps > 16) __builtin_trap();
        for (const FittedPiece& piece : weights->pieces)
            if (!(piece.begin < piece.end) || piece(piece.begin) != piece(piece.begin)) __builtin_trap();
        return true;
    } catch (const WeightError& error) {
        const WeightProblem& problem = error.problem;
        if (problem.line < 0 || problem.column < 1 || problem.sentence.empty() || problem.sentence.size() > 400 ||
            problem.sentence.find('\n') != std::string::npos)
            __builtin_trap();
        return false;
    }
}

}  // namespace

int fuzz::accepted(ByteSpan bytes) { return weights(bytes); }

std::vector<std::string> fuzz::seeds() {
    return {
        "# c\nname = Keys\nradius = 2\nparameter a = -0.5 from -1 to 0\nw(x) = abs(x) < 1 ? (a+2)*abs(x)^3 - (a+3)*x^2 + 1 : "
        "a*(abs(x)^3 - 5*x^2 + 8*abs(x) - 4)\n",
        "radius = 3\nnormalise = yes\nprefilter = none\nw(x) = sinc(x)*sinc(x/3)",
        "radius = 1.5\nw(x) = min(1, max(exp(-x*x), 0.2)) + pow(sqrt(abs(x)), 2)*sin(pi*x)*cos(x)",
        "radius = 2\nw(x) = x < 0.31 && x >= -1.2 || x == 1 ? 0.4 + 1e-1*x : -.05*x",
    };
}

FUZZ_TARGET
