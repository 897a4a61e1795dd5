#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/files/bytes/json_text.h"
#include "app/studies/experiments/result_files.h"
#include "gpu/core/errors.h"

namespace texelscope {
namespace {

using Json = nlohmann::ordered_json;

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json to_json(const ResultCell& cell) {
    if (const double* value = std::get_if<double>(&cell)) return number(*value);
    if (const std::string* words = std::get_if<std::string>(&cell)) return *words;
    return nullptr;
}

Json to_json(const ResultTable& table) {
    Json json = {{"title", table.title}, {"columns", Json::array()}, {"rows", Json::array()}};
    for (const ResultColumn& column : table.columns)
        json["columns"].push_back({{"name", column.name}, {"unit", column.unit}});
    for (const auto& row : table.rows) {
        Json cells = Json::array();
        for (const ResultCell& cell : row) cells.push_back(to_json(cell));
        json["rows"].push_back(std::move(cells));
    }
    if (!table.note.empty()) json["note"] = table.note;
    return json;
}

Json to_json(const std::vector<double>& values) {
    Json json = Json::array();
    for (const double value : values) json.push_back(number(value));
    return json;
}

Json to_json(const Plot& plot) {
    Json json = {{"title", plot.title}, {"x", plot.x.label}, {"y", plot.y.label}, {"series", Json::array()}};
    for (const Series& series : plot.series)
        json["series"].push_back({{"name", series.name}, {"x", to_json(series.x)}, {"y", to_json(series.y)}});
    return json;
}

}  // namespace

std::string result_as_json(const ExperimentResult& result) {
    Json json = {{"experiment", result.experiment},   {"title", result.title},   {"question", result.question},
                 {"expectation", result.expectation}, {"facts", Json::object()}, {"verdicts", Json::array()},
                 {"tables", Json::array()},           {"plots", Json::array()}};
    for (const auto& [name, value] : result.facts) json["facts"][name] = value;
    for (const Verdict& verdict : result.verdicts)
        json["verdicts"].push_back({{"expected", verdict.expected},
                                    {"found", verdict.found},
                                    {"outcome", name_of(verdict.outcome)},
                                    {"why", verdict.why}});
    for (const ResultTable& table : result.tables) json["tables"].push_back(to_json(table));
    for (const Plot& plot : result.plots) json["plots"].push_back(to_json(plot));
    try {
        return json_text(json, 1, NotUtf8::refuse) + "\n";
    } catch (const Json::exception&) {
        throw Error("the result names a file whose name is not UTF-8, which JSON cannot hold; rename the file");
    }
}

}  // namespace texelscope
