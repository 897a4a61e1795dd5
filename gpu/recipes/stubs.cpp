#include "gpu/recipes/recipe.h"
namespace texelscope {
std::vector<Recipe> pillow_recipes() { return {}; }
std::vector<Recipe> opencv_recipes() { return {}; }
std::vector<Recipe> torch_recipes() { return {}; }
std::vector<Recipe> libvips_recipes() { return {}; }
std::vector<Recipe> swscale_recipes() { return {}; }
}
