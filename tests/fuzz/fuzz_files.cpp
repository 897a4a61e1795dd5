// Feeds arbitrary bytes to our own parsers and to the structure checks: each must parse, or throw Error.
// With clang:  clang++ -std=c++20 -fsanitize=fuzzer,address,undefined -DTEXELSCOPE_LIBFUZZER …
// Without libFuzzer it has a main() that mutates a few seeds in the same way at every run.

#include <cstdint>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

#include "app/files/damage.h"
#include "app/files/npy.h"
#include "app/files/pfm.h"
#include "app/files/pnm.h"

namespace {

using namespace texelscope;

template <class Parse> bool accepts(Parse parse) {
    try {
        parse();
        return true;
    } catch (const Error&) {
        return false;
    }
}

int parsers_that_accept(ByteSpan bytes) {
    int count = 0;
    for (Image (*parse)(ByteSpan) : {parse_pnm, parse_pfm, parse_npy})
        count += accepts([&] {
            const Image image = parse(bytes);
            if (image.size_bytes() > 64 * bytes.size()) __builtin_trap();  // more pixels than the file can hold
        });
    for (const Format& format : formats()) accepts([&] { check_whole(format, bytes); });
    return count;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    parsers_that_accept(std::as_bytes(std::span(data, size)));
    return 0;
}

#ifndef TEXELSCOPE_LIBFUZZER
namespace {

using namespace std::string_literals;

std::vector<std::string> seeds() {
    const auto npy = [](const std::string& dictionary, const std::string& data) {
        return "\x93NUMPY\x01\0"s + char(dictionary.size() + 1) + '\0' + dictionary + '\n' + data;
    };
    return {
        "P1\n# c\n3 2\n101 010\n",
        "P2 2 2 255\n1 2 3 4\n",
        "P3 1 1 65535\n1 2 3\n",
        "P4 10 1\n\xff\x80"s,
        "P5 2 2 15\n\1\2\3\4"s,
        "P6\n1 1\n65535\nabcdef",
        "P7\nWIDTH 1\nHEIGHT 1\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\nabcd",
        "Pf\n1 1\n-1.0\nabcd",
        "PF\n1 1\n1.0\nabcdefghijkl",
        npy("{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2), }", "abcdefgh"),
        npy("{'descr': '>c8', 'fortran_order': True, 'shape': (1,), }", "abcdefgh"),
        "\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\0\1\0\0\0\1\x08\0\0\0\0\x3a\x7e\x9b\x55"s,
        "\xff\xd8\xff\xc0\0\x0b\x08\0\1\0\1\1\1\x11\0\xff\xd9"s,
        "GIF89a\1\0\1\0\0\0\0,\0\0\0\0\1\0\1\0\0\2\1D\0;"s,
        "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 1 +X 8\n\2\2\0\x08\x88""a\x88""b\x88""c\x88""d"s,
    };
}

std::string mutated(std::string bytes, std::mt19937& random) {
    const auto below = [&](size_t n) { return n == 0 ? 0 : size_t(random()) % n; };
    for (size_t changes = 1 + below(4); changes > 0; --changes) {
        const size_t at = below(bytes.size());
        switch (below(5)) {
            case 0: bytes.resize(at); break;
            case 1: if (!bytes.empty()) bytes[at] = char(random()); break;
            case 2: bytes.insert(at, 1 + below(12), "0123456789-#,( "[below(15)]); break;
            case 3: bytes.erase(at, 1 + below(4)); break;
            default: bytes.insert(at, bytes.substr(below(bytes.size()), below(20))); break;
        }
    }
    return bytes;
}

}  // namespace

int main() {
    std::mt19937 random(20240229);
    long runs = 0, accepted = 0;
    for (const std::string& seed : seeds())
        for (int i = 0; i < 10000; ++i, ++runs)
            accepted += parsers_that_accept(std::as_bytes(std::span(i == 0 ? seed : mutated(seed, random)))) > 0;
    std::printf("%ld inputs, %ld of them images\n", runs, accepted);
    // If nearly everything is refused at its first byte, nothing has been tested.
    return accepted > runs / 100 ? 0 : 1;
}
#endif
