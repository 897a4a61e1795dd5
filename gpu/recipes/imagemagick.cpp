// ImageMagick: -resize with its filters, -sample and -scale.

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "gpu/core/errors.h"
#include "gpu/recipes/recipe.h"

namespace texelscope {
namespace {

// Samples have 16 bits in it; whether 8-bit results are rounded from these, or cut off, is up to who writes the file.
namespace option {
const RecipeOption build{
    "build",
    "q16",
    {"q16", "hdri"},
    0,
    0,
    "What `convert -version` says: Q16 (Debian, Ubuntu) keeps 16 bits between the axes, Q16 HDRI floats."};
const RecipeOption png{
    "png", "false", {"false", "true"},
    0,     0,       "Whether an 8-bit PNG (or -depth 8) was written: Q16 cuts samples off instead of rounding them."};
const RecipeOption blur{"blur", "1", {}, 0.1, 4, "How much the filter is widened: -define filter:blur."};
const RecipeOption lobes{"lobes", "0", {}, 0, 8, "The filter's radius: -define filter:lobes; 0: its own."};
const RecipeOption lagrange_lobes{"lobes", "2", {}, 1, 6, "The filter's radius: -define filter:lobes."};
const RecipeOption sigma{"sigma", "0.5", {}, 0.1, 2, "Of the Gaussian: -define filter:sigma."};
const RecipeOption kaiser_beta{"kaiser-beta", "6.5", {}, 0, 20, "Of the Kaiser window: -define filter:kaiser-beta."};
const RecipeOption b{"b", "1", {}, -2, 3, "B of the cubic: -define filter:b."},
    c{"c", "0", {}, -2, 3, "C of the cubic: -define filter:c."};
}  // namespace option

LongPasses passes_of(const RecipeCall& call) {
    LongPasses passes{.y_first = call.x.step() >= call.y.step()};
    const bool q16 = call.options.is("build", "q16"), levels = call.type != RecipeType::f32;
    if (!q16 && (call.alpha || !levels)) return passes;
    passes.unit = q16 || call.type == RecipeType::u16 ? 65535 : 255;
    passes.whole = levels && !call.alpha;
    passes.straight = call.alpha;
    passes.second = {.round = Rounding::half_up, .clipped = true, .low = 0, .high = passes.unit};
    if (!q16) return passes;
    passes.first = passes.second;
    if (call.type == RecipeType::u8 && call.options.yes("png")) passes.second.multiple = 257;
    return passes;
}

ResizeRule nearest(const RecipeCall& call, NearestRule rule) {
    const Rule axis{.tap_rule = TapRule::nearest, .nearest = rule};
    ResizeRule resize{axis, axis, {}, true, {}};
    // No 16-bit value lies between those of 8 bits.
    resize.passes.y_first = call.x.step() >= call.y.step();
    return resize;
}

// The text of a weight function in {x}, the distance.
struct Filter {
    std::string w;
    double radius = 1;
};

std::string number(double value) { return fmt::format("({:.17g})", value); }

std::string cubic(double b, double c) {
    const std::array p{1 - b / 3,      -3 + 2 * b + c, 2 - 1.5 * b - c, 4 * b / 3 + 4 * c,
                       -8 * c - 2 * b, b + 5 * c,      -b / 6 - c};
    return fmt::format(
        "({{x}} < 1 ? {} + {{x}}^2*({} + {{x}}*{}) : {{x}} < 2 ? {} + {{x}}*({} + {{x}}*({} + {{x}}*{})) : 0)",
        number(p[0]), number(p[1]), number(p[2]), number(p[3]), number(p[4]), number(p[5]), number(p[6]));
}

// The polynomials through 2·`lobes` samples, piece by piece.
std::string lagrange(int lobes) {
    std::string pieces;
    for (int piece = 0; piece < lobes; ++piece) {
        std::string product;
        double divisor = 1;
        const int n = lobes + piece;
        for (int i = 0; i < 2 * lobes; ++i) {
            if (i == n) continue;
            product += fmt::format("({}-{{x}})*", n - i);
            divisor *= n - i;
        }
        pieces += fmt::format("{{x}} < {} ? {}{} : ", piece + 1, product, number(1 / divisor));
    }
    return "(" + pieces + "0)";
}

// I0(beta √(1 − u²)) / I0(beta), by its series.
std::string kaiser(double beta) {
    const double y = beta * beta / 4;
    std::vector<double> terms{1};
    double sum = 1;
    for (double power = 1; terms.size() < 3 || terms.back() * power > 1e-13 * sum; sum += terms.back() * power) {
        power *= y;
        terms.push_back(terms.back() / double(terms.size() * terms.size()));
    }
    std::string series = number(terms.back() / sum);
    for (size_t k = terms.size() - 1; k-- > 0;)
        series = fmt::format("({} + {}*(1-{{u}}^2)*{})", number(terms[k] / sum), number(y), series);
    return series;
}

// What the sinc is multiplied with, in {u}: the distance by the radius.
std::string window(std::string_view name, const RecipeOptions& options) {
    if (name == "hann") return "(0.5 + 0.5*cos(pi*{u}))";
    if (name == "hamming") return "(0.54 + 0.46*cos(pi*{u}))";
    if (name == "blackman") return "(0.34 + cos(pi*{u})*(0.5 + cos(pi*{u})*0.16))";
    if (name == "bohman") return "((1-{u})*cos(pi*{u}) + sin(pi*{u})/pi)";
    if (name == "welch") return "(1-{u}^2)";
    if (name == "bartlett") return "(1-{u})";
    if (name == "cosine") return "cos(pi/2*{u})";
    if (name == "parzen") return "({u} < 0.5 ? 2/3 - 4*{u}^2*(1-{u}) : 4/3*(1-{u})^3)";  // the cubic B-spline
    if (name == "kaiser") return kaiser(options.number("kaiser-beta"));
    if (name == "sinc" || name == "sincfast") return "1";
    return "sinc({u})";  // Lanczos
}

Filter windowed_sinc(std::string_view name, const RecipeOptions& options) {
    const bool two = name.starts_with("lanczos2");
    const bool three = name.starts_with("lanczos") || name == "welch" || name == "cosine";
    const double given = options.number("lobes"), radius = given >= 1 ? std::floor(given) : two ? 2 : three ? 3 : 4;
    const std::string u = fmt::format("({{x}}/{})", radius);
    return {"sinc({x})*" + fmt::format(fmt::runtime(window(name, options)), fmt::arg("u", u)), radius};
}

Filter filter_of(std::string_view name, const RecipeOptions& options) {
    if (name == "box") return {"1", 0.5};
    if (name == "triangle") return {"({x} < 1 ? 1-{x} : 0)", 1};
    if (name == "hermite") return {cubic(0, 0), 1};
    if (name == "quadratic") return {"({x} < 0.5 ? 0.75-{x}^2 : {x} < 1.5 ? 0.5*({x}-1.5)^2 : 0)", 1.5};
    if (name == "spline") return {cubic(1, 0), 2};
    if (name == "cubic") return {cubic(options.number("b"), options.number("c")), 2};
    if (name == "catrom") return {cubic(0, 0.5), 2};
    if (name == "mitchell") return {cubic(1.0 / 3, 1.0 / 3), 2};
    if (name == "robidoux") return {cubic(0.37821575509399867, 0.31089212245300067), 2};
    if (name == "robidouxsharp") return {cubic(0.2620145123990142, 0.3689927438004929), 2};
    if (name == "gaussian") {
        const double s = options.number("sigma");
        return {fmt::format("exp(-{}*{{x}}^2)", number(1 / (2 * s * s))), 2 * std::max(1.0, s / 0.5)};
    }
    if (name == "lagrange") {
        const int lobes = std::max(1, int(options.number("lobes")));
        return {lagrange(lobes), double(lobes)};
    }
    return windowed_sinc(name, options);
}

Rule axis_rule(const Filter& filter, double blur, const ResizedAxis& axis) {
    const double step = axis.step(), radius = filter.radius * blur;
    const std::string x = blur == 1 ? "abs(x)" : fmt::format("(abs(x)/{})", number(blur));
    Rule rule;
    // It adds 10⁻¹² to positions and steps: at a tie the sample after counts.
    rule.position_shift = 1e-12;
    rule.window = TapWindow::rounded;
    const double reach = radius * std::max(step + 1e-12, 1.0);
    rule.widened = reach >= 0.5;  // else it reads as many samples as nearest
    rule.radius = !rule.widened ? 0.5 : reach / std::max(step, 1.0);
    rule.weight = fmt::format("radius = {:.17g}\nw(x) = {}\n", std::clamp(radius + 0.25, 0.75, 8.0),
                              fmt::format(fmt::runtime(filter.w), fmt::arg("x", x)));
    return rule;
}

ResizeRule filtered(std::string_view name, const RecipeCall& call) {
    const Filter filter = filter_of(name, call.options);
    double blur = call.options.number("blur");
    if (name == "lanczossharp") blur *= 0.9812505644269356;
    if (name == "lanczos2sharp") blur *= 0.9549963639785485;
    if (filter.radius * blur > 8)
        throw UsageError(fmt::format("like:imagemagick/{} may reach 8 samples, not {:g}", name, filter.radius * blur));
    return {axis_rule(filter, blur, call.x), axis_rule(filter, blur, call.y), passes_of(call), true, {}};
}

ResizeRule usual(const RecipeCall& call) {
    RecipeCall plain = call;
    plain.options.values["blur"] = "1";
    plain.options.values["lobes"] = "0";
    if (call.x.step() == 1 && call.y.step() == 1) return nearest(call, NearestRule::half_up);
    return filtered(call.alpha || call.x.step() * call.y.step() < 1 ? "mitchell" : "lanczos", plain);
}

// Large pictures are sampled first, to five times the size.
ResizeRule thumbnail(const RecipeCall& call) {
    const int width = 5 * int(call.x.pixels), height = 5 * int(call.y.pixels);
    if (call.x.step() * call.y.step() < 10 || width < 128 || height < 128) return usual(call);
    RecipeCall from_sampled = call;
    from_sampled.x.samples = width;
    from_sampled.y.samples = height;
    ResizeRule rule = usual(from_sampled);
    rule.before = {{width, height, {nearest(call, NearestRule::half_down)}, 0}};
    return rule;
}

ResizeRule scaled(const RecipeCall& call) {
    const Rule axis{.tap_rule = TapRule::box};
    ResizeRule rule{axis, axis, passes_of(call), true, {}};
    rule.passes.y_first = true;
    rule.passes.first = {};
    return rule;
}

constexpr std::string_view
    tried = "ImageMagick 6.9.11-60 Q16 and Q16 HDRI",
    bound =
        "Q16: 8 bits one level in 0.02 %, 16 bits two levels in 0.7 %; HDRI: 8 bits one level in "
        "0.005 %, 16 bits one in 0.2 %, floats 2e-6",
    unknown = "which way Q16 rounds at exact ties; colours of what is nearly transparent";

Recipe filter_row(std::string_view name, std::string_view call, ResizeRule (*rule)(const RecipeCall&),
                  const std::vector<RecipeOption>& more = {}) {
    Recipe row{"imagemagick", name, call, tried, bound, unknown, {option::build, option::png, option::blur}, rule};
    row.options.insert(row.options.end(), more.begin(), more.end());
    return row;
}

}  // namespace

std::vector<Recipe> imagemagick_recipes() {
    std::vector<Recipe> rows{
        {"imagemagick",
         "resize",
         "convert IN -resize WxH! OUT",
         tried,
         bound,
         unknown,
         {option::build, option::png},
         usual},
        {"imagemagick",
         "thumbnail",
         "convert IN -thumbnail WxH! OUT",
         tried,
         bound,
         unknown,
         {option::build, option::png},
         thumbnail},
        {"imagemagick",
         "point",
         "convert IN -filter Point -resize WxH! OUT",
         tried,
         "bit-exact",
         "colours of what is transparent",
         {},
         [](const RecipeCall& call) { return nearest(call, NearestRule::half_up); }},
        {"imagemagick",
         "sample",
         "convert IN -sample WxH! OUT",
         tried,
         "bit-exact",
         "colours of what is transparent",
         {},
         [](const RecipeCall& call) { return nearest(call, NearestRule::half_down); }},
        {"imagemagick", "scale", "convert IN -scale WxH! OUT", tried, bound, "", {option::build, option::png}, scaled},
        filter_row("box", "convert IN -filter Box -resize WxH! OUT",
                   [](const RecipeCall& call) { return filtered("box", call); }),
        filter_row("triangle", "convert IN -filter Triangle -resize WxH! OUT",
                   [](const RecipeCall& call) { return filtered("triangle", call); }),
        filter_row("hermite", "convert IN -filter Hermite -resize WxH! OUT",
                   [](const RecipeCall& call) { return filtered("hermite", call); }),
        filter_row("quadratic", "convert IN -filter Quadratic -resize WxH! OUT",
                   [](const RecipeCall& call) { return filtered("quadratic", call); }),
        filter_row("cubic", "convert IN -filter Cubic -resize WxH! OUT",
                   [](const RecipeCall& call) { return filtered("cubic", call); }, {option::b, option::c}),
        filter_row("spline", "convert IN -filter Spline -resize WxH! OUT",
                   [](const RecipeCall& call) { return filtered("spline", call); }),
        filter_row("catrom", "convert IN -filter Catrom -resize WxH! OUT",
                   [](const RecipeCall& call) { return filtered("catrom", call); }),
        filter_row("mitchell", "convert IN -filter Mitchell -resize WxH! OUT",
                   [](const RecipeCall& call) { return filtered("mitchell", call); }),
        filter_row("robidoux", "convert IN -filter Robidoux -resize WxH! OUT",
                   [](const RecipeCall& call) { return filtered("robidoux", call); }),
        filter_row("robidouxsharp", "convert IN -filter RobidouxSharp -resize WxH! OUT",
                   [](const RecipeCall& call) { return filtered("robidouxsharp", call); }),
        filter_row("gaussian", "convert IN -filter Gaussian -resize WxH! OUT",
                   [](const RecipeCall& call) { return filtered("gaussian", call); }, {option::sigma}),
        filter_row("lagrange", "convert IN -filter Lagrange -resize WxH! OUT",
                   [](const RecipeCall& call) { return filtered("lagrange", call); }, {option::lagrange_lobes}),
        filter_row("hann", "convert IN -filter Hann -resize WxH! OUT",
                   [](const RecipeCall& call) { return filtered("hann", call); }, {option::lobes}),
        filter_row("hamming", "convert IN -filter Hamming -resize WxH! OUT",
                   [](const RecipeCall& call) { return filtered("hamming", call); }, {option::lobes}),
        filter_row("blackman", "convert IN -filter Blackman -resize WxH! OUT",
                   [](const RecipeCall& call) { return filtered("blackman", call); }, {option::lobes}),
        filter_row("kaiser", "convert IN -filter Kaiser -resize WxH! OUT",
                   [](const RecipeCall& call) { return filtered("kaiser", call); },
                   {option::lobes, option::kaiser_beta}),
        filter_row("bohman", "convert IN -filter Bohman -resize WxH! OUT",
                   [](const RecipeCall& call) { return filtered("bohman", call); }, {option::lobes}),
        filter_row("parzen", "convert IN -filter Parzen -resize WxH! OUT",
                   [](const RecipeCall& call) { return filtered("parzen", call); }, {option::lobes}),
        filter_row("bartlett", "convert IN -filter Bartlett -resize WxH! OUT",
                   [](const RecipeCall& call) { return filtered("bartlett", call); }, {option::lobes}),
        filter_row("welch", "convert IN -filter Welch -resize WxH! OUT",
                   [](const RecipeCall& call) { return filtered("welch", call); }, {option::lobes}),
        filter_row("cosine", "convert IN -filter Cosine -resize WxH! OUT",
                   [](const RecipeCall& call) { return filtered("cosine", call); }, {option::lobes}),
        filter_row("sinc", "convert IN -filter Sinc -resize WxH! OUT",
                   [](const RecipeCall& call) { return filtered("sinc", call); }, {option::lobes}),
        filter_row("sincfast", "convert IN -filter SincFast -resize WxH! OUT",
                   [](const RecipeCall& call) { return filtered("sincfast", call); }, {option::lobes}),
        filter_row("lanczos", "convert IN -filter Lanczos -resize WxH! OUT",
                   [](const RecipeCall& call) { return filtered("lanczos", call); }, {option::lobes}),
        filter_row("lanczossharp", "convert IN -filter LanczosSharp -resize WxH! OUT",
                   [](const RecipeCall& call) { return filtered("lanczossharp", call); }, {option::lobes}),
        filter_row("lanczos2", "convert IN -filter Lanczos2 -resize WxH! OUT",
                   [](const RecipeCall& call) { return filtered("lanczos2", call); }, {option::lobes}),
        filter_row("lanczos2sharp", "convert IN -filter Lanczos2Sharp -resize WxH! OUT",
                   [](const RecipeCall& call) { return filtered("lanczos2sharp", call); }, {option::lobes}),
        filter_row("lanczosradius", "convert IN -filter LanczosRadius -resize WxH! OUT",
                   [](const RecipeCall& call) { return filtered("lanczosradius", call); }, {option::lobes}),
    };
    return rows;
}

}  // namespace texelscope
