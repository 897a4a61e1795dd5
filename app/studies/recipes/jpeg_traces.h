#pragma once
// What a JPEG leaves of a picture: whole multiples of its quantisation in 8×8 blocks.

#include <optional>
#include <string>
#include <vector>

#include "app/studies/recipes/recipe_study.h"

namespace texelscope {

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
