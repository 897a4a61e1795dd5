#pragma once
// Runs the cases of texelscope bench, one after another.

#include <functional>
#include <memory>

#include "app/studies/bench/cases.h"
#include "app/studies/bench/result.h"

namespace texelscope {

// Called after each case with the number done and the total.
using BenchProgress = std::function<void(size_t done, size_t total)>;

// Seconds that the cases of a plan share; no limit for a full plan.
double budget_seconds(const BenchPlan& plan);

// A case that cannot be measured here, for lack of memory or of a feature, gives a result with the reason; throws Error
// if that is every case. The section `frame` opens a hidden window.
BenchReport run_bench(const std::shared_ptr<Backend>& backend, const BenchPlan& plan,
                      const BenchProgress& progress = {});

}  // namespace texelscope
