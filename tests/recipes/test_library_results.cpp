// Recipes against the libraries themselves. Installed ones are asked: tests/recipes/oracles/LIBRARY.py resizes seeded pictures
// by each function, small and odd sizes included, and every backend must give what the record promises. Of others there are
// recorded results.

#include <unistd.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <tuple>
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
#include "tests/support/tools.h"

namespace texelscope::test {
namespace {

constexpr int not_installed = 77;

std::vector<std::string> oracle_scripts() {
    std::vector<std::string> scripts;
    for (const auto& entry : std::filesystem::directory_iterator(TEXELSCOPE_SOURCE_DIR "/tests/recipes/oracles"))
        if (entry.path().extension() == ".py" && entry.path().stem().string().front() != '_')
            scripts.push_back(entry.path().stem().string());
    std::sort(scripts.begin(), scripts.end());
    return scripts;
}

// What each library returned, once for all tests: a folder with cases.json. `other`: of other pictures and of sizes of at least
// 40, none of which a recipe was made with.
std::filesystem::path results_of(const std::string& library, int& status, bool other = false) {
    struct Made {
        Folder folder;
        int status = 0;
    };
    static std::map<std::pair<std::string, bool>, Made> made;
    auto [found, is_new] = made.try_emplace({library, other});
    auto& [folder, exit_status] = found->second;
    if (is_new) {
        if (other) {
            setenv("TEXELSCOPE_ORACLE_SEED", "20261", 1);
            setenv("TEXELSCOPE_ORACLE_LEAST", "40", 1);
        }
        exit_status =
            run({TEXELSCOPE_PYTHON, fmt::format("{}/tests/recipes/oracles/{}.py", TEXELSCOPE_SOURCE_DIR, library),
                 folder.string()});
        unsetenv("TEXELSCOPE_ORACLE_SEED");
        unsetenv("TEXELSCOPE_ORACLE_LEAST");
    }
    status = exit_status;
    return folder.path();
}

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

// Recipes against results that libraries returned elsewhere, of versions that are newer than those of the oracles: small results as
// data in tests/recipes/recorded, which record.py wrote, of pictures that follow from a formula.

std::vector<std::string> records() {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(TEXELSCOPE_SOURCE_DIR "/tests/recipes/recorded"))
        if (entry.path().extension() == ".jsonl") names.push_back(entry.path().stem().string());
    std::sort(names.begin(), names.end());
    return names;
}

std::vector<unsigned char> bytes_of_base64(const std::string& text) {
    std::vector<unsigned char> bytes;
    unsigned held = 0;
    int bits = 0;
    for (const char c : text) {
        if (c == '=') break;
        const unsigned six = c >= 'A' && c <= 'Z'   ? unsigned(c - 'A')
                             : c >= 'a' && c <= 'z' ? unsigned(c - 'a') + 26
                             : c >= '0' && c <= '9' ? unsigned(c - '0') + 52
                             : c == '+'             ? 62
                                                    : 63;
        held = held << 6 | six;
        if ((bits += 6) < 8) continue;
        bits -= 8;
        bytes.push_back((unsigned char)(held >> bits));
    }
    return bytes;
}

// As record.py has it.
uint32_t level_of_formula(uint32_t seed, uint32_t x, uint32_t y, uint32_t c) {
    if (seed % 2 == 1) {
        uint32_t h = x * 73856093u ^ y * 19349663u ^ c * 83492791u ^ seed * 40503u;
        h = (h ^ h >> 15) * 0x85EBCA6Bu;
        h = (h ^ h >> 13) * 0xC2B2AE35u;
        return h >> 16;
    }
    const uint32_t phase = (x * (3001 + 40 * seed) + y * 5003u + x * y * 97u + c * 20011u) & 131071u;
    return phase < 65536 ? phase : 131071 - phase;
}

SampleType type_named(const std::string& name) {
    return name == "u8" ? SampleType::u8 : name == "u16" ? SampleType::u16 : SampleType::f32;
}

Image image_of_formula(const nlohmann::json& of) {
    const int width = of["width"], height = of["height"], channels = of["channels"];
    const bool alpha = of["alpha"];
    Image image(width, height, channels, type_named(of["kind"]), alpha ? Alpha::straight : Alpha::none);
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            for (int c = 0; c < channels; ++c) {
                uint32_t level = level_of_formula(of["seed"], uint32_t(x), uint32_t(y), uint32_t(c));
                if (alpha && c == channels - 1) level = level / 2 + 32768;
                const int at = x * channels + c;
                if (image.type() == SampleType::u8) image.row_as<uint8_t>(y)[at] = uint8_t(level >> 8);
                else if (image.type() == SampleType::u16) image.row_as<uint16_t>(y)[at] = uint16_t(level);
                else image.row_as<float>(y)[at] = float(level) / 65536;
            }
    return image;
}

Image recorded_image(const nlohmann::json& of) {
    const std::vector<unsigned char> bytes = bytes_of_base64(of["result"]);
    const SampleType type = type_named(of["type"]);
    const int width = of["size"][0], height = of["size"][1];
    const int channels = int(bytes.size() / size_t(bytes_per_sample(type)) / size_t(width) / size_t(height));
    Image image(width, height, channels, type);
    for (int y = 0; y < height; ++y) {
        const size_t row = size_t(width) * size_t(channels) * size_t(bytes_per_sample(type));
        std::memcpy(image.row_as<unsigned char>(y), bytes.data() + size_t(y) * row, row);
    }
    return image;
}

// What versions do otherwise than their recipes.
struct Otherwise {
    std::string_view record, what;
};
constexpr std::string_view of_cupy =
    "CuPy 14.2 does not clip whole numbers: what a spline makes beyond the levels comes out at their other end";
constexpr Otherwise known[] = {{"cupy", of_cupy}, {"cupy_positions", of_cupy}};

std::string_view otherwise(const std::string& record) {
    for (const Otherwise& of : known)
        if (of.record == record) return of.what;
    return {};
}

// With the samples that the recipe has clipped, which the library has not.
Image with_clipped(const Image& recorded, const Image& made) {
    Image clipped = recorded;
    for (int y = 0; y < made.height(); ++y)
        for (int x = 0; x < made.width(); ++x)
            for (int c = 0; c < made.channels(); ++c) {
                const double value = double(made.value(x, y, c));
                if (value > 0 && value < 1) continue;
                const int at = x * made.channels() + c;
                if (recorded.type() == SampleType::u8) clipped.row_as<uint8_t>(y)[at] = value > 0 ? 255 : 0;
                else clipped.row_as<uint16_t>(y)[at] = value > 0 ? 65535 : 0;
            }
    return clipped;
}

using RecordCase = std::tuple<BackendKind, std::string>;

class AsRecorded : public testing::TestWithParam<RecordCase> {};

TEST_P(AsRecorded, EveryResultIsWithinItsBound) {
    const auto backend = shared_backend(std::get<0>(GetParam()));
    if (!backend) GTEST_SKIP() << "there is no CUDA here";
    std::ifstream lines(
        fmt::format("{}/tests/recipes/recorded/{}.jsonl", TEXELSCOPE_SOURCE_DIR, std::get<1>(GetParam())));
    std::string versions;
    ASSERT_TRUE(std::getline(lines, versions));
    int cases = 0;
    for (std::string line; std::getline(lines, line); ++cases) {
        const std::string_view differs = otherwise(std::get<1>(GetParam()));
        SCOPED_TRACE(fmt::format("{} {}", versions, differs));
        nlohmann::json of = nlohmann::json::parse(line);
        const Image input = image_of_formula(of);
        Image wanted = recorded_image(of);
        if (!differs.empty() && wanted.type() != SampleType::f32) {
            wanted = with_clipped(wanted, made_by_recipe(backend, of, input, {wanted.width(), wanted.height()}));
            of["bound"]["share"] = 2 * of["bound"].value("share", 0.0);  // sums are rounded otherwise on a GPU
        }
        expect_result(backend, of, input, wanted);
    }
    EXPECT_GT(cases, 0);
}

std::string record_name(const testing::TestParamInfo<RecordCase>& info) { return std::get<1>(info.param); }

INSTANTIATE_TEST_SUITE_P(Cpu, AsRecorded,
                         testing::Combine(testing::Values(BackendKind::cpu), testing::ValuesIn(records())),
                         record_name);
INSTANTIATE_TEST_SUITE_P(Cuda, AsRecorded,
                         testing::Combine(testing::Values(BackendKind::cuda), testing::ValuesIn(records())),
                         record_name);

}  // namespace
}  // namespace texelscope::test
