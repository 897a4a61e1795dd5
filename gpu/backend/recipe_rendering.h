#pragma once
// Pictures by recipes (gpu/recipes), by the taps of their rules: along the axes each axis as a whole, rotated, warped and at
// points each pixel its own (recipe_points.h).

#include "gpu/backend/request.h"
#include "gpu/backend/source_image.h"
#include "gpu/recipes/recipe.h"
#include "gpu/recipes/rule.h"

namespace texelscope {

// Whether a request names a recipe that its rules compute: it is no derivative, and the library has such sizes. Others are by
// the weight function.
bool is_by_rules(const RenderRequest& request, const ImageShape& image);
bool is_by_rules(const SampleRequest& request, const ImageShape& image);

// The request as it is planned: a recipe widens its weight function where it says so, whatever the request asks for.
RenderRequest without_recipe(const RenderRequest& request);

// The whole image at another size by any rule, read back as SourceImage::render_to_image() does. Throws OutOfMemory or Error.
Image image_by_rule(SourceImage& source, const ResizeRule& rule, int width, int height);

// Some of the pixels of such an image, by taps that taps_of() made of a rule without pictures on the way.
Image image_by_taps(SourceImage& source, const ResizeRule& rule, const LongTaps& x, const LongTaps& y);

// The same, not coded as sRGB where the source is linear light.
Image unencoded_image_by_taps(SourceImage& source, const ResizeRule& rule, const LongTaps& x, const LongTaps& y);

// The last of the pictures on the way, in the light of the source; the rule has some.
Image last_on_the_way(SourceImage& source, const ResizeRule& rule);

RecipeType recipe_type_of(SampleType stored);

// How the recipe of the spec resizes the whole image. `stored`: what samples it had before alpha and light.
ResizeRule rule_for(const MethodSpec& spec, SampleType stored, int channels, bool alpha, const ImageShape& image,
                    int width, int height);

// The part of a resize that the axes show, in float64 as SourceImage::render_reference() has values. Throws OutOfMemory or
// Error.
std::vector<double> reference_by_rule(SourceImage& source, SampleType stored, const ResizeRule& rule,
                                      const ResizedAxis& x, const ResizedAxis& y, bool encode_srgb);

// Whether a request, planned by rules, needs no image of a batch for itself: no picture on the way, no extremes.
bool recipe_renders_batch(const SourceImage& source, SampleType stored, const Resampling& resampling);

// Passes that clip to the image's extremes, with these.
LongPasses within_extremes(LongPasses passes, SourceImage& source);

// Writes the float64 reference of a request: backend memory, rows packed. Throws OutOfMemory or Error.
void render_recipe_reference(SourceImage& source, SampleType stored, const Resampling& resampling, double* values);

// As render_recipe_reference() and render_recipe(), where positions are not along the axes, do not increase or are points.
void render_point_reference(SourceImage& source, SampleType stored, const Resampling& resampling, double* values);
void render_recipe_at_points(SourceImage& source, SampleType stored, const Resampling& resampling,
                             const RenderTarget& target);

// Throws OutOfMemory or Error.
void render_recipe(SourceImage& source, SampleType stored, const Resampling& resampling, const RenderTarget& target);

}  // namespace texelscope
