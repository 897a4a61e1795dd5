#pragma once
// Recipes by how near they come to a result.

#include "app/studies/recipes/recipe_study.h"
#include "gpu/backend/source_image.h"

namespace texelscope {

// Pixels of what rules make of one original.
class Originals {
public:
    Originals(const std::shared_ptr<Backend>& backend, const Image& original);

    const Image& image() const { return original_; }

    // Columns × rows of the whole result, counted from the placement's corner.
    Image pixels(const ResizeRule& rule, const Placement& placement, const std::vector<int>& columns,
                 const std::vector<int>& rows);

private:
    const LongTaps& taps(const Rule& rule, int samples, int pixels, int first, const std::vector<int>& wanted);

    struct MadeTaps {
        Rule rule;
        int samples, pixels, first;
        std::vector<int> wanted;
        LongTaps taps;
    };

    const Image& original_;
    SourceImage premultiplied_, channels_;
    std::vector<std::unique_ptr<MadeTaps>> made_;  // the last ones: recipes of a library have axes in common
};

// All recipes, those that make the same picture together, the nearest first: all are compared on a few pixels at the edges and in
// the middle, those that are near on all of them. Throws what `progress` throws, OutOfMemory or Error.
std::vector<RankedRecipe> ranked(const std::shared_ptr<Backend>& backend, const Image& original, const Image& result,
                                 const Placement& placement, const StoredJpeg* jpeg, const StudyProgress& progress);

// Columns × rows of an image.
Image picked(const Image& image, const std::vector<int>& columns, const std::vector<int>& rows);

// 0 … count − 1.
std::vector<int> all_pixels(int count);

}  // namespace texelscope
