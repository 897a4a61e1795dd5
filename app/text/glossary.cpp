#include "app/text/glossary.h"

#include <algorithm>

#include <fmt/format.h>

#include "app/text/text.h"
#include "gpu/core/errors.h"
#include "gpu/core/text.h"

namespace texelscope {
namespace {

constexpr GlossaryEntry entries[] = {
    {"address mode", "clamp, border, wrap, mirror, reflect101",
     "How the image goes on beyond its edges: clamp repeats the edge sample, border is zero and transparent or a value of "
     "one's own, wrap repeats the image, mirror reflects it about its edges and reflect101 about its outermost samples, which are then not repeated. "
     "Each axis has its own."},
    {"aliasing", "moiré",
     "False patterns, which arise if a picture is made smaller, or sampled, without removing what the new samples cannot "
     "carry."},
    {"antialias", "antialiasing, antialiased",
     "When the view zooms out, the weight function is widened with the scale, so that each pixel weighs all samples it "
     "covers. It prevents aliasing and has no effect at 100 % and above."},
    {"arithmetic error", "",
     "The RMSE between a pane and the same method computed in float64 with exact weights and coefficients. It tells what "
     "path, prefilter and float32 lose, and nothing about the method."},
    {"auto", "",
     "The fetch path that is fastest with exact weights: neighbouring pixels share the samples they read, and on the CPU "
     "vector instructions are used."},
    {"code value", "code",
     "The integer that the file stores for a sample: 0 to 255 with 8 bits, 0 to 65535 with 16 bits."},
    {"coefficient", "coefficients",
     "What a B-spline's weights multiply in place of the samples. The prefilter computes coefficients from samples."},
    {"decibel", "",
     "A ratio on a logarithmic scale: 20 log₁₀ of a ratio of amplitudes, so that a tenth is −20 dB and a half −6 dB. What "
     "filters do one after the other adds up."},
    {"fetch", "fetches",
     "One read of the image by a kernel. On the hardware path one fetch returns a blend of up to four samples, so fewer "
     "fetches than taps are needed."},
    {"fir", "FIR, finite impulse response",
     "A prefilter cut off to a number of taps, 3 to 31: it is fast and local, and its error is too small to be seen from "
     "13 taps on."},
    {"FLIP", "",
     "How much of a difference is seen when two pictures take turns on the screen, 0 to 1 (Andersson and others 2020). It "
     "depends on the viewing distance, in pixels per degree of visual angle."},
    {"global", "", "The fetch path that reads each tap from linear memory, with exact weights."},
    {"GMSD", "gradient magnitude similarity deviation",
     "Gradient magnitude similarity deviation (Xue and others 2014): how unevenly edges are kept. 0 means equal; less is "
     "better."},
    {"hardware", "",
     "The fetch path that lets the texture unit blend samples. It needs the fewest fetches; its weights have 8 bits, so "
     "they are off by up to 1/512. On the CPU this is emulated."},
    {"iir", "IIR, infinite impulse response",
     "The exact prefilter, a recursive filter along rows and columns: the interpolated picture passes through every "
     "sample, to float32 precision."},
    {"interpolating", "", "A method that passes through the samples: at 100 % it shows the image itself."},
    {"kernel", "",
     "A program that the GPU runs for each pixel. The function that gives the weights is called weight function."},
    {"largest error", "largest, max",
     "The largest difference between a value of the picture and that of the reference."},
    {"least squares", "",
     "A way to shrink: of all pictures that the method can make from so few samples, the one nearest to the picture that it "
     "makes of the samples given. Sharper than widened weights; bilinear and the B-splines give back what they enlarged by "
     "an odd factor."},
    {"linear light", "",
     "Values in proportion to light, decoded from sRGB before they are interpolated. Stored values are not: 128 of 255 "
     "is about a fifth of the light of white."},
    {"lookup", "",
     "The fetch path that reads each tap through the texture unit without blending: the weights are exact, and the "
     "texture cache helps."},
    {"method", "",
     "How values between the samples are computed: nearest neighbour, bilinear, cubic B-spline and others."},
    {"mip level", "mip levels, level of detail",
     "One of the smaller copies of a picture, each half as large as the one before. Texture units read the one whose samples "
     "are about as far apart as neighbouring pixels; trilinear blends two of them, and anisotropic reads several along the "
     "longer side of a pixel's footprint."},
    {"Nyquist frequency", "Nyquist",
     "Half a cycle per sample, the highest frequency that samples can carry. What is above it turns into aliasing."},
    {"order", "",
     "How fast a method's error falls when the sampling gets finer: order 4 means that half the distance between samples "
     "gives a sixteenth of the error."},
    {"pane", "", "One of the pictures side by side, A to P, with its own method and settings."},
    {"path", "fetch path",
     "How a kernel reads the samples: auto, global, lookup or hardware. The picture is the same but for the 8-bit weights "
     "of the hardware path; the time is not."},
    {"polar", "EWA, elliptical weighted average",
     "A method that weighs samples by their distance in the plane instead of along both axes: it prefers no direction. Where "
     "the view shrinks, its disc becomes an ellipse."},
    {"prefilter", "",
     "A filter that turns samples into coefficients before the interpolation. Without it, a B-spline blurs; with it, it "
     "passes through the samples."},
    {"PSNR", "peak signal-to-noise ratio, dB",
     "Peak signal-to-noise ratio, 20 log₁₀ (peak / RMSE), in decibels. More is better: 6 dB more is half the error; at 30 "
     "dB differences are plain, above 45 dB hardly visible, from 120 dB on there is only rounding. The peak is 255, or the range of a float image."},
    {"reference", "against",
     "What a pane is measured against: another method in float64, the same method, an image such as the original, a "
     "formula, or another pane. Every figure of error names it."},
    {"RMSE", "root mean square error",
     "Root mean square error: the square root of the mean squared difference between the picture and its reference, in "
     "the unit that values are shown in. Less is better."},
    {"sample", "samples, texel, texels",
     "One stored pixel value. Sample i of a row is at coordinate i; what lies between is interpolated."},
    {"SSIM", "structural similarity",
     "Structural similarity after Wang and others (2004): compares local contrast and structure in windows of 11×11 "
     "pixels. 1.0000 means equal. How much less can be seen depends on the picture."},
    {"tap", "taps",
     "One sample that contributes to a pixel, times its weight. The number of taps per pixel is that of both axes: 16 are "
     "4×4. With antialiasing there are more; their number is an average, and ~ before it says so."},
    {"truth", "",
     "A reference that is right: the original before it was made smaller, a formula, or a larger original."},
    {"weight function", "weight",
     "A method's 1-D function: the weight of a sample by its distance from the point that is computed."},
    {"ΔE", "ΔE2000, delta E",
     "Difference of two colours as people see it, CIEDE2000. About 1 can just be seen side by side; 95 % of the pixels "
     "are below the 95th percentile."}};

// "PSNR (dB)" → "psnr"
std::string key_of(std::string_view word) {
    if (const size_t bracket = word.find('('); bracket != word.npos && bracket > 0) word = word.substr(0, bracket);
    return lower_case(std::string(trimmed(word)));
}

bool is_named(const GlossaryEntry& entry, const std::string& key) {
    if (lower_case(std::string(entry.term)) == key) return true;
    for (std::string_view rest = entry.also; !rest.empty();) {
        const size_t comma = rest.find(',');
        if (lower_case(std::string(trimmed(rest.substr(0, comma)))) == key) return true;
        rest = comma == rest.npos ? std::string_view() : rest.substr(comma + 1);
    }
    return false;
}

}  // namespace

std::span<const GlossaryEntry> glossary() { return entries; }

const GlossaryEntry* find_term(std::string_view word) {
    const std::string key = key_of(word);
    const auto found = std::find_if(std::begin(entries), std::end(entries),
                                    [&](const GlossaryEntry& entry) { return is_named(entry, key); });
    return found == std::end(entries) ? nullptr : &*found;
}

std::string with_terms(std::string_view tip, std::initializer_list<std::string_view> words) {
    std::string text(tip);
    for (const std::string_view word : words) {
        const GlossaryEntry* entry = find_term(word);
        if (!entry) throw Error(fmt::format("the glossary has no entry '{}'", word));
        text += fmt::format("{}{}: {}", text.empty() ? "" : "\n\n", entry->term, entry->meaning);
    }
    return text;
}

std::string glossary_page() {
    std::string page =
        "# Glossary\n\n"
        "The words of the window, as its tooltips explain them; *F1* finds them by typing. This page is made by\n"
        "`make_methods_page` from `app/text/glossary.cpp`.\n\n"
        "| word | meaning |\n| --- | --- |\n";
    for (const GlossaryEntry& entry : entries) {
        std::string meaning(entry.meaning);
        for (size_t at = 0; (at = meaning.find('|', at)) != meaning.npos; at += 2) meaning.insert(at, "\\");
        page += fmt::format("| {}{} | {} |\n", entry.term, entry.also.empty() ? "" : fmt::format(" ({})", entry.also),
                            meaning);
    }
    return page;
}

std::string name_in_text(const MethodInfo& method) {
    std::string name(method.name);
    for (const std::string_view common :
         {"Bicubic", "Bilinear", "Cubic", "Nearest", "Quadratic", "Quartic", "Quintic", "Septic", "Spline"})
        if (name.starts_with(common)) name[0] = char(name[0] - 'A' + 'a');  // not a person's name
    return name;
}

std::string parameter_words(const MethodSpec& spec) {
    std::string text;
    for (size_t i = 0; i < spec.method->parameters.size(); ++i) {
        const ParameterInfo& info = spec.method->parameters[i];
        const double value = spec.parameters.value[i];
        if (value == info.standard) continue;
        text += fmt::format(" · {} = {}{}{}", info.name, with_minus(fmt::format("{:.4g}", value)),
                            info.unit.empty() ? "" : " ", info.unit);
    }
    return text;
}

std::string in_words(Mip mip) {
    switch (mip) {
        case Mip::none: return "off";
        case Mip::nearest: return "nearest mip level";
        case Mip::linear: return "trilinear";
        case Mip::level: return "its mip level";
        default: return fmt::format("anisotropic ×{}", most_probes(mip));
    }
}

namespace {

std::string words_with(const MethodSpec& spec, bool with_prefilter, bool with_path) {
    std::string text = std::string(spec.method->name) + parameter_words(spec);
    const Prefilter& prefilter = spec.prefilter;
    if (spec.method->has_prefilter() && with_prefilter) {
        const bool none = prefilter.kind == Prefilter::Kind::none;
        text += none                                     ? " · no prefilter"
                : prefilter.kind == Prefilter::Kind::fir ? fmt::format(" · prefilter of {} taps", prefilter.taps)
                                                         : " · exact prefilter";
        if (!none && prefilter.half_float) text += " · 16-bit coefficients";
    }
    if (const Mip mip = spec.effective_mip(); mip != Mip::none) text += fmt::format(" · {}", in_words(mip));
    return with_path && spec.path != FetchPath::automatic ? text + fmt::format(" · {}", name_of(spec.path)) : text;
}

}  // namespace

std::string words(const MethodSpec& spec, bool with_path) {
    return words_with(spec, !(spec.prefilter == default_spec(*spec.method).prefilter), with_path);
}

std::string full_words(const MethodSpec& spec, bool with_path) { return words_with(spec, true, with_path); }

std::string words(const Warp& warp) {
    const WarpInfo info = info_of(warp.kind);
    if (warp.kind == Warp::Kind::none || warp.kind == Warp::Kind::homography) return std::string(info.name);
    const std::string unit = info.unit == "degrees" ? "°" : info.unit.empty() ? "" : fmt::format(" {}", info.unit);
    return fmt::format("{} {:.4g}{}", info.name, warp.strength, unit);
}

}  // namespace texelscope
