#pragma once
// The parts of a fuzz target: seeds, and a function that feeds bytes to its parsers. Under libFuzzer (see
// tests/CMakeLists.txt) that searches by itself; else driver.cpp damages the seeds in the same way at every run.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "app/files/raster.h"

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

#define FUZZ_TARGET                                                           \
    extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) { \
        fuzz::accepted(std::as_bytes(std::span(data, size)));                 \
        return 0;                                                             \
    }
