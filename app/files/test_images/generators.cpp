#include "app/files/test_images/generators.h"

#include <atomic>
#include <system_error>
#include <thread>
#include <vector>

namespace texelscope {

void parallel_ranges(int64_t count, int64_t piece, const std::function<void(int64_t, int64_t)>& body) {
    const int64_t pieces = (count + piece - 1) / piece;
    std::atomic<int64_t> next{0};
    const auto work = [&] {
        for (int64_t i = next++; i < pieces; i = next++) body(i * piece, std::min(count, (i + 1) * piece));
    };
    std::vector<std::jthread> helpers;
    const int64_t wanted = std::min<int64_t>(pieces, std::max(1u, std::thread::hardware_concurrency()));
    helpers.reserve(size_t(wanted));
    try {
        for (int64_t i = 1; i < wanted; ++i) helpers.emplace_back(work);
    } catch (const std::system_error&) {
        // No more threads available: the running ones and this one do all the work.
    }
    work();
}

double cos_turns(double turns) {
    // |t| ≤ 1/2, then folded to a sine or cosine of at most an eighth of a turn; every step here is exact.
    double t = std::abs(turns - std::nearbyint(turns));
    const bool negative = t > 0.25;
    if (negative) t = 0.5 - t;
    const bool as_sine = t > 0.125;
    if (as_sine) t = 0.25 - t;
    const double a = two_pi * t, a2 = a * a;
    // Taylor series, |a| ≤ π/4: the first term left out is below 1e-17.
    double sum = 0;
    for (int k = 16; k >= 2; k -= 2) sum = (1 - sum) * a2 / double(as_sine ? k * (k + 1) : k * (k - 1));
    const double value = as_sine ? a * (1 - sum) : 1 - sum;
    return negative ? -value : value;
}

}  // namespace texelscope
