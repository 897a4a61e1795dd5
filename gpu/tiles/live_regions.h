#pragma once
// LiveRegions: an image that is not in memory, as a window on the screen shows it. The regions that its views read come
// from a thread of its own and are kept with a margin; what is not there yet is shown by coarser samples.

#include <cmath>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gpu/backend/memory_budget.h"
#include "gpu/backend/source_state.h"
#include "gpu/core/tile_source.h"
#include "gpu/core/timing.h"
#include "gpu/tiles/regions.h"
#include "gpu/tiles/tiled_image.h"
#include "gpu/tiles/tiled_levels.h"

namespace texelscope {

// Tiles of another source of which some cannot be read: those become a pattern that says so, and everything else goes on.

class HatchedTiles final : public TileSource {
public:
    // Throws Error for null.
    explicit HatchedTiles(std::shared_ptr<const TileSource> tiles);

    const ImageInfo& info() const override { return tiles_->info(); }
    int tile() const override { return tiles_->tile(); }
    bool reads_any_region() const override { return tiles_->reads_any_region(); }
    int samples_per_request() const override { return tiles_->samples_per_request(); }
    int levels() const override { return tiles_->levels(); }
    Extent level_extent(int level) const override { return tiles_->level_extent(level); }

    // Diagonal stripes, opaque, of two widths, for a region that the other source cannot read. Throws OutOfMemory, and
    // Error for a region that is not there at all.
    void read(int level, const SampleRegion& region, std::byte* to, size_t row_bytes) const override;

    // The first problem that was met, one sentence, once. Others that come later are of the same file, and not said.
    std::optional<std::string> take_problem() const;
    size_t damaged() const;  // regions so far that could not be read

private:
    std::shared_ptr<const TileSource> tiles_;
    mutable std::mutex mutex_;
    mutable std::optional<std::string> problem_;
    mutable size_t damaged_ = 0;
};

struct LiveOptions {
    // Bytes of the host and, for regions, as many of a GPU's own memory; never more than its budget allows.
    size_t memory = default_tiled_memory;
    Light light = Light::stored;
    std::function<void()> wake = {};  // called in another thread whenever something has come
    std::shared_ptr<LevelStore> levels =
        nullptr;  // as in TiledOptions; takes nothing once some samples could not be read
};

class LiveRegions final : public SampleRegions {
public:
    // Throws Error for a null backend or source, and less than least_live_memory.
    LiveRegions(std::shared_ptr<Backend> backend, std::shared_ptr<const TileSource> tiles,
                const LiveOptions& options = {});
    ~LiveRegions() override;

    const ImageInfo& info() const override { return tiles_->info(); }
    Light light() const override { return light_; }
    void move_to(const std::shared_ptr<Backend>& backend) override;
    bool ready(const PlannedRequest& planned, RenderTarget::Format format) override;
    bool render(const PlannedRequest& planned, const RenderTarget& target) override;
    bool render_at_hand(const PlannedRequest& planned, const RenderTarget& target) override;
    bool render_reference(const PlannedRequest& planned, double* values, bool for_frame) override;
    bool texels(const PlannedRequest& planned, const SampleRegion& region, std::vector<float>& values) override;

    // A request in float64 if it has been computed; null otherwise, and it is not asked for.
    MadeReference find_reference(const PlannedRequest& planned);

    // Before a frame is rendered: what the last one asked for and this one does not is given up.
    void next_turn();

    // Takes what has come; how much has come so far.
    size_t arrivals() {
        collect();
        return arrivals_;
    }
    // Whether something has come that was not taken.
    bool has_news() const { return maker_->has_news(); }

    // Whether there is anything that could be shown of any view.
    bool shows_anything();

    // While set, render_at_hand() asks for nothing but the sketch of the whole, which is all that a small map needs; it is right
    // once that has come.
    void render_roughly(bool yes) { roughly_ = yes; }

    // Whether smaller images of the file stand in for something in this turn's frames.
    bool shows_levels_of_file() const { return shows_levels_of_file_; }

    // How many things that were asked for have still to come.
    size_t coming() const { return maker_->waiting(); }
    // How far the one in the making is, by the samples that have been read for it: 0 … 1, about.
    double part_done() const { return maker_->part_done(); }

    // What could not be read or made, one sentence, once.
    std::optional<std::string> take_problem();

    // Bytes of what is held: regions, sketches, pictures. References come in addition, as long as they are looked at;
    // tiles and levels take up to five eighths of the host's memory besides.
    size_t bytes() const { return bytes_; }
    size_t most_bytes() const { return most_bytes_; }

private:
    struct Held {
        MadeRegion made;
    };
    struct Want {
        RegionOrder order;
        double priority = 0;  // the lower the sooner
        int turn = 0;
        bool frame = false;  // of a frame, and of no interest after it
        StopWatch since = {};
    };
    // Computed, or not computable: as long as it is asked for.
    struct Reference {
        PlannedRequest planned;
        MadeReference values;
        std::string problem;
        int turn = 0;
        StopWatch since = {};
    };
    struct Reading;  // a request with what it reads
    // Where the samples of one part of a view come from.
    struct Choice {
        const Held* held = nullptr;       // null: there is nothing
        std::optional<StandIn> stand_in;  // of it; empty: the samples are the right ones
    };

    void collect();
    void add(MadeRegion made);
    void make_room();
    void want(RegionOrder order, double priority, bool frame);
    void ask_again(Want& want, double priority);
    void send_orders();
    bool is_sketched() const;
    const Held* sketch_of_all() const;

    bool fits(const Reading& reading, const ImageRegion& region) const;
    bool is_too_large(const Reading& reading) const;
    const Held* region_for(const Reading& reading, const BlockRegion& block);
    const Held* picture_for(const PlannedRequest& planned, RenderTarget::Format format);
    const Reference* reference_for(const PlannedRequest& planned);
    bool is_forgotten(int turn, const StopWatch& since) const;
    void want_all(const Reading& reading, RenderTarget::Format format, bool frame);
    RegionOrder region_order(const Reading& reading, const ImageRegion& region) const;
    ImageRegion with_margin(const Reading& reading, const BlockRegion& block) const;
    std::pair<double, double> moved_by(const SourceKey& key, int64_t width, int64_t height, double x, double y);
    void look_ahead(const Reading& reading, const Held& held);
    bool render_exactly(const Reading& reading, const RenderTarget& target);
    void compute(const Reading& reading, const BlockRegion& block, const Held& held, const RenderTarget& target);
    void stand_in(const Reading& reading, const RenderTarget& target);
    Choice chosen(const Reading& reading, const BlockRegion& block);
    void draw(const Reading& reading, const BlockRegion& block, const Choice& choice, const RenderTarget& target);
    std::shared_ptr<const ResidentImage> minus_border(const Held& sketch, const AddressPair& address);
    void resample(const ResidentImage& source, const Resampling& request, const BorderPixel& border,
                  const std::vector<double>& points, const RenderTarget& target);
    void fill(const RenderTarget& target, int width, int height);
    size_t pixel_bytes(RenderTarget::Format format) const;
    void begin();

    std::shared_ptr<Backend> backend_;
    std::shared_ptr<const HatchedTiles> tiles_;
    LiveOptions options_;
    MemoryPlan::Live shares_;
    Light light_;
    bool roughly_ = false, shows_levels_of_file_ = false;
    int turn_ = 0;
    std::list<Held> held_;  // the latest made or read first
    std::list<Reference> references_;
    std::list<Want> wants_;
    struct Failed {
        RegionOrder order;
        StopWatch since;
    };
    std::vector<Failed> failed_;
    std::optional<std::string> problem_, last_problem_;
    std::vector<SourceKey> keys_;  // of the regions that this turn's frames read
    size_t regions_in_frame_ = 1;  // how many there were of them in the turn before
    size_t bytes_ = 0, most_bytes_ = 0, arrivals_ = 0;
    Scratch points_;
    BorderSum border_sum_;
    struct Minus {
        std::shared_ptr<const ResidentImage> of;
        BorderValue border;
        std::shared_ptr<const ResidentImage> samples;
    } minus_;  // the last sketch minus a border value
    struct Motion {
        SourceKey key;
        int64_t width = 0, height = 0;  // of the region: one of each pane
        double x = 0, y = 0;            // its middle, in samples of its level
    };
    std::vector<Motion> motions_;  // the latest last
    std::unique_ptr<RegionMaker> maker_;
};

// A request of a live view with what it reads. For the sources of LiveRegions only.

inline constexpr int first_side = 192;  // cells of the first sketch of the whole
inline int overview_side(size_t memory) { return memory < (size_t(256) << 20) ? 512 : 1024; }
inline constexpr double little = 0x1p24;  // samples that are read in a moment

// From the best to the least urgent; what costs less comes first within each.
enum Urgency {
    first_sketch,
    for_frame,
    for_probe,
    sketch_of_view,
    sketch_of_whole,
    much_for_frame,
    much_for_probe,
    ahead,
    in_float64  // reads what all of these have read
};
inline double priority(Urgency urgency, double cost) { return double(urgency) + cost / (cost + 0x1p30); }

// Samples of the image under a region of a level.
inline double cost_of(const ImageRegion& region, Level level) {
    return std::ldexp(region.samples(), level.x + level.y);
}

struct LiveRegions::Reading {
    Reading(const PlannedRequest& of, const TileSource& source, Light light)
        : planned(of),
          border(border_of(source.info(), of.spec.address, light)),
          blocks(planned, source, light == Light::linear, !border.is_zero()),
          all(blocks.of(blocks.all())),
          key(key_of(of)) {}

    const PlannedRequest& planned;
    BorderPixel border;
    BlockRegions blocks;
    BlockRegion all;
    SourceKey key;

    Level level() const { return planned.reading.level; }
};

// An image that is not in memory, for those who wait: renders every request exactly, block by block, before it returns.

class TiledRegions final : public SampleRegions {
public:
    // Throws as TiledImage.
    TiledRegions(std::shared_ptr<Backend> backend, std::shared_ptr<const TileSource> tiles,
                 const TiledOptions& options = {});

    const ImageInfo& info() const override { return tiled_.info(); }
    Light light() const override { return tiled_.light(); }
    void move_to(const std::shared_ptr<Backend>& backend) override;
    bool ready(const PlannedRequest&, RenderTarget::Format) override { return true; }
    bool render(const PlannedRequest& planned, const RenderTarget& target) override;
    bool render_at_hand(const PlannedRequest& planned, const RenderTarget& target) override {
        return render(planned, target);
    }
    bool render_reference(const PlannedRequest& planned, double* values, bool for_frame) override;
    bool texels(const PlannedRequest& planned, const SampleRegion& region, std::vector<float>& values) override;

private:
    std::shared_ptr<Backend> backend_;
    std::shared_ptr<const TileSource> tiles_;
    TiledOptions options_;
    TiledImage tiled_;
};

}  // namespace texelscope
