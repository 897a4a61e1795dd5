#include "app/text/number_columns.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "app/text/columns.h"

namespace texelscope {

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

}  // namespace texelscope
