// main() of the fuzz targets without libFuzzer.

#include <chrono>
#include <cstdio>
#include <random>

#include "tests/fuzz/fuzz.h"

namespace {

using Clock = std::chrono::steady_clock;
constexpr auto most_of_all =
    std::chrono::seconds(150);  // a machine may be busy, and libraries slow under the sanitizers

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

int main() {
    std::mt19937 random(20240229);
    long runs = 0, accepted = 0;
    const std::vector<std::string> seeds = fuzz::seeds();
    for (const std::string& seed : seeds) {
        const auto end = Clock::now() + most_of_all / seeds.size();
        for (int i = 0; i < 10000 && Clock::now() < end; ++i, ++runs)
            accepted += fuzz::accepted(std::as_bytes(std::span(i == 0 ? seed : mutated(seed, random)))) > 0;
    }
    std::printf("%ld inputs, %ld of them accepted\n", runs, accepted);
    // If nearly everything is refused at its first byte, nothing has been tested.
    return accepted > runs / 100 ? 0 : 1;
}
