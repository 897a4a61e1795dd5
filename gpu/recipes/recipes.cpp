// All recipes, and the method that a text names.

#include <algorithm>
#include <charconv>
#include <memory>
#include <mutex>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gpu/core/errors.h"
#include "gpu/core/text.h"
#include "gpu/method/custom_method.h"
#include "gpu/method/spec.h"
#include "gpu/recipes/recipe.h"

namespace texelscope {
namespace {

std::vector<std::string> names_of(std::span<const Recipe> recipes) {
    std::vector<std::string> names;
    for (const Recipe& recipe : recipes) names.push_back(fmt::format("{}/{}", recipe.library, recipe.function));
    return names;
}

const Recipe& recipe_named(std::string_view name) {
    const auto all = all_recipes();
    const std::vector<std::string> names = names_of(all);
    const auto found = std::find(names.begin(), names.end(), name);
    if (found != names.end()) return all[size_t(found - names.begin())];
    // Names of its library, or of all.
    const std::string_view library = name.substr(0, name.find('/'));
    std::vector<std::string_view> choices;
    for (size_t k = 0; k < all.size(); ++k)
        if (all[k].library == library) choices.push_back(names[k]);
    if (!choices.empty())
        throw UsageError(fmt::format("unknown recipe '{}'{}: choose one of {}", name, did_you_mean(name, choices),
                                     fmt::join(choices, ", ")));
    for (const Recipe& recipe : all)
        if (choices.empty() || choices.back() != recipe.library) choices.push_back(recipe.library);
    throw UsageError(
        fmt::format("unknown recipe '{}'{}: choose one of the libraries {}; texelscope methods like: lists "
                    "their functions",
                    name, did_you_mean(library, choices), fmt::join(choices, ", ")));
}

void set_option(BoundRecipe& bound, std::string_view key, std::string_view value) {
    const auto& options = bound.recipe->options;
    const auto option =
        std::find_if(options.begin(), options.end(), [&](const RecipeOption& o) { return o.id == key; });
    if (option == options.end()) {
        std::vector<std::string_view> keys;
        for (const RecipeOption& o : options) keys.push_back(o.id);
        const std::string name = fmt::format("{}/{}", bound.recipe->library, bound.recipe->function);
        if (keys.empty()) throw UsageError(fmt::format("like:{} has no options, and '{}' is none", name, key));
        throw UsageError(fmt::format("like:{} has no option '{}'{}: choose one of {}", name, key,
                                     did_you_mean(key, keys), fmt::join(keys, ", ")));
    }
    if (!option->values.empty()) {
        if (std::find(option->values.begin(), option->values.end(), value) == option->values.end())
            throw UsageError(fmt::format("{} of like:{}/{} must be one of {}, not '{}'", key, bound.recipe->library,
                                         bound.recipe->function, fmt::join(option->values, ", "), value));
    } else {
        double number = 0;
        const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
        if (error != std::errc() || end != value.data() + value.size() ||
            !(number >= option->minimum && number <= option->maximum))
            throw UsageError(fmt::format("{} of like:{}/{} must be a number from {} to {}, not '{}'", key,
                                         bound.recipe->library, bound.recipe->function, option->minimum,
                                         option->maximum, value));
    }
    bound.options.values[std::string(key)] = value;
}

std::string text_of(const BoundRecipe& bound) {
    std::string text = fmt::format("{}{}/{}", recipe_prefix, bound.recipe->library, bound.recipe->function);
    char before = ':';
    for (const RecipeOption& option : bound.recipe->options) {
        if (bound.options.text(option.id) == option.standard) continue;
        text += fmt::format("{}{}={}", before, option.id, bound.options.text(option.id));
        before = ',';
    }
    return text;
}

// A recipe's record. What is asked of it beyond a resize is what its weight function gives.
struct RecipeMethod {
    BoundRecipe bound;
    std::string name;
    MethodInfo info;
    MethodSpec spec;

    explicit RecipeMethod(BoundRecipe of) : bound(std::move(of)) {
        const Rule rule = usual_rule();
        bound.widened = rule.widened;
        spec = plain_spec(rule);
        info = *spec.method;
        for (size_t i = 0; i < info.parameters.size(); ++i) info.parameters[i].standard = spec.parameters.value[i];
        name = bound.name();
        info.id = bound.text;
        info.name = name;
        info.group = MethodGroup::library;
        info.summary = bound.recipe->call;
        info.paper = bound.recipe->versions;
        info.rank = 0;
        info.recipe = &bound;
        spec.method = &info;
    }
    RecipeMethod(const RecipeMethod&) = delete;
    RecipeMethod& operator=(const RecipeMethod&) = delete;

    static constexpr int most_factor = 4096;

    // That of a picture that shrinks by no whole factor, for which libraries have rules of their own; or of one that does, by a
    // function that does nothing else.
    Rule usual_rule() const {
        ResizedAxis usual{.samples = 8, .pixels = 5, .count = 5};
        for (int factor = 2; !bound.refusal(usual, usual).empty() && factor <= most_factor; ++factor)
            usual = {.samples = 4 * factor, .pixels = 4, .count = 4};
        return bound.rule(RecipeType::f32, 1, false, usual, usual).x;
    }

    // A method with the rule's weights and edges.
    static MethodSpec plain_spec(const Rule& rule) {
        MethodSpec plain;
        if (rule.tap_rule == TapRule::opencv_linear) plain = parse_spec("bilinear");
        else if (rule.tap_rule != TapRule::weights) plain = parse_spec("nearest");
        else if (rule.weight.find('\n') == std::string::npos) plain = parse_spec(rule.weight);
        else plain = default_spec(custom_method(rule.weight));
        const AddressMode edges = rule.edges.value_or(AddressMode::clamp);
        plain.address = {edges, edges, {}};
        if (!rule.prefilter) plain.prefilter.kind = Prefilter::Kind::none;
        return plain;
    }
};

const RegisterRecipes registered(recipe_spec);

}  // namespace

MethodSpec recipe_spec(std::string_view text) {
    static std::mutex one_at_a_time;
    static std::map<std::string, std::unique_ptr<RecipeMethod>> methods;
    BoundRecipe bound = parse_recipe(text);
    const std::scoped_lock lock(one_at_a_time);
    auto& method = methods[bound.text];
    if (!method) method = std::make_unique<RecipeMethod>(std::move(bound));
    return method->spec;
}

std::string weights_alone_words(const BoundRecipe& recipe, bool slopes) {
    return fmt::format("{} {}: its weight function and address mode are used instead, in floats", recipe.text,
                       slopes ? "has no slopes" : "makes no picture of this size");
}

MethodSpec with_option(const BoundRecipe& recipe, std::string_view option, std::string_view value) {
    BoundRecipe other = recipe;
    set_option(other, option, value);
    return recipe_spec(text_of(other));
}

double RecipeOptions::number(std::string_view id) const {
    const std::string_view value = text(id);
    double number = 0;
    std::from_chars(value.data(), value.data() + value.size(), number);
    return number;
}

std::string BoundRecipe::name() const { return fmt::format("{} {}", recipe->library, text.substr(text.find('/') + 1)); }

ResizeRule BoundRecipe::rule(RecipeType type, int channels, bool alpha, const ResizedAxis& x,
                             const ResizedAxis& y) const {
    if (const std::string why = refusal(x, y); !why.empty()) throw UsageError(why);
    return recipe->rule({options, type, channels, alpha, x, y});
}

std::string BoundRecipe::refusal(const ResizedAxis& x, const ResizedAxis& y) const {
    return recipe->refusal ? recipe->refusal({options, RecipeType::f32, 1, false, x, y}) : "";
}

std::span<const Recipe> all_recipes() {
    static const std::vector<Recipe> all = [] {
        std::vector<Recipe> recipes;
        for (const auto of_library :
             {texelscope_recipes, pillow_recipes, opencv_recipes, torch_recipes, torchvision_recipes, onnx_recipes,
              tensorflow_recipes, jax_recipes, scipy_recipes, skimage_recipes, matlab_recipes, imagemagick_recipes,
              libvips_recipes, swscale_recipes, browser_recipes, pica_recipes})
            for (Recipe& recipe : of_library()) recipes.push_back(std::move(recipe));
        return recipes;
    }();
    return all;
}

BoundRecipe parse_recipe(std::string_view text) {
    std::string_view rest = text;
    if (rest.starts_with(recipe_prefix)) rest.remove_prefix(recipe_prefix.size());
    const size_t colon = rest.find(':');
    BoundRecipe bound{&recipe_named(rest.substr(0, colon)), {}, {}};
    for (const RecipeOption& option : bound.recipe->options)
        bound.options.values[std::string(option.id)] = option.standard;
    if (colon != std::string_view::npos) {
        std::string_view settings = rest.substr(colon + 1);
        while (true) {
            const size_t comma = settings.find(',');
            const std::string_view setting = settings.substr(0, comma);
            const size_t equals = setting.find('=');
            if (equals == std::string_view::npos)
                throw UsageError(fmt::format("'{}' in '{}' is not of the form key=value", setting, text));
            set_option(bound, setting.substr(0, equals), setting.substr(equals + 1));
            if (comma == std::string_view::npos) break;
            settings.remove_prefix(comma + 1);
        }
    }
    bound.text = text_of(bound);
    return bound;
}

}  // namespace texelscope
