#include "app/studies/bench/bench.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>
#include <thread>

#include <fmt/format.h>

#include "gpu/core/quantile.h"
#include "gpu/core/tile_source.h"
#include "gpu/core/timing.h"
#include "gpu/tiles/live_regions.h"

namespace texelscope {
namespace {

constexpr double frame_ms = 1000.0 / 60, pixels_per_frame = 20, patience_ms = 60000;

// The memory of the process, without what it has mapped from files; 0 if that is not known.
size_t own_memory() {
    std::ifstream status("/proc/self/status");
    for (std::string word; status >> word;)
        if (word == "RssAnon:") {
            size_t kibibytes = 0;
            status >> kibibytes;
            return kibibytes << 10;
        }
    return 0;
}

// Renders views of an image into one output and waits for them.
class Explorer {
public:
    Explorer(std::shared_ptr<Backend> backend, int width, int height)
        : backend_(std::move(backend)), width_(width), height_(height), pixels_(backend_->allocate(bytes())) {}

    RenderRequest view(const ImageInfo& image, const View& view) const {
        RenderRequest request;
        request.spec = default_spec(parse_method("bspline"));
        request.width = width_;
        request.height = height_;
        request.antialias = true;
        request.outside = Outside::background;
        request.positions = sampling_affine(view, image.width, image.height, width_, height_);
        return request;
    }
    View whole(const ImageInfo& image) const {
        return {.scale = std::max(double(image.width) / width_, double(image.height) / height_)};
    }

    // A frame as the region renders it: true if it is right.
    bool frame(LiveRegions& regions, const View& view) {
        const ImageInfo& image = regions.info();
        const PlannedRequest plan =
            planned(this->view(image, view), {image.width, image.height, false}, regions.light());
        regions.next_turn();
        const bool right = regions.render_at_hand(plan, target());
        backend_->synchronize();
        return right;
    }
    void frame(SourceImage& source, const ImageInfo& image, const View& view) {
        source.render(this->view(image, view), target());
        backend_->synchronize();
    }

    // Milliseconds until a frame of the view is right. Throws Error if it does not become so.
    double ms_until_right(LiveRegions& regions, const View& view) {
        const StopWatch watch;
        while (!frame(regions, view)) {
            if (const auto problem = regions.take_problem()) throw Error(*problem);
            if (watch.ms() > patience_ms) throw Error("the picture did not become right within a minute");
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        return watch.ms();
    }

    int width() const { return width_; }
    int height() const { return height_; }

private:
    size_t bytes() const { return size_t(width_) * size_t(height_) * 4; }
    RenderTarget target() const { return {pixels_.get(), size_t(width_) * 4, RenderTarget::Format::rgba8, no_timer}; }

    std::shared_ptr<Backend> backend_;
    int width_, height_;
    std::shared_ptr<void> pixels_;
};

struct Stages {
    std::vector<BenchResult>& results;
    BenchResult common;

    void add(const std::string& name, std::vector<double> ms, const std::string& note) {
        std::sort(ms.begin(), ms.end());
        BenchResult result = common;
        result.name = "tiles/" + name;
        result.note = note;
        result.time =
            Timing{quantile(ms, 0.5) * 1000, quantile(ms, 0.25) * 1000, quantile(ms, 0.75) * 1000, int(ms.size()), 1};
        results.push_back(result);
    }
};

void measure_drag(Explorer& explorer, LiveRegions& regions, int frames, Stages& stages) {
    const ImageInfo& image = regions.info();
    // Along the diagonal of what the image has room for, back and forth.
    const double room_x = std::max(0.0, (image.width - explorer.width()) / 2.0 - 64),
                 room_y = std::max(0.0, (image.height - explorer.height()) / 2.0 - 64);
    const double step_x = std::min(pixels_per_frame * 0.8, room_x), step_y = std::min(pixels_per_frame * 0.6, room_y);
    View view{.translate_x = -room_x / 3, .translate_y = -room_y / 5};
    explorer.ms_until_right(regions, view);
    std::vector<double> ms;
    double direction_x = 1, direction_y = 1;
    int wrong = 0;
    for (int i = 0; i < frames; ++i) {
        if (std::abs(view.translate_x + direction_x * step_x) > room_x) direction_x = -direction_x;
        if (std::abs(view.translate_y + direction_y * step_y) > room_y) direction_y = -direction_y;
        view.translate_x += direction_x * step_x;
        view.translate_y += direction_y * step_y;
        const StopWatch watch;
        if (!explorer.frame(regions, view)) ++wrong;
        ms.push_back(watch.ms());
        if (const double rest = frame_ms - watch.ms(); rest > 0)
            std::this_thread::sleep_for(std::chrono::duration<double, std::milli>(rest));
    }
    stages.add("frame of a drag", ms,
               fmt::format("of 1200 pixels a second at zoom 1; {} of {} frames with coarser samples somewhere", wrong,
                           frames));
    stages.add("longest frame of a drag", {*std::max_element(ms.begin(), ms.end())}, "");
    stages.add("after a drag", {explorer.ms_until_right(regions, view)}, "until the picture is right");
}

// Slowly, so that a region's margin lasts for some frames, over samples that are all at hand.
void measure_resident_pan(const std::shared_ptr<Backend>& backend, Explorer& explorer, int side, int frames,
                          Stages& stages) {
    Image noise(side, side, 3, SampleType::u8);
    uint32_t state = 1;
    for (size_t i = 0; i < noise.size_bytes(); ++i)
        noise.data()[i] = std::byte((state = state * 1664525u + 1013904223u) >> 24);
    const auto image = std::make_shared<const Image>(std::move(noise));
    SourceImage resident(backend, image);
    LiveRegions regions(backend, std::make_shared<ImageTiles>(image));
    const auto at = [](int i) { return View{.translate_x = 2.0 * i - 500.25, .translate_y = 1.5 * i - 300.75}; };
    explorer.ms_until_right(regions, at(0));
    std::vector<double> of_tiles, of_resident;
    for (int i = 0; i < frames; ++i) {
        const StopWatch live;
        explorer.frame(regions, at(i));
        of_tiles.push_back(live.ms());
        const StopWatch watch;
        explorer.frame(resident, regions.info(), at(i));
        of_resident.push_back(watch.ms());
    }
    stages.add("pan over tiles", of_tiles,
               fmt::format("{}² u8×3 at zoom 1, all tiles at hand; with the prefilter of new regions", side));
    stages.add("the same in memory", of_resident, "coefficients made before");
}

void measure(const BenchPlan& plan, const std::shared_ptr<Backend>& backend, Stages& stages) {
    const bool cuda = backend->info().kind == BackendKind::cuda;
    Explorer explorer(backend, plan.width.value_or(cuda ? 3840 : 1280), plan.height.value_or(cuda ? 2160 : 720));
    stages.common.width = explorer.width();
    stages.common.height = explorer.height();
    const int frames = plan.quick ? 60 : 300;
    const size_t first = stages.results.size();
    size_t regions_took = 0, process_took = 0;
    {
        const StopWatch start;
        LiveRegions regions(backend, plan.open_tiles(plan.image));
        const View whole = explorer.whole(regions.info());
        while (!regions.shows_anything()) {
            if (start.ms() > patience_ms) throw Error("no picture came within a minute");
            explorer.frame(regions, whole);
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        explorer.frame(regions, whole);
        stages.add("first picture", {start.ms()}, "of the whole, from opening the source");
        measure_drag(explorer, regions, frames, stages);
        regions_took = regions.most_bytes();
        process_took = own_memory();
        const ImageInfo& image = regions.info();
        stages.common.view = fmt::format("{} of {}×{} {}×{}", plan.image, image.width, image.height,
                                         name_of(image.type), image.channels);
    }
    stages.common.view += fmt::format("; regions took {:.0f} MB at most, the process {:.0f} MB afterwards",
                                      double(regions_took) * 1e-6, double(process_took) * 1e-6);
    measure_resident_pan(backend, explorer, plan.quick ? 2048 : 8192, frames, stages);
    for (size_t k = first; k < stages.results.size(); ++k) stages.results[k].view = stages.common.view;
}

}  // namespace

void add_tile_results(const BenchPlan& plan, const std::shared_ptr<Backend>& backend,
                      std::vector<BenchResult>& results) {
    Stages stages{results, {}};
    stages.common.section = BenchSection::tiles;
    stages.common.work = "stage";
    stages.common.backend = backend->info().kind;
    try {
        measure(plan, backend, stages);
    } catch (const Error& error) {
        stages.common.name = "tiles";
        stages.common.skipped = error.what();
        results.push_back(stages.common);
    }
}

}  // namespace texelscope
