#pragma once
// Pictures by recipes (gpu/recipes), by the taps of their rules: along the axes each axis as a whole, rotated, warped and at
// points each pixel its own (recipe_points.h).

#include <vector>

#include "gpu/backend/request.h"
#include "gpu/backend/source_image.h"
#include "gpu/core/view.h"
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

// Recipes at points, for recipe_rendering.cpp and recipe_reference.cpp: which taps a pixel has that reads any position.

struct PointTaps {
    RuleTaps x, y;  // the first tap along x of a pixel may be taps_outside or taps_of_nan
};

// The pixels of a request whose positions are not along the axes, or are points.
class PlacesOfPoints {
public:
    // Keeps the request, and reads points from the backend. Throws Error.
    PlacesOfPoints(SourceImage& source, const Resampling& resampling);

    // The rule of the resize by the request's steps.
    ResizeRule rule(const ResidentImage& samples, SampleType stored) const;

    // From now on, a picture that was made on the way is read instead.
    void read(int width, int height) {
        read_width_ = width;
        read_height_ = height;
    }

    // The taps of `count` pixels from `first` on, row by row.
    PointTaps taps(const ResizeRule& rule, bool one_dimensional, size_t first, size_t count) const;

    ResizedAxis x_axis() const { return axis(width_, step_x_); }
    ResizedAxis y_axis() const { return axis(height_, step_y_); }

private:
    static ResizedAxis axis(int samples, double step);
    Point position(size_t pixel) const;
    bool is_outside(Point p, bool one_dimensional) const;
    double place(double x, double step) const;

    const Resampling& resampling_;
    std::vector<double> pairs_;  // of points, in host memory
    int width_ = 1, height_ = 1, read_width_ = 0, read_height_ = 0;
    double step_x_ = 1, step_y_ = 1;
    bool given_ = false;
};

// The B-spline coefficients that points read instead of samples: of which samples they are made, unless there are none; then
// the rule becomes that of the coefficients.
struct CoefficientsOfRule {
    bool any = false;
    RuleTaps x, y;
    LongPasses passes;
    CoefficientsOfRule(ResizeRule& rule, int width, int height, bool signal);
};

}  // namespace texelscope
