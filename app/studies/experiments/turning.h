#pragma once
// An image turned again and again about its centre: what rotation experiments are made of.

#include <memory>

#include "app/studies/experiments/options.h"
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

    // Once more; f32, premultiplied where there is alpha.
    const Image& turn();

private:
    std::shared_ptr<Backend> backend_;
    RenderRequest request_;
    Image image_;
};

// The original turned at once by n times the angle, n = 0 … turns, in float64 by the quintic B-spline: what the n-th
// picture of a Turning ought to be. Where that is a whole number of circles it is the original itself.
class TurnedOriginal {
public:
    TurnedOriginal(std::shared_ptr<Backend> backend, const Image& original, double degrees);
    Image after(int turns);

private:
    Image original_;
    SourceImage source_;
    double degrees_;
};

// The option's image as turned pictures are: f32, premultiplied where there is alpha. Throws Error for one that is too
// small to be turned.
Image image_to_turn(const ExperimentOptions& options);

// The spec of a rotation where none of its settings is given: mirrored at the edges.
MethodSpec turning_defaults();

}  // namespace texelscope
