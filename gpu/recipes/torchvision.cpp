// torchvision: transforms.Resize and transforms.v2.Resize, of tensors and of Pillow's images.

#include <fmt/format.h>

#include "gpu/core/errors.h"
#include "gpu/recipes/shared_rules.h"

namespace texelscope {
namespace {

ResizeRule resized(const RecipeCall& call) {
    const std::string_view interpolation = call.options.text("interpolation");
    if (call.options.is("image", "pil")) {
        if (interpolation == "nearest-exact") return pillow_resize("nearest", call);
        return pillow_resize(interpolation, call);
    }
    const bool cubic = interpolation == "bicubic", filtered = cubic || interpolation == "bilinear";
    if (!filtered && !interpolation.starts_with("nearest"))
        throw UsageError(
            fmt::format("interpolation={} of like:torchvision/resize needs image=pil: tensors have nearest, "
                        "nearest-exact, bilinear and bicubic",
                        interpolation));
    const TorchCall torch{.mode = interpolation,
                          .antialias = filtered && call.options.yes("antialias"),
                          .rounded_positions = call.options.yes("v2")};
    if (call.type != RecipeType::u8 || !filtered) return torch_interpolate(torch, call);
    if (call.options.yes("v2")) return torch_interpolate_levels(torch, call);
    ResizeRule rule = torch_interpolate(torch, call);
    rule.passes = {
        .unit = 255, .whole = true, .second = {.round = Rounding::half_even, .clipped = true, .low = 0, .high = 255}};
    return rule;
}

}  // namespace

std::vector<Recipe> torchvision_recipes() {
    return {
        {"torchvision",
         "resize",
         "transforms.Resize(size, interpolation, antialias)(image)",
         "torchvision 0.14 with torch 1.13 and Pillow 9.4; 0.26 with 2.11 and 12.3",
         "pil as Pillow; tensors: 8 bits one level in 0.01 %, in up to 5 % where many values are halves; floats 2e-6, with torch 2 and antialias=false 1.2e-5",
         "v2 on a GPU, or on a CPU without AVX2, is as v2=false",
         {{"interpolation",
           "bilinear",
           {"bilinear", "bicubic", "nearest", "nearest-exact", "box", "hamming", "lanczos"},
           0,
           0,
           "InterpolationMode; box, hamming and lanczos are of Pillow's images only."},
          {"antialias",
           "true",
           {"true", "false"},
           0,
           0,
           "Whether tensors are antialiased; the default is true from 0.17 on, and false before. Pillow's images always are."},
          {"image", "tensor", {"tensor", "pil"}, 0, 0, "What is resized."},
          {"v2",
           "false",
           {"false", "true"},
           0,
           0,
           "Whether it is transforms.v2, whose uint8 tensors are resized as such from 0.16 on: by weights of 16 bits."}},
         resized}};
}

}  // namespace texelscope
