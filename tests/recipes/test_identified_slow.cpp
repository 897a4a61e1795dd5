// What libraries made of pictures that no recipe was made with: identified right, and nothing wrong claimed.

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <set>

#include <nlohmann/json.hpp>

#include "app/files/reading/image_files.h"
#include "app/studies/recipes/recipe_study.h"
#include "tests/recipes/asked_libraries.h"
#include "tests/support/backends.h"

namespace texelscope::test {
namespace {

constexpr size_t cases_a_library = 6;  // of different functions, as far as it has so many

bool is_ranked(const std::string& text) {
    return std::any_of(all_bound_recipes().begin(), all_bound_recipes().end(),
                       [&](const BoundRecipe& each) { return each.text == text; });
}

// The first one, and all that is said to be the same or as good.
std::set<std::string> named_by(const Identification& found) {
    std::set<std::string> named;
    const RankedRecipe& best = found.ranked.front();
    for (const RankedRecipe& each : found.ranked) {
        // Of levels within one of many rules, those that are as near; of floats, whose last bits tell nothing, all.
        const bool as_near =
            each.match == best.match && (!best.closeness.levels || each.closeness.mean <= best.closeness.mean);
        if (&each != &best && !as_near) continue;
        named.insert(each.recipe.text);
        named.insert(each.same.begin(), each.same.end());
    }
    return named;
}

class IdentifiedSlow : public testing::TestWithParam<std::string> {};

TEST_P(IdentifiedSlow, TheRecipeOfTheLibraryComesFirst) {
    int status = 0;
    const std::filesystem::path folder = results_of(GetParam(), status, true);
    if (status == not_installed) GTEST_SKIP() << GetParam() << " is not installed";
    ASSERT_EQ(status, 0) << GetParam() << ".py could not ask its library";
    const auto backend = shared_backend(BackendKind::cpu);
    std::ifstream lines(folder / "cases.json");
    std::set<std::string> functions;
    size_t cases = 0;
    for (std::string line; cases < cases_a_library && std::getline(lines, line);) {
        const nlohmann::json of = nlohmann::json::parse(line);
        const std::string text = parse_recipe(std::string(of["spec"])).text;
        if (!is_ranked(text)) continue;  // it has numbers
        const std::string function = text.substr(0, text.find(':', text.find('/')));
        if (functions.contains(function)) continue;
        Image result = load_image((folder / std::string(of["result"])).string());
        Image original = load_image((folder / std::string(of["input"])).string());
        if (std::min({original.width(), original.height(), result.width(), result.height()}) < 40 ||
            original.channels() != result.channels())
            continue;
        functions.insert(function);
        ++cases;
        if (of.value("alpha", false)) {
            original.set_alpha(Alpha::straight);
            result.set_alpha(Alpha::straight);
        }
        const Identification found = identify(backend, original, result, [](int, int) {});
        const std::set<std::string> named = named_by(found);
        EXPECT_TRUE(named.contains(text))
            << text << ' ' << original.width() << 'x' << original.height() << " to " << result.width() << 'x'
            << result.height() << ", " << std::string(of["type"]) << ": " << found.findings.front();
    }
    EXPECT_GT(cases, 0u);
}

std::string library_name(const testing::TestParamInfo<std::string>& library) { return library.param; }

INSTANTIATE_TEST_SUITE_P(Cpu, IdentifiedSlow, testing::ValuesIn(oracle_scripts()), library_name);

}  // namespace
}  // namespace texelscope::test
