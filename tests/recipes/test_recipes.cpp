// Recipes as methods: their texts, what they stand for, and facts about their rules that no library needs to be asked for.

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <set>
#include <string>

#include "app/studies/recipes/recipe_study.h"
#include "gpu/backend/recipe_rendering.h"
#include "gpu/core/errors.h"
#include "tests/support/backends.h"
#include "tests/support/images.h"
#include "tests/support/tools.h"

namespace texelscope::test {
namespace {

TEST(Recipes, EachHasACallVersionsAndABound) {
    std::set<std::string> names;
    for (const Recipe& recipe : all_recipes()) {
        const std::string name = std::string(recipe.library) + "/" + std::string(recipe.function);
        EXPECT_TRUE(names.insert(name).second) << name << " is there twice";
        EXPECT_FALSE(recipe.call.empty()) << name;
        EXPECT_FALSE(recipe.versions.empty()) << name;
        EXPECT_FALSE(recipe.bound.empty()) << name;
    }
    EXPECT_GT(names.size(), 50u);
}

// Tooltips and pages show them as they are; one may begin with a value: "auto: …".
TEST(Recipes, OptionsAreExplainedInSentences) {
    for (const Recipe& recipe : all_recipes())
        for (const RecipeOption& option : recipe.options) {
            const std::string_view words = option.summary;
            ASSERT_TRUE(words.ends_with('.')) << recipe.function << ' ' << option.id;
            const bool value = std::ranges::any_of(
                option.values, [&](std::string_view each) { return words.starts_with(std::string(each) + ":"); });
            EXPECT_TRUE(value || std::isupper(static_cast<unsigned char>(words[0])) ||
                        std::isdigit(static_cast<unsigned char>(words[0])))
                << words;
        }
}

TEST(Recipes, ATextIsReadBack) {
    for (const BoundRecipe& bound : all_bound_recipes()) {
        MethodSpec spec;
        try {
            spec = parse_spec(bound.text);
        } catch (const UsageError&) {
            continue;  // options that do not go together
        }
        EXPECT_EQ(to_string(spec), bound.text);
        EXPECT_EQ(parse_spec(to_string(spec)), spec);
    }
}

TEST(Recipes, UnknownNamesAndOptionsGetOneSentence) {
    const auto refusal = [](std::string_view text) {
        try {
            parse_spec(text);
        } catch (const UsageError& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    EXPECT_NE(refusal("like:pilow/bicubic").find("did you mean"), std::string::npos);
    EXPECT_NE(refusal("like:pillow/bicubic:antialias=true").find("antialias"), std::string::npos);
    EXPECT_NE(refusal("like:torch/bicubic:antialias=perhaps").find("must be one of"), std::string::npos);
    EXPECT_NE(refusal("like:torch/bicubic:antialias").find("key=value"), std::string::npos);
}

// Weights of a rule that normalises sum to 1 at each pixel, whatever the sizes; those of address modes too, for the rules
// whose weight functions do.
TEST(Rules, TapsSumToOneAndStayInTheImage) {
    for (const int samples : {1, 2, 3, 7, 40})
        for (const int pixels : {1, 2, 5, 13, 64, 200}) {
            const ResizedAxis axis{samples, double(pixels), 0, pixels};
            for (const TapRule tap_rule : all_values<TapRule>) {
                const Rule rule{.tap_rule = tap_rule, .widened = true};
                const LongTaps taps = taps_of(rule, axis);
                ASSERT_EQ(taps.pixels(), pixels);
                for (int i = 0; i < pixels; ++i) {
                    double sum = 0;
                    for (int k = 0; k < taps.taps; ++k) {
                        const float weight = taps.weights[size_t(i) * size_t(taps.taps) + size_t(k)];
                        sum += weight;
                        if (weight == 0) continue;
                        EXPECT_GE(taps.first[size_t(i)] + k, 0);
                        EXPECT_LT(taps.first[size_t(i)] + k, samples);
                    }
                    EXPECT_NEAR(sum, 1, 1e-6) << name_of(tap_rule) << ' ' << samples << ' ' << pixels << ' ' << i;
                }
            }
        }
}

// At ties the rules for nearest differ by exactly what their names say: from 4 to 2 samples, positions are ½ and 2½.
TEST(Rules, NearestAtTies) {
    const auto read = [](NearestRule nearest) {
        const Rule rule{.tap_rule = TapRule::nearest, .nearest = nearest};
        return taps_of(rule, {4, 2, 0, 2}).first;
    };
    EXPECT_EQ(read(NearestRule::half_up), (std::vector<int>{1, 3}));
    EXPECT_EQ(read(NearestRule::half_down), (std::vector<int>{0, 2}));
    EXPECT_EQ(read(NearestRule::half_even), (std::vector<int>{0, 2}));
    EXPECT_EQ(read(NearestRule::floor), (std::vector<int>{0, 2}));
    EXPECT_EQ(read(NearestRule::ceil), (std::vector<int>{1, 3}));
}

// The positions that the alignments are defined by, as fractions.
TEST(Rules, Alignments) {
    const ResizedAxis axis{10, 4, 0, 4};
    const auto at = [&](Alignment alignment, int i) { return position_of(Rule{.alignment = alignment}, axis, i); };
    EXPECT_DOUBLE_EQ(at(Alignment::centers, 0), 0.75);
    EXPECT_DOUBLE_EQ(at(Alignment::corners, 3), 9);
    EXPECT_DOUBLE_EQ(at(Alignment::asymmetric, 1), 2.5);
    EXPECT_DOUBLE_EQ(at(Alignment::corner_areas, 0), 1);
    EXPECT_DOUBLE_EQ(position_of(Rule{.factor = 0.5}, axis, 1), 2.5);
}

// What has no whole image, as regions of a large one have not, reads a recipe as its weight function: antialiased where the
// library antialiases, whatever the request says.
TEST(Recipes, AreTheirWeightFunctionWithoutAWholeImage) {
    const auto stretch = [](std::string_view text, bool antialias) {
        RenderRequest request;
        request.spec = parse_spec(text);
        request.width = request.height = 50;
        request.positions = aligned_affine(Align::centers, 100, 100, 50, 50);
        request.antialias = antialias;
        const PlannedRequest plan = planned(request, {100, 100}, Light::stored);
        EXPECT_FALSE(plan.by_rules);
        return plan.reading.stretch_x;
    };
    for (const bool asked : {false, true}) {
        EXPECT_DOUBLE_EQ(stretch("like:pillow/bicubic", asked), 2);
        EXPECT_DOUBLE_EQ(stretch("like:opencv/cubic", asked), 1);
    }
}

class RecipeViews : public OnBackend {};

// A view that shows part of the enlarged picture shows exactly that part.
TEST_P(RecipeViews, ShowAPartOfTheResize) {
    const Image image = noise(24, 20, 1, SampleType::u8, 7);
    SourceImage source(backend_, image);
    for (const std::string_view text : {"like:pillow/bicubic", "like:opencv/linear", "like:opencv/nearest"}) {
        RenderRequest whole = resize_request(source.samples(), parse_spec(text), 96, 80);
        RenderRequest part = whole;
        part.width = 30;
        part.height = 25;
        part.positions->x0 += 17 * part.positions->xx;
        part.positions->y0 += 41 * part.positions->yy;
        const Image all = source.render_to_image(whole), shown = source.render_to_image(part);
        for (int y = 0; y < 25; ++y)
            for (int x = 0; x < 30; ++x) ASSERT_EQ(shown.value(x, y, 0), all.value(x + 17, y + 41, 0)) << text;
    }
}

// A size that the library cannot make is still a view: that of the weight function.
TEST_P(RecipeViews, OfSizesThatTheLibraryDoesNotHave) {
    const Image image = noise(24, 20, 1, SampleType::u8, 9);
    SourceImage source(backend_, image);
    const Image made =
        source.render_to_image(resize_request(source.samples(), parse_spec("like:pillow/reduce"), 17, 13));
    EXPECT_EQ(made.width(), 17);
    EXPECT_THROW(rule_for(parse_spec("like:pillow/reduce"), SampleType::u8, 1, false, shape_of(image), 17, 13),
                 UsageError);
}

// 8-bit recipes that round give whole levels.
TEST_P(RecipeViews, WholeLevels) {
    const Image image = noise(31, 17, 3, SampleType::u8, 8);
    const Image made = resized_like(backend_, image, parse_recipe("like:pillow/lanczos"), {12, 40});
    for (int y = 0; y < made.height(); ++y)
        for (int x = 0; x < made.width(); ++x)
            for (int c = 0; c < 3; ++c) {
                const double level = double(made.value(x, y, c)) * 255;
                ASSERT_NEAR(level, std::nearbyint(level), 1e-4);
            }
}

ON_EVERY_BACKEND(RecipeViews);

TEST(Explain, StepsAddUpFromOneResultToTheOther) {
    const auto backend = shared_backend(BackendKind::cpu);
    const Image image = noise(64, 48, 3, SampleType::u8, 13);
    constexpr Extent size{30, 20};
    const std::string_view texts[] = {"like:pillow/bicubic", "like:opencv/cubic", "like:imagemagick/lanczos",
                                      "like:scipy/zoom"};
    for (const std::string_view first : texts)
        for (const std::string_view second : texts) {
            const BoundRecipe from = parse_recipe(first), to = parse_recipe(second);
            const Explanation found = explain(backend, image, from, to, size);
            ASSERT_EQ(found.steps.empty(), first == second) << first << " to " << second;
            if (found.steps.empty()) continue;
            EXPECT_EQ(found.steps.back().rule, rule_of(to, image, size)) << first << " to " << second;
            const Image last = converted(resized_like(backend, image, to, size), SampleType::u8);
            EXPECT_TRUE(closeness(last, found.steps.back().picture).exact()) << first << " to " << second;
        }
}

// As sessions name them.
TEST(Explain, PicturesOfStepsCanBeMadeAgain) {
    const auto backend = shared_backend(BackendKind::cpu);
    const Image image = noise(64, 48, 3, SampleType::u8, 17);
    const Explanation found =
        explain(backend, image, parse_recipe("like:pillow/bicubic"), parse_recipe("like:scipy/zoom"), {30, 20});
    ResizedSource source{.size = found.size, .recipe = found.from.text, .original = "/p"};
    EXPECT_TRUE(closeness(resized_picture(backend, image, source), found.first).exact());
    source.towards = found.to.text;
    ASSERT_GT(found.steps.size(), 2u);
    for (const ExplainedStep& step : found.steps) {
        source.changed = name_of(step.changed);
        EXPECT_TRUE(closeness(resized_picture(backend, image, source), step.picture).exact()) << source.changed;
    }
    source.changed = "taste";
    EXPECT_THROW(resized_picture(backend, image, source), UsageError);
}

}  // namespace
}  // namespace texelscope::test
