#pragma once
// Differences of values as words.

#include <span>
#include <string>
#include <string_view>

#include "app/text/value_text.h"
#include "gpu/display/display_settings.h"

namespace texelscope {

// What a difference of values in 0 … 1 is multiplied by.
double difference_unit(DifferenceKind kind, const ValueScale& scale);

// Of all channels, in three digits: "[3.2 0.15 12]"; "–" for NaN.
std::string difference_text(DifferenceKind kind, std::span<const double> values, std::span<const double> reference,
                            const ValueScale& scale);

}  // namespace texelscope
