// What runs the fuzz targets of a program: `fuzz_files NAME` feeds damaged seeds. With libFuzzer, `fuzz_files NAME CORPUS …`.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>

#include "tests/fuzz/fuzz.h"

namespace {

// By its name; null, with a sentence, if there is none of it.
const fuzz::Target* target_named(const char* name) {
    for (const fuzz::Target& target : fuzz::targets())
        if (name && std::strcmp(target.name, name) == 0) return &target;
    std::fputs("name one of these targets:", stderr);
    for (const fuzz::Target& target : fuzz::targets()) std::fprintf(stderr, " %s", target.name);
    std::fputc('\n', stderr);
    return nullptr;
}

}  // namespace

#ifdef TEXELSCOPE_LIBFUZZER

namespace {

const fuzz::Target* chosen = nullptr;

// libFuzzer begins with the files of the folders that it is given: into one that is empty go the seeds.
void write_seeds(const std::filesystem::path& folder) {
    if (!std::filesystem::is_directory(folder) || !std::filesystem::is_empty(folder)) return;
    int number = 0;
    for (const std::string& seed : chosen->seeds())
        std::ofstream(folder / ("seed" + std::to_string(number++)), std::ios::binary) << seed;
}

}  // namespace

// Takes the name from the words; the others are libFuzzer's.
extern "C" int LLVMFuzzerInitialize(int* count, char*** words) {
    chosen = target_named(*count > 1 ? (*words)[1] : nullptr);
    if (!chosen) std::exit(2);
    std::copy(*words + 2, *words + *count, *words + 1);
    --*count;
    for (int i = 1; i < *count; ++i) write_seeds((*words)[i]);
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    chosen->accepted(std::as_bytes(std::span(data, size)));
    return 0;
}

#else

namespace {

using Clock = std::chrono::steady_clock;

// TEXELSCOPE_FUZZ_SECONDS, or a minute: libraries are slow under the sanitizers.
std::chrono::seconds most_of_all() {
    const char* seconds = std::getenv("TEXELSCOPE_FUZZ_SECONDS");
    return std::chrono::seconds(seconds ? std::atoi(seconds) : 60);
}

// With every compiler the same: arguments of a call would draw their numbers in an order of its choice.
std::string mutated(std::string bytes, std::mt19937& random) {
    const auto below = [&](size_t n) { return n == 0 ? 0 : size_t(random()) % n; };
    for (size_t changes = 1 + below(4); changes > 0; --changes) {
        const size_t at = below(bytes.size());
        switch (below(5)) {
            case 0: bytes.resize(at); break;
            case 1:
                if (!bytes.empty()) bytes[at] = char(random());
                break;
            case 2: {
                const size_t count = 1 + below(12);
                bytes.insert(at, count, "0123456789-#,( "[below(15)]);
                break;
            }
            case 3: bytes.erase(at, 1 + below(4)); break;
            default: {
                const size_t from = below(bytes.size());
                bytes.insert(at, bytes.substr(from, below(20)));
                break;
            }
        }
    }
    return bytes;
}

}  // namespace

int main(int count, char** words) {
    const fuzz::Target* target = target_named(count == 2 ? words[1] : nullptr);
    if (!target) return 2;
    std::mt19937 random(20240229);
    long runs = 0, accepted = 0;
    const std::vector<std::string> seeds = target->seeds();
    for (const std::string& seed : seeds) {
        const auto end = Clock::now() + std::chrono::milliseconds(most_of_all()) / seeds.size();
        for (int i = 0; i < 10000 && Clock::now() < end; ++i, ++runs)
            accepted += target->accepted(std::as_bytes(std::span(i == 0 ? seed : mutated(seed, random)))) > 0;
    }
    std::printf("%ld inputs, %ld of them accepted\n", runs, accepted);
    // If nearly everything but the seeds is refused, nothing has been tested. Of damaged programs few are accepted.
    return accepted > long(seeds.size()) && accepted > runs / 500 ? 0 : 1;
}

#endif
