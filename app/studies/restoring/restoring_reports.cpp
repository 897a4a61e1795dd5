#include "app/studies/restoring/restoring_reports.h"

#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/files/bytes/json_text.h"
#include "app/files/reading/image_source.h"
#include "app/studies/restoring/restored_columns.h"
#include "app/studies/restoring/verdict.h"
#include "app/text/table.h"

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
    return json;
}

Json to_json(const Restoration& restoration, const Image& image) {
    Json json = {{"kind", name_of(restoration.kind)}};
    const bool shrinks = restoration.kind == Restoration::Kind::shrink;
    if (shrinks || restoration.kind == Restoration::Kind::reduce) {
        const Extent size = shrunk_size(restoration, image);
        json["factor"] = restoration.factor;
        if (shrinks) json["filter"] = to_string(restoration.filter);
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
    std::string answer = verdict(result.plan.restoration, result.methods);
    if (!front.empty()) answer += "\n" + front;
    return fmt::format(
        "image      {}, {}\ndone       {}\nreference  {}\nmeasured   {}\ndevice     {} ({})\ntook       "
        "{:.3g} s\n\n{}\n{}\n",
        words_of_source(result.plan.source), describe(*result.plan.image), done_words(result.plan),
        reference_words(result.plan.restoration), words(result.interior), result.backend.device,
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
                 {"interior", to_json(result.interior)},
                 {"backend", name_of(result.backend.kind)},
                 {"device", result.backend.device},
                 {"seconds", result.seconds}};
    const std::vector<bool> front = on_the_front(result.methods);
    json["methods"] = Json::array();
    for (size_t k = 0; k < result.methods.size(); ++k) {
        const RestoredMethod& method = result.methods[k];
        json["methods"].push_back({{"spec", to_string(method.spec)},
                                   {"name", method.spec.method->name},
                                   {"interior", to_json(method.inside)},
                                   {"all", to_json(method.all)},
                                   {"microseconds", method.milliseconds * 1000},
                                   {"fetches", number(method.fetches)},
                                   {"front", bool(front[k])}});
    }
    return json_text(json, 2) + "\n";
}

}  // namespace texelscope
