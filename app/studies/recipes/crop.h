#pragma once
// A result that is a part of what was made of the original.

#include <optional>
#include <vector>

#include "app/studies/recipes/measure.h"
#include "app/studies/recipes/recipe_study.h"

namespace texelscope {

struct FoundCrop {
    KnownLines lines;     // where the result's pixels read, to about a tenth of a sample
    double likeness = 0;  // correlation with the original there, 0 … 1
    double of_whole = 0;  // with all of the original at the result's size
};

// Where in the original, and how much smaller, a result is. Empty: nowhere.
std::optional<FoundCrop> find_crop(const Image& original, const Image& result, const StudyProgress& progress);

// The correlation of the result with all of the original at its size, by areas: 1, or nearly, if it shows all of it.
double likeness_of_whole(const Image& original, const Image& result);

// The whole sizes and corners that such lines stand for, by each usual alignment, the likeliest first.
std::vector<Placement> placements_of(const KnownLines& lines, Extent original, Extent result);

// Where pixels of a placed result read, with centres aligned.
KnownLines lines_of(const Placement& placement, Extent original);

}  // namespace texelscope
