#include "app/text/table.h"

#include <algorithm>

#include "app/text/columns.h"

namespace texelscope {

std::string aligned(const std::vector<TextRow>& rows, size_t left) {
    std::vector<size_t> width(rows.empty() ? 0 : rows[0].size());
    for (const TextRow& row : rows)
        for (size_t c = 0; c < row.size(); ++c) width[c] = std::max(width[c], columns_of(row[c]));
    std::string text;
    for (const TextRow& row : rows) {
        std::string line;
        for (size_t c = 0; c < row.size(); ++c) {
            const std::string blanks(width[c] - columns_of(row[c]), ' ');
            line += (c > 0 ? "  " : "") + (c < left ? row[c] + blanks : blanks + row[c]);
        }
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + '\n';
    }
    return text;
}

}  // namespace texelscope
