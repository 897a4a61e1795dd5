#pragma once
// Experiments on time: cases of the benchmark, run under an experiment's progress.

#include "app/bench/result.h"
#include "app/experiments/experiment.h"

namespace texelscope {

// The plan's cases; adds the copy's bandwidth to the facts. Throws Cancelled, OutOfMemory or Error.
BenchReport run_cases(const BenchPlan& plan, const std::shared_ptr<Backend>& backend, ExperimentProgress& progress,
                      ExperimentResult& result);

// "faster" or "slower than …": by how much, two digits.
std::string times_words(double ratio);

inline double ms_of(double microseconds) { return microseconds / 1000; }

}  // namespace texelscope
