#include "app/studies/experiments/result.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/drawing/plot.h"
#include "app/files/bytes/file_io.h"
#include "app/files/bytes/json_text.h"
#include "app/files/reading/image_files.h"
#include "app/text/text_tools.h"
#include "gpu/core/errors.h"
#include "gpu/core/text.h"

namespace texelscope {

bool ExperimentResult::all_agree() const {
    return std::none_of(verdicts.begin(), verdicts.end(),
                        [](const Verdict& v) { return v.outcome == Verdict::Outcome::differs; });
}

std::string number_text(double value, int digits) {
    if (std::isnan(value)) return "–";
    if (std::isinf(value)) return value > 0 ? "∞" : "−∞";
    if (value == 0 || digits == 0) return fmt::format("{:g}", value);
    const double size = std::abs(value);
    if (size < 1e-4 || size >= 1e6) return fmt::format("{:.{}e}", value, digits - 1);
    const int before = int(std::floor(std::log10(size))) + 1;  // digits before the point
    return fmt::format("{:.{}f}", value, std::max(0, digits - before));
}

std::string cell_text(const ResultCell& cell, const ResultColumn& column) {
    if (const double* number = std::get_if<double>(&cell)) return number_text(*number, column.digits);
    if (const std::string* words = std::get_if<std::string>(&cell)) return *words;
    return "–";
}

std::string heading(const ResultColumn& column) {
    return column.unit.empty() ? column.name : fmt::format("{} ({})", column.name, column.unit);
}

// A result's files.

namespace {

namespace fs = std::filesystem;

void make_folder(const fs::path& folder) {
    std::error_code error;
    fs::create_directories(folder, error);
    if (!fs::is_directory(folder)) throw FileError(folder.string(), "is not a folder, and none can be created there");
}

// A letter of Latin, Greek or Cyrillic beyond ASCII, as UTF-8: "é", but neither "×" nor "°".
bool is_two_byte_letter(const std::string& text, size_t at) {
    if (at + 1 >= text.size()) return false;
    const auto lead = uint8_t(text[at]), next = uint8_t(text[at + 1]);
    if (next < 0x80 || next > 0xbf) return false;
    if (lead == 0xc3) return next != 0x97 && next != 0xb7;  // × and ÷
    return (lead >= 0xc4 && lead <= 0xc9) || (lead >= 0xce && lead <= 0xd3);
}

}  // namespace

void write_plot(const Plot& plot, const fs::path& path) {
    if (path.extension() == ".svg") write_text(path, to_svg(plot));
    else write_image(plot_picture(plot), path);
}

void write_table(const ResultTable& table, const fs::path& path) { write_text(path, table_as_csv(table)); }

std::string file_stem(const std::string& title) {
    std::string stem;
    for (size_t i = 0; i < title.size(); ++i) {
        const char c = title[i];
        const char small = lower_case(c);
        if (is_two_byte_letter(title, i)) stem += {c, title[++i]};
        else if ((small >= 'a' && small <= 'z') || (small >= '0' && small <= '9')) stem += small;
        else if (!stem.empty() && stem.back() != '-') stem += '-';
    }
    while (stem.ends_with('-')) stem.pop_back();
    return stem;
}

void write_folder(const ExperimentResult& result, const fs::path& folder) {
    make_folder(folder);
    std::set<std::string> taken;
    // Titles may be alike, for example of methods that are named twice.
    const auto named = [&](const char* kind, const std::string& title) {
        const std::string stem = fmt::format("{}-{}", kind, file_stem(title));
        std::string name = stem;
        for (int n = 2; !taken.insert(name).second; ++n) name = fmt::format("{}-{}", stem, n);
        return folder / name;
    };
    write_text(folder / "report.html", result_as_html(result));
    write_text(folder / "result.json", result_as_json(result));
    for (const ResultTable& table : result.tables) write_table(table, named("table", table.title).concat(".csv"));
    for (const Plot& plot : result.plots) {
        const fs::path name = named("plot", plot.title);
        for (const char* extension : {".svg", ".png"}) write_plot(plot, fs::path(name).concat(extension));
    }
    for (const ResultPicture& picture : result.pictures)
        write_image(picture.image, named("picture", picture.title).concat(".png"));
}

namespace {

constexpr size_t rows_in_full = 40;

std::string table_text(const ResultTable& table) {
    std::vector<TextRow> rows(1);
    for (const ResultColumn& column : table.columns) rows[0].push_back(heading(column));
    for (const auto& row : table.rows) {
        rows.emplace_back();
        for (size_t c = 0; c < row.size(); ++c) rows.back().push_back(cell_text(row[c], table.columns[c]));
    }
    size_t left = 0;  // left-aligned columns of text
    while (left < table.columns.size() && !table.rows.empty() &&
           std::holds_alternative<std::string>(table.rows[0][left]))
        ++left;
    return fmt::format("{}\n{}{}", table.title, aligned(rows, std::max<size_t>(left, 1)),
                       table.note.empty() ? "" : table.note + "\n");
}

}  // namespace

std::string result_as_text(const ExperimentResult& result) {
    std::string text = fmt::format("{}\n\n", result.title);
    // The main table; the data behind it is in the other forms.
    if (!result.tables.empty() && result.tables.front().rows.size() <= rows_in_full)
        text += table_text(result.tables.front());
    text += "\n";
    for (const Verdict& verdict : result.verdicts)
        text += fmt::format("{:<8} {}\n         found: {}\n         {}\n", name_of(verdict.outcome), verdict.expected,
                            verdict.found, verdict.why);
    text += "\n";
    for (const auto& [name, value] : result.facts) text += fmt::format("{:<14} {}\n", name, value);
    return text;
}

namespace {

std::string quoted(const std::string& words) {
    if (words.find_first_of(",\"\n") == words.npos) return words;
    std::string text = "\"";
    for (const char c : words) text += c == '"' ? "\"\"" : std::string(1, c);
    return text + '"';
}

std::string csv_cell(const ResultCell& cell) {
    if (const double* number = std::get_if<double>(&cell)) return std::isnan(*number) ? "" : fmt::format("{}", *number);
    if (const std::string* words = std::get_if<std::string>(&cell)) return quoted(*words);
    return "";
}

}  // namespace

std::string table_as_csv(const ResultTable& table) {
    std::string text;
    for (const ResultColumn& column : table.columns)
        text += (&column == &table.columns.front() ? "" : ",") + quoted(heading(column));
    text += '\n';
    for (const auto& row : table.rows) {
        for (size_t c = 0; c < row.size(); ++c) text += (c > 0 ? "," : "") + csv_cell(row[c]);
        text += '\n';
    }
    return text;
}

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
