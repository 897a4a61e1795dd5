#pragma once
// The parts of a fuzz target: seeds, and a function that feeds bytes to its parsers. Under libFuzzer (see
// tests/CMakeLists.txt) that searches by itself; else driver.cpp damages the seeds in the same way at every run.

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <vector>

#include "app/files/bytes/raster.h"

namespace fuzz {

// Inputs that the target's parsers accept.
std::vector<std::string> seeds();

// How many of the parsers accept these bytes.
int accepted(texelscope::ByteSpan bytes);

// True if `parse` returns, false if it throws Error; any other exception ends the program.
template <class Parse> bool accepts(Parse parse) {
    try {
        parse();
        return true;
    } catch (const texelscope::Error&) {
        return false;
    }
}

}  // namespace fuzz

#ifdef TEXELSCOPE_LIBFUZZER
namespace fuzz {

// libFuzzer begins with the files of the folders that it is given: into one that is empty go the seeds.
inline void write_seeds(const std::filesystem::path& folder) {
    if (!std::filesystem::is_directory(folder) || !std::filesystem::is_empty(folder)) return;
    int number = 0;
    for (const std::string& seed : seeds())
        std::ofstream(folder / ("seed" + std::to_string(number++)), std::ios::binary) << seed;
}

}  // namespace fuzz

#define FUZZ_SEEDS                                                       \
    extern "C" int LLVMFuzzerInitialize(int* count, char*** words) {     \
        for (int i = 1; i < *count; ++i) fuzz::write_seeds((*words)[i]); \
        return 0;                                                        \
    }
#else
#define FUZZ_SEEDS
#endif

#define FUZZ_TARGET                                                           \
    FUZZ_SEEDS                                                                \
    extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) { \
        fuzz::accepted(std::as_bytes(std::span(data, size)));                 \
        return 0;                                                             \
    }
