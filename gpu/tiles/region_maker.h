#pragma once
// A thread that makes what a live view of an image that is not in memory is rendered from.

#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "gpu/backend/source_key.h"
#include "gpu/tiles/axis_region.h"
#include "gpu/tiles/sketch.h"
#include "gpu/tiles/tiled_image.h"

namespace texelscope {

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
