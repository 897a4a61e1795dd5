#pragma once
// The experiments of the literature, one file each: what is asked, what is to be expected, and how it is found out.

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/studies/experiments/options.h"
#include "app/studies/experiments/result.h"
#include "gpu/backend/backend.h"

namespace texelscope {

// The user wants no more of it.
class Cancelled : public Error {
public:
    using Error::Error;
};

// Whom a running experiment tells how far it is.
class ExperimentProgress {
public:
    virtual ~ExperimentProgress() = default;

    // `now`: what is being done, a few words. `picture`: what it looks like at the moment; null: as before. Throws
    // Cancelled to end the experiment.
    virtual void step(int done, int total, const std::string& now, const Image* picture = nullptr) = 0;
};

struct Experiment {
    std::string_view name;         // "rotation"
    std::string_view title;        // "Repeated rotation"
    std::string_view question;     // one sentence
    std::string_view expectation;  // what is to be expected, and by whom
    std::string_view source;       // where it comes from
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
