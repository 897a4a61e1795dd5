#include "app/studies/experiments/experiment.h"

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
#include "app/text/text.h"
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

// A self-contained page: it includes style, plots and pictures.

namespace {

constexpr const char* style = R"(
:root { color-scheme: light dark; --page: #f6f7f8; --card: #ffffff; --text: #1c1e21; --quiet: #5b626b; --line: #d9dce0;
  --accent: #1f77d0; --agrees: #0b8a68; --differs: #c4500a; --open: #6b727b; }
@media (prefers-color-scheme: dark) {
  :root { --page: #191b1e; --card: #25272b; --text: #e3e5e8; --quiet: #9aa0a8; --line: #3a3d42; --accent: #4aa8ff;
    --agrees: #2fd0a5; --differs: #ffb454; --open: #9aa0a8; }
  svg [fill="#ffffff"] { fill: #25272b; } svg [stroke="#d9dce0"], svg [stroke="#eaecef"] { stroke: #3a3d42; }
  svg [fill="#1c1e21"] { fill: #e3e5e8; } svg[fill="#4d535b"] { fill: #b4bac2; }
  svg [fill="#1f77d0"] { fill: #4aa8ff; } svg [stroke="#1f77d0"] { stroke: #4aa8ff; }
  svg [fill="#d9700a"] { fill: #ffb000; } svg [stroke="#d9700a"] { stroke: #ffb000; }
  svg [fill="#0b8a68"] { fill: #2fd0a5; } svg [stroke="#0b8a68"] { stroke: #2fd0a5; }
  svg [fill="#c63d82"] { fill: #ff6fae; } svg [stroke="#c63d82"] { stroke: #ff6fae; }
  svg [fill="#7656d6"] { fill: #b89cff; } svg [stroke="#7656d6"] { stroke: #b89cff; }
  svg [fill="#85680c"] { fill: #e8e36a; } svg [stroke="#85680c"] { stroke: #e8e36a; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--text);
  font: 16px/1.5 Inter, "Helvetica Neue", Helvetica, Arial, sans-serif; }
main { max-width: 1080px; margin: 0 auto; padding: 24px 16px 64px; }
h1 { font-size: 30px; line-height: 1.2; margin: 0 0 4px; } h2 { font-size: 19px; margin: 40px 0 12px; }
h3 { font-size: 16px; margin: 20px 0 8px; } p { margin: 8px 0; } .question { font-size: 18px; color: var(--quiet); }
.note { color: var(--quiet); font-size: 14px; }
.wide { overflow-x: auto; background: var(--card); border: 1px solid var(--line); border-radius: 6px; }
table { border-collapse: collapse; width: 100%; font-size: 14px; font-variant-numeric: tabular-nums; }
th, td { padding: 6px 12px; text-align: right; border-bottom: 1px solid var(--line); white-space: nowrap; }
th { font-weight: 600; vertical-align: bottom; } tr:last-child td { border-bottom: 0; }
th.words, td.words { text-align: left; } td.words { white-space: normal; overflow-wrap: break-word; max-width: 260px; } th small { display: block; font-weight: 400; color: var(--quiet); }
.verdict { background: var(--card); border: 1px solid var(--line); border-left: 4px solid var(--open);
  border-radius: 6px; padding: 8px 12px; margin: 8px 0; break-inside: avoid; }
.verdict p { margin: 0; } .verdict b { margin-right: 8px; }
.agrees { border-left-color: var(--agrees); } .agrees b { color: var(--agrees); }
.differs { border-left-color: var(--differs); } .differs b { color: var(--differs); } .open b { color: var(--open); }
.plots { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 500px), 1fr)); gap: 16px; }
.plots svg { width: 100%; height: auto; display: block; }
.pictures { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 240px), 1fr)); gap: 16px; }
figure { margin: 0; break-inside: avoid; } figure img { width: 100%; height: auto; display: block; border-radius: 4px; }
figcaption { font-size: 14px; padding-top: 4px; } figcaption small { display: block; color: var(--quiet); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 4px 16px; font-size: 14px; }
dt { color: var(--quiet); } dd { margin: 0; overflow-wrap: anywhere; }
details summary { cursor: pointer; color: var(--accent); margin: 8px 0; }
@page { size: landscape; margin: 12mm; }
@media print { body { background: #fff; font-size: 11pt; } main { max-width: none; padding: 0; }
  .wide { overflow: visible; } table { font-size: 8pt; } th, td { padding: 2px 4px; white-space: normal; }
  th, td.words { overflow-wrap: anywhere; } td.words { min-width: 16mm; } .plots { grid-template-columns: 1fr 1fr; }
  .pictures { grid-template-columns: repeat(5, 1fr); }
  details::details-content { content-visibility: visible; height: auto; } }
)";

bool is_words(const ResultTable& table, size_t column) {
    return std::any_of(table.rows.begin(), table.rows.end(),
                       [&](const auto& row) { return std::holds_alternative<std::string>(row[column]); });
}

std::string table_html(const ResultTable& table) {
    std::string html = "<div class=\"wide\"><table>\n<thead><tr>";
    for (size_t c = 0; c < table.columns.size(); ++c) {
        const ResultColumn& column = table.columns[c];
        html += fmt::format("<th{}>{}{}</th>", is_words(table, c) ? " class=\"words\"" : "", escaped(column.name),
                            column.unit.empty() ? "" : fmt::format("<small>{}</small>", escaped(column.unit)));
    }
    html += "</tr></thead>\n<tbody>\n";
    for (const auto& row : table.rows) {
        html += "<tr>";
        for (size_t c = 0; c < row.size(); ++c)
            html += fmt::format("<td{}>{}</td>", is_words(table, c) ? " class=\"words\"" : "",
                                escaped(cell_text(row[c], table.columns[c])));
        html += "</tr>\n";
    }
    html += "</tbody>\n</table></div>\n";
    if (!table.note.empty()) html += fmt::format("<p class=\"note\">{}</p>\n", escaped(table.note));
    return html;
}

// Long tables, and all but the first, are folded away.
std::string tables_html(const std::vector<ResultTable>& tables) {
    std::string html;
    for (const ResultTable& table : tables)
        html += &table == &tables.front() ? fmt::format("<h2>{}</h2>\n{}", escaped(table.title), table_html(table))
                                          : fmt::format("<details><summary>{}</summary>\n{}</details>\n",
                                                        escaped(table.title), table_html(table));
    return html;
}

std::string verdicts_html(const std::vector<Verdict>& verdicts) {
    std::string html;
    for (const Verdict& verdict : verdicts)
        html += fmt::format(
            "<div class=\"verdict {0}\"><p><b>{0}</b>{1}</p><p>Found: {2}</p><p class=\"note\">{3}</p></div>\n",
            name_of(verdict.outcome), escaped(verdict.expected), escaped(verdict.found), escaped(verdict.why));
    return html.empty() ? "" : "<h2>Expected and found</h2>\n" + html;
}

std::string plots_html(const std::vector<Plot>& plots) {
    std::string html;
    for (size_t k = 0; k < plots.size(); ++k) html += to_svg(plots[k], fmt::format("inside-{}", k));
    return html.empty() ? "" : "<h2>Plots</h2>\n<div class=\"plots\">\n" + html + "</div>\n";
}

std::string pictures_html(const std::vector<ResultPicture>& pictures) {
    std::string html;
    for (const ResultPicture& picture : pictures)
        html += fmt::format(
            "<figure><img src=\"{}\" width=\"{}\" height=\"{}\" alt=\"{}\"/>"
            "<figcaption>{}<small>{}</small></figcaption></figure>\n",
            png_as_url(picture.image), picture.image.width(), picture.image.height(), escaped(picture.title),
            escaped(picture.title), escaped(picture.caption));
    return html.empty() ? "" : "<h2>Pictures</h2>\n<div class=\"pictures\">\n" + html + "</div>\n";
}

std::string facts_html(const ExperimentResult& result) {
    std::string html = "<h2>How it was found</h2>\n<dl>\n";
    for (const auto& [name, value] : result.facts)
        html += fmt::format("<dt>{}</dt><dd>{}</dd>\n", escaped(name), escaped(value));
    return html + "</dl>\n";
}

}  // namespace

std::string result_as_html(const ExperimentResult& result) {
    return fmt::format(
               "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
               "<meta charset=\"utf-8\"/>\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
               "<title>{0} – texelscope</title>\n<style>{1}</style>\n</head>\n<body>\n<main>\n<h1>{0}</h1>\n"
               "<p class=\"question\">{2}</p>\n<p>{3}</p>\n",
               escaped(result.title), style, escaped(result.question), escaped(result.expectation)) +
           tables_html(result.tables) + verdicts_html(result.verdicts) + plots_html(result.plots) +
           pictures_html(result.pictures) + facts_html(result) + "</main>\n</body>\n</html>\n";
}

}  // namespace texelscope
