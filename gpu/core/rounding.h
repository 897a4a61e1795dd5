#pragma once
// How a number with a fraction becomes a whole one.

#include <cmath>

#include "gpu/core/names.h"
#include "gpu/core/platform.h"

namespace texelscope {

enum class Rounding { none, half_even, half_up, half_away, down, floor };
inline constexpr NamedValue<Rounding> roundings[] = {
    {Rounding::none, "none", "Not rounded."},
    {Rounding::half_even, "half to even", "To the nearest, ties to the even one."},
    {Rounding::half_up, "half up", "To the nearest, ties up."},
    {Rounding::half_away, "half away", "To the nearest, ties away from zero."},
    {Rounding::down, "towards zero", "Cut off."},
    {Rounding::floor, "floor", "Down."}};
constexpr auto& names_table(Rounding) { return roundings; }

template <class Real> TS_HD Real rounded(Real value, Rounding rounding) {
    switch (rounding) {
        case Rounding::none: return value;
        case Rounding::half_even: return std::rint(value);
        case Rounding::half_up: return std::floor(value + Real(0.5));
        case Rounding::half_away: return std::round(value);
        case Rounding::down: return std::trunc(value);
        case Rounding::floor: return std::floor(value);
    }
    return value;
}

}  // namespace texelscope
