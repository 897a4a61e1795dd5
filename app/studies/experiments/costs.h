#pragma once
// Experiments on time: cases of the benchmark, run under an experiment's progress.

#include "app/studies/bench/paper.h"
#include "app/studies/bench/result.h"
#include "app/studies/experiments/experiment.h"

namespace texelscope {

// The plan's cases; adds the copy's bandwidth to the facts. Throws Cancelled, OutOfMemory or Error.
BenchReport run_cases(const BenchPlan& plan, const std::shared_ptr<Backend>& backend, ExperimentProgress& progress,
                      ExperimentResult& result);

// "faster" or "slower than …": by how much, two digits.
std::string times_words(double ratio);

// For work that is done in turn: quartiles are added, too, which makes them at least as wide as they are.
Timing together(const Timing& a, const Timing& b);

bool quartiles_overlap(const Timing& a, const Timing& b);

// Makes a verdict open if it rests on unusable times: their quartiles are far apart or, if `unclear`, such a spread
// could reverse the outcome.
void open_where_busy(Verdict& verdict, std::span<const Timing> times, bool unclear);

// The conclusion from the times, for experiments of these names.
std::vector<Verdict> prefilter_cost_verdicts(const BenchReport& report);
std::vector<Verdict> zoom_cost_verdicts(const std::vector<PaperCost>& costs, bool gpu);

inline double ms_of(double microseconds) { return microseconds / 1000; }

}  // namespace texelscope
