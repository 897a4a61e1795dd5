#pragma once
// The stages of a frame among the results.

#include <vector>

#include "app/studies/bench/cases.h"
#include "app/studies/bench/result.h"

namespace texelscope {

// One result per stage, "frame/acquire" and so on; one with the reason if no window can be opened.
void add_frame_results(const BenchPlan& plan, BackendKind kind, std::vector<BenchResult>& results);

}  // namespace texelscope
