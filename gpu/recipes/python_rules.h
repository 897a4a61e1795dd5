#pragma once
// What torchvision shares with the libraries that it calls.

#include <string_view>

#include "gpu/recipes/recipe.h"

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

// Of levels from 0 to 255 as uint8, for bilinear and bicubic.
ResizeRule torch_interpolate_levels(const TorchCall& torch, const RecipeCall& call);

// The whole axis, also where a view shows a part of it.
ResizedAxis whole_of(const ResizedAxis& axis);

// With how many bits weights fit below `limit`, at most `most`.
int bits_below(double limit, int most, const Rule& rule, const ResizedAxis& axis);

}  // namespace texelscope
