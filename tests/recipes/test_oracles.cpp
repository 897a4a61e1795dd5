// Recipes against the libraries themselves, which are asked: tests/recipes/oracles/LIBRARY.py resizes seeded pictures by each
// function, small and odd sizes included, and every backend must give what the record promises.

#include <unistd.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/files/reading/image_files.h"
#include "app/files/tables/tables.h"
#include "app/studies/recipes/recipe_study.h"
#include "gpu/backend/recipe_rendering.h"
#include "tests/recipes/library_results.h"
#include "tests/support/backends.h"
#include "tests/support/process.h"

namespace texelscope::test {

// What libraries return that are installed here: tests/recipes/oracles/LIBRARY.py resizes seeded pictures.

inline constexpr int not_installed = 77;

inline std::vector<std::string> oracle_scripts() {
    std::vector<std::string> scripts;
    for (const auto& entry : std::filesystem::directory_iterator(TEXELSCOPE_SOURCE_DIR "/tests/recipes/oracles"))
        if (entry.path().extension() == ".py" && entry.path().stem().string().front() != '_')
            scripts.push_back(entry.path().stem().string());
    std::sort(scripts.begin(), scripts.end());
    return scripts;
}

// What each library returned, once for all tests: a folder with cases.json. `other`: of other pictures and of sizes of at least
// 40, none of which a recipe was made with.
inline std::filesystem::path results_of(const std::string& library, int& status, bool other = false) {
    static std::map<std::pair<std::string, bool>, std::pair<std::filesystem::path, int>> made;
    auto [found, is_new] = made.try_emplace({library, other});
    if (is_new) {
        found->second.first = std::filesystem::path(testing::TempDir()) /
                              fmt::format("texelscope_oracle_{}_{}_{}", library, other, getpid());
        std::filesystem::create_directories(found->second.first);
        if (other) {
            setenv("TEXELSCOPE_ORACLE_SEED", "20261", 1);
            setenv("TEXELSCOPE_ORACLE_LEAST", "40", 1);
        }
        found->second.second =
            run({TEXELSCOPE_PYTHON, fmt::format("{}/tests/recipes/oracles/{}.py", TEXELSCOPE_SOURCE_DIR, library),
                 found->second.first.string()});
        unsetenv("TEXELSCOPE_ORACLE_SEED");
        unsetenv("TEXELSCOPE_ORACLE_LEAST");
    }
    status = found->second.second;
    return found->second.first;
}

namespace {

namespace fs = std::filesystem;

using Case = std::tuple<BackendKind, std::string>;

class AsTheLibrary : public testing::TestWithParam<Case> {
protected:
    void SetUp() override {
        backend_ = shared_backend(std::get<0>(GetParam()));
        if (!backend_) GTEST_SKIP() << "there is no CUDA here";
    }

    void check(const std::string& library) {
        int status = 0;
        const fs::path folder = results_of(library, status);
        if (status == not_installed) GTEST_SKIP() << library << " is not installed";
        ASSERT_EQ(status, 0) << library << ".py could not ask its library";
        std::ifstream lines(folder / "cases.json");
        int cases = 0;
        for (std::string line; std::getline(lines, line); ++cases) check_case(nlohmann::json::parse(line), folder);
        EXPECT_GT(cases, 20) << library;
    }

private:
    void check_case(const nlohmann::json& of, const fs::path& folder) {
        Image input = load_image((folder / std::string(of["input"])).string());
        if (of.value("alpha", false)) input.set_alpha(Alpha::straight);
        const Image wanted = load_image((folder / std::string(of["result"])).string());
        const PointList points = of.contains("map") ? read_points(folder / std::string(of["map"])) : PointList{};
        expect_result(backend_, of, input, wanted, points.coordinates);
    }

    std::shared_ptr<Backend> backend_;
};

TEST_P(AsTheLibrary, EveryFunctionIsWithinItsBound) { check(std::get<1>(GetParam())); }

std::string case_name(const testing::TestParamInfo<Case>& info) { return std::get<1>(info.param); }

INSTANTIATE_TEST_SUITE_P(Cpu, AsTheLibrary,
                         testing::Combine(testing::Values(BackendKind::cpu), testing::ValuesIn(oracle_scripts())),
                         case_name);
INSTANTIATE_TEST_SUITE_P(Cuda, AsTheLibrary,
                         testing::Combine(testing::Values(BackendKind::cuda), testing::ValuesIn(oracle_scripts())),
                         case_name);

}  // namespace

namespace {

// What libraries made of pictures that no recipe was made with: identified right, and nothing wrong claimed.

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

// Whether the function took positions, where `identify` looks for a resizing.
bool has_positions(const nlohmann::json& of) {
    return of.contains("rotate") || of.contains("translate") || of.contains("affine") || of.contains("map");
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
    bool has_sizes = false;
    for (std::string line; cases < cases_a_library && std::getline(lines, line);) {
        const nlohmann::json of = nlohmann::json::parse(line);
        if (has_positions(of)) continue;
        has_sizes = true;
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
    if (!has_sizes) GTEST_SKIP() << "all functions of " << GetParam() << " take positions";
    EXPECT_GT(cases, 0u);
}

std::string library_name(const testing::TestParamInfo<std::string>& library) { return library.param; }

INSTANTIATE_TEST_SUITE_P(Cpu, IdentifiedSlow, testing::ValuesIn(oracle_scripts()), library_name);

}  // namespace
}  // namespace texelscope::test
