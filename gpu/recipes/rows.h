#pragma once
// What a pixel reads along an axis, in float64, while its taps are being made: for rule.cpp and coefficients.cpp only.

#include "gpu/core/address.h"
#include "gpu/prefilter/projection.h"

namespace texelscope {

// `weights` of the samples from `first` on.
using Row = ExactTaps;

inline Row added(const Row& a, int first, double weight) {
    Row sum = a;
    if (sum.weights.empty()) sum.first = first;
    if (first < sum.first) {
        sum.weights.insert(sum.weights.begin(), size_t(sum.first - first), 0.0);
        sum.first = first;
    }
    const size_t at = size_t(first - sum.first);
    if (at >= sum.weights.size()) sum.weights.resize(at + 1, 0.0);
    sum.weights[at] += weight;
    return sum;
}

// With all taps within the image, by its edges.
inline Row folded(const Row& row, AddressMode edges, int samples) {
    Row inside;
    for (size_t k = 0; k < row.weights.size(); ++k) {
        const int index = addressed(edges, row.first + int(k), samples);
        if (index >= 0 && row.weights[k] != 0) inside = added(inside, index, row.weights[k]);
    }
    if (inside.weights.empty()) inside = {0, {0.0}};
    return inside;
}

// With all taps within the image, which is continued by its edges up to the padding, and mirrored from there on.
inline Row folded_padding(const Row& row, AddressMode edges, int padding, int samples) {
    const AddressMode beyond = edges == AddressMode::border ? AddressMode::reflect101 : AddressMode::mirror;
    Row inside;
    for (size_t k = 0; k < row.weights.size(); ++k) {
        const int padded = addressed(beyond, row.first + int(k) + padding, samples + 2 * padding);
        const int index = addressed(edges, padded - padding, samples);
        if (index >= 0 && row.weights[k] != 0) inside = added(inside, index, row.weights[k]);
    }
    if (inside.weights.empty()) inside = {0, {0.0}};
    return inside;
}

}  // namespace texelscope
