// What an identification says, as sentences: the answer first.

#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/studies/recipes/recipe_study.h"

namespace texelscope {
namespace {

using Sentences = std::vector<std::string>;

constexpr size_t most_named = 8;

double levels_of(SampleType type) { return type == SampleType::u8 ? 255 : type == SampleType::u16 ? 65535 : 1; }

void add_answer(Sentences& sentences, const Identification& found) {
    const RankedRecipe& best = found.ranked.front();
    switch (best.match) {
        case Match::exact:
            sentences.push_back(fmt::format("Made by the rule of {}: bit-exact.", best.recipe.text));
            break;
        case Match::within_one:
            sentences.push_back(fmt::format(
                "Made by the rule of {}: no sample is further off than {}, and {:.2f} % are "
                "the same.",
                best.recipe.text, best.closeness.levels ? "one level" : "2e-6", 100 * best.closeness.equal));
            break;
        case Match::possible:
            sentences.push_back(fmt::format(
                "Made by the rule of {}, then stored as a JPEG: {:.2f} % of the coefficients of brightness are those that "
                "the JPEG would have of its picture.",
                best.recipe.text, 100 * best.possible.value_or(0)));
            break;
        case Match::none:
            sentences.push_back(fmt::format(
                "None of the recipes made it: the nearest, {}, is off by up to {:.3g} and by {:.3g} on average.",
                best.recipe.text, best.closeness.largest, best.closeness.mean));
            break;
    }
    if (!best.same.empty())
        sentences.push_back(fmt::format("These pictures cannot tell it from {}.", fmt::join(best.same, ", ")));
    if (best.match != Match::within_one && best.match != Match::possible) return;
    // The last bits of floats tell nothing: all of them are named.
    const bool floats = best.match == Match::within_one && !best.closeness.levels;
    Sentences others;
    for (size_t k = 1; k < found.ranked.size() && (floats || others.size() < most_named); ++k)
        if (found.ranked[k].match == best.match) others.push_back(found.ranked[k].recipe.text);
    if (others.empty()) return;
    const char* const how = floats ? "Within 2e-6 as well, which is too little to tell them apart"
                            : best.match == Match::within_one ? "Within one level as well, but further off on average"
                                                              : "Possible as well, as far as a JPEG can tell";
    sentences.push_back(fmt::format("{}: {}.", how, fmt::join(others, ", ")));
}

void add_jpeg(Sentences& sentences, const Identification& found) {
    const StoredJpeg& jpeg = *found.jpeg;
    const std::string quality =
        jpeg.quality > 0 ? fmt::format("quality {}", jpeg.quality) : std::string("tables of its own");
    const RankedRecipe& best = found.ranked.front();
    sentences.push_back(fmt::format(
        "The result {} a JPEG ({}){}{}.", jpeg.from_file ? "is" : "was once", quality,
        jpeg.from_file ? "" : ", as its 8×8 blocks show",
        best.possible ? ": recipes are compared by what such a JPEG keeps" : ", of a picture that no recipe makes"));
    if (best.match != Match::possible) return;
    for (const RankedRecipe& each : found.ranked)
        if (each.match != Match::possible && each.possible && !each.by_part) {
            sentences.push_back(
                fmt::format("The next recipe, {}, has {:.2f} %.", each.recipe.text, 100 * *each.possible));
            return;
        }
}

std::string line_words(const MeasuredResponse& response) {
    return fmt::format("{:.4f} + i · {:.4f}", response.line.offset + response.shift, response.line.step);
}

void add_rounding(Sentences& sentences, const Identification& found) {
    if (found.measured->linear_light || found.type != SampleType::u8) return;
    // The standard deviation of what rounding takes away, of one channel.
    constexpr double once = 0.289;
    const MeasuredResizer& resizer = found.measured->resizer;
    const double levels = levels_of(found.type), residual = resizer.residual * levels, bias = resizer.bias * levels;
    if (std::abs(bias + 0.5) < 0.15) sentences.push_back("Values were cut off to whole levels, not rounded.");
    else if (residual > 0.3 * once && residual < 1.25 * once && std::abs(bias) < 0.15)
        sentences.push_back("Values were rounded to the nearest level, once.");
    else if (residual < 3 * once && std::abs(bias) < 0.15)
        sentences.push_back("Values were rounded more than once: between the axes as well, or by weights of few bits.");
}

void add_measured(Sentences& sentences, const Identification& found) {
    const Measured& m = *found.measured;
    const MeasuredResizer& resizer = m.resizer;
    sentences.push_back(fmt::format(
        "Measured: pixel i reads {} along x and {} along y ({}), {} antialiasing, by weights nearest to {} (off by up to "
        "{:.3g} of the largest){}.",
        line_words(resizer.x), line_words(resizer.y), resizer.x.line.name, m.x.stretch > 1 ? "with" : "without",
        m.x.name, m.x.error, m.linear_light ? ", in linear light" : ""));
    if (resizer.edges.name.empty()) sentences.push_back("What it does at the edges is none of the usual ways.");
    else
        sentences.push_back(fmt::format(
            "Edges: {}{}.", resizer.edges.name,
            resizer.edges.alike.empty()
                ? std::string()
                : fmt::format(", which these pictures cannot tell from {}", fmt::join(resizer.edges.alike, ", "))));
    add_rounding(sentences, found);
    if (resizer.clipped) sentences.push_back("Values beyond the range 0 … 1 were cut off.");
    sentences.push_back(fmt::format(
        "The weights are known to about {:.1g} of the largest; what they make is off by {:.3g} (RMS, of the range), edges "
        "included.",
        std::max(resizer.x.uncertain, 1e-6), m.reproduced));
    sentences.push_back(
        fmt::format("To resize by these weights: --align {}{} --antialias {} --address {}{}.",
                    resizer.x.line.name == "measured"     ? "centers"
                    : resizer.x.line.name == "asymmetric" ? "origin"
                                                          : resizer.x.line.name,
                    m.linear_light ? " --linear-light" : "", m.x.stretch > 1 ? "on" : "off",
                    resizer.edges.name.empty() || resizer.edges.name == "normalise" ? "clamp" : resizer.edges.name,
                    resizer.edges.name == "normalise" ? ", which is the same but near the edges" : ""));
    constexpr double ill = 1e7;
    if (resizer.condition > ill || resizer.x.uncertain > 0.02)
        sentences.push_back("The original has too little detail for the weights to be certain: noise would tell more.");
    if (resizer.x.line.step > 1 && m.x.error > 0.03)
        sentences.push_back("Whether the weights are widened with the size cannot be told from one size.");
}

}  // namespace

Sentences findings_of(const Identification& found, double likeness) {
    Sentences sentences;
    add_answer(sentences, found);
    if (found.jpeg) add_jpeg(sentences, found);
    const bool fits = found.ranked.front().match != Match::none;
    if (found.cropped)
        sentences.push_back(fmt::format(
            "Assumed: the result is a part of {}×{} pixels, made of the whole original, and begins at {}, {}.",
            found.placement.whole.width, found.placement.whole.height, found.placement.x, found.placement.y));
    constexpr double nothing_in_common = 0.3, other_shape = 0.03;
    const double shape =
        double(found.original.width) * found.result.height / (double(found.original.height) * found.result.width);
    if (!fits && !found.cropped && likeness < nothing_in_common)
        sentences.push_back("The result shows nothing of the original that could be found.");
    else if (!fits && !found.cropped && std::abs(std::log(shape)) > other_shape)
        sentences.push_back(
            "The shapes differ, and the result was found nowhere in the original as a part: it was taken to be all of it.");
    if (found.channels_swapped) sentences.push_back("Red and blue of the result are exchanged.");
    if (found.measured) add_measured(sentences, found);
    else if (!fits && found.original != found.result)
        sentences.push_back(
            "No weights along x and y make it either, or the pictures are too small to tell: nothing was measured.");
    return sentences;
}

}  // namespace texelscope
