#pragma once
// The experiments of the literature, one file each, and their options.

#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/studies/experiments/result.h"
#include "gpu/backend/backend.h"
#include "gpu/core/image.h"
#include "gpu/method/spec.h"

namespace texelscope {

// The options of an experiment, as typed and as values.
struct ExperimentOption {
    enum class Kind {
        integer,
        real,
        image,   // a file or @test-image
        methods  // "SPEC; SPEC; …"
    };
    std::string_view name;  // "turns", typed as --turns
    Kind kind;
    std::string_view meaning;    // with its unit
    std::string_view standard;   // as typed
    double least = 0, most = 0;  // of numbers, both allowed
};

inline constexpr size_t most_experiment_methods = 12;

class ExperimentOptions {
public:
    // All at their defaults.
    explicit ExperimentOptions(std::span<const ExperimentOption> known);

    // Throws UsageError that names the option, the word, and what would be right; an image is not read yet.
    void set(std::string_view name, const std::string& text);

    const std::string& text(std::string_view name) const;
    bool is_standard(std::string_view name) const;
    std::span<const ExperimentOption> known() const { return known_; }

    int integer(std::string_view name) const { return int(real(name)); }
    double real(std::string_view name) const;

    // What a spec leaves open is taken from `defaults`.
    std::vector<MethodSpec> methods(std::string_view name, const MethodSpec& defaults) const;

    // Throws Error.
    Image image(std::string_view name) const;

private:
    const ExperimentOption& find(std::string_view name) const;

    std::span<const ExperimentOption> known_;
    std::map<std::string, std::string, std::less<>> texts_;
};

// A refusal in the window's words, where options are fields: "turns must be …" for "--turns must be …".
std::string without_dashes(std::string text);

// The experiments of the literature, one file each: the question, the expectation, and how to find the answer.

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
