#pragma once
// The stages of a frame among the results.

#include <vector>

#include "app/studies/bench/cases.h"
#include "app/studies/bench/result.h"

namespace texelscope {

// One result a stage, "frame/map" and so on; one that says why not where no window can be had.
void add_frame_results(const BenchPlan& plan, BackendKind kind, std::vector<BenchResult>& results);

}  // namespace texelscope
