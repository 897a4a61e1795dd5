#include "gpu/backend/recipe_rendering.h"

#include <algorithm>
#include <cmath>
#include <list>
#include <memory>
#include <mutex>

#include "gpu/backend/least_squares.h"
#include "gpu/core/errors.h"
#include "gpu/recipes/recipe.h"

namespace texelscope {

RecipeType recipe_type_of(SampleType stored) {
    if (stored == SampleType::u8) return RecipeType::u8;
    return stored == SampleType::u16 ? RecipeType::u16 : RecipeType::f32;
}

namespace {

// A whole number that rounding has made almost one.
double snapped(double value, double slack) {
    const double whole = std::round(value);
    return std::abs(value - whole) <= slack ? whole : value;
}

// The part of a resize of the whole image that `count` pixels show, the first of them at `origin`.
ResizedAxis axis_of(int samples, double origin, double step, int count) {
    const double pixels = std::max(snapped(samples / step, 1e-9 * samples / step), 1e-6);
    return {samples, pixels, snapped((origin + 0.5) / step - 0.5, 1e-6), count};
}

ResizedAxis whole_axis(int samples, int pixels) { return {samples, double(pixels), 0, pixels}; }

void render_by_rule(SourceImage& source, const ResizeRule& rule, const ResizedAxis& x, const ResizedAxis& y,
                    const Resampling& resampling, const RenderTarget& target);

Resampling resizing(const SourceImage& source, int width, int height) {
    RenderRequest request = resize_request(source.samples(), default_spec(parse_method("nearest")), width, height);
    request.antialias = false;
    return source.plan(request);
}

Image resized(SourceImage& source, const ResizeRule& rule, int width, int height, const Resampling& resampling) {
    const ResizedAxis x = whole_axis(source.samples().width(), width),
                      y = whole_axis(source.samples().height(), height);
    return read_back_of(source, width, height,
                        [&](const RenderTarget& target) { render_by_rule(source, rule, x, y, resampling, target); });
}

// A picture on the way, in the light of the source.
Image on_the_way(SourceImage& source, const ResizeStage& stage) {
    Resampling resampling = resizing(source, stage.width, stage.height);
    resampling.encode_srgb = false;
    Image image = resized(source, stage.rules.front(), stage.width, stage.height, resampling);
    if (stage.rules.size() == 1) return image;
    const Image other = resized(source, stage.rules.back(), stage.width, stage.height, resampling);
    auto* const values = reinterpret_cast<float*>(image.data());
    const auto* const others = reinterpret_cast<const float*>(other.data());
    for (size_t k = 0; k < image.size_bytes() / sizeof(float); ++k) values[k] += stage.share * (others[k] - values[k]);
    return image;
}

}  // namespace

Image last_on_the_way(SourceImage& source, const ResizeRule& rule) {
    const std::shared_ptr<Backend> backend(std::shared_ptr<Backend>(), &source.backend());  // the source keeps it
    Image picture = on_the_way(source, rule.before.all().front());
    for (size_t k = 1; k < rule.before.all().size(); ++k) {
        SourceImage on(backend, std::move(picture));
        picture = on_the_way(on, rule.before.all()[k]);
    }
    return picture;
}

namespace {

// Reads the last of the pictures on the way.
void render_after(SourceImage& source, const ResizeRule& rule, const ResizedAxis& x, const ResizedAxis& y,
                  const Resampling& resampling, const RenderTarget& target) {
    const std::shared_ptr<Backend> backend(std::shared_ptr<Backend>(), &source.backend());  // the source keeps it
    SourceImage last(backend, last_on_the_way(source, rule));
    ResizeRule rest = rule;
    rest.before = {};
    ResizedAxis from_x = x, from_y = y;
    from_x.samples = last.samples().width();
    from_y.samples = last.samples().height();
    Resampling part = resizing(last, x.count, y.count);
    part.encode_srgb = resampling.encode_srgb;
    part.simple = resampling.simple;
    render_by_rule(last, rest, from_x, from_y, part, target);
}

void render_by_taps(SourceImage& source, const ResizeRule& rule, const LongTaps& along_x, const LongTaps& along_y,
                    const Resampling& resampling, const RenderTarget& target) {
    auto* const renderer = dynamic_cast<LongTapsRenderer*>(&source.backend());
    if (!renderer) throw Error("this backend cannot compute recipes of other libraries");
    const LongPasses passes = within_extremes(rule.passes, source);
    Resampling inside = resampling;
    inside.width = along_x.pixels();
    inside.height = along_y.pixels();
    inside.spec.address = {rule.x.edges.value_or(AddressMode::clamp), rule.y.edges.value_or(AddressMode::clamp), {}};
    source.render_samples(inside, target,
                          [&](const ResidentImage& image, const Resampling& request, const RenderTarget& to) {
                              renderer->resample_by_taps(image, request, along_x, along_y, passes, to);
                          });
}

// Taps that were made last are kept: frames, and the images of a folder, have the same.
std::shared_ptr<const LongTaps> kept_taps(const Rule& rule, const ResizedAxis& axis) {
    constexpr size_t most = 16, most_weights = 1 << 18;
    struct Kept {
        Rule rule;
        ResizedAxis axis;
        std::shared_ptr<const LongTaps> taps;
    };
    static std::list<Kept> all;  // the most recently used first
    static std::mutex one_at_a_time;
    {
        const std::scoped_lock lock(one_at_a_time);
        const auto found = std::find_if(all.begin(), all.end(),
                                        [&](const Kept& kept) { return kept.axis == axis && kept.rule == rule; });
        if (found != all.end()) {
            all.splice(all.begin(), all, found);
            return found->taps;
        }
    }
    auto taps = std::make_shared<const LongTaps>(taps_of(rule, axis));
    if (taps->weights.size() > most_weights) return taps;
    const std::scoped_lock lock(one_at_a_time);
    all.push_front({rule, axis, taps});
    if (all.size() > most) all.pop_back();
    return taps;
}

void render_by_rule(SourceImage& source, const ResizeRule& rule, const ResizedAxis& x, const ResizedAxis& y,
                    const Resampling& resampling, const RenderTarget& target) {
    if (!rule.before.all().empty()) return render_after(source, rule, x, y, resampling, target);
    const auto along_x = kept_taps(rule.x, x);
    if (source.samples().one_dimensional())
        render_by_taps(source, rule, *along_x, single_taps(y.count, 0), resampling, target);
    else render_by_taps(source, rule, *along_x, *kept_taps(rule.y, y), resampling, target);
}

}  // namespace

LongPasses within_extremes(LongPasses passes, SourceImage& source) {
    for (LongPass* pass : {&passes.first, &passes.second}) {
        if (!pass->within_samples) continue;
        const auto [least, largest] = source.extremes();
        pass->clipped = least <= largest;
        pass->low = least * passes.unit - passes.fill;
        pass->high = largest * passes.unit - passes.fill;
    }
    return passes;
}

namespace {

// Whether the rule of a recipe computes each axis as a whole.
bool is_along_axes(const Recipe& recipe, const Affine& p, bool at_points) {
    return !at_points && !recipe.given_positions && p.axis_aligned() && p.xx > 0 && p.yy > 0;
}

}  // namespace

bool is_by_rules(const RenderRequest& request, const ImageShape& image) {
    if (!request.spec.method || !request.spec.method->recipe || request.derivative != Derivative::none) return false;
    const BoundRecipe& recipe = *request.spec.method->recipe;
    if (recipe.recipe->given_positions) return true;
    const Affine p = positions_of(request, image.width, image.height);
    if (is_along_axes(*recipe.recipe, p, request.warp.kind != Warp::Kind::none))
        return recipe
            .refusal(axis_of(image.width, p.x0, p.xx, request.width), axis_of(image.height, p.y0, p.yy, request.height))
            .empty();
    const double step_x = std::max(std::hypot(p.xx, p.xy), 1e-6), step_y = std::max(std::hypot(p.yx, p.yy), 1e-6);
    return recipe
        .refusal(axis_of(image.width, step_x / 2 - 0.5, step_x, request.width),
                 axis_of(image.height, step_y / 2 - 0.5, step_y, request.height))
        .empty();
}

bool is_by_rules(const SampleRequest& request, const ImageShape& image) {
    if (!request.spec.method || !request.spec.method->recipe || request.derivative != Derivative::none) return false;
    return request.spec.method->recipe
        ->refusal(whole_axis(image.width, image.width), whole_axis(image.height, image.height))
        .empty();
}

RenderRequest without_recipe(const RenderRequest& request) {
    RenderRequest plain = request;
    plain.antialias = request.spec.method->recipe->widened && request.derivative == Derivative::none;
    return plain;
}

namespace {

// The part of a request that is inside the image, and its rule.
struct RecipePart {
    InsidePart inside;
    ResizedAxis x, y;

    RecipePart(const ResidentImage& samples, const Resampling& resampling) : inside(inside_of(samples, resampling)) {
        const Affine& p = resampling.reading.positions;
        x = axis_of(samples.width(), p.x0 + inside.column * p.xx, p.xx, inside.width);
        y = axis_of(samples.height(), p.y0 + inside.row * p.yy, p.yy, inside.height);
    }
    ResizeRule rule(const ResidentImage& samples, SampleType stored, const MethodSpec& spec) const {
        return spec.method->recipe->rule(recipe_type_of(stored), samples.channels(), samples.alpha() != Alpha::none, x,
                                         y);
    }
};

}  // namespace

void render_recipe(SourceImage& source, SampleType stored, const Resampling& resampling, const RenderTarget& target) {
    if (!is_along_axes(*resampling.spec.method->recipe->recipe, resampling.reading.positions, resampling.points.x))
        return render_recipe_at_points(source, stored, resampling, target);
    const ResidentImage& samples = source.samples();
    const RecipePart shown(samples, resampling);
    const InsidePart inside = render_outside(source, resampling, target);
    if (inside.is_empty()) return;
    render_by_rule(source, shown.rule(samples, stored, resampling.spec), shown.x, shown.y, resampling, inside.target);
}

bool recipe_renders_batch(const SourceImage& source, SampleType stored, const Resampling& resampling) {
    const ResizeRule rule = RecipePart(source.samples(), resampling).rule(source.samples(), stored, resampling.spec);
    return rule.before.all().empty() && !rule.passes.first.within_samples && !rule.passes.second.within_samples;
}

void render_recipe_reference(SourceImage& source, SampleType stored, const Resampling& resampling, double* values) {
    if (!is_along_axes(*resampling.spec.method->recipe->recipe, resampling.reading.positions, resampling.points.x))
        return render_point_reference(source, stored, resampling, values);
    const ResidentImage& samples = source.samples();
    const RecipePart shown(samples, resampling);
    const InsidePart& inside = shown.inside;
    if (!inside.is_all_of(resampling)) source.backend().resample_reference(samples, outside_alone(resampling), values);
    if (inside.is_empty()) return;
    const std::vector<double> exact = reference_by_rule(source, stored, shown.rule(samples, stored, resampling.spec),
                                                        shown.x, shown.y, resampling.encode_srgb);
    const size_t channels = size_t(samples.channels()), row = size_t(inside.width) * channels;
    for (int j = 0; j < inside.height; ++j)
        source.backend().write(
            values + (size_t(inside.row + j) * size_t(resampling.width) + size_t(inside.column)) * channels,
            exact.data() + size_t(j) * row, row * sizeof(double));
}

ResizeRule rule_for(const MethodSpec& spec, SampleType stored, int channels, bool alpha, const ImageShape& image,
                    int width, int height) {
    return spec.method->recipe->rule(recipe_type_of(stored), channels, alpha, whole_axis(image.width, width),
                                     whole_axis(image.height, height));
}

Image image_by_rule(SourceImage& source, const ResizeRule& rule, int width, int height) {
    return resized(source, rule, width, height, resizing(source, width, height));
}

namespace {

Image image_of_taps(SourceImage& source, const ResizeRule& rule, const LongTaps& x, const LongTaps& y,
                    const Resampling& resampling) {
    return read_back_of(source, x.pixels(), y.pixels(),
                        [&](const RenderTarget& target) { render_by_taps(source, rule, x, y, resampling, target); });
}

}  // namespace

Image image_by_taps(SourceImage& source, const ResizeRule& rule, const LongTaps& x, const LongTaps& y) {
    return image_of_taps(source, rule, x, y, resizing(source, x.pixels(), y.pixels()));
}

Image unencoded_image_by_taps(SourceImage& source, const ResizeRule& rule, const LongTaps& x, const LongTaps& y) {
    Resampling resampling = resizing(source, x.pixels(), y.pixels());
    resampling.encode_srgb = false;
    return image_of_taps(source, rule, x, y, resampling);
}

}  // namespace texelscope
