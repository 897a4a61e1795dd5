#pragma once
// Recipes at points, for recipe_rendering.cpp and recipe_reference.cpp: which taps a pixel has that reads any position.

#include <vector>

#include "gpu/backend/recipe_rendering.h"
#include "gpu/core/view.h"

namespace texelscope {

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

    // Of `count` pixels from `first` on, row by row.
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
