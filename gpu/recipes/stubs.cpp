#include "gpu/recipes/recipe.h"
namespace texelscope {
std::vector<Recipe> pillow_recipes() { return {}; }
std::vector<Recipe> torch_recipes() { return {}; }
std::vector<Recipe> onnx_recipes() { return {}; }
std::vector<Recipe> tensorflow_recipes() { return {}; }
std::vector<Recipe> jax_recipes() { return {}; }
std::vector<Recipe> scipy_recipes() { return {}; }
std::vector<Recipe> skimage_recipes() { return {}; }
std::vector<Recipe> matlab_recipes() { return {}; }
std::vector<Recipe> imagemagick_recipes() { return {}; }
std::vector<Recipe> browser_recipes() { return {}; }
std::vector<Recipe> pica_recipes() { return {}; }
}
