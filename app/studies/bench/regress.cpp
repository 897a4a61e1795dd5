#include "app/studies/bench/regress.h"

#include <algorithm>

#include <fmt/format.h>

namespace texelscope {
namespace {

bool same_work(const BenchResult& a, const BenchResult& b) {
    return a.name == b.name && a.width == b.width && a.height == b.height && a.source_width == b.source_width &&
           a.source_height == b.source_height;
}

const BenchResult* counterpart(const BenchReport& report, const BenchResult& of) {
    const BenchResult* result = report.find(of.name);
    return result && result->time && same_work(*result, of) ? result : nullptr;
}

}  // namespace

size_t Regression::slower() const {
    return size_t(std::count_if(rows.begin(), rows.end(), [&](const auto& row) { return is_slower(row); }));
}

size_t Regression::faster() const {
    return size_t(std::count_if(rows.begin(), rows.end(), [&](const auto& row) { return is_faster(row); }));
}

Regression compared(const BenchReport& before, const BenchReport& now, double threshold) {
    if (before.backend != now.backend)
        throw Error(
            fmt::format("contains results of the {} backend, but these are from {}; choose the backend with "
                        "--backend",
                        name_of(before.backend), name_of(now.backend)));
    Regression regression;
    regression.threshold = threshold;
    const double then_unit = before.copy_gigabytes_per_second(), now_unit = now.copy_gigabytes_per_second();
    for (const BenchResult& result : now.results) {
        if (!result.time) continue;
        const BenchResult* old = counterpart(before, result);
        if (!old) {
            ++regression.only_now;
            continue;
        }
        const Timing &a = *old->time, &b = *result.time;
        const auto relative = [&](double now_us, double then_us) { return now_us * now_unit / (then_us * then_unit); };
        const bool apart = relative(b.lower_us, a.upper_us) > 1 || relative(b.upper_us, a.lower_us) < 1;
        regression.rows.push_back({result.name, a.median_us, b.median_us, relative(b.median_us, a.median_us), apart});
    }
    for (const BenchResult& old : before.results)
        if (old.time && !counterpart(now, old)) ++regression.only_before;
    if (regression.rows.empty()) throw Error("contains none of the cases measured now, at the same sizes");
    return regression;
}

}  // namespace texelscope
