#pragma once
// What the recipes of several libraries share.

#include <span>
#include <string_view>

#include "gpu/core/address.h"
#include "gpu/prefilter/projection.h"
#include "gpu/recipes/recipe.h"
#include "gpu/recipes/rule.h"

namespace texelscope {

// Image.resize(size, resample), by the filter's name in lower case. `reducing_gap` 0: none.
ResizeRule pillow_resize(std::string_view resample, const RecipeCall& call, double reducing_gap = 0);

// torch.nn.functional.interpolate(), for the modes of pictures.
struct TorchCall {
    std::string_view mode = "bilinear";
    bool align_corners = false, antialias = false;
    double scale_factor = 0;        // 0: by the sizes
    bool rounded_positions = true;  // since 2.0
};
ResizeRule torch_interpolate(const TorchCall& torch, const RecipeCall& call);

// The rule for levels from 0 to 255 as uint8, for bilinear and bicubic.
ResizeRule torch_interpolate_levels(const TorchCall& torch, const RecipeCall& call);

// The whole axis, also where a view shows a part of it.
ResizedAxis whole_of(const ResizedAxis& axis);

// With how many bits weights fit below `limit`, at most `most`.
int bits_below(double limit, int most, const Rule& rule, const ResizedAxis& axis);

// B-splines of degree 0 to 5, at positions in float64: SciPy's, and those of the libraries that stand on it.
inline Rule spline_rule(int degree, bool prefilter) {
    static constexpr const char* weights[] = {"nearest", "bilinear", "quadratic", "bspline", "quartic", "quintic"};
    Rule rule{.stepping = Stepping::step};
    if (degree == 0) rule.tap_rule = TapRule::nearest;
    rule.weight = weights[degree];
    rule.unit_area = false;
    rule.prefilter = prefilter;
    return rule;
}

// The result in the image's own type, half up.
inline void round_levels(LongPasses& passes, RecipeType type) {
    passes.unit = type == RecipeType::u8 ? 255.0f : 65535.0f;
    passes.whole = true;
    passes.second = {
        .round = Rounding::half_up, .clipped = true, .low = 0 - passes.fill, .high = passes.unit - passes.fill};
}

// A table of taps in a library's own arithmetic (TapTable of rule.h), written pixel by pixel: fill(i, weights) writes the
// weights of pixel i, which are zeros, and returns the first sample that it reads.
template <class Fill> LongTaps tap_table(const ResizedAxis& axis, int taps, Fill fill) {
    LongTaps table{.taps = taps, .first = {}, .weights = std::vector<float>(size_t(axis.count) * size_t(taps), 0.0f)};
    for (int i = 0; i < axis.count; ++i)
        table.first.push_back(fill(i, std::span(table.weights).subspan(size_t(i) * size_t(taps), size_t(taps))));
    return table;
}

// What a pixel reads along an axis, in float64, while its taps are being made: for rule.cpp and positions.cpp only.

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
