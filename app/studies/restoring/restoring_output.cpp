// What a study of restoring is written as: text, JSON, sheet; its columns, and its answer in words.

#include "app/studies/restoring/restoring.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/drawing/sheet.h"
#include "app/files/bytes/json_text.h"
#include "app/files/reading/image_files.h"
#include "app/state/scene.h"
#include "app/studies/experiments/experiment.h"
#include "app/text/glossary.h"
#include "app/text/text.h"

namespace texelscope {
namespace {

using Json = nlohmann::ordered_json;

// Whole numbers without a fraction.
Json number(double value) { return value == std::floor(value) ? Json(int64_t(value)) : Json(value); }

// NaN and infinity are written as null.
Json to_json(const RestoredFigures& figures) {
    const Metrics& m = figures.metrics;
    Json json = {{"psnr", m.psnr}, {"ssim", m.ssim}, {"rmse", m.rmse}, {"max_abs", m.max_abs}, {"pixels", m.pixels}};
    json["worst"] = m.pixels > 0 ? Json{m.worst_x, m.worst_y} : Json();
    json["delta_e_mean"] = figures.colours ? Json(figures.colours->mean) : Json();
    json["delta_e_95"] = figures.colours ? Json(figures.colours->percentile_95) : Json();
    if (figures.flip) {
        json["flip_mean"] = figures.flip->mean;
        json["flip_weighted_median"] = figures.flip->weighted_median;
    }
    if (figures.gradient) json["gmsd"] = figures.gradient->deviation;
    return json;
}

Json to_json(const Restoration& restoration, const Image& image) {
    Json json = {{"kind", name_of(restoration.kind)}};
    const bool shrinks = restoration.kind == Restoration::Kind::shrink;
    if (shrinks || restoration.kind == Restoration::Kind::reduce) {
        const Extent size = shrunk_size(restoration, image);
        json["factor"] = restoration.factor;
        if (shrinks) json["filter"] = to_string(restoration.filter);
        if (shrinks && !restoration.antialias) json["antialias"] = false;
        json["width"] = size.width;
        json["height"] = size.height;
        return json;
    }
    json[restoration.kind == Restoration::Kind::rotate ? "degrees" : "samples"] = restoration.step;
    json["times"] = restoration.times;
    return json;
}

Json to_json(const Interior& interior) {
    if (interior.radius > 0) return {{"radius", interior.radius}};
    return {{"margin_x", interior.margin_x}, {"margin_y", interior.margin_y}};
}

}  // namespace

std::string restoring_text(const RestoringResult& result) {
    const std::vector<RestoredColumn> columns = restored_columns(result);
    std::vector<TextRow> rows(1 + result.methods.size());
    for (const RestoredColumn& column : columns) {
        rows[0].push_back(column.heading());
        for (size_t k = 0; k < result.methods.size(); ++k) rows[k + 1].push_back(column.text(result.methods[k]));
    }
    const std::string front = front_words(result);
    std::string answer = verdict(result);
    for (const std::string& more : {front, displacement_words(result.methods), busy_words(result.methods)})
        if (!more.empty()) answer += "\n" + more;
    return fmt::format(
        "image      {}, {}\ndone       {}\nreference  {}\nmeasured   {}\ndevice     {} ({})\ntook       "
        "{:.3g} s\n\n{}\n{}\n",
        words_of_source(result.plan.source), describe(*result.plan.picture()), done_words(result.plan),
        reference_words(result.plan.restoration), measured_words(result), result.backend.device,
        name_of(result.backend.kind), result.seconds, aligned(rows, 2), answer);
}

std::string restoring_json(const RestoringResult& result) {
    const RestoringPlan& plan = result.plan;
    Json json = {{"image", plan.source},
                 {"width", plan.image->width()},
                 {"height", plan.image->height()},
                 {"restore", to_json(plan.restoration, *plan.image)},
                 {"reference", reference_name(plan.restoration)},
                 {"linear_light", plan.light == Light::linear},
                 {"judges", names_of<Judge>(plan.judges)},
                 {"pixels_per_degree", plan.pixels_per_degree},
                 {"interior", to_json(result.interior)},
                 {"backend", name_of(result.backend.kind)},
                 {"device", result.backend.device},
                 {"seconds", result.seconds}};
    if (result.holes.samples > 0)
        json["not_finite"] = {{"samples", result.holes.samples}, {"reach", result.holes.reach}};
    if (plan.whole) json["part"] = {plan.part.x, plan.part.y, plan.part.width, plan.part.height};
    const std::vector<bool> front = on_the_front(result.methods, Cost::fetches, plan.judges.front());
    json["methods"] = Json::array();
    for (size_t k = 0; k < result.methods.size(); ++k) {
        const RestoredMethod& method = result.methods[k];
        json["methods"].push_back({{"spec", full_spec_text(method.spec)},
                                   {"name", method.spec.method->name},
                                   {"interior", to_json(method.inside)},
                                   {"all", to_json(method.all)},
                                   {"microseconds", method.milliseconds * 1000},
                                   {"slowed", method.slowed},
                                   {"fetches", number(method.fetches)},
                                   {"front", bool(front[k])}});
        if (const auto& lies = method.displacement)
            json["methods"].back()["displacement"] = {
                {"right", lies->right}, {"down", lies->down}, {"wider", lies->wider}, {"higher", lies->higher}};
    }
    return json_text(json, 2) + "\n";
}

namespace {

constexpr double as_good = 0.05;      // dB: the same in the sentence's digits
constexpr double much_cheaper = 0.7;  // of the best one's fetches
constexpr double worth_naming = 6;    // dB: half the precision; what is further behind is no alternative

double psnr(const RestoredMethod& method) { return method.inside.metrics.psnr; }

bool as_good_as(const RestoredMethod& best, const RestoredMethod& other) { return psnr(best) - psnr(other) < as_good; }

// The best of those that read much less, or the cheapest of several that are as good; null if none comes near. Times would
// name another one on every run of a busy machine.
const RestoredMethod* cheaper(const std::vector<RestoredMethod>& methods) {
    const RestoredMethod& best = methods.front();
    const RestoredMethod* chosen = nullptr;
    for (const RestoredMethod& method : methods) {  // best first
        if (!(method.fetches <= much_cheaper * best.fetches) || psnr(best) - psnr(method) > worth_naming) continue;
        if (!chosen || (as_good_as(best, method) && method.fetches < chosen->fetches)) chosen = &method;
    }
    return chosen;
}

// ", 7 others within 0.05 dB"; empty if the best is alone, or only `named` is near it, which the sentence names.
std::string others_near(const std::vector<RestoredMethod>& methods, const RestoredMethod* named) {
    const RestoredMethod& best = methods.front();
    const auto near = std::count_if(methods.begin() + 1, methods.end(),
                                    [&](const RestoredMethod& other) { return as_good_as(best, other); });
    if (near == 0 || (near == 1 && named && as_good_as(best, *named))) return "";
    return fmt::format(", {} within {} dB", near == 1 ? "one other" : fmt::format("{} others", near), as_good);
}

// Another spec of the same method would be the same name twice.
bool named_twice(const RestoredMethod& method, const std::vector<RestoredMethod>& methods) {
    return std::count_if(methods.begin(), methods.end(),
                         [&](const RestoredMethod& other) { return other.spec.method == method.spec.method; }) > 1;
}

std::string distance_words(const RestoredMethod& best, const RestoredMethod& other) {
    if (as_good_as(best, other)) return "as good";
    return fmt::format("{:.1f} dB behind", psnr(best) - psnr(other));
}

}  // namespace

std::string name_among(const RestoredMethod& method, const std::vector<RestoredMethod>& methods) {
    if (is_outside(method.spec)) return std::string(method.spec.method->name);
    const std::string name = name_in_text(*method.spec.method);
    if (!named_twice(method, methods)) return name;
    return name + words(method.spec).substr(method.spec.method->name.size());
}

const RestoredMethod* other_of_verdict(const std::vector<RestoredMethod>& methods) {
    if (methods.size() < 2 || !std::isfinite(psnr(methods.front()))) return nullptr;
    const RestoredMethod *other = cheaper(methods), &second = methods[1];
    if (other || std::isnan(psnr(second))) return other;
    // If several methods are equally good, none is singled out.
    const bool named = methods.size() == 2 || is_outside(methods.front().spec) || !as_good_as(methods.front(), second);
    return named ? &second : nullptr;
}

std::string verdict(const Restoration& restoration, const std::vector<RestoredMethod>& methods) {
    if (methods.empty() || std::isnan(psnr(methods.front())))
        return "No method can be judged: the picture has no finite values to compare.";
    const RestoredMethod& best = methods.front();
    const std::string title = named_twice(best, methods) ? words(best.spec) : std::string(best.spec.method->name);
    const std::string does =
        fmt::format("{} {}", title, restoration.kind == Restoration::Kind::reduce ? "reduces" : "restores");
    if (std::isinf(psnr(best))) return fmt::format("{} this picture exactly.", does);
    if (methods.size() == 1)
        return fmt::format("{} this picture with {} dB against {}.", does, psnr_text(psnr(best)),
                           reference_name(restoration));
    const bool two = methods.size() == 2;
    const RestoredMethod *other = cheaper(methods), &second = methods[1];
    const std::string text =
        fmt::format("{} this picture {}: {} dB against {}{}; ", does, two ? "better" : "best", psnr_text(psnr(best)),
                    reference_name(restoration), two ? "" : others_near(methods, other));
    if (other)
        return text + fmt::format("{} is {} with {:.4g} instead of {:.4g} fetches.", name_among(*other, methods),
                                  distance_words(best, *other), other->fetches, best.fetches);
    if (std::isnan(psnr(second))) return text + "nothing else can be judged.";
    const bool near = as_good_as(best, second);
    const std::string name = name_among(second, methods);
    if (two) return text + fmt::format("{} {} {}.", name, near ? "is" : "follows", distance_words(best, second));
    if (near) return text + (is_outside(best.spec) ? name + " is as good." : "nothing near it reads much less.");
    if (is_outside(best.spec)) return text + fmt::format("{} follows {}.", name, distance_words(best, second));
    return text +
           fmt::format("{} follows {}, and nothing near it reads much less.", name, distance_words(best, second));
}

// The worst spot in the original and as the best methods restored it: on a sheet.
std::vector<SheetPane> restored_panes(const RestoringResult& result) {
    if (!result.spot) throw Error("nothing was kept of the restored pictures: set RestoringPlan::panes");
    std::vector<SheetPane> panes;
    const auto add = [&](const Image& picture, std::string label) -> SheetPane& {
        SheetPane& pane = panes.emplace_back();
        pane.index = int(panes.size()) - 1;
        pane.badge = pane_name(pane.index);
        pane.picture = picture;
        pane.label = std::move(label);
        return pane;
    };
    const bool reduces = result.plan.restoration.kind == Restoration::Kind::reduce;
    SheetPane& original = add(result.spot->original, reduces ? "Ideal reduction" : "Original");
    original.metrics.emplace().pixels = 1;  // it is the reference: no figure is shown
    original.against.tells = Against::Tells::nothing;
    for (const RestoredMethod& method : result.methods) {
        if (!method.pane) continue;
        SheetPane& pane = add(*method.pane, words(method.spec));
        pane.metrics = method.inside.metrics;
        pane.against.name = reference_name(result.plan.restoration);
        pane.milliseconds = method.milliseconds;
        pane.fetches = method.fetches;
    }
    return panes;
}

std::string spot_place(const RestoringResult& result) {
    return "around the largest error of " + words(result.methods.front().spec);
}

std::string spot_words(const RestoringResult& result) {
    return fmt::format("{}×{} pixels {}", result.spot->size.width, result.spot->size.height, spot_place(result));
}

Image restoring_sheet(const RestoringResult& result, int columns) {
    const std::vector<SheetPane> panes = restored_panes(result);
    Document document;
    document.source = words_of_source(result.plan.source);
    const SheetText text = {fmt::format("{} · {}", document.title(), done_words(result.plan)),
                            fmt::format("{}; figures over {}", spot_words(result), measured_words(result)),
                            result.backend.device};
    return make_sheet(panes, text, columns);
}

namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

// The id alone if nothing else was chosen.
std::string short_spec(const MethodSpec& spec, const MethodSpec& defaults) {
    if (is_outside(spec)) return std::string(spec.method->id);
    const bool standard = !spec.method->custom && spec == parse_spec(spec.method->id, &defaults);
    return standard ? std::string(spec.method->id) : shown_spec_text(spec);
}

// As many for a number of this size to have so many digits.
int decimals_of(double size, int digits) {
    constexpr int most = 6;
    return size > 0 ? std::clamp(digits - 1 - int(std::floor(std::log10(size))), 0, most) : 0;
}

// One number of decimals for all of a column: three digits of the largest, four from 100 on, and two of the smallest as
// far as two decimals more give them.
int common_decimals(const std::vector<double>& values) {
    double low = 0, high = 0;
    bool whole = true;
    for (const double value : values) {
        if (!std::isfinite(value)) continue;
        whole = whole && value == std::round(value);
        high = std::max(high, value);
        if (value > 0) low = low > 0 ? std::min(low, value) : value;
    }
    if (whole) return 0;
    const int needed = decimals_of(high, high < 100 ? 3 : 4);
    return std::clamp(decimals_of(low, 2), needed, needed + 2);
}

// "0.0" is exactly 0.
std::string with_decimals(double value, int decimals) {
    if (std::isnan(value)) return "–";
    const double least = std::pow(10.0, -decimals);
    if (value > 0 && value < least / 2) return fmt::format("< {:.{}f}", least, decimals);
    return fmt::format("{:.{}f}", value, decimals);
}

std::string colour_text(double difference) { return std::isnan(difference) ? "–" : fmt::format("{:.2f}", difference); }

// A column of figures; without `text`, for aligned_figure.
RestoredColumn figure(std::string name, std::string unit, std::string meaning, double (*value)(const RestoredMethod&),
                      std::string (*text)(double), int digits = 3) {
    RestoredColumn column{std::move(name), std::move(unit), std::move(meaning), {}, value, digits};
    if (text) column.text = [value, text](const RestoredMethod& method) { return text(value(method)); };
    return column;
}

// A column whose numbers have equally many decimals, as many as these methods need.
RestoredColumn aligned_figure(RestoredColumn column, const std::vector<RestoredMethod>& methods) {
    std::vector<double> values;
    for (const RestoredMethod& method : methods) values.push_back(column.value(method));
    column.text = [value = column.value, decimals = common_decimals(values)](const RestoredMethod& method) {
        return with_decimals(value(method), decimals);
    };
    return column;
}

// A column of errors, in the unit of values: "max of 255".
RestoredColumn error(std::string name, std::string meaning, const ValueScale& scale,
                     double (*value)(const RestoredMethod&)) {
    const std::string whole = scale.of_whole();
    meaning += whole.empty() ? ", of a range of 0 to 1 for integers." : "," + whole + ".";
    RestoredColumn column{std::move(name), whole.empty() ? "" : whole.substr(1), std::move(meaning), {}};
    column.value = [value, factor = scale.factor()](const RestoredMethod& m) { return value(m) * factor; };
    return column;
}

}  // namespace

std::vector<RestoredColumn> restored_columns(const RestoringResult& result, const ValueScale& scale) {
    const RestoringPlan& plan = result.plan;
    const auto aligned = [&](RestoredColumn column) { return aligned_figure(std::move(column), result.methods); };
    const MethodSpec defaults = restoring_defaults(plan.restoration);
    const std::string truth(reference_name(plan.restoration));
    std::vector<RestoredColumn> columns = {
        {"method", "", "The method that restored the picture.",
         [](const RestoredMethod& m) { return std::string(m.spec.method->name); }},
        {"spec", "", "The same for the command line, with the settings that are not the default.",
         [defaults](const RestoredMethod& m) { return short_spec(m.spec, defaults); }}};
    columns.push_back(figure(
        "PSNR", "dB",
        "Peak signal-to-noise ratio against " + truth +
            ", over the interior: more is "
            "better, and 0.5 dB is hardly visible.",
        [](const RestoredMethod& m) { return m.inside.metrics.psnr; }, fine_psnr_text, 4));
    columns.back().more_is_better = true;
    columns.push_back(figure(
        "SSIM", "", "Structural similarity to " + truth + ", over the interior: 1 is equal.",
        [](const RestoredMethod& m) { return m.inside.metrics.ssim; }, ssim_text, 4));
    columns.back().more_is_better = true;
    if (has_colours(*plan.image)) {
        columns.push_back(figure(
            "ΔE mean", "",
            "ΔE2000 between the two colours of a pixel, the mean over the interior: "
            "about 1 is just noticeable.",
            [](const RestoredMethod& m) { return m.inside.colours ? m.inside.colours->mean : none; }, colour_text));
        columns.push_back(figure(
            "ΔE 95 %", "", "The ΔE2000 that 95 % of the interior's pixels do not exceed.",
            [](const RestoredMethod& m) { return m.inside.colours ? m.inside.colours->percentile_95 : none; },
            colour_text));
    }
    for (const Judge judge : {Judge::flip, Judge::gmsd}) {
        if (std::find(plan.judges.begin(), plan.judges.end(), judge) == plan.judges.end()) continue;
        RestoredColumn column{std::string(row_of(judge).label()), "", std::string(row_of(judge).meaning), {}};
        column.value = [judge](const RestoredMethod& m) { return figure_of(m, judge); };
        column.text = [judge](const RestoredMethod& m) { return figure_text(judge, figure_of(m, judge)); };
        columns.push_back(std::move(column));
    }
    columns.push_back(aligned(error("RMSE", "Root of the mean squared error over the interior", scale,
                                    [](const RestoredMethod& m) { return m.inside.metrics.rmse; })));
    columns.push_back(aligned(error("max", "The largest error over the interior", scale,
                                    [](const RestoredMethod& m) { return m.inside.metrics.max_abs; })));
    columns.back().plain = "largest error" + (columns.back().unit.empty() ? "" : " (" + columns.back().unit + ")");
    columns.push_back(figure(
        "PSNR of all", "dB", "PSNR over all pixels, those near the edges included.",
        [](const RestoredMethod& m) { return m.all.metrics.psnr; }, fine_psnr_text, 4));
    columns.back().more_is_better = true;
    columns.back().plain = "with edges (dB)";
    columns.push_back(aligned(figure(
        "time", "ms",
        "Of one rendering of the whole picture, without upload and prefilter, on the "
        "backend's own clock: the shortest of several.",
        [](const RestoredMethod& m) { return m.milliseconds; }, nullptr)));
    columns.push_back(aligned(figure(
        "fetches", "", "Reads of memory or texture per pixel.", [](const RestoredMethod& m) { return m.fetches; },
        nullptr, 0)));
    return columns;
}

std::string done_words(const RestoringPlan& plan) {
    const SampleRegion& part = plan.part;
    const std::string of =
        plan.whole ? fmt::format("the part of {}×{} samples from ({}, {}), ", part.width, part.height, part.x, part.y)
                   : "";
    return of + words(plan.restoration, *plan.image) + (plan.light == Light::linear ? ", in linear light" : "");
}

}  // namespace texelscope
