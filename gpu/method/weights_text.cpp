#include "gpu/method/weights_text.h"

#include <array>

#include <fmt/format.h>

#include "gpu/core/errors.h"
#include "gpu/method/custom_method.h"

namespace texelscope {
namespace {

struct Text {
    std::string_view id, radius, formula;
    bool normalise = false;
};

constexpr std::array<Text, 20> texts = {{
    {"nearest", "0.5", "1"},
    {"bilinear", "1", "1 - abs(x)"},
    {"bspline", "2", "abs(x) < 1 ? 2/3 - x^2 + abs(x)^3/2 : (2 - abs(x))^3/6"},
    {"catmull-rom", "2", "abs(x) < 1 ? 1.5*abs(x)^3 - 2.5*x^2 + 1 : -0.5*abs(x)^3 + 2.5*x^2 - 4*abs(x) + 2"},
    {"mitchell", "2", "abs(x) < 1 ? (7*abs(x)^3 - 12*x^2 + 16/3)/6 : (-7/3*abs(x)^3 + 12*x^2 - 20*abs(x) + 32/3)/6"},
    {"bicubic", "2", "abs(x) < 1 ? (a + 2)*abs(x)^3 - (a + 3)*x^2 + 1 : a*(abs(x)^3 - 5*x^2 + 8*abs(x) - 4)"},
    {"bc", "2",
     "abs(x) < 1 ? 1 - b/3 + x^2*(2*b + c - 3 + (2 - 1.5*b - c)*abs(x)) : "
     "(2 - abs(x))^2*(b/6*(2 - abs(x)) - c*(abs(x) - 1))"},
    {"hermite", "1", "2*abs(x)^3 - 3*x^2 + 1"},
    {"lagrange", "2", "abs(x) < 1 ? (1 - x^2)*(2 - abs(x))/2 : (1 - abs(x))*(2 - abs(x))*(3 - abs(x))/6"},
    {"lanczos2", "2", "sinc(x)*sinc(x/2)", true},
    {"lanczos3", "3", "sinc(x)*sinc(x/3)", true},
    {"lanczos4", "4", "sinc(x)*sinc(x/4)", true},
    {"gaussian", "4", "exp(-x^2/(2*sigma^2)) - exp(-8/sigma^2)*(1 + (16 - x^2)/(2*sigma^2))", true},
    {"omoms", "2", "abs(x) < 1 ? abs(x)^3/2 - x^2 + abs(x)/14 + 13/21 : -abs(x)^3/6 + x^2 - 85/42*abs(x) + 29/21"},
    {"quintic", "3",
     "abs(x) < 1 ? (33 - 30*x^2 + 15*x^4 - 5*abs(x)^5)/60 : "
     "abs(x) < 2 ? ((3 - abs(x))^5 - 6*(2 - abs(x))^5)/120 : (3 - abs(x))^5/120"},
    {"septic", "4",
     "abs(x) < 1 ? (2416 - 1680*x^2 + 560*x^4 - 140*x^6 + 35*abs(x)^7)/5040 : "
     "abs(x) < 2 ? ((4 - abs(x))^7 - 8*(3 - abs(x))^7 + 28*(2 - abs(x))^7)/5040 : "
     "abs(x) < 3 ? ((4 - abs(x))^7 - 8*(3 - abs(x))^7)/5040 : (4 - abs(x))^7/5040"},
    {"omoms5", "3",
     "abs(x) < 1 ? (4122 - 10*abs(x) - 3240*x^2 - 400*abs(x)^3 + 1980*x^4 - 660*abs(x)^5)/7920 : "
     "abs(x) < 2 ? (107 + (2 - abs(x))*(445 + (2 - abs(x))*(780 + (2 - abs(x))*(460 + "
     "330*(2 - abs(x))*(abs(x) - 1)))))/7920 : "
     "(3 - abs(x))*(1 + (3 - abs(x))^2*(40 + 66*(3 - abs(x))^2))/7920"},
    {"spline16", "2",
     "abs(x) < 1 ? ((abs(x) - 9/5)*abs(x) - 1/5)*abs(x) + 1 : "
     "((-1/3*(abs(x) - 1) + 4/5)*(abs(x) - 1) - 7/15)*(abs(x) - 1)"},
    {"spline36", "3",
     "abs(x) < 1 ? ((13/11*abs(x) - 453/209)*abs(x) - 3/209)*abs(x) + 1 : "
     "abs(x) < 2 ? ((-6/11*(abs(x) - 1) + 270/209)*(abs(x) - 1) - 156/209)*(abs(x) - 1) : "
     "((1/11*(abs(x) - 2) - 45/209)*(abs(x) - 2) + 26/209)*(abs(x) - 2)"},
    {"spline64", "4",
     "abs(x) < 1 ? ((49/41*abs(x) - 6387/2911)*abs(x) - 3/2911)*abs(x) + 1 : "
     "abs(x) < 2 ? ((-24/41*(abs(x) - 1) + 4032/2911)*(abs(x) - 1) - 2328/2911)*(abs(x) - 1) : "
     "abs(x) < 3 ? ((6/41*(abs(x) - 2) - 1008/2911)*(abs(x) - 2) + 582/2911)*(abs(x) - 2) : "
     "((-1/41*(abs(x) - 3) + 168/2911)*(abs(x) - 3) - 97/2911)*(abs(x) - 3)"},
}};

}  // namespace

std::string weights_text(const MethodSpec& spec) {
    const MethodInfo& method = *spec.method;
    if (method.custom) return method.custom->function().text();
    for (const Text& text : texts) {
        if (text.id != method.id) continue;
        std::string result = fmt::format("name = {} (copy)\nradius = {}\n", method.name, text.radius);
        for (size_t i = 0; i < method.parameters.size(); ++i)
            result += fmt::format("parameter {} = {} from {} to {}\n", method.parameters[i].id,
                                  spec.parameters.value[i], method.parameters[i].minimum, method.parameters[i].maximum);
        if (text.normalise) result += "normalise = yes\n";
        return result + fmt::format("w(x) = {}\n", text.formula);
    }
    throw Error(fmt::format("{} has no text to start from", method.name));
}

}  // namespace texelscope
