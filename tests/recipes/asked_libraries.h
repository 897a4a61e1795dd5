#pragma once
// What libraries return that are installed here: tests/recipes/oracles/LIBRARY.py resizes seeded pictures.

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <unistd.h>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/support/process.h"

namespace texelscope::test {

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

}  // namespace texelscope::test
