#pragma once
// Runs the cases of texelscope bench, one after the other.

#include <functional>
#include <memory>

#include "app/studies/bench/cases.h"
#include "app/studies/bench/result.h"

namespace texelscope {

// After each case, with the number that are done and that there are.
using BenchProgress = std::function<void(size_t done, size_t total)>;

// Seconds that the cases of a plan share; no limit to a plan in full.
double budget_seconds(const BenchPlan& plan);

// What cannot be measured here, for want of memory or of a feature, is a result that says why; throws Error where that
// is every case. The section `frame` opens a hidden window.
BenchReport run_bench(const std::shared_ptr<Backend>& backend, const BenchPlan& plan,
                      const BenchProgress& progress = {});

}  // namespace texelscope
