#include "app/cli/restore_output.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/files/json_text.h"
#include "app/text/figures.h"
#include "app/text/table.h"

namespace texelscope {
namespace {

using Json = nlohmann::ordered_json;

// The id alone if nothing else was chosen.
std::string short_spec(const MethodSpec& spec, const Restoration& restoration) {
    const MethodSpec defaults = restoring_defaults(restoration);
    const bool standard = spec == parse_spec(spec.method->id, &defaults);
    return standard ? std::string(spec.method->id) : to_string(spec);
}

std::string colour_text(double difference) { return std::isnan(difference) ? "–" : fmt::format("{:.2f}", difference); }

// Two decimals, since methods are often closer than a tenth.
std::string decibel_text(const Metrics& metrics) {
    if (metrics.pixels == 0) return "–";
    return std::isfinite(metrics.psnr) ? fmt::format("{:.2f}", metrics.psnr) : psnr_text(metrics.psnr);
}

TextRow row_of(const RestoredMethod& method, const Restoration& restoration) {
    const Metrics& m = method.inside.metrics;
    const bool any = m.pixels > 0;
    TextRow row = {std::string(method.spec.method->name), short_spec(method.spec, restoration), decibel_text(m),
                   ssim_text(m.ssim)};
    if (const auto& colours = method.inside.colours)
        row.insert(row.end(), {colour_text(colours->mean), colour_text(colours->percentile_95)});
    row.insert(row.end(),
               {any ? error_text(m.rmse) : "–", any ? error_text(m.max_abs) : "–", decibel_text(method.all.metrics),
                time_text(method.milliseconds), fmt::format("{}", method.fetches)});
    return row;
}

// NaN and infinity are written as null.
Json to_json(const RestoredFigures& figures) {
    const Metrics& m = figures.metrics;
    Json json = {{"psnr", m.psnr}, {"ssim", m.ssim}, {"rmse", m.rmse}, {"max_abs", m.max_abs}, {"pixels", m.pixels}};
    json["worst"] = m.pixels > 0 ? Json{m.worst_x, m.worst_y} : Json();
    json["delta_e_mean"] = figures.colours ? Json(figures.colours->mean) : Json();
    json["delta_e_95"] = figures.colours ? Json(figures.colours->percentile_95) : Json();
    return json;
}

Json to_json(const Restoration& restoration, const Image& image) {
    Json json = {{"kind", name_of(restoration.kind)}};
    if (restoration.kind == Restoration::Kind::shrink) {
        const Extent size = shrunk_size(restoration, image);
        json["factor"] = restoration.factor;
        json["filter"] = to_string(restoration.filter);
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

std::string restoring_table(const RestoringResult& result) {
    const RestoringPlan& plan = result.plan;
    TextRow heading = {"method", "spec", "PSNR dB", "SSIM"};
    if (has_colours(*plan.image)) heading.insert(heading.end(), {"ΔE mean", "ΔE 95 %"});
    heading.insert(heading.end(), {"RMSE", "max", "PSNR of all", "time", "fetches"});
    std::vector<TextRow> rows = {heading};
    for (const RestoredMethod& method : result.methods) rows.push_back(row_of(method, plan.restoration));
    return fmt::format(
        "image      {}, {}\ndone       {}{}\nreference  the image itself\nmeasured   {}\ndevice     {} ({})\n\n{}",
        result.source, describe(*plan.image), words(plan.restoration, *plan.image),
        plan.light == Light::linear ? ", in linear light" : "", words(result.interior), result.backend.device,
        name_of(result.backend.kind), aligned(rows, 2));
}

std::string restoring_json(const RestoringResult& result) {
    const RestoringPlan& plan = result.plan;
    Json json = {{"image", result.source},
                 {"width", plan.image->width()},
                 {"height", plan.image->height()},
                 {"restore", to_json(plan.restoration, *plan.image)},
                 {"linear_light", plan.light == Light::linear},
                 {"interior", to_json(result.interior)},
                 {"backend", name_of(result.backend.kind)},
                 {"device", result.backend.device}};
    json["methods"] = Json::array();
    for (const RestoredMethod& method : result.methods)
        json["methods"].push_back({{"spec", to_string(method.spec)},
                                   {"name", method.spec.method->name},
                                   {"interior", to_json(method.inside)},
                                   {"all", to_json(method.all)},
                                   {"microseconds", method.milliseconds * 1000},
                                   {"fetches", method.fetches}});
    return json_text(json, 2) + "\n";
}

}  // namespace texelscope
