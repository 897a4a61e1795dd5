// A self-contained page: it includes style, plots and pictures.

#include <algorithm>

#include <fmt/format.h>

#include "app/files/reading/image_files.h"
#include "app/studies/experiments/result.h"
#include "app/text/text_tools.h"

namespace texelscope {
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
th.words, td.words { text-align: left; } th small { display: block; font-weight: 400; color: var(--quiet); }
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
@media print { body { background: #fff; font-size: 11pt; } main { max-width: none; padding: 0; }
  .wide { overflow: visible; } th, td { padding: 3px 6px; white-space: normal; } }
)";

std::string base64(const std::vector<std::byte>& bytes) {
    static constexpr char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (size_t i = 0; i < bytes.size(); i += 3) {
        const auto at = [&](size_t k) { return k < bytes.size() ? std::to_integer<uint32_t>(bytes[k]) : 0u; };
        const uint32_t three = at(i) << 16 | at(i + 1) << 8 | at(i + 2);
        text += digits[three >> 18];
        text += digits[three >> 12 & 63];
        text += i + 1 < bytes.size() ? digits[three >> 6 & 63] : '=';
        text += i + 2 < bytes.size() ? digits[three & 63] : '=';
    }
    return text;
}

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
            "<figure><img src=\"data:image/png;base64,{}\" width=\"{}\" height=\"{}\" alt=\"{}\"/>"
            "<figcaption>{}<small>{}</small></figcaption></figure>\n",
            base64(encoded_png(picture.image)), picture.image.width(), picture.image.height(), escaped(picture.title),
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
