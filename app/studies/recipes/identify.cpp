// Which recipe made a picture.

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/studies/recipes/recipe_study.h"
#include "gpu/backend/recipe_rendering.h"
#include "gpu/core/errors.h"

namespace texelscope {
namespace {

constexpr size_t most_bound = 1024;  // of one recipe

double levels_of(SampleType type) { return type == SampleType::u8 ? 255 : type == SampleType::u16 ? 65535 : 1; }

bool has_levels(SampleType type) { return type == SampleType::u8 || type == SampleType::u16; }

Extent size_of(const Image& image) { return {image.width(), image.height()}; }

void check_pair(const Image& original, const Image& result) {
    if (original.channels() != result.channels())
        throw UsageError(
            fmt::format("the result has {} channels and the original {}: give two pictures of the same kind",
                        result.channels(), original.channels()));
    if (original.one_dimensional() || result.one_dimensional())
        throw UsageError("signals have no recipes: give two pictures");
}

// A hash of all samples, rounded to whole levels in 8 and 16 bits. Recipes with the same fingerprint are one answer.
uint64_t fingerprint(const Image& image, double unit, bool levels) {
    uint64_t hash = 14695981039346656037u;  // FNV-1a, 64 bits
    for (int y = 0; y < image.height(); ++y)
        for (size_t k = 0; k < size_t(image.width()) * size_t(image.channels()); ++k) {
            const float value = image.row_as<float>(y)[k];
            const auto bits = levels ? uint64_t(std::llround(std::clamp(double(value) * unit, 0.0, unit)))
                                     : uint64_t(std::bit_cast<uint32_t>(value));
            hash = (hash ^ bits) * 1099511628211u;
        }
    return hash;
}

Image with_channels_swapped(const Image& image) {
    Image swapped = image;
    const size_t sample =
        image.size_bytes() / (size_t(image.width()) * size_t(image.height()) * size_t(image.channels()));
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x) {
            std::byte* const pixel =
                reinterpret_cast<std::byte*>(swapped.row(y)) + size_t(x) * size_t(image.channels()) * sample;
            std::swap_ranges(pixel, pixel + sample, pixel + 2 * sample);
        }
    return swapped;
}

// The standard deviation of the first channel.
double spread_of(const Image& image) {
    double sum = 0, squares = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x) {
            const double value = image.value(x, y, 0);
            sum += value;
            squares += value * value;
        }
    const double count = double(image.width()) * image.height();
    return std::sqrt(std::max(squares / count - sum / count * sum / count, 1e-30));
}

}  // namespace

ResizeRule rule_of(const BoundRecipe& recipe, const Image& image, Extent size) {
    const RecipeType type = image.type() == SampleType::u8    ? RecipeType::u8
                            : image.type() == SampleType::u16 ? RecipeType::u16
                                                              : RecipeType::f32;
    return recipe.rule(type, image.channels(), image.alpha() != Alpha::none,
                       {image.width(), double(size.width), 0, size.width},
                       {image.height(), double(size.height), 0, size.height});
}

Image resized_by_rule(const std::shared_ptr<Backend>& backend, const Image& image, const ResizeRule& rule,
                      Extent size) {
    const auto source = std::make_shared<Image>(image);
    if (!rule.premultiplied) source->set_alpha(Alpha::none);
    SourceImage on(backend, std::shared_ptr<const Image>(source));
    Image result = unpremultiplied(image_by_rule(on, rule, size.width, size.height));
    result.set_alpha(image.alpha());
    return result;
}

Image resized_like(const std::shared_ptr<Backend>& backend, const Image& image, const BoundRecipe& recipe,
                   Extent size) {
    return resized_by_rule(backend, image, rule_of(recipe, image, size), size);
}

Closeness closeness(const Image& made, const Image& result) {
    const double unit = levels_of(result.type());
    Closeness close{.levels = has_levels(result.type())};
    size_t equal = 0;
    double squares = 0, sum = 0;
    const size_t samples = size_t(result.width()) * size_t(result.height()) * size_t(result.channels());
    for (int y = 0; y < result.height(); ++y)
        for (int x = 0; x < result.width(); ++x)
            for (int c = 0; c < result.channels(); ++c) {
                double value = double(made.value(x, y, c)) * unit;
                if (close.levels) value = std::clamp(std::nearbyint(value), 0.0, unit);
                const double wanted = double(result.value(x, y, c)) * unit;
                const double off = std::abs(value - (close.levels ? std::nearbyint(wanted) : wanted));
                equal += off == 0;
                sum += off;
                squares += off * off;
                if (off > close.largest || std::isnan(off)) {
                    close.largest = std::isnan(off) ? std::numeric_limits<double>::infinity() : off;
                    close.worst_x = x;
                    close.worst_y = y;
                }
            }
    close.mean = sum / double(samples);
    close.equal = double(equal) / double(samples);
    close.psnr = squares > 0 ? 20 * std::log10(unit) - 10 * std::log10(squares / double(samples))
                             : std::numeric_limits<double>::infinity();
    return close;
}

std::vector<BoundRecipe> all_bound_recipes() {
    std::vector<BoundRecipe> all;
    for (const Recipe& recipe : all_recipes()) {
        if (recipe.library == "texelscope") continue;  // of any ingredients: nobody's
        std::vector<std::string> texts = {fmt::format("like:{}/{}", recipe.library, recipe.function)};
        for (const RecipeOption& option : recipe.options) {
            if (option.values.empty() || texts.size() * option.values.size() > most_bound) continue;
            std::vector<std::string> more;
            for (const std::string& text : texts)
                for (const std::string_view value : option.values)
                    more.push_back(fmt::format("{}{}{}={}", text, text.find('=') == std::string::npos ? ":" : ",",
                                               option.id, value));
            texts = std::move(more);
        }
        for (const std::string& text : texts) all.push_back(parse_recipe(text));
    }
    return all;
}

namespace {

// The second channel alone, of pictures whose channels are all resized alike.
Image one_channel(const Image& image) {
    Image green(image.width(), image.height(), 1, image.type());
    const size_t sample = green.size_bytes() / (size_t(image.width()) * size_t(image.height()));
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            std::memcpy(
                reinterpret_cast<std::byte*>(green.row(y)) + size_t(x) * sample,
                reinterpret_cast<const std::byte*>(image.row(y)) + (size_t(x) * size_t(image.channels()) + 1) * sample,
                sample);
    return green;
}

Match match_of(const Closeness& close) {
    return close.exact() ? Match::exact : close.within_one() ? Match::within_one : Match::none;
}

void sort_by_closeness(std::vector<RankedRecipe>& ranked) {
    std::stable_sort(ranked.begin(), ranked.end(), [](const RankedRecipe& a, const RankedRecipe& b) {
        if ((a.match == Match::exact) != (b.match == Match::exact)) return a.match == Match::exact;
        return a.closeness.mean < b.closeness.mean;
    });
}

// Pictures by any rule, of one original.
class Originals {
public:
    Originals(const std::shared_ptr<Backend>& backend, const Image& original)
        : original_(original), premultiplied_(backend, original), channels_(backend, without_alpha(original)) {}

    const Image& image() const { return original_; }
    Image by(const ResizeRule& rule, Extent size) {
        return unpremultiplied(
            image_by_rule(rule.premultiplied ? premultiplied_ : channels_, rule, size.width, size.height));
    }

private:
    static Image without_alpha(Image image) {
        image.set_alpha(Alpha::none);
        return image;
    }
    const Image& original_;
    SourceImage premultiplied_, channels_;
};

// All recipes, those that make the same picture together.
std::vector<RankedRecipe> ranked(Originals& originals, const Image& result, const StudyProgress& progress) {
    std::vector<RankedRecipe> all;
    std::vector<uint64_t> pictures;                   // of `all`
    std::vector<std::pair<ResizeRule, size_t>> seen;  // rules that are the same need no second look
    const std::vector<BoundRecipe> recipes = all_bound_recipes();
    for (size_t k = 0; k < recipes.size(); ++k) {
        progress(int(k), int(recipes.size()));
        ResizeRule rule;
        try {
            rule = rule_of(recipes[k], originals.image(), size_of(result));
        } catch (const UsageError&) {
            continue;  // options that do not go together
        }
        const auto same = std::find_if(seen.begin(), seen.end(), [&](const auto& each) { return each.first == rule; });
        if (same != seen.end()) {
            all[same->second].same.push_back(recipes[k].text);
            continue;
        }
        const Image picture = originals.by(rule, size_of(result));
        const uint64_t print = fingerprint(picture, levels_of(result.type()), has_levels(result.type()));
        const size_t twin = size_t(std::find(pictures.begin(), pictures.end(), print) - pictures.begin());
        seen.push_back({rule, twin});
        if (twin < pictures.size()) {
            all[twin].same.push_back(recipes[k].text);
            continue;
        }
        const Closeness close = closeness(picture, result);
        pictures.push_back(print);
        all.push_back({recipes[k], close, match_of(close), {}});
    }
    if (all.empty()) throw Error("no recipe takes pictures of this kind");
    sort_by_closeness(all);
    return all;
}

Identification ranked(const std::shared_ptr<Backend>& backend, const Image& original, const Image& result,
                      const StudyProgress& progress) {
    constexpr size_t looked_at = 24;  // the nearest, and all within a level, by all channels
    Identification found;
    found.original = size_of(original);
    found.result = size_of(result);
    found.type = result.type();
    Originals originals(backend, original);
    if (original.channels() != 3 || original.alpha() != Alpha::none) {
        found.ranked = ranked(originals, result, progress);
        return found;
    }
    const Image green = one_channel(original);
    Originals greens(backend, green);
    found.ranked = ranked(greens, one_channel(result), progress);
    for (size_t k = 0; k < found.ranked.size(); ++k) {
        RankedRecipe& each = found.ranked[k];
        if (k >= looked_at && each.match == Match::none) continue;
        each.closeness = closeness(originals.by(rule_of(each.recipe, original, found.result), found.result), result);
        each.match = match_of(each.closeness);
    }
    sort_by_closeness(found.ranked);
    return found;
}

// Red and blue of the result exchanged, if that brings it much nearer.
bool are_swapped(const Image& original, const Image& result, const std::shared_ptr<Backend>& backend) {
    if (result.channels() < 3) return false;
    const BoundRecipe probe = parse_recipe("like:pillow/bilinear");
    const Image made = resized_like(backend, original, probe, size_of(result));
    return closeness(made, with_channels_swapped(result)).mean < 0.8 * closeness(made, result).mean;
}

Measured measured(const Image& original, const Image& result) {
    Measured found{
        .resizer = measure_resizer(original, result), .x = {}, .y = {}, .linear_light = false, .weights = {}};
    if (has_levels(original.type())) {
        MeasuredResizer light = measure_resizer(linear_light(original), linear_light(result));
        // Against the spread of each: light spreads dark tones less.
        const double spread = spread_of(result), light_spread = spread_of(linear_light(result));
        if (light.residual / light_spread < 0.5 * found.resizer.residual / spread) {
            found.resizer = std::move(light);
            found.linear_light = true;
        }
    }
    found.x = nearest_weights(found.resizer.x);
    found.y = nearest_weights(found.resizer.y);
    found.weights = weights_text_of(found.resizer.x, found.x.stretch);
    return found;
}

std::vector<std::string> findings_of(const Identification& found) {
    std::vector<std::string> sentences;
    const RankedRecipe& best = found.ranked.front();
    if (best.match == Match::exact)
        sentences.push_back(fmt::format("Made by {}: every sample is the same.", best.recipe.text));
    else if (best.match == Match::within_one)
        sentences.push_back(
            fmt::format("Made by the rule of {}: no sample is further off than {}, and {:.2f} % are the same.",
                        best.recipe.text, best.closeness.levels ? "one level" : "2e-6", 100 * best.closeness.equal));
    else
        sentences.push_back(fmt::format(
            "None of the {} recipes made it: the nearest, {}, is off by up to {:.3g} and by {:.3g} on average.",
            found.ranked.size(), best.recipe.text, best.closeness.largest, best.closeness.mean));
    if (!best.same.empty())
        sentences.push_back(fmt::format("These pictures cannot tell it from {}.", fmt::join(best.same, ", ")));
    if (best.match == Match::within_one) {
        std::vector<std::string> others;
        for (size_t k = 1; k < found.ranked.size() && others.size() < 8; ++k)
            if (found.ranked[k].match == Match::within_one) others.push_back(found.ranked[k].recipe.text);
        if (!others.empty())
            sentences.push_back(
                fmt::format("Within one level as well, but further off on average: {}.", fmt::join(others, ", ")));
    }
    if (found.channels_swapped) sentences.push_back("Red and blue of the result are exchanged.");
    if (found.measured) {
        const Measured& m = *found.measured;
        const MeasuredResponse& x = m.resizer.x;
        sentences.push_back(
            fmt::format("Measured: pixel i reads {:.4f} + i · {:.4f} along x ({}), {} antialiasing, by "
                        "weights nearest to {} (off by up to {:.3g} of the largest){}.",
                        x.line.offset + x.shift, x.line.step, x.line.name, m.x.stretch > 1 ? "with" : "without",
                        m.x.name, m.x.error, m.linear_light ? ", in linear light" : ""));
        sentences.push_back(
            fmt::format("What the measured weights make is off by {:.3g} (RMS, of the range).", m.resizer.residual));
    }
    return sentences;
}

}  // namespace

Identification identify(const std::shared_ptr<Backend>& backend, const Image& original, const Image& result,
                        const StudyProgress& progress) {
    check_pair(original, result);
    const bool swapped = are_swapped(original, result, backend);
    Image compared = swapped ? with_channels_swapped(result) : result;
    Identification found = ranked(backend, original, compared, progress);
    found.channels_swapped = swapped;
    if (found.ranked.front().match == Match::none && size_of(original) != size_of(result)) try {
            found.measured = measured(original, compared);
        } catch (const Error&) {
            // Too small to be measured: the ranking is all there is.
        }
    found.findings = findings_of(found);
    return found;
}

}  // namespace texelscope
