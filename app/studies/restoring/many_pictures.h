#pragma once
// Which method restores many pictures best: figures of each picture, what they say together, and how sure that is.

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "app/studies/restoring/restoring.h"

namespace texelscope {

// One picture of many, as it is kept and merged.
struct JudgedPicture {
    size_t index = 0;                          // among all pictures of the test, from 0
    std::string source;                        // as it was named
    std::string problem;                       // why there are no figures, in one line; then the rest is empty
    std::string record;                        // restoring_json() of it
    long long not_finite = 0;                  // samples that are left out of the figures, with what they reach
    std::vector<RestoredMethod> methods = {};  // those of the record, in the plan's order of specs

    bool judged() const { return problem.empty(); }
};

// From a record; `specs` gives the order. Throws Error for a text that is none.
JudgedPicture judged_picture(size_t index, std::string source, const std::string& record,
                             std::span<const std::string> specs);

// Records that are kept, so that a test that was ended goes on where it was: by what the picture's samples and all settings
// are, not by names. A cache: what cannot be written is not, and a damaged record is none.
class KeptRecords {
public:
    // $XDG_CACHE_HOME/texelscope/judged, or ~/.cache/…; empty: there is no such place.
    static std::filesystem::path usual_folder();

    // Empty: nothing is kept. Throws FileError if the folder is missing and cannot be made.
    explicit KeptRecords(std::filesystem::path folder);

    // The key of a plan that has its image. Throws Error if a result of another program cannot be read.
    static std::string key_of(const RestoringPlan& plan, const BackendInfo& backend);

    std::string load(const std::string& key) const;  // empty: there is none
    void store(const std::string& key, const std::string& record) const;

private:
    std::filesystem::path folder_;
};

// Statistics over pictures.

struct ValueRange {
    double low = 0, high = 0;
    bool contains(double value) const { return low <= value && value <= high; }
};

// The interval that holds the mean of the differences of two methods with 95 %. It goes from the 2.5th to the 97.5th
// percentile of the means of `bootstrap_draws` samples, which each draw as many pictures, with replacement (Efron &
// Tibshirani 1993, chapter 13).
// The draws are the same for every pair of methods and on every run. NaN for no differences.
inline constexpr int bootstrap_draws = 10000;
ValueRange bootstrapped_mean(std::span<const double> differences);

// The draws: SplitMix64 from this seed; the upper 32 bits of each number, times n, divided by 2³², are an index below n.
inline constexpr uint64_t bootstrap_seed = 44;

// With fewer pictures nothing is said about how sure an order is: five that all prefer one method are a coincidence in one
// of sixteen cases.
inline constexpr size_t least_for_order = 6;

// A method over all judged pictures, by the figure of the first judge over the interior, as figure_of() counts it.
struct MethodSummary {
    RestoredMethod average;                         // its figures are means over the pictures; times too
    double mean = 0, median = 0, spread = 0;        // spread: standard deviation of a sample, NaN for one picture
    double least = 0, low = 0, high = 0, most = 0;  // and the quartiles
    size_t wins = 0;                                // pictures that no method restores better, by 10⁻⁹
    double rank = 0;             // the mean over the pictures, 1 is the best; equal ones share their ranks
    size_t best = 0, worst = 0;  // of `pictures`
    double behind = 0;           // means: how much worse than the best method's
    ValueRange behind_range;     // its interval, see bootstrapped_mean()
    bool apart = false;          // the interval holds only values above 0, and there are pictures enough
};

struct PicturesResult {
    Restoration restoration;
    std::vector<JudgedPicture> pictures;  // by index
    std::vector<MethodSummary> methods;   // best mean first
    std::string backend, device;
    bool linear_light = false;
    std::vector<Judge> judges = {Judge::psnr};
    float pixels_per_degree = usual_pixels_per_degree;

    Judge judge() const { return judges.front(); }
    size_t judged() const;
};

// Sums up pictures that were judged by the same methods. Pictures without finite values become problems.
PicturesResult summary_of(std::vector<JudgedPicture> pictures);

// "Lanczos 3 and Catmull–Rom cannot be told apart with 24 pictures: …", or which is best, and by how much.
std::string verdict(const PicturesResult& result);

// A row for each method, the best first: what is in the report, and in the window.
ResultTable summary_table(const PicturesResult& result);

// The result in every form.
std::string pictures_text(const PicturesResult& result);
std::string pictures_json(const PicturesResult& result);  // described in docs/compare.md
std::string pictures_csv(const PicturesResult& result);   // a row for each method of each picture
ExperimentResult pictures_report(const PicturesResult& result);

// The pictures of results that pictures_json() wrote, of different pictures of the same test. Throws Error that names the
// file of a text that is none, of another test, or of a picture that another one has.
struct NamedText {
    std::string name, text;
};
std::vector<JudgedPicture> merged_pictures(std::span<const NamedText> results);

}  // namespace texelscope
