#pragma once
// The experiments of the literature, one file each: the question, the expectation, and how to find the answer.

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/studies/experiments/options.h"
#include "app/studies/experiments/result.h"
#include "gpu/backend/backend.h"

namespace texelscope {

// Receives the progress of a running experiment.
class ExperimentProgress {
public:
    virtual ~ExperimentProgress() = default;

    // `now`: the current work in a few words. `picture`: how it looks at the moment; null: unchanged. Throws Cancelled
    // to end the experiment.
    virtual void step(int done, int total, const std::string& now, const Image* picture = nullptr) = 0;
};

struct Experiment {
    std::string_view name;         // "rotation"
    std::string_view title;        // "Repeated rotation"
    std::string_view question;     // one sentence
    std::string_view expectation;  // what to expect, and who says so
    std::string_view source;       // where it was published
    std::vector<ExperimentOption> options;

    // Fills tables, plots, pictures and verdicts. Throws Cancelled, OutOfMemory or Error.
    void (*run)(const ExperimentOptions& options, const std::shared_ptr<Backend>& backend, ExperimentProgress& progress,
                ExperimentResult& result);
};

// In the order of menus and pages.
std::span<const Experiment> all_experiments();

// Throws UsageError that lists them.
const Experiment& find_experiment(std::string_view name);

// The result with all its facts. Throws Cancelled, OutOfMemory or Error.
ExperimentResult run_experiment(const Experiment& experiment, const ExperimentOptions& options,
                                const std::shared_ptr<Backend>& backend, ExperimentProgress& progress);

// The records, by file.
Experiment rotation_experiment();
Experiment fir_taps_experiment();
Experiment prefilter_cost_experiment();
Experiment zoom_cost_experiment();
Experiment resize_cost_experiment();
Experiment convergence_experiment();
Experiment weights_experiment();
Experiment minification_experiment();

}  // namespace texelscope
