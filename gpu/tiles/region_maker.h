#pragma once
// A thread that makes what a live view of an image that is not in memory is rendered from.

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "gpu/backend/source_state.h"
#include "gpu/core/colour.h"
#include "gpu/tiles/regions.h"
#include "gpu/tiles/tile_cache.h"
#include "gpu/tiles/tiled_image.h"

namespace texelscope {

// Sketches: a part of an image, made small from few of its samples, to be shown until the right ones have been read.

// A part of an image, divided equally into cells.
struct SketchPlan {
    SampleRegion region;
    int width = 1, height = 1;  // cells

    double step_x() const { return double(region.width) / width; }  // samples from one cell to the next
    double step_y() const { return double(region.height) / height; }
    bool operator==(const SketchPlan&) const = default;
};

// The whole image in cells that are as wide as high, at most `side` of them along an axis.
SketchPlan sketch_of_all(const ImageInfo& info, int side);

// The plan's region in fewer cells, if need be: as many as can be made quickly of at most `most` samples.
SketchPlan affordable(const TileSource& source, const SketchPlan& plan, double most);

// Which of the file's images a sketch is made of: the smallest whose samples are not farther apart than the cells; 0 is the
// image itself.
int level_of_sketch(const TileSource& source, const SketchPlan& plan);

// A sample for each cell, f32, premultiplied, in linear light if that is wanted. Of a smaller image that the
// file holds they are means; else those of a few rows of samples in each cell's middle. `quickly`: where any
// region may be read, they are single samples, and else come from one tile for each cell. Reads through `tiles` what can
// only be read in tiles. Throws Error for what cannot be read, and Cancelled.
Image sketched(TileCache& tiles, Light light, const SketchPlan& plan, bool quickly, const std::stop_token& stop = {});

// How many samples are read for it.
double cost_of_sketch(const TileSource& source, const SketchPlan& plan, bool quickly);

// Coarser samples in the place of those that a block of an output reads, until those have been read.

// What a stand-in is read from: a sketch, or a region of a level.
class StandIn {
public:
    StandIn(std::shared_ptr<const ResidentImage> sketch, const ImageInfo& info, const SketchPlan& plan,
            const AddressPair& address);
    StandIn(std::shared_ptr<const ResidentImage> region, const ImageInfo& info, Level level, const AddressPair& address,
            const ImageRegion& of_level);

    // Whether it has samples under all of the block.
    bool covers(const BlockRegion& block, const ReadPlan& reading) const;

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

// One thing that is to be made.
struct RegionOrder {
    enum class Kind {
        sketch,    // of a part of the image
        region,    // of a level, with coefficients if the key says so
        picture,   // for views whose region would take too much memory: rendered through many small ones
        reference  // a picture in float64
    };
    Kind kind = Kind::region;

    SketchPlan sketch;
    bool quickly = false;

    SourceKey key;
    ImageRegion region;
    MethodSpec prefilter;  // for whose coefficients; its address modes are those of the region itself

    PlannedRequest picture;  // or reference
    RenderTarget::Format format = RenderTarget::Format::rgba8;

    double cost = 0;       // samples that are read for it, about
    double priority = 0;   // the lower the sooner
    bool patient = false;  // of a readout, say, which does not interrupt a picture

    // Whether the other is given up for it, and begun again later.
    bool interrupts(const RegionOrder& other) const {
        return priority + 1 <= other.priority && !(patient && other.kind == Kind::picture);
    }
};

// Whether what is made for one serves the other.
bool same_order(const RegionOrder& a, const RegionOrder& b);
bool same_picture(const PlannedRequest& a, const PlannedRequest& b);

// Values in float64 as SourceImage::render_reference has them.
using MadeReference = std::shared_ptr<const std::vector<double>>;

struct MadeRegion {
    RegionOrder order;
    std::shared_ptr<const ResidentImage> samples;  // of a region or sketch; made by another backend, which has finished
    std::shared_ptr<const Image> picture;          // rows packed, as its format has them
    MadeReference reference;
    size_t bytes = 0;
    std::string problem;  // if it cannot be made, one sentence
};

class RegionMaker {
public:
    // Computes by a backend like that one. `wake` is called in the thread whenever something has been made.
    RegionMaker(const BackendInfo& device, std::shared_ptr<const TileSource> tiles, const TiledOptions& options,
                const std::function<void()>& wake);
    // Waits for the thread, but only for a moment: one whose read does not end, from a share that does not answer, say, ends by
    // itself, whenever that is.
    ~RegionMaker();
    RegionMaker(const RegionMaker&) = delete;
    RegionMaker& operator=(const RegionMaker&) = delete;

    // From now on only these are made, in this order. What is being made and is not among them is given up.
    void order(std::vector<RegionOrder> orders);

    bool has_news() const;
    std::vector<MadeRegion> take();

    // Orders that are not finished.
    size_t waiting() const;

    // How far the one in the making is, by the samples that have been read for it: 0 … 1, about.
    double part_done() const;

private:
    struct State;
    std::shared_ptr<State> state_;
    std::thread thread_;
};

}  // namespace texelscope
