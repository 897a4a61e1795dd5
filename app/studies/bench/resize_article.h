#pragma once
// The table of a widely read article on CUDA textures: an image enlarged ×5 by nearest and linear, CPU against GPU.

#include <array>
#include <string_view>

namespace texelscope {

inline constexpr int article_width = 248, article_height = 236, article_factor = 5;

// Published milliseconds: for loops on the CPU, and for a CUDA function that allocates, converts, copies to the GPU,
// resizes and copies back. Neither processor is named.
struct ArticleRow {
    std::string_view method;
    double cpu_ms, cuda_ms;
};
inline constexpr std::array<ArticleRow, 2> article_rows = {{{"nearest", 1.61, 0.9292}, {"bilinear", 10.71, 0.987}}};

}  // namespace texelscope
