#pragma once
// Experiments: their records and results, and what they are made with.

#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "app/drawing/plot.h"
#include "app/studies/bench/result.h"
#include "gpu/backend/backend.h"
#include "gpu/backend/source_image.h"
#include "gpu/core/image.h"
#include "gpu/method/spec.h"

namespace texelscope {

// What an experiment found, as plain data: every form of report is made from it.

using ResultCell = std::variant<std::monostate, std::string, double>;  // nothing, text, a number

struct ResultColumn {
    std::string name;
    std::string unit = {};  // "ms"; empty: a plain number, or text
    int digits = 3;         // significant ones that are printed, 0: as few as needed; CSV and JSON have all
};

struct ResultTable {
    std::string title = {};
    std::vector<ResultColumn> columns = {};
    std::vector<std::vector<ResultCell>> rows = {};  // as many cells as there are columns
    std::string note = {};                           // a sentence below it
};

struct ResultPicture {
    std::string title, caption;
    Image image;  // u8 × 1 or 3
};

// An expectation, and what was found.
struct Verdict {
    enum class Outcome {
        agrees,
        differs,
        open  // cannot be decided here
    };
    std::string expected = {}, found = {};  // sentences
    Outcome outcome = Outcome::open;
    std::string why = {};  // why it is expected, why the result differs, or why it cannot be decided
};

inline constexpr NamedValue<Verdict::Outcome> outcomes[] = {
    {Verdict::Outcome::agrees, "agrees"}, {Verdict::Outcome::differs, "differs"}, {Verdict::Outcome::open, "open"}};
constexpr auto& names_table(Verdict::Outcome) { return outcomes; }

struct ExperimentResult {
    std::string experiment, title, question, expectation;  // of the experiment
    std::vector<ResultTable> tables;                       // the main one first
    std::vector<Plot> plots;
    std::vector<ResultPicture> pictures;
    std::vector<Verdict> verdicts;
    std::vector<std::pair<std::string, std::string>> facts;  // machine, backend, version, options

    bool all_agree() const;  // ignoring open ones
};

// As printed in a table: this many significant digits, 0: as few as needed; "1.2e-07" if it is tiny or huge.
std::string number_text(double value, int digits);
std::string cell_text(const ResultCell& cell, const ResultColumn& column);

// "RMS (of 255)".
std::string heading(const ResultColumn& column);

// Reports of a result, in every form.

// For a terminal: tables, verdicts and facts.
std::string result_as_text(const ExperimentResult& result);

// One table: a row of headings, then the values, numbers with all their digits.
std::string table_as_csv(const ResultTable& table);

// Everything but the pictures: tables, curves, verdicts, facts. Throws Error if a file's name in it is not UTF-8.
std::string result_as_json(const ExperimentResult& result);

// One self-contained page, including plots and pictures. Well-formed as XML, too.
std::string result_as_html(const ExperimentResult& result);

// A plot as .svg, or as an image by the name's extension; the main table; the whole result. Each file is written
// completely or not at all. Throw FileError or UsageError.
void write_plot(const Plot& plot, const std::filesystem::path& path);
void write_table(const ResultTable& table, const std::filesystem::path& path);

// All of it into a folder, which is created if it does not exist: report.html, result.json, and each table (.csv), plot
// (.svg, .png) and picture (.png) under its own name.
void write_folder(const ExperimentResult& result, const std::filesystem::path& folder);

// "rms-by-turn": a title as a part of a file's name.
std::string file_stem(const std::string& title);

// The experiments of the literature, one file each, and their options.

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
    std::string_view unit = {};  // behind the field of a number
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
Experiment there_and_back_experiment();
Experiment fir_taps_experiment();
Experiment prefilter_cost_experiment();
Experiment zoom_cost_experiment();
Experiment resize_cost_experiment();
Experiment convergence_experiment();
Experiment weights_experiment();
Experiment noise_experiment();
Experiment phase_blur_experiment();
Experiment minification_experiment();

// Experiments on time: cases of the benchmark, run under an experiment's progress.

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

// Pictures and curves in the style of the experiments.

// u8, of 1 or 3 channels: the first one, or colour without its alpha.
Image as_shown(const Image& image);

// a − b over the whole scale: blue if a is darker by `end` levels of 255 or more, orange if it is brighter, u8 × 3; for
// colour the mean of the channels.
Image residual_picture(const Image& a, const Image& b, double end);

// The curve of the k-th method: colours repeat from the seventh on, dashed.
Series method_series(const std::string& name, int k);

// An axis over the finite values of the series, along x or y: linear from 0, or logarithmic; a little wider.
PlotAxis axis_over(const std::vector<Series>& series, bool along_x, bool logarithmic, std::string label);

// An image rotated again and again about its centre, as rotation experiments need it.

// Differences of two pictures over their central disc, of radius 0.45 times the shorter side; of 255, all channels.
struct DiscErrors {
    double rms = 0, largest = 0;
};
DiscErrors disc_errors(const Image& a, const Image& b);

class Turning {
public:
    // Mirrored at the edges unless the spec says otherwise. Throws OutOfMemory or Error.
    Turning(std::shared_ptr<Backend> backend, const Image& image, const MethodSpec& spec, double degrees);

    // One more rotation; f32, premultiplied if there is alpha.
    const Image& turn();

private:
    std::shared_ptr<Backend> backend_;
    RenderRequest request_;
    Image image_;
};

// The original rotated in a single step by n times the angle, n = 0 … turns, in float64 by the quintic B-spline: the
// ideal of a Turning's n-th picture. After a whole number of circles it is the original itself.
class TurnedOriginal {
public:
    TurnedOriginal(std::shared_ptr<Backend> backend, const Image& original, double degrees);
    Image after(int turns);

private:
    Image original_;
    SourceImage source_;
    double degrees_;
};

// The option's image in the form of rotated pictures: f32, premultiplied if there is alpha. Throws Error for one that
// is too small to be rotated.
Image image_to_turn(const ExperimentOptions& options);

// The spec of a rotation if none of its settings is given: mirrored at the edges.
MethodSpec turning_defaults();

}  // namespace texelscope
