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

// Of work that is done in turn: quartiles are added, too, which makes them no narrower than they are.
Timing together(const Timing& a, const Timing& b);

bool quartiles_overlap(const Timing& a, const Timing& b);

// Makes a verdict open that rests on times which tell nothing: where quartiles lie far apart, or, where `unclear`, such
// a spread could turn the outcome round.
void open_where_busy(Verdict& verdict, std::span<const Timing> times, bool unclear);

// What the times say, for experiments of these names.
std::vector<Verdict> prefilter_cost_verdicts(const BenchReport& report);
std::vector<Verdict> zoom_cost_verdicts(const std::vector<PaperCost>& costs, bool gpu);

inline double ms_of(double microseconds) { return microseconds / 1000; }

}  // namespace texelscope
