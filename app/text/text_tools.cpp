#include "app/text/text_tools.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "gpu/core/text.h"

namespace texelscope {

size_t columns_of(std::string_view text) {
    // Bytes 10xxxxxx continue a character; combining marks (U+0300 … U+036F, lead bytes CC and CD) take no column.
    return size_t(
        std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80 && (c & 0xfe) != 0xcc; }));
}

std::string padded(std::string_view text, size_t columns) {
    return std::string(text) + std::string(columns - std::min(columns, columns_of(text)), ' ');
}

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

std::string signed_number(double value, int decimals) {
    if (!std::isfinite(value)) return fmt::format("{}", value);
    return (std::signbit(value) && value != 0 ? "−" : "") + fmt::format("{:.{}f}", std::abs(value), decimals);
}

void NumberColumn::take(double value) {
    if (!std::isfinite(value)) {
        least = std::max(least, int(signed_number(value, 0).size()));
        return;
    }
    low = std::min(low, value);
    high = std::max(high, value);
}

int NumberColumn::characters() const {
    const size_t widest = std::max(columns_of(signed_number(low, decimals)), columns_of(signed_number(high, decimals)));
    return std::max(least, int(widest));
}

int characters_of(std::span<const NumberColumn> columns) {
    int sum = 0;
    for (const NumberColumn& column : columns) sum += column.characters();
    return sum;
}

void fit_decimals(std::span<NumberColumn> columns, int characters) {
    while (characters_of(columns) > characters) {
        NumberColumn* widest = nullptr;
        for (NumberColumn& column : columns) {
            const bool can_lose = column.decimals > column.fewest && column.characters() > column.least;
            if (can_lose && (!widest || column.characters() > widest->characters())) widest = &column;
        }
        if (!widest) return;
        --widest->decimals;
    }
}

std::string escaped(std::string_view text) {
    std::string result;
    for (const char c : text) {
        switch (c) {
            case '&': result += "&amp;"; break;
            case '<': result += "&lt;"; break;
            case '>': result += "&gt;"; break;
            case '"': result += "&quot;"; break;
            default: result += c;
        }
    }
    return result;
}

bool contains_ignoring_case(std::string_view text, std::string_view needle) {
    return std::search(text.begin(), text.end(), needle.begin(), needle.end(),
                       [](char a, char b) { return lower_case(a) == lower_case(b); }) != text.end() ||
           needle.empty();
}

}  // namespace texelscope
