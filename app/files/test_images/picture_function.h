#pragma once
// Test images that are functions of the position: their values are known between the samples too, and beyond them.

#include <array>
#include <cmath>
#include <limits>
#include <memory>

#include "gpu/core/tile_source.h"
#include "gpu/core/view.h"

namespace texelscope {

// What must be resolved to see a function at a position.
struct LocalDetail {
    std::array<Point, 3> waves{};  // local frequencies, cycles per sample along x and y
    double edge_distance = std::numeric_limits<double>::infinity();  // samples to the nearest edge between two levels
    double edge_width = 0;                                           // samples over which it rises; 0: a jump
};

class PictureFunction {
public:
    virtual ~PictureFunction() = default;

    // Its channels at a point in sample space; straight alpha. The image's samples are these values at whole
    // coordinates, rounded to the image's type.
    virtual std::array<double, 4> at(Point p) const = 0;

    virtual LocalDetail detail(Point) const { return {}; }
};

// What makes the function of an image of this size.
using MakePictureFunction = std::unique_ptr<const PictureFunction>(int width, int height);

// cos(2π (frequency · p)): a wave of amplitude 1, its frequency in cycles per sample.
std::unique_ptr<const PictureFunction> plane_wave(Point frequency);

// What is made of a picture: its samples are those of the whole picture there.
struct PicturePart {
    int width = 0, height = 0;  // of the whole picture
    SampleRegion region = {};   // inside it

    static PicturePart whole(int width, int height) { return {width, height, {0, 0, width, height}}; }
    bool is_whole() const { return region == SampleRegion{0, 0, width, height}; }
};

}  // namespace texelscope
