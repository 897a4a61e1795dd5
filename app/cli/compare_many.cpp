// texelscope compare A B C … --restore: the test of many pictures.

#include <algorithm>
#include <atomic>
#include <exception>
#include <map>
#include <mutex>
#include <thread>

#include <fmt/format.h>

#include "app/cli/compare_options.h"
#include "app/cli/options.h"
#include "app/cli/running.h"
#include "app/files/bytes/file_io.h"
#include "app/files/reading/image_files.h"
#include "app/studies/experiments/experiment.h"
#include "app/studies/restoring/many_pictures.h"
#include "gpu/core/parallel.h"
#include "gpu/core/text.h"

namespace texelscope {
namespace {

constexpr int most_jobs = 256;
constexpr size_t steps_of_picture = 1000;  // of the bar
constexpr size_t most_result_bytes = size_t(1) << 30;

std::string in_one_line(std::string text) {
    std::replace(text.begin(), text.end(), '\n', ' ');
    return text;
}

// A whole number from 1 to `most`; `right` says what is, of the option as it was typed.
size_t parse_count(std::string_view option, std::string_view digits, size_t most, std::string_view right,
                   std::string_view typed) {
    size_t value = 0;
    for (const char c : digits) {
        if (c < '0' || c > '9' || value > most) value = 0;
        else value = value * 10 + size_t(c - '0');
        if (value == 0) break;
    }
    if (value < 1 || value > most) throw UsageError(fmt::format("{} must be {}, not '{}'", option, right, typed));
    return value;
}

// Judges pictures one after the other, several at a time.
class Judging {
public:
    using MakeOutside = std::function<std::vector<OutsideMethod>(const std::string& source)>;

    Judging(const RestoreRun& run, const std::vector<std::string>& sources, std::vector<size_t> chosen,
            MakeOutside make_outside, KeptRecords kept)
        : run_(run),
          sources_(sources),
          chosen_(std::move(chosen)),
          make_outside_(std::move(make_outside)),
          kept_(std::move(kept)),
          bar_(chosen_.size() * steps_of_picture) {}

    std::vector<JudgedPicture> all(size_t jobs) {
        const Interrupt interrupt;
        std::vector<std::jthread> others;
        for (size_t k = 1; k < std::min(jobs, chosen_.size()); ++k)
            others.emplace_back([this] {
                const LoopsAlone alone;
                work();
            });
        if (jobs > 1) {
            const LoopsAlone alone;
            work();
        } else {
            work();
        }
        others.clear();
        if (failure_) std::rethrow_exception(failure_);
        return std::move(judged_);
    }

private:
    // What ends one thread ends them all.
    void work() {
        try {
            size_t k = next_++;
            on_backend(run_.backend, [&](const std::shared_ptr<Backend>& backend) {
                for (; k < chosen_.size() && !over_; k = next_++) {
                    JudgedPicture picture = judged(chosen_[k], backend);
                    const std::lock_guard lock(mutex_);
                    judged_.push_back(std::move(picture));
                    bar_.show(judged_.size() * steps_of_picture);
                }
            });
        } catch (...) {
            over_ = true;
            const std::lock_guard lock(mutex_);
            if (!failure_) failure_ = std::current_exception();
        }
    }

    // A broken picture has a problem instead of figures.
    JudgedPicture judged(size_t index, const std::shared_ptr<Backend>& backend) {
        const std::string& source = sources_[index];
        try {
            RestoringPlan plan = run_.plan;
            plan.panes = 0;
            plan.source = source;
            plan.outside = make_outside_(source);
            plan.image = std::make_shared<const Image>(load_whole(source, run_.partial));
            try {
                interior_of(plan.restoration, *plan.image);
            } catch (const Error& error) {
                throw Error(fmt::format("{}: {}", words_of_source(source), error.what()));
            }
            std::vector<std::string> specs;
            for (const MethodSpec& spec : plan.specs) specs.push_back(full_spec_text(spec));
            for (const OutsideMethod& outside : plan.outside) specs.push_back(full_spec_text(outside.spec));
            const std::string key = KeptRecords::key_of(plan, backend->info());
            if (const std::string record = kept_.load(key); !record.empty()) try {
                    return judged_picture(index, source, record, specs);
                } catch (const Error&) {  // damaged: computed again
                }
            const RestoringResult result = restore_by_each(plan, backend, [&](size_t done, size_t total) {
                if (over_) throw Cancelled("");
                Interrupt::check();
                const std::lock_guard lock(mutex_);
                bar_.show(judged_.size() * steps_of_picture + done * steps_of_picture / total);
            });
            const std::string record = restoring_json(result);
            kept_.store(key, record);
            return judged_picture(index, source, record, specs);
        } catch (const Cancelled&) {
            throw;
        } catch (const Error& error) {
            const bool device = dynamic_cast<const OutOfMemory*>(&error) || dynamic_cast<const DeviceLost*>(&error);
            if (device && backend->info().kind != BackendKind::cpu) throw;
            return {.index = index, .source = source, .problem = in_one_line(error.what()), .record = {}};
        }
    }

    const RestoreRun& run_;
    const std::vector<std::string>& sources_;
    std::vector<size_t> chosen_;
    MakeOutside make_outside_;
    KeptRecords kept_;
    std::mutex mutex_;
    Progress bar_;
    std::vector<JudgedPicture> judged_;
    std::exception_ptr failure_;
    std::atomic<size_t> next_ = 0;
    std::atomic<bool> over_ = false;
};

}  // namespace

RestoreOptions::Shard RestoreOptions::shard() const {
    if (!shard_) return {};
    constexpr std::string_view right = "I/N with I from 1 to N, for example 2/8";
    const size_t slash = shard_->find('/');
    if (slash == std::string::npos) throw UsageError(fmt::format("--shard must be {}, not '{}'", right, *shard_));
    const std::string_view text = *shard_;
    const size_t parts = parse_count("--shard", text.substr(slash + 1), 1 << 20, right, text);
    return {parse_count("--shard", text.substr(0, slash), parts, right, text) - 1, parts};
}

void RestoreOptions::check_patterns(const std::vector<std::string>& sources) const {
    std::vector<std::pair<const char*, std::string>> patterns;
    if (shrunk_) patterns.emplace_back("--write-shrunk", *shrunk_);
    for (const std::string& result : results_) patterns.emplace_back("--result", result);
    if (patterns.empty() || sources.size() < 2) return;
    for (const auto& [option, pattern] : patterns)
        if (pattern.find("{name}") == std::string::npos)
            throw UsageError(
                fmt::format("{} must have {{name}} in the file's name for many pictures, not '{}'", option, pattern));
    std::map<std::string, std::string> names;
    for (const std::string& source : sources)
        if (const auto& [at, added] = names.emplace(name_of_source(source), source); !added)
            throw UsageError(
                fmt::format("{}: {} and {} have the same {{name}}", patterns[0].first, at->second, source));
}

KeptRecords RestoreOptions::kept() const {
    if (keep_) return KeptRecords(*keep_ == "off" ? std::filesystem::path() : std::filesystem::path(*keep_));
    try {
        return KeptRecords(KeptRecords::usual_folder());
    } catch (const FileError&) {  // nobody asked for it
        return KeptRecords({});
    }
}

void RestoreOptions::run_many(const RestoreRun& run, const std::vector<std::string>& sources) const {
    const size_t jobs = jobs_ ? parse_count("--jobs", *jobs_, most_jobs, "a whole number from 1 to 256", *jobs_) : 1;
    if (std::find(sources.begin(), sources.end(), "-") != sources.end())
        throw UsageError("standard input is one picture: name files to compare many");
    std::vector<size_t> chosen;
    const Shard only = shard();
    for (size_t k = only.part; k < sources.size(); k += only.parts) chosen.push_back(k);
    if (chosen.empty())
        throw UsageError(fmt::format("--shard {}: there are only {} pictures", *shard_, sources.size()));
    outside_for(run.programs, sources[0]);  // refuses wrong words before anything is computed
    std::vector<JudgedPicture> pictures;
    try {
        Judging judging(
            run, sources, std::move(chosen),
            [&](const std::string& source) { return outside_for(run.programs, source); }, kept());
        pictures = judging.all(jobs);
    } catch (const Cancelled&) {
        throw Error(keep_ == "off" ? "compare: cancelled; nothing was written"
                                   : "compare: cancelled; the same command goes on after the pictures that are done");
    }
    put_out(summary_of(std::move(pictures)), run.json);
}

void RestoreOptions::merge(const std::vector<std::string>& files, const std::string& json) const {
    const NamedOutput outputs[] = {{"--json", json}, {"--report", report_}, {"--csv", csv_}};
    check_outputs(outputs);
    std::vector<NamedText> texts;
    for (const std::string& file : files) texts.push_back({file, read_text_file(file, most_result_bytes)});
    put_out(summary_of(merged_pictures(texts)), json);
}

void RestoreOptions::put_out(const PicturesResult& result, const std::string& json) const {
    const NamedOutput outputs[] = {{"--json", json}, {"--csv", csv_}};
    std::vector<std::string> problems;
    for (const JudgedPicture& picture : result.pictures)
        if (!picture.judged()) problems.push_back(picture.problem);
    for (const std::string& problem : problems) fmt::print(stderr, "texelscope: {}\n", problem);
    if (!report_.empty()) write_text(report_, result_as_html(pictures_report(result)));
    if (!csv_.empty()) write_text(csv_, pictures_csv(result));
    if (!json.empty()) write_text(json, pictures_json(result));
    if (!is_one_printed(outputs)) fmt::print("{}", pictures_text(result));
    if (!problems.empty())
        throw Error(fmt::format("{} of {} pictures could not be judged", problems.size(), result.pictures.size()));
}

}  // namespace texelscope
