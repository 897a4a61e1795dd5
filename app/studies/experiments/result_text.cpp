#include <fmt/format.h>

#include "app/studies/experiments/result_files.h"
#include "app/text/table.h"

namespace texelscope {
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

}  // namespace texelscope
