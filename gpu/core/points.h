#pragma once
// Numbers in the memory of a caller or a backend: points in sample space, values of a rendering.

#include <cstddef>

#include "gpu/core/platform.h"
#include "gpu/core/view.h"

namespace texelscope {

// Arbitrary points, as arrays of coordinates or interleaved: point k has x[k · stride] and y[k · stride], float or double.
// Interleaved pairs: y = x + 1, stride 2. Without y the points are those of a one-dimensional signal.
struct PointsView {
    const void* x = nullptr;  // null: no points
    const void* y = nullptr;
    size_t count = 0;
    size_t stride = 1;  // elements from one point to the next
    bool is_double = false;

    static PointsView arrays(const float* x, const float* y, size_t count) { return {x, y, count, 1, false}; }
    static PointsView arrays(const double* x, const double* y, size_t count) { return {x, y, count, 1, true}; }
    static PointsView pairs(const float* xy, size_t count) { return {xy, xy + 1, count, 2, false}; }
    static PointsView pairs(const double* xy, size_t count) { return {xy, xy + 1, count, 2, true}; }

    // The points from number `first` on.
    PointsView from(size_t first) const {
        const size_t bytes = first * stride * (is_double ? sizeof(double) : sizeof(float));
        const auto moved = [&](const void* values) -> const void* {
            return values ? static_cast<const char*>(values) + bytes : nullptr;
        };
        return {moved(x), moved(y), count - first, stride, is_double};
    }

    TS_HD double coordinate(const void* values, size_t k) const {
        return is_double ? static_cast<const double*>(values)[k * stride]
                         : double(static_cast<const float*>(values)[k * stride]);
    }
    TS_HD Point at(size_t k) const { return {coordinate(x, k), y ? coordinate(y, k) : 0.0}; }
};

// A rendering in memory of the backend: `channels` floats or doubles per pixel, rows packed.
struct ValuePlane {
    const void* values = nullptr;
    bool doubles = false;
};

}  // namespace texelscope
