// Which recipe made a picture: of all of the original, else as a JPEG, else a crop of it; and if none did, what did.

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "app/studies/recipes/recipe_study.h"
#include "gpu/backend/recipe_rendering.h"
#include "gpu/core/errors.h"

namespace texelscope {
namespace {

constexpr size_t most_bound = 1024;     // of one recipe
constexpr size_t most_placements = 4;   // of a crop that recipes are tried at
constexpr double jpeg_is_likely = 0.9;  // share of coefficients that are stored likewise

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

Image with_channels_swapped(const Image& image) {
    Image swapped = image;
    const size_t sample = bytes_per_sample(image.type());
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x) {
            std::byte* const pixel = swapped.row(y) + size_t(x) * size_t(image.channels()) * sample;
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
    if (recipe.recipe->given_positions)
        throw UsageError(
            fmt::format("{} is given positions, and is no resize: use it with render, warp and sample", recipe.text));
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

const std::vector<BoundRecipe>& all_bound_recipes() {
    static const std::vector<BoundRecipe> every = [] {
        std::vector<BoundRecipe> all;
        for (const Recipe& recipe : all_recipes()) {
            if (recipe.library == "texelscope") continue;  // of any ingredients: nobody's
            if (recipe.given_positions) continue;          // no resize
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
    }();
    return every;
}

namespace {

Measured measured(const Image& original, const Image& result, const std::optional<KnownLines>& known) {
    Measured found{.resizer = measure_resizer(original, result, known),
                   .x = {},
                   .y = {},
                   .linear_light = false,
                   .weights = {},
                   .reproduced = 0};
    Image from = original, to = result;
    if (has_levels(original.type())) {
        Image light = linear_light(original), result_light = linear_light(result);
        MeasuredResizer by_light = measure_resizer(light, result_light, known);
        // Against the spread of each: light spreads dark tones less.
        if (by_light.residual / spread_of(result_light) < 0.5 * found.resizer.residual / spread_of(result)) {
            found.resizer = std::move(by_light);
            found.linear_light = true;
            from = std::move(light);
            to = std::move(result_light);
        }
    }
    found.x = nearest_weights(found.resizer.x);
    found.y = nearest_weights(found.resizer.y);
    constexpr double finest = 3e-5;
    found.weights = weights_text_of(found.resizer.x, found.x.stretch, std::max(finest, 2 * found.resizer.x.uncertain));
    const Image made = made_by(found.resizer, from, size_of(to));
    const int colours = to.channels() - (to.alpha() != Alpha::none ? 1 : 0);
    double squares = 0;
    for (int y = 0; y < to.height(); ++y)
        for (int x = 0; x < to.width(); ++x) {
            double sum = 0;
            for (int c = 0; c < colours; ++c) sum += to.value(x, y, c);
            const double off = double(made.value(x, y, 0)) - sum / colours;
            squares += off * off;
        }
    found.reproduced = std::sqrt(squares / (double(to.width()) * to.height()));
    return found;
}

// One after the other, what an identification consists of.
class Identifying {
public:
    Identifying(const std::shared_ptr<Backend>& backend, const Image& original, const Image& result,
                const StudyProgress& progress)
        : backend_(backend), original_(original), result_(result), compared_(result), progress_(progress) {
        found_.original = size_of(original);
        found_.result = size_of(result);
        found_.type = result.type();
        found_.placement = {found_.result, 0, 0};
    }

    Identification identified(const std::optional<StoredJpeg>& file) {
        // A JPEG never has the exact picture of a recipe: where the file is one, recipes are ranked by coefficients at once.
        if (file) rank_as_jpeg(file);
        if (!file || !fits()) rank(found_.placement, nullptr);
        if (!file && !fits()) rank_as_jpeg(jpeg_traces(result_));
        if (!fits()) rank_as_crop();
        if (!fits()) measure();
        return std::move(found_);
    }

private:
    bool fits() const { return found_.ranked.front().match != Match::none; }

    // Red and blue of the result exchanged, if that brings it much nearer.
    bool are_swapped(const Placement& placement) const {
        if (result_.channels() < 3) return false;
        Originals originals(backend_, original_);
        const Image made = originals.pixels(rule_of(parse_recipe("like:pillow/bilinear"), original_, placement.whole),
                                            placement, all_pixels(result_.width()), all_pixels(result_.height()));
        return closeness(made, with_channels_swapped(result_)).mean < 0.8 * closeness(made, result_).mean;
    }

    void rank(const Placement& placement, const StoredJpeg* jpeg) {
        found_.channels_swapped = are_swapped(placement);
        compared_ = found_.channels_swapped ? with_channels_swapped(result_) : result_;
        found_.ranked = ranked(backend_, original_, compared_, placement, jpeg, progress_);
        if (jpeg && found_.ranked.front().possible.value_or(0) >= jpeg_is_likely) name_possible();
    }

    // The best, and all that so many coefficients cannot tell from it.
    void name_possible() {
        const double best = *found_.ranked.front().possible;
        const double samples = double(result_.width()) * result_.height();
        const double slack = 0.001 + 3 * std::sqrt((1 - best + 1e-4) / (0.1 * samples));
        for (RankedRecipe& each : found_.ranked)
            if (!each.by_part && each.possible.value_or(0) >= best - slack) each.match = Match::possible;
    }

    void rank_as_jpeg(const std::optional<StoredJpeg>& jpeg) {
        found_.jpeg = jpeg;
        if (!jpeg) return;
        const std::vector<RankedRecipe> before = found_.ranked;
        rank(found_.placement, &*jpeg);
        if (!fits() && !before.empty()) found_.ranked = before;
    }

    void rank_as_crop() {
        crop_ = find_crop(original_, result_, progress_);
        constexpr double nearer = 0.03;
        if (!crop_ || crop_->likeness < crop_->of_whole + nearer) {
            crop_.reset();
            return;
        }
        std::vector<KnownLines> lines = {crop_->lines};
        try {
            const MeasuredResizer fine = measure_resizer(original_, result_, crop_->lines);
            lines.insert(lines.begin(), KnownLines{fine.x.line, fine.y.line});
        } catch (const Error&) {
            // Too small: what correlation says is all there is.
        }
        std::vector<Placement> placements;
        for (const KnownLines& each : lines)
            for (const Placement& placement : placements_of(each, found_.original, found_.result))
                if (std::find(placements.begin(), placements.end(), placement) == placements.end())
                    placements.push_back(placement);
        placements.resize(std::min(placements.size(), most_placements));
        std::optional<Identification> best;
        for (const Placement& placement : placements) {
            if (placement == Placement{found_.result, 0, 0}) continue;
            rank(placement, found_.jpeg ? &*found_.jpeg : nullptr);
            found_.placement = placement;
            found_.cropped = true;
            if (!best || fits() || found_.ranked.front().closeness.mean < best->ranked.front().closeness.mean)
                best = found_;
            if (fits()) break;
        }
        if (best) found_ = *std::move(best);
    }

    void measure() {
        if (found_.original == found_.result) return;
        try {
            std::optional<KnownLines> known;
            if (found_.cropped) known = lines_of(found_.placement, found_.original);
            Measured found = measured(original_, compared_, known);
            // What is no resizer by weights along x and y has been fitted by noise.
            constexpr double most_left = 0.3;  // of the result's spread
            const double spread = spread_of(found.linear_light ? linear_light(compared_) : compared_);
            if (found.reproduced < most_left * spread) found_.measured = std::move(found);
        } catch (const Error& error) {
            if (dynamic_cast<const Cancelled*>(&error)) throw;
            // Too small to be measured: the ranking is all there is.
        }
    }

    const std::shared_ptr<Backend>& backend_;
    const Image& original_;
    const Image& result_;
    Image compared_;  // red and blue put right
    const StudyProgress& progress_;
    Identification found_;
    std::optional<FoundCrop> crop_;
};

}  // namespace

Identification identify(const std::shared_ptr<Backend>& backend, const Image& original, const Image& result,
                        const StudyProgress& progress, const std::optional<StoredJpeg>& file) {
    check_pair(original, result);
    Identification found = Identifying(backend, original, result, progress).identified(file);
    found.findings = findings_of(found, likeness_of_whole(original, result));
    return found;
}

}  // namespace texelscope
