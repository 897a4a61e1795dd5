// texelscope compare … --restore: its options, and the test of one picture.

#include <filesystem>

#include <fmt/format.h>

#include "app/cli/command_line.h"
#include "app/cli/compare_options.h"
#include "app/cli/options.h"
#include "app/cli/running.h"
#include "app/files/bytes/file_io.h"
#include "app/files/desktop/folders.h"
#include "app/files/reading/image_files.h"
#include "app/studies/experiments/experiment.h"
#include "app/studies/restoring/restoring.h"
#include "gpu/core/text.h"

namespace texelscope {
namespace {

constexpr const char* group = "Restore";
constexpr size_t usual_panes_shown = 4;  // of all methods, on a sheet and in a report

std::vector<MethodSpec> every_method(const MethodSpec& defaults) {
    std::vector<MethodSpec> specs;
    for (const MethodInfo* method : all_methods()) specs.push_back(parse_spec(method->id, &defaults));
    return specs;
}

RestoringResult computed(const RestoringPlan& plan, const std::shared_ptr<Backend>& backend) {
    const Interrupt interrupt;
    std::optional<Progress> bar;
    try {
        RestoringResult result = restore_by_each(plan, backend, [&](size_t done, size_t total) {
            Interrupt::check();
            if (!bar) bar.emplace(total);
            bar->show(done);
        });
        Interrupt::check();
        return result;
    } catch (const Cancelled& cancelled) {
        throw Error(fmt::format("compare: {}", cancelled.what()));
    }
}

// The pictures of folders in the order of their names, in place of the folder.
std::vector<std::string> sources_of(const RestoreRun& run) {
    std::vector<std::string> sources;
    for (const std::string& input : run.inputs) {
        if (!is_folder(input)) {
            sources.push_back(run.picture.source_of(input));
            continue;
        }
        const FolderListing listing = list_pictures(input, FolderOrder::name, false);
        if (!listing.problem.empty()) throw FileError(input, listing.problem);
        if (listing.entries.empty()) throw FileError(input, "there are no pictures in this folder");
        for (const FolderEntry& entry : listing.entries)
            sources.push_back(run.picture.source_of((std::filesystem::path(input) / entry.name).string()));
    }
    return sources;
}

bool is_many(const std::vector<std::string>& inputs) { return inputs.size() > 1 || is_folder(inputs.front()); }

}  // namespace

void RestoreOptions::add_to(Command command) {
    const auto add = [&](const char* name, auto& value, const char* type, const std::string& words) {
        command.add_option(name, value, words).type_name(type).group(group);
    };
    add("--restore", restore_, "FACTOR|rotate:TIMESxDEGREES|shift:SAMPLESxTIMES|shrink:FACTOR",
        "Which method is best for these pictures: shrink each by a FACTOR of at least 1, rotate it TIMES times or shift "
        "it, restore it by each method (of --panes, or all), and compare the result with the picture itself. With "
        "shrink:, each method shrinks the picture, and the result is compared with the ideal reduction");
    add("--judge", judge_, "NAME[,NAME…]",
        "By what methods are ranked: psnr, ssim, delta-e (mean), flip (mean) or gmsd; several, with commas: the first "
        "ranks, and the answer says where others disagree. Default: psnr");
    add("--shrink-with", filter_, "SPEC",
        fmt::format("Method that shrinks, antialiased; default: {}", usual_filter().method->id));
    add("--report", report_, "FILE.html",
        "One HTML page: what was done, the sorted table, quality against cost, and the best methods at the worst spot, "
        "or all pictures in small");
    add("--csv", csv_, "FILE.csv",
        "Write a table of the figures of each method, and picture, to this file; - writes it to standard output");
    add("--write-shrunk", shrunk_, "FILE",
        "Only write the shrunk picture, for other programs to enlarge; of many pictures {name} is the name of each "
        "without its extension. .npy and .tif keep floats");
    add("--result", results_, "NAME=FILE …",
        "A result of another program as a method of the test, of the original's size; of many pictures with {name}. "
        "Several can be given, behind IN");
    add("--jobs", jobs_, "N", "Pictures at a time, 1 to 256; with more than one, times are longer. Default: 1");
    add("--shard", shard_, "I/N", "Judge only the I-th of every N pictures; --merge joins what --json writes");
    add("--keep", keep_, "FOLDER|off",
        "Where the figures of each of many pictures are kept, so that a test that was ended goes on where it was; off: "
        "nowhere. Default: texelscope/judged in the folder of caches");
    command.add_flag("--merge", merge_, "IN are results of --json of parts of the same test: join them");
}

void RestoreOptions::check() const {
    const std::pair<const char*, bool> needing[] = {
        {"--report", !report_.empty()},        {"--csv", !csv_.empty()},
        {"--judge", judge_.has_value()},       {"--write-shrunk", shrunk_.has_value()},
        {"--result", !results_.empty()},       {"--jobs", jobs_.has_value()},
        {"--shard", shard_.has_value()},       {"--keep", keep_.has_value()},
        {"--shrink-with", filter_.has_value()}};
    for (const auto& [option, is_given] : needing)
        if (is_given && !given()) throw UsageError(fmt::format("{} needs --restore FACTOR", option));
    if (merge_) {
        if (restore_ || judge_ || filter_ || shrunk_ || jobs_ || shard_ || keep_ || !results_.empty())
            throw UsageError("--merge joins what was computed already: leave out all but --json, --csv and --report");
        return;
    }
    if (!restore_) return;
    const Restoration::Kind kind = parse_restoration("--restore", *restore_).kind;
    if (filter_ && kind != Restoration::Kind::shrink)
        throw UsageError(
            fmt::format("--shrink-with needs --restore FACTOR: no method shrinks beforehand for {}", *restore_));
    if (shrunk_ && kind != Restoration::Kind::shrink)
        throw UsageError(
            fmt::format("--write-shrunk needs --restore FACTOR: nothing is shrunk beforehand for {}", *restore_));
    if (!results_.empty() && kind != Restoration::Kind::shrink && kind != Restoration::Kind::reduce)
        throw UsageError(fmt::format("--result needs --restore FACTOR or shrink:FACTOR, not {}", *restore_));
    if (shrunk_ && (!results_.empty() || !report_.empty() || !csv_.empty()))
        throw UsageError("--write-shrunk only writes the shrunk pictures: leave out --result, --report and --csv");
    if (shrunk_) check_output_name(*shrunk_);
    shard();
}

RestoreRun RestoreOptions::plan(const std::optional<std::string>& panes, const MethodOptions& method,
                                const ViewingOptions& viewing, const CommandOptions& commands) const {
    check();
    RestoreRun run;
    if (judge_) run.plan.judges = parse_judges("--judge", *judge_);
    const auto& judges = run.plan.judges;
    if (viewing.given() && std::find(judges.begin(), judges.end(), Judge::flip) == judges.end())
        throw UsageError("--pixels-per-degree and --screen need --judge flip");
    run.plan.pixels_per_degree = viewing.pixels_per_degree();
    run.plan.restoration = parse_restoration("--restore", *restore_);
    if (filter_) try {
            run.plan.restoration.filter = parse_spec(*filter_);
        } catch (const UsageError& error) {
            throw UsageError(fmt::format("--shrink-with: {}", error.what()));
        }
    const MethodSpec defaults = restoring_defaults(run.plan.restoration);
    std::vector<MethodSpec>& specs = run.plan.specs = compared_specs(method, panes, defaults, every_method);
    run.programs = commands.programs(specs);
    const Restoration::Kind kind = run.plan.restoration.kind;
    if (!run.programs.empty() && kind != Restoration::Kind::shrink && kind != Restoration::Kind::reduce)
        throw UsageError(fmt::format("commands need --restore FACTOR or shrink:FACTOR, not {}", *restore_));
    std::erase_if(specs, [](const MethodSpec& spec) { return is_outside(spec); });
    const bool chosen =
        panes && specs.size() > (method.own_method() ? 1 : 0);  // else commands alone: beside all methods
    if (panes && !chosen) specs = compared_specs(method, {}, defaults, every_method);
    run.plan.panes = chosen ? specs.size() + run.programs.size() + results_.size() : usual_panes_shown;
    return run;
}

std::string name_of_source(const std::string& source) {
    if (!source.starts_with('@')) return std::filesystem::path(source).stem().string();
    std::string name = source.substr(1);
    for (char& c : name)
        if (c == ':') c = '-';
    return name;
}

std::vector<OutsideMethod> RestoreOptions::outside_for(std::vector<OutsideMethod> outside,
                                                       const std::string& source) const {
    for (const std::string& text : results_) {
        outside.push_back(result_method(text, name_of_source(source)));
        for (size_t k = 0; k + 1 < outside.size(); ++k)
            if (outside[k].spec == outside.back().spec)
                throw UsageError(fmt::format("--result: two results are named {}", outside[k].spec.method->name));
    }
    return outside;
}

void RestoreOptions::write_shrunk(const RestoreRun& run, const std::vector<std::string>& sources) const {
    if (!run.json.empty() || !run.sheet.empty())
        throw UsageError("--write-shrunk only writes the shrunk pictures: leave out --json and --sheet");
    on_backend(run.backend, [&](const std::shared_ptr<Backend>& backend) {
        for (const std::string& source : sources) {
            RestoringPlan plan = run.plan;
            plan.image = std::make_shared<const Image>(load_whole(source, run.partial));
            const std::string file = with_name(*shrunk_, name_of_source(source));
            write_image(shrunk_picture(plan, backend), file, options_for(file, plan.image->type(), {}));
        }
    });
}

void RestoreOptions::run(RestoreRun run) const {
    const NamedOutput outputs[] = {
        {"--json", run.json}, {"--sheet", run.sheet}, {"--report", report_}, {"--csv", csv_}};
    check_outputs(outputs);
    const bool many = is_many(run.inputs);
    if (many && !run.sheet.empty()) throw UsageError("--sheet shows one picture: leave it out, or write a --report");
    if (!many && (jobs_ || shard_ || keep_))
        throw UsageError("--jobs, --shard and --keep need many pictures, or a folder of them");
    const std::vector<std::string> sources = sources_of(run);
    check_patterns(sources);
    if (shrunk_) return write_shrunk(run, sources);
    if (many) return run_many(run, sources);
    run_one(run, sources[0]);
}

void RestoreOptions::run_one(RestoreRun& run, const std::string& source) const {
    const NamedOutput outputs[] = {{"--json", run.json}, {"--csv", csv_}};
    RestoringPlan& plan = run.plan;
    if (!run.sheet.empty()) check_output_name(run.sheet);
    if (run.sheet.empty() && report_.empty()) plan.panes = 0;
    plan.source = source;
    plan.outside = outside_for(run.programs, source);
    plan.image = std::make_shared<const Image>(load_whole(source, run.partial));
    try {
        interior_of(plan.restoration, *plan.image);
    } catch (const Error& error) {
        throw Error(fmt::format("--restore: {}: {}", words_of_source(source), error.what()));
    }
    std::optional<RestoringResult> result;
    on_backend(run.backend, [&](const std::shared_ptr<Backend>& made) { result = computed(plan, made); });
    if (!run.sheet.empty()) write_image(restoring_sheet(*result, run.columns), run.sheet);
    if (!report_.empty()) write_text(report_, result_as_html(restoring_report(*result)));
    if (!csv_.empty()) write_text(csv_, table_as_csv(restoring_report(*result).tables[0]));
    if (!run.json.empty()) write_text(run.json, restoring_json(*result));
    if (!is_one_printed(outputs)) fmt::print("{}", restoring_text(*result));
}

// Programs among the methods of --panes.

MethodSpec command_spec(std::string_view word) {
    const std::string_view quoted = word.substr(command_prefix.size());
    const size_t quote = quoted.find('\'', 1);
    if (!quoted.starts_with('\'') || quote == quoted.npos)
        throw UsageError("a command is written in single quotes: command:'PROGRAM … {in} {out}'");
    if (quote + 1 != quoted.size()) throw UsageError("a command ends with its quote, then a semicolon");
    return spec_of_text(std::string(command_prefix) + std::string(quoted.substr(1, quote - 1)));
}

void CommandOptions::add_to(Command command) {
    const char* const programs = "Other programs";
    command
        .add_flag(
            "--allow-commands", allowed_,
            "Run the commands of --panes: programs that get the picture, of --restore the shrunk one, as the file "
            "{in} and write {out}, PNG or, as {in.npy} and {out.tif}, floats")
        .group(programs);
    command
        .add_option("--command-seconds", seconds_, "Kill a command that takes longer, with all it started. Default: 60")
        .type_name("S")
        .group(programs);
    command
        .add_option("--command-memory", memory_,
                    "Memory of each process of a command, in GiB, and of each file it writes. Default: 4")
        .type_name("GIB")
        .group(programs);
}

ProgramLimits CommandOptions::limits() const {
    ProgramLimits limits;
    if (seconds_) limits.seconds = parse_positive("--command-seconds", *seconds_);
    if (memory_) limits.bytes = size_t(std::min(parse_positive("--command-memory", *memory_), 1e6) * double(1 << 30));
    return limits;
}

std::vector<OutsideMethod> CommandOptions::programs(const std::vector<MethodSpec>& specs) const {
    std::vector<OutsideMethod> programs;
    for (const MethodSpec& spec : specs) {
        if (!is_outside(spec)) continue;
        const std::string command(spec.method->id.substr(command_prefix.size()));
        if (!allowed_)
            throw UsageError(fmt::format("--panes would run: {} – add --allow-commands if that is meant", command));
        programs.push_back(program_method(command, limits()));
    }
    if (programs.empty() && (seconds_ || memory_ || allowed_))
        throw UsageError(fmt::format("{} needs a command in --panes: command:'PROGRAM … {{in}} {{out}}'",
                                     seconds_  ? "--command-seconds"
                                     : memory_ ? "--command-memory"
                                               : "--allow-commands"));
    return programs;
}

}  // namespace texelscope
