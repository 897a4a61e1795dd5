#include "gpu/recipes/recipe.h"
namespace texelscope {
std::vector<Recipe> opencv_recipes() { return {}; }
std::vector<Recipe> libvips_recipes() { return {}; }
std::vector<Recipe> swscale_recipes() { return {}; }
}  // namespace texelscope
