#pragma once
// An image rotated again and again about its centre, as rotation experiments need it.

#include <memory>

#include "app/studies/experiments/experiment.h"
#include "gpu/backend/source_image.h"

namespace texelscope {

// Differences of two pictures over their central disc, of radius 0.45 times the shorter side; of 255, all channels.
struct DiscErrors {
    double rms = 0, largest = 0;
};
DiscErrors disc_errors(const Image& a, const Image& b);

class Turning {
public:
    // Mirrored at the edges unless the spec says otherwise. Throws OutOfMemory or Error.
    Turning(std::shared_ptr<Backend> backend, const Image& image, const MethodSpec& spec, double degrees);

    // One more rotation; f32, premultiplied if there is alpha.
    const Image& turn();

private:
    std::shared_ptr<Backend> backend_;
    RenderRequest request_;
    Image image_;
};

// The original rotated in a single step by n times the angle, n = 0 … turns, in float64 by the quintic B-spline: the
// ideal of a Turning's n-th picture. After a whole number of circles it is the original itself.
class TurnedOriginal {
public:
    TurnedOriginal(std::shared_ptr<Backend> backend, const Image& original, double degrees);
    Image after(int turns);

private:
    Image original_;
    SourceImage source_;
    double degrees_;
};

// The option's image in the form of rotated pictures: f32, premultiplied if there is alpha. Throws Error for one that
// is too small to be rotated.
Image image_to_turn(const ExperimentOptions& options);

// The spec of a rotation if none of its settings is given: mirrored at the edges.
MethodSpec turning_defaults();

}  // namespace texelscope
