// Recipes against the libraries themselves, which are asked: tests/recipes/oracles/LIBRARY.py resizes seeded pictures by each
// function, small and odd sizes included, and every backend must give what the record promises.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/files/reading/image_files.h"
#include "app/studies/recipes/recipe_study.h"
#include "gpu/backend/recipe_rendering.h"
#include "tests/recipes/asked_libraries.h"
#include "tests/support/backends.h"

namespace texelscope::test {
namespace {

namespace fs = std::filesystem;

struct Off {
    double largest = 0;
    size_t different = 0, samples = 0;
    double share() const { return double(different) / double(samples); }
};

Off off(const Image& made, const Image& wanted, double unit, bool levels) {
    Off result;
    for (int y = 0; y < wanted.height(); ++y)
        for (int x = 0; x < wanted.width(); ++x)
            for (int c = 0; c < wanted.channels(); ++c) {
                double value = double(made.value(x, y, c)) * unit;
                if (levels) value = std::clamp(std::nearbyint(value), 0.0, unit);
                double expected = double(wanted.value(x, y, c)) * unit;
                if (levels) expected = std::nearbyint(expected);
                const double difference = std::abs(value - expected);
                result.largest = std::max(result.largest, std::isnan(difference) ? INFINITY : difference);
                result.different += difference > (levels ? 0.5 : 0);
                ++result.samples;
            }
    return result;
}

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
        const std::string spec = of["spec"];
        const Image wanted = load_image((folder / std::string(of["result"])).string());
        Image input = load_image((folder / std::string(of["input"])).string());
        if (of.value("alpha", false)) input.set_alpha(Alpha::straight);
        const std::string type = of["type"];
        const double unit = type == "u8" ? 255 : type == "u16" ? 65535 : 1;
        const Extent size{wanted.width(), wanted.height()};
        const Image made = resized_like(backend_, input, parse_recipe(spec), size);
        const bool levels = unit > 1;
        const Off found = off(made, wanted, unit, levels);
        const auto& bound = of["bound"];
        const std::string where = fmt::format("{} {} {}×{}×{} → {}×{}", spec, type, input.width(), input.height(),
                                              input.channels(), size.width, size.height);
        if (levels) {
            EXPECT_LE(found.largest, double(bound.value("levels", 0.0))) << where;
            // A share is one of many pictures: of a small one a single sample may be as much.
            EXPECT_LE(found.different, std::max(1.0, 3 * bound.value("share", 0.0) * double(found.samples))) << where;
            if (bound.value("levels", 0.0) == 0) {
                EXPECT_EQ(found.different, 0u) << where;
            }
        } else {
            EXPECT_LE(found.largest, double(bound.value("absolute", 2e-6))) << where;
        }
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
}  // namespace texelscope::test
