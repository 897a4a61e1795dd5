#pragma once
// Recipes by how near they come to a result.

#include <optional>
#include <vector>

#include "app/studies/recipes/measure.h"
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

// A result that is a part of what was made of the original.

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

// What a JPEG leaves of a picture: whole multiples of its quantisation in 8×8 blocks.

// A picture that was decoded from a JPEG and stored otherwise, by the coefficients of its brightness: the quality whose
// standard table they are multiples of. Empty: it was none, or of a quality too high to be seen.
std::optional<StoredJpeg> jpeg_traces(const Image& image);

// The coefficients of brightness that a JPEG stored.
class JpegLuma {
public:
    JpegLuma(const Image& decoded, const StoredJpeg& jpeg);

    // The share of coefficients that the JPEG would have stored likewise of this picture: columns × rows of the whole one,
    // in whole blocks but for those at the ends. 0 … 1.
    double possible(const Image& made, const std::vector<int>& columns, const std::vector<int>& rows) const;

private:
    struct Block {
        bool cut_off = false;  // a sample at an end of the range: what was decoded beyond it is lost
        std::array<float, 64> coefficients = {};
    };
    const Block& block(int x, int y) const { return blocks_[size_t(y) * size_t(across_) + size_t(x)]; }

    StoredJpeg jpeg_;
    int across_ = 0;
    bool all_cut_off_ = false;
    std::vector<Block> blocks_;
};

}  // namespace texelscope
