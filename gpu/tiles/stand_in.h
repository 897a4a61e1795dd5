#pragma once
// Coarser samples in the place of those that a block of an output reads, until those have been read.

#include <memory>
#include <optional>

#include "gpu/backend/border_sum.h"
#include "gpu/tiles/block_window.h"
#include "gpu/tiles/sketch.h"

namespace texelscope {

// What a stand-in is read from: a sketch, or a window of a level.
class StandIn {
public:
    StandIn(std::shared_ptr<const ResidentImage> sketch, const ImageInfo& info, const SketchPlan& plan,
            const AddressPair& address);
    StandIn(std::shared_ptr<const ResidentImage> window, const ImageInfo& info, Level level, const AddressPair& address,
            const ImageWindow& of_level);

    // Whether it has samples under all of the block.
    bool covers(const BlockWindow& block, const ReadPlan& reading) const;

    // How unlike its samples are to those that the reading needs; 0: just as far apart.
    double unlikeness(const ReadPlan& reading) const;

    // The request for some pixels of the output, without points.
    Resampling request(const Resampling& whole, const PixelRange& pixels, bool linear) const;

    // A position on the level that the reading reads, in texels of what is read instead.
    Point texel_at(Point on_level, const ReadPlan& reading) const;

    const ResidentImage& samples() const { return *samples_; }

private:
    struct Axis {
        double ratio = 1, before = 0.5;  // position x of the image is (x + before) · ratio − 0.5 of what is read
        double first = 0;                // of what is read: the first texel that is there
        int count = 1;                   // texels that are there
        int whole = 1;                   // of which they are a part
        bool all = true;                 // they are all
        AddressMode address = AddressMode::clamp;
        double at(double x) const { return (x + before) * ratio - 0.5; }
    };
    bool covers(const Axis& axis, const LevelAxis& level, const PositionRange& range, double slack) const;

    std::shared_ptr<const ResidentImage> samples_;
    Axis x_, y_;
    bool partial_sketch_ = false;
    BorderValue border_;
};

}  // namespace texelscope
