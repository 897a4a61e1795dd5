#include "app/text/difference_text.h"

#include <cmath>

#include <fmt/format.h>

#include "gpu/display/pixel.h"

namespace texelscope {

double difference_unit(DifferenceKind kind, const ValueScale& scale) {
    switch (kind) {
        case DifferenceKind::squared: return scale.factor() * scale.factor();
        case DifferenceKind::relative: return 1;
        default: return scale.factor();
    }
}

std::string difference_text(DifferenceKind kind, std::span<const double> values, std::span<const double> reference,
                            const ValueScale& scale) {
    std::string text = "[";
    for (size_t c = 0; c < values.size(); ++c) {
        const double d = difference_of(kind, values[c], reference[c]) * difference_unit(kind, scale);
        if (c > 0) text += ' ';
        const bool rounding = std::abs(values[c] - reference[c]) < 1e-12;
        text += std::isnan(d) ? "–" : rounding ? "0" : fmt::format("{:.3g}", d);
    }
    return text + "]";
}

}  // namespace texelscope
