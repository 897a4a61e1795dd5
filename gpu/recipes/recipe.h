#pragma once
// Recipes: how a named function of another library resamples, as a record over our own ingredients (rule.h), with the
// versions that it was tried with and a tested bound. One file a library.

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/method/method_info.h"
#include "gpu/method/spec.h"
#include "gpu/recipes/rule.h"

namespace texelscope {

// An option of the library's function, by its name there.
struct RecipeOption {
    std::string_view id;
    std::string_view standard;             // its value if nothing is said
    std::vector<std::string_view> values;  // that it may have; empty: a number
    double minimum = 0, maximum = 0;       // of a number
    std::string_view summary;              // sentences
};

// Values by option; all of them.
class RecipeOptions {
public:
    std::map<std::string, std::string, std::less<>> values;

    std::string_view text(std::string_view id) const { return values.find(id)->second; }
    bool is(std::string_view id, std::string_view value) const { return text(id) == value; }
    bool yes(std::string_view id) const { return is(id, "true"); }
    double number(std::string_view id) const;
};

// What samples the library is given: of other types than its own it is asked in floats.
enum class RecipeType { u8, u16, f32 };

struct RecipeCall {
    RecipeOptions options;
    RecipeType type = RecipeType::f32;
    int channels = 1;
    bool alpha = false;
    ResizedAxis x, y;
};

struct Recipe {
    std::string_view library;   // "pillow"
    std::string_view function;  // "bicubic"
    std::string_view call;      // in the library's language: "image.resize(size, Image.Resampling.BICUBIC)"
    std::string_view versions;  // that were tried: "Pillow 9.4, 12.0"
    std::string_view bound;     // tested: "bit-exact in 8 bits; floats 2e-6"
    std::string_view unknown;   // what is not reproduced, and why; empty: nothing
    std::vector<RecipeOption> options;
    // Throws UsageError for options that the library does not take together.
    ResizeRule (*rule)(const RecipeCall& call);
    // Why the library cannot make this size, one sentence; empty if it can. Null: it can make any.
    std::string (*refusal)(const RecipeCall& call) = nullptr;
    // A function of positions instead of sizes: positions are those of the view, the map or the points, and the step is 1.
    bool given_positions = false;
};

// A recipe with its options: like:LIBRARY/FUNCTION[:key=value,…].
struct BoundRecipe {
    const Recipe* recipe = nullptr;
    RecipeOptions options;
    std::string text;          // canonical: options that are not standard, in the recipe's order
    bool widened = false;      // of a recipe that is a method: whether it antialiases
    std::string name() const;  // "torch bicubic:antialias=true"
    // Throws UsageError for a size that the library cannot make, and for options that do not go together.
    ResizeRule rule(RecipeType type, int channels, bool alpha, const ResizedAxis& x, const ResizedAxis& y) const;
    std::string refusal(const ResizedAxis& x, const ResizedAxis& y) const;
};

// All, by library in a fixed order.
std::span<const Recipe> all_recipes();

// "like:torch/bicubic:antialias=true". Throws UsageError, which lists what there is.
BoundRecipe parse_recipe(std::string_view text);

// The recipe as a method: what it has in common with one, weights and edges, is that of our own options. The same text has
// the same record, for the life of the program. Throws UsageError.
MethodSpec recipe_spec(std::string_view text);

// What the recipe is where its rules do not compute, which is slopes and sizes that the library does not make: a sentence
// for the user.
std::string weights_alone_words(const BoundRecipe& recipe, bool slopes);

// The recipe with another value of an option. Throws UsageError.
MethodSpec with_option(const BoundRecipe& recipe, std::string_view option, std::string_view value);

// One per library's file. The first is our own, of any ingredients.
std::vector<Recipe> texelscope_recipes();
std::vector<Recipe> pillow_recipes();
std::vector<Recipe> opencv_recipes();
std::vector<Recipe> torch_recipes();
std::vector<Recipe> torchvision_recipes();
std::vector<Recipe> onnx_recipes();
std::vector<Recipe> tensorflow_recipes();
std::vector<Recipe> jax_recipes();
std::vector<Recipe> scipy_recipes();
std::vector<Recipe> skimage_recipes();
std::vector<Recipe> matlab_recipes();
std::vector<Recipe> imagemagick_recipes();
std::vector<Recipe> libvips_recipes();
std::vector<Recipe> swscale_recipes();
std::vector<Recipe> browser_recipes();
std::vector<Recipe> pica_recipes();

}  // namespace texelscope
