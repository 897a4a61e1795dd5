#include "app/studies/bench/result.h"

#include <algorithm>
#include <cctype>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/files/bytes/json_text.h"
#include "gpu/core/text.h"
#include "gpu/core/timing.h"

namespace texelscope {
namespace {

std::string_view name_of(BenchCase::Work work) {
    switch (work) {
        case BenchCase::Work::render: return work::render.name;
        case BenchCase::Work::prefilter: return work::prefilter.name;
        case BenchCase::Work::whole_call: return "whole-call";
    }
    return "";
}

}  // namespace

double BenchResult::gigapixels_per_second() const {
    return time && time->median_us > 0 ? double(width) * double(height) / time->median_us * 1e-3 : 0;
}

double BenchResult::gigabytes_per_second() const {
    return time && time->median_us > 0 ? bytes / time->median_us * 1e-3 : 0;
}

std::optional<double> BenchResult::over_copy() const {
    if (!time || !(copy_us > 0)) return {};
    return time->median_us / copy_us;
}

double BenchReport::copy_gigabytes_per_second() const {
    return copy.median_us > 0 ? copy_bytes / copy.median_us * 1e-3 : 0;
}

std::optional<double> BenchReport::share_of_copy(const BenchResult& result) const {
    const double copied = copy_gigabytes_per_second();
    if (!result.time || !(result.bytes > 0) || !(copied > 0)) return {};
    return result.gigabytes_per_second() / copied;
}

const BenchResult* BenchReport::find(std::string_view name) const {
    for (const BenchResult& result : results)
        if (result.name == name) return &result;
    return nullptr;
}

BenchResult result_of(const BenchCase& of) {
    BenchResult result;
    result.name = of.name();
    result.section = of.section;
    result.work = name_of(of.work);
    result.view = of.view;
    result.format = texelscope::name_of(of.format);
    result.method = to_string(of.spec);
    result.simple = of.simple;
    result.backend = of.backend;
    result.source_width = of.source_width;
    result.source_height = of.source_height;
    result.width = of.width;
    result.height = of.height;
    return result;
}

std::string machine_name(const BenchReport& report) {
    std::string words = report.backend == BackendKind::cuda ? report.device : report.device + " " + report.detail;
    for (const std::string_view mark : {"(R)", "(TM)"}) {
        while (words.find(mark) != std::string::npos) words.erase(words.find(mark), mark.size());
    }
    std::string name;
    for (const char c : words) {
        if (std::isalnum(static_cast<unsigned char>(c))) name += lower_case(c);
        else if (!name.empty() && name.back() != '-' && (c & 0x80) == 0) name += '-';
    }
    while (!name.empty() && name.back() == '-') name.pop_back();
    return name.empty() ? "machine" : name;
}

namespace {

// Results as JSON, and back.
using Json = nlohmann::ordered_json;

constexpr int file_format = 1;

// Six digits are all that a clock resolves.
double rounded(double value) {
    if (value == 0) return 0;
    const double unit = std::pow(10, 5 - std::floor(std::log10(std::abs(value))));
    return std::round(value * unit) / unit;
}

Json number(const std::optional<double>& value) {
    return value && std::isfinite(*value) ? Json(rounded(*value)) : Json(nullptr);
}

Json to_json(const Timing& time) {
    return {{"median", rounded(time.median_us)},
            {"lower", rounded(time.lower_us)},
            {"upper", rounded(time.upper_us)},
            {"batches", time.batches},
            {"repeats", time.repeats}};
}

Timing timing_from(const nlohmann::json& json) {
    return {json.at("median"), json.at("lower"), json.at("upper"), json.at("batches"), json.at("repeats")};
}

void add_figures(const BenchReport& report, const BenchResult& result, Json& json) {
    json["microseconds"] = to_json(*result.time);
    if (result.section != BenchSection::frame && result.section != BenchSection::tiles)
        json["gigapixels_per_second"] = rounded(result.gigapixels_per_second());
    if (!(result.bytes > 0)) return;
    json["bytes"] = std::llround(result.bytes);
    json["bytes_in_turn"] = std::llround(result.bytes_in_turn);
    json["gigabytes_per_second"] = rounded(result.gigabytes_per_second());
    json["share_of_copy"] = number(report.share_of_copy(result));
    json["copy_microseconds"] = rounded(result.copy_us);
    json["over_copy"] = number(result.over_copy());
    json["over_bilinear"] = number(result.over_bilinear);
}

Json to_json(const BenchReport& report, const BenchResult& result) {
    Json json = {{"name", result.name}, {"section", name_of(result.section)}, {"work", result.work}};
    if (!result.view.empty()) json["view"] = result.view;
    if (!result.method.empty()) {
        json["format"] = result.format;
        json["method"] = result.method;
        json["simple"] = result.simple;
        json["backend"] = name_of(result.backend);
        json["source"] = {result.source_width, result.source_height};
    }
    if (result.width > 0) json["output"] = {result.width, result.height};
    if (!result.note.empty()) json["note"] = result.note;
    if (result.time) add_figures(report, result, json);
    else json["skipped"] = result.skipped;
    return json;
}

BackendKind backend_from(const nlohmann::json& json) {
    return json.get<std::string>() == name_of(BackendKind::cuda) ? BackendKind::cuda : BackendKind::cpu;
}

BenchSection section_from(const nlohmann::json& json) {
    const auto text = json.get<std::string>();
    for (const BenchSection section : all_bench_sections)
        if (name_of(section) == text) return section;
    throw Error(fmt::format("unknown section '{}'", text));
}

BenchResult result_from(const nlohmann::json& json) {
    BenchResult result;
    result.name = json.at("name");
    result.section = section_from(json.at("section"));
    result.work = json.at("work");
    result.view = json.value("view", "");
    result.format = json.value("format", "");
    result.method = json.value("method", "");
    result.simple = json.value("simple", false);
    if (json.contains("backend")) result.backend = backend_from(json["backend"]);
    if (json.contains("source"))
        result.source_width = json["source"].at(0), result.source_height = json["source"].at(1);
    if (json.contains("output")) result.width = json["output"].at(0), result.height = json["output"].at(1);
    result.note = json.value("note", "");
    result.skipped = json.value("skipped", "");
    if (json.contains("microseconds")) result.time = timing_from(json["microseconds"]);
    result.bytes = json.value("bytes", 0.0);
    result.bytes_in_turn = json.value("bytes_in_turn", 0.0);
    result.copy_us = json.value("copy_microseconds", 0.0);
    if (json.contains("over_bilinear") && json["over_bilinear"].is_number())
        result.over_bilinear = json["over_bilinear"];
    return result;
}

}  // namespace

std::string bench_json(const BenchReport& report) {
    Json json = {{"bench", file_format},
                 {"texelscope", report.version},
                 {"backend", name_of(report.backend)},
                 {"device", report.device},
                 {"detail", report.detail},
                 {"copy",
                  {{"bytes", std::llround(report.copy_bytes)},
                   {"microseconds", to_json(report.copy)},
                   {"gigabytes_per_second", rounded(report.copy_gigabytes_per_second())}}}};
    std::string text = json_text(json);
    text.back() = ',';  // one result per line, so that files of results can be compared line by line
    text += "\n\"results\": [";
    for (const BenchResult& result : report.results)
        text += (&result == &report.results.front() ? "\n" : ",\n") + json_text(to_json(report, result));
    return text + "\n]}\n";
}

BenchReport parse_bench_json(std::string_view text) {
    try {
        const nlohmann::json json = parse_json(text);
        if (json.at("bench") != file_format)
            throw Error(fmt::format("the results have format {}, but this program reads {}", json_text(json["bench"]),
                                    file_format));
        BenchReport report;
        report.version = json.at("texelscope");
        report.backend = backend_from(json.at("backend"));
        report.device = json.at("device");
        report.detail = json.at("detail");
        report.copy_bytes = json.at("copy").at("bytes");
        report.copy = timing_from(json["copy"].at("microseconds"));
        for (const auto& result : json.at("results")) report.results.push_back(result_from(result));
        return report;
    } catch (const Json::parse_error&) {
        throw Error("is not what texelscope bench --json writes: it is no JSON");
    } catch (const Json::exception&) {
        throw Error("is not what texelscope bench --json writes: a value is missing or of another kind");
    }
}

namespace {

// Null if it was not measured.
const BenchResult* measured(const BenchReport& report, std::string_view view, std::string_view spec) {
    const BenchResult* result = report.find(fmt::format("paper/{}/f32x1/{}", view, spec));
    return result && result->time ? result : nullptr;
}

const BenchResult* faster_bilinear(const BenchReport& report, std::string_view view) {
    const BenchResult* best = nullptr;
    for (const std::string_view spec : paper_specs) {
        const BenchResult* one = spec.starts_with("bilinear") ? measured(report, view, spec) : nullptr;
        if (one && (!best || one->time->median_us < best->time->median_us)) best = one;
    }
    return best;
}

// The side of the table's output in this report.
int side_of(const BenchReport& report) {
    for (const BenchResult& result : report.results)
        if (result.section == BenchSection::paper && result.work == "render") return result.width;
    return 0;
}

}  // namespace

std::string paper_view(std::string_view what, int side) { return fmt::format("{}-{}", what, side); }

std::vector<int> paper_prefilter_sides(int side) {
    std::vector<int> sides;
    for (const PaperView& view : paper_views) sides.push_back(std::max(1, side / view.zoom));
    return sides;
}

std::optional<Timing> paper_prefilter_time(const BenchReport& report, int side, std::string_view prefilter) {
    const std::string spec = fmt::format("bspline:prefilter={}", prefilter);
    const BenchResult* result = measured(report, paper_view(paper_prefilter_view, side), spec);
    return result ? result->time : std::nullopt;
}

std::vector<PaperCost> paper_costs(const BenchReport& report) {
    std::vector<PaperCost> costs;
    const int side = side_of(report);
    for (const PaperView& view : paper_views)
        for (const std::string_view prefilter : paper_prefilters)
            for (const FetchPath path : {FetchPath::automatic, FetchPath::lookup, FetchPath::hardware}) {
                MethodSpec spec = default_spec(parse_method("bspline"));  // its coefficients cost the same to read
                spec.path = path;
                const BenchResult* interpolation = measured(report, view.id, short_text(spec));
                const BenchResult* bilinear = faster_bilinear(report, view.id);
                const auto filter = paper_prefilter_time(report, std::max(1, side / view.zoom), prefilter);
                if (!interpolation || !bilinear || !filter) continue;
                const double published = (prefilter == "iir" ? view.iir_ms : view.fir15_ms) / view.bilinear_ms;
                costs.push_back({&view, std::string(prefilter), std::string(name_of(path)), *filter,
                                 *interpolation->time, *bilinear->time, bilinear->over_copy().value_or(0), published});
            }
    return costs;
}

namespace {

bool same_work(const BenchResult& a, const BenchResult& b) {
    return a.name == b.name && a.width == b.width && a.height == b.height && a.source_width == b.source_width &&
           a.source_height == b.source_height;
}

const BenchResult* counterpart(const BenchReport& report, const BenchResult& of) {
    const BenchResult* result = report.find(of.name);
    return result && result->time && same_work(*result, of) ? result : nullptr;
}

}  // namespace

size_t Regression::slower() const {
    return size_t(std::count_if(rows.begin(), rows.end(), [&](const auto& row) { return is_slower(row); }));
}

size_t Regression::faster() const {
    return size_t(std::count_if(rows.begin(), rows.end(), [&](const auto& row) { return is_faster(row); }));
}

Regression compared(const BenchReport& before, const BenchReport& now, double threshold) {
    if (before.backend != now.backend)
        throw Error(
            fmt::format("contains results of the {} backend, but these are from {}; choose the backend with "
                        "--backend",
                        name_of(before.backend), name_of(now.backend)));
    Regression regression;
    regression.threshold = threshold;
    const double then_unit = before.copy_gigabytes_per_second(), now_unit = now.copy_gigabytes_per_second();
    for (const BenchResult& result : now.results) {
        if (!result.time) continue;
        const BenchResult* old = counterpart(before, result);
        if (!old) {
            ++regression.only_now;
            continue;
        }
        const Timing &a = *old->time, &b = *result.time;
        const auto relative = [&](double now_us, double then_us) { return now_us * now_unit / (then_us * then_unit); };
        const bool apart = relative(b.lower_us, a.upper_us) > 1 || relative(b.upper_us, a.lower_us) < 1;
        regression.rows.push_back({result.name, a.median_us, b.median_us, relative(b.median_us, a.median_us), apart});
    }
    for (const BenchResult& old : before.results)
        if (old.time && !counterpart(now, old)) ++regression.only_before;
    if (regression.rows.empty()) throw Error("contains none of the cases measured now, at the same sizes");
    return regression;
}

}  // namespace texelscope
