#pragma once
// Which samples of an image a rendering reads, along an axis and for a block of its pixels, and the regions that have
// them.

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "gpu/backend/memory_budget.h"
#include "gpu/backend/request.h"
#include "gpu/backend/source_image.h"
#include "gpu/backend/source_state.h"
#include "gpu/core/address.h"
#include "gpu/core/colour.h"
#include "gpu/core/image.h"
#include "gpu/core/tile_source.h"
#include "gpu/reference/reference.h"
#include "gpu/tiles/tile_cache.h"
#include "gpu/tiles/tiled_image.h"

namespace texelscope {

// Which samples of an image a rendering reads along one axis: a region of the image as its address mode extends it.

// Positions along an axis, both ends included.
struct PositionRange {
    double low = 0, high = 0;
    bool empty() const { return !(low <= high); }
};

// Farther than this from the origin, positions are not whole numbers apart any more with room for their fraction.
inline constexpr double farthest_region = 0x1p50;

// Samples first … first + count − 1 of the extended image; or all of the image's own, which are then extended by the
// image's own mode.
struct AxisRegion {
    int64_t first = 0, count = 1;
    bool whole = false;

    // How the region's texels continue beyond its ends. A region that is not the whole is never read there, but for clamp
    // and border, where the image has long been constant.
    AddressMode address(AddressMode of_image) const { return whole ? of_image : AddressMode::clamp; }
    bool operator==(const AxisRegion&) const = default;
};

// The region for these positions over an axis of n samples, with `reach` samples on each side of them. The whole axis if
// the region would be no smaller. Positions are finite and within farthest_region; an empty range reads one sample.
AxisRegion axis_region(AddressMode mode, int n, PositionRange positions, int reach);

// A stretch of a region whose samples lie side by side in the image, backwards, or are all the same one.
struct RegionRun {
    int at = 0, count = 0;  // position in the region
    int stored = 0;         // of the image: the sample for `at`; −1: zeros
    int step = 1;           // to the next: 1, −1 (mirrored) or 0
    int lowest() const { return step < 0 ? stored - (count - 1) : stored; }
    int samples() const { return step == 0 ? 1 : count; }  // of the image
};

// The region in runs, from its beginning to its end.
std::vector<RegionRun> runs_of(const AxisRegion& region, AddressMode mode, int n);

// How many samples a request reads on each side of a position: its taps, widened, and those that the prefilter needs to
// make a coefficient, until |z|^reach is below 1e-8, or as many as are given.
struct RegionReach {
    int x = 0, y = 0;
};
RegionReach region_reach(const Resampling& request);
RegionReach region_reach(const Resampling& request, int coefficients);

// Cuts a region out of an image that is not in memory, as the image's address modes extend it.

// Copies samples of an image, or of a level, into packed memory: as TileSource::read.
using ReadSamples = std::function<void(const SampleRegion& region, std::byte* to, size_t row_bytes)>;

// A region of both axes, over an image of width × height samples.
struct ImageRegion {
    AxisRegion x, y;
    int width = 1, height = 1;
    AddressPair address;  // of the image

    AddressPair own_address() const { return {x.address(address.x), y.address(address.y)}; }
    double samples() const { return double(x.count) * double(y.count); }
};

// Whether its samples are read without the tiles around them: where that is possible, and these have many more.
bool is_read_alone(const ImageRegion& region, const TileSource& source);

// How many samples are read for it, those of whole tiles if need be, about.
double samples_read(const ImageRegion& region, const TileSource& source);

// The region as an image of `channels` samples a texel. Throws what `read` throws, and OutOfMemory.
Image assembled(const ImageRegion& region, int channels, SampleType type, Alpha alpha, const ReadSamples& read);

// The hull of the image's samples that the region consists of, to be asked for beforehand.
std::vector<SampleRegion> regions_of(const ImageRegion& region);

// Which region of an image, or of a level of it, a block of an output reads, and the request for the block's pixels from
// such a region.

// Pixels of an output that are computed at a time, along each axis.
inline constexpr int block_side = 512;

// What a block of the output reads.
struct BlockRegion {
    PixelRange pixels;  // of the output, computed: under a warp with neighbours, whose distances are its stretch
    ImageRegion region;
    std::vector<double> points;  // pairs, in samples of the level; empty: positions are affine
    PositionRange x, y;          // of the pixels, in samples of the level, as far as they read anything
};

// The blocks of one request. What it was planned from must outlive it.
class BlockRegions {
public:
    // `linear`: samples are decoded to linear light. `border`: a value beyond the image's borders is not zero.
    BlockRegions(const PlannedRequest& planned, const TileSource& source, bool linear, bool border);
    // `reach`: samples around a position, for what reads others than region_reach() says.
    BlockRegions(const PlannedRequest& planned, const TileSource& source, bool linear, bool border,
                 const RegionReach& reach);

    BlockRegion of(const PixelRange& block) const;

    // All pixels of the output.
    PixelRange all() const { return {0, 0, planned_.width, planned_.height}; }

    // The level that is read, in samples, and how it continues.
    Level level() const { return planned_.reading.level; }
    const Extent& level_extent() const { return size_; }
    const AddressPair& level_address() const { return address_; }
    RegionReach reach() const { return reach_; }

    // Whether coefficients are made of a region before it is read.
    bool prefilters() const;

    // Bytes of a texel in a region's image and in the copies that are made when it is read and uploaded; and with its
    // coefficients.
    double bytes_per_sampled_texel() const;
    double bytes_per_texel() const;
    double bytes(const BlockRegion& block) const { return block.region.samples() * bytes_per_texel(); }

    // Whether most samples that are read for a block lie between its pixels: smaller blocks then read less, although
    // each has a cost of its own.
    bool is_sparse(const BlockRegion& block) const;

    // The request for the block's pixels from a region that holds all that the block reads. The caller sets its points,
    // which are those of counted_points, if the block has some.
    Resampling request(const BlockRegion& block, const ImageRegion& from) const;

    // The request from the block's own region, with points in memory of the backend as long as the result is held.
    struct Part {
        Resampling request;
        std::shared_ptr<void> points;
    };
    Part part(const BlockRegion& block, BackendMemory& backend, Scratch& scratch) const;

    // What a block takes, with all that is made of its region.
    using Bytes = std::function<double(const BlockRegion& block)>;

    // Calls compute() for the block, or for parts of it whose regions take no more than `most` bytes and are not sparse. Throws
    // OutOfMemory if a single pixel needs more, and what compute() throws.
    void divide(const PixelRange& block, double most, const Bytes& bytes,
                const std::function<void(const BlockRegion& read, const PixelRange& part)>& compute) const;

    // Has the tiles loaded that a block reads, if that is known and no more than `most` bytes.
    void ask(const PixelRange& block, double most, const Bytes& bytes, TileCache& tiles) const;

private:
    bool corners(const PixelRange& block, PositionRange& x, PositionRange& y) const;
    PixelRange with_neighbours(PixelRange block) const;
    void find_points(BlockRegion& read) const;

    const PlannedRequest& planned_;
    const TileSource& source_;
    const ImageInfo& info_;
    bool linear_, border_;
    Extent size_;          // of the level
    AddressPair address_;  // of the level
    RegionReach reach_;
};

// A block in two.
std::array<PixelRange, 2> halves(const PixelRange& block);

// The block's points, counted from a region's first sample.
std::vector<double> counted_points(const BlockRegion& block, const ImageRegion& from);

// Throws Error for a kernel of one's own: it may read any sample, and so needs more than regions.
void check_reads_regions(const MethodSpec& spec);

// Whether every sample of one region is in another one of the same image, extended by the same modes.
bool holds(const ImageRegion& region, const ImageRegion& other);

// A thread that makes what a live view of an image that is not in memory is rendered from.

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
