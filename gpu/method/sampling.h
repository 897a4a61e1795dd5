#pragma once
// What is computed at a position, whatever the positions are: the same in a caller's request, a backend's and a kernel's.

#include "gpu/method/spec.h"

namespace texelscope {

// The value at a position outside the samples: the image extended by its address modes; the background outside the
// extent [−0.5, n − 0.5); NaN outside the interval [0, n − 1] of the samples.
enum class Outside { extend, background, nan };

constexpr std::string_view name_of(Outside outside) {
    return outside == Outside::extend ? "extend" : outside == Outside::background ? "background" : "nan";
}

// A picture's value, or its first derivative along an axis of sample space, per sample.
enum class Derivative { none, x, y };

struct Sampling {
    MethodSpec spec;
    Outside outside = Outside::extend;
    Derivative derivative = Derivative::none;  // for a method with a slope; not together with antialiasing
    bool operator==(const Sampling&) const = default;
};

}  // namespace texelscope
