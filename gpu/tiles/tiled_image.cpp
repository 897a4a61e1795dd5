#include "gpu/tiles/tiled_image.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "gpu/backend/arguments.h"
#include "gpu/backend/memory_budget.h"
#include "gpu/backend/source_state.h"
#include "gpu/core/errors.h"
#include "gpu/core/image.h"
#include "gpu/core/parallel.h"
#include "gpu/core/pixel.h"
#include "gpu/reference/reference.h"
#include "gpu/tiles/live_regions.h"
#include "gpu/tiles/regions.h"
#include "gpu/tiles/tiled_levels.h"

namespace texelscope {

// What all that renders the image shares.

struct TiledImage::State {
    State(std::shared_ptr<Backend> on, std::shared_ptr<const TileSource> source, const TiledOptions& options);

    std::shared_ptr<Backend> backend;
    Light light;
    MemoryPlan::Tiled shares;
    std::shared_ptr<TileCache> tiles;
    TiledLevels levels;
    Scratch output, points;
    BorderSum border_sum;

    const ImageInfo& info() const { return tiles->source().info(); }
};

TiledImage::State::State(std::shared_ptr<Backend> on, std::shared_ptr<const TileSource> source,
                         const TiledOptions& options)
    : backend(std::move(on)),
      light(is_linear(source->info().profile.get()) ? Light::stored : options.light),
      shares(memory_plan({.image = options.memory}).tiled),
      tiles(std::make_shared<TileCache>(std::move(source), shares.tiles)),
      levels(backend, tiles, light, shares.levels, shares.making, options.levels) {}

// One request on its way through blocks.
class TiledImage::Rendering {
public:
    Rendering(const PlannedRequest& planned, State& state, RenderTarget::Format format, const std::stop_token& stop)
        : planned_(planned),
          state_(state),
          border_(state.levels.border(planned_.spec.address)),
          regions_(planned, state.tiles->source(), state.light == Light::linear, !border_.is_zero()),
          format_(format),
          stop_(stop) {}

    // Into the rows of the band, whose first is row first_row of the output.
    void render(const PixelRange& block, Image& band, int first_row) {
        regions_.divide(block, most(), bytes_, [&](const BlockRegion& read, const PixelRange& part) {
            if (stop_.stop_requested()) throw Cancelled("cancelled");
            compute(read);
            copy(read, part, band, first_row);
        });
    }

    // Has the tiles loaded that a block reads.
    void ask(const PixelRange& block) { regions_.ask(block, most(), bytes_, *state_.tiles); }

private:
    double most() const { return double(state_.shares.region); }

    void compute(const BlockRegion& read) {
        Backend& backend = *state_.backend;
        Image samples =
            state_.levels.region(regions_.level(), planned_.spec.address, read.region.x, read.region.y, stop_);
        const auto resident = backend.upload(std::make_shared<const Image>(std::move(samples)));
        BlockRegions::Part part = regions_.part(read, backend, state_.points);
        part.request.border = border_;
        const auto source = regions_.prefilters() ? backend.prefilter(*resident, part.request.spec) : resident;
        row_bytes_ = size_t(read.pixels.width) * pixel_bytes();
        const size_t bytes = row_bytes_ * size_t(read.pixels.height);
        const auto memory = state_.output.at_least(backend, bytes);
        state_.border_sum.render(backend, *source, part.request, {memory.get(), row_bytes_, format_, no_timer});
        rendered_.resize(bytes);
        backend.read_back(rendered_.data(), memory.get(), bytes);
    }

    size_t pixel_bytes() const { return bytes_per_pixel(format_, state_.info().channels); }

    void copy(const BlockRegion& read, const PixelRange& block, Image& band, int first_row) const {
        const size_t pixel = pixel_bytes();
        for (int j = block.y; j < block.y + block.height; ++j)
            std::memcpy(
                band.row(j - first_row) + size_t(block.x) * pixel,
                rendered_.data() + size_t(j - read.pixels.y) * row_bytes_ + size_t(block.x - read.pixels.x) * pixel,
                size_t(block.width) * pixel);
    }

    const PlannedRequest& planned_;
    State& state_;
    BorderPixel border_;
    BlockRegions regions_;
    BlockRegions::Bytes bytes_ = [this](const BlockRegion& block) { return regions_.bytes(block); };
    RenderTarget::Format format_;
    const std::stop_token& stop_;
    std::vector<std::byte> rendered_;  // of the last block
    size_t row_bytes_ = 0;
};

TiledImage::TiledImage(std::shared_ptr<Backend> backend, std::shared_ptr<const TileSource> source,
                       const TiledOptions& options) {
    if (!backend) throw Error("a tiled image needs a backend: make one with make_backend()");
    if (!source) throw Error("a tiled image needs a source of its samples: give it one");
    if (options.memory < least_tiled_memory)
        throw Error(fmt::format("a tiled image needs at least {} MiB of memory", least_tiled_memory >> 20));
    state_ = std::make_unique<State>(std::move(backend), std::move(source), options);
}

TiledImage::~TiledImage() = default;
TiledImage::TiledImage(TiledImage&&) noexcept = default;
TiledImage& TiledImage::operator=(TiledImage&&) noexcept = default;

const ImageInfo& TiledImage::info() const { return state_->info(); }
Backend& TiledImage::backend() const { return *state_->backend; }
TileCache& TiledImage::tiles() const { return *state_->tiles; }
TiledLevels& TiledImage::levels() const { return state_->levels; }
Light TiledImage::light() const { return state_->light; }

PlannedRequest TiledImage::plan(const RenderRequest& request) const {
    PlannedRequest result = planned(request, {info().width, info().height, false}, state_->light,
                                    state_->levels.border(request.spec.address));
    check_reads_regions(request.spec);
    check_output_size(request.width, request.height);
    return result;
}

void TiledImage::render(const RenderRequest& request, RenderTarget::Format format, const RowSink& sink,
                        const Following& following) {
    render(plan(request), format, sink, following);
}

Image TiledImage::rows(const PlannedRequest& planned, RenderTarget::Format format, int first, int count,
                       const Following& following) {
    State& s = *state_;
    const StoppableLoops loops(following.stop);
    Rendering rendering(planned, s, format, following.stop);
    const bool screen = format == RenderTarget::Format::rgba8;
    const int width = planned.width, end = first + count;
    const Alpha alpha = screen ? Alpha::straight : info().alpha == Alpha::none ? Alpha::none : Alpha::premultiplied;
    Image band(width, count, screen ? 4 : info().channels, screen ? SampleType::u8 : SampleType::f32, alpha);
    for (int row = first; row < end; row += block_side) {
        const int height = std::min(block_side, end - row);
        for (int column = 0; column < width; column += block_side) {
            const PixelRange block{column, row, std::min(block_side, width - column), height};
            if (const int next = column + block.width; next < width)
                rendering.ask({next, row, std::min(block_side, width - next), height});
            rendering.render(block, band, first);
            const double done = double(row) * width + double(height) * (column + block.width);
            if (following.progress) following.progress(done / (double(width) * planned.height));
        }
    }
    return band;
}

void TiledImage::render(const PlannedRequest& plan, RenderTarget::Format format, const RowSink& sink,
                        const Following& following) {
    State& s = *state_;
    const size_t pixel = bytes_per_pixel(format, info().channels);
    const int together = int(std::clamp<size_t>(s.shares.rows / (size_t(plan.width) * pixel), 1, block_side));
    for (int row = 0; row < plan.height; row += together)
        sink(rows(plan, format, row, std::min(together, plan.height - row), following), row);
    s.tiles->forget_asked();
}

namespace {

Image whole(TiledImage& image, const RenderRequest& request, RenderTarget::Format format, Image result) {
    image.render(request, format,
                 [&](const Image& rows, int first) { std::memcpy(result.row(first), rows.data(), rows.size_bytes()); });
    return result;
}

}  // namespace

Image TiledImage::render_to_image(const RenderRequest& request) {
    check_output_size(request.width, request.height);
    const Alpha alpha = info().alpha == Alpha::none ? Alpha::none : Alpha::premultiplied;
    return whole(*this, request, RenderTarget::Format::floats,
                 Image(request.width, request.height, info().channels, SampleType::f32, alpha));
}

Image TiledImage::render_to_rgba8(const RenderRequest& request) {
    check_output_size(request.width, request.height);
    return whole(*this, request, RenderTarget::Format::rgba8,
                 Image(request.width, request.height, 4, SampleType::u8, Alpha::straight));
}

RenderRequest resize_request(const ImageInfo& image, const MethodSpec& spec, int width, int height, Align align,
                             bool antialias) {
    return resize_request(Extent{image.width, image.height}, spec, width, height, align, antialias);
}

namespace {

// Samples on each side of one that its coefficient is made of, in float64; 0 if there is no prefilter.
int exact_reach(const Resampling& request) {
    return request.reading.prefiltered ? exact_prefilter(request.spec.inverse_filter()).reach : 0;
}

}  // namespace

void TiledReference::rows(const PlannedRequest& planned, int first, int count, double* values,
                          const std::stop_token& stop) {
    TiledImage::State& s = *image_.state_;
    const StoppableLoops loops(stop);
    Backend& backend = *s.backend;
    const AddressPair& address = planned.spec.address;
    const int reach = exact_reach(planned), width = planned.width, end = first + count;
    const BorderPixel border = s.levels.border(address);
    const BlockRegions regions(planned, s.tiles->source(), s.light == Light::linear, !border.is_zero(),
                               region_reach(planned, reach));
    const size_t pixel = size_t(s.info().channels) * sizeof(double);
    const auto most = double(s.shares.region);

    // Coefficients, and rows that are filtered on the way to them, with the margins of an axis that is read whole.
    const double texel = regions.bytes_per_sampled_texel(),
                 coefficient = reach > 0 ? 2.0 * pixel_channels(s.info().channels) * sizeof(double) : 0;
    const BlockRegions::Bytes bytes = [&](const BlockRegion& block) {
        const auto kept = [reach](const AxisRegion& axis) { return double(axis.count) + (axis.whole ? 2 * reach : 0); };
        return block.region.samples() * texel + kept(block.region.x) * kept(block.region.y) * coefficient;
    };

    std::vector<std::byte> rendered;
    const auto compute = [&](const BlockRegion& read, const PixelRange& part) {
        if (stop.stop_requested()) throw Cancelled("cancelled");
        const auto resident = backend.upload(std::make_shared<const Image>(
            s.levels.region(regions.level(), address, read.region.x, read.region.y, stop)));
        BlockRegions::Part of_region = regions.part(read, backend, s.points);
        of_region.request.border = border;
        of_region.request.minus_border = true;
        of_region.request.tile_bytes = s.shares.region;
        const size_t row_bytes = size_t(read.pixels.width) * pixel;
        rendered.resize(row_bytes * size_t(read.pixels.height));
        const auto memory = s.output.at_least(backend, rendered.size());
        backend.resample_reference(*resident, of_region.request, static_cast<double*>(memory.get()));
        backend.read_back(rendered.data(), memory.get(), rendered.size());
        for (int j = part.y; j < part.y + part.height; ++j)
            std::memcpy(
                values + (size_t(j - first) * size_t(width) + size_t(part.x)) * size_t(s.info().channels),
                rendered.data() + size_t(j - read.pixels.y) * row_bytes + size_t(part.x - read.pixels.x) * pixel,
                size_t(part.width) * pixel);
    };
    // The pixels of a block, and their copy on the host, take half of their part of the memory.
    const int side =
        int(std::clamp<size_t>(s.shares.rows / 4 / (size_t(std::min(count, block_side)) * pixel), 1, block_side));
    for (int row = first; row < end; row += block_side)
        for (int column = 0; column < width; column += side) {
            const int height = std::min(block_side, end - row), next = column + side;
            if (next < width) regions.ask({next, row, std::min(side, width - next), height}, most, bytes, *s.tiles);
            regions.divide({column, row, std::min(side, width - column), height}, most, bytes, compute);
        }
}

TiledRegions::TiledRegions(std::shared_ptr<Backend> backend, std::shared_ptr<const TileSource> tiles,
                           const TiledOptions& options)
    : backend_(std::move(backend)), tiles_(std::move(tiles)), options_(options), tiled_(backend_, tiles_, options) {}

void TiledRegions::move_to(const std::shared_ptr<Backend>& backend) {
    backend_ = backend;
    tiled_ = TiledImage(backend_, tiles_, options_);
}

bool TiledRegions::render(const PlannedRequest& planned, const RenderTarget& target) {
    auto* const to = static_cast<std::byte*>(target.pixels);
    tiled_.render(planned, target.format,
                  [&](const Image& rows, int first) {
                      for (int y = 0; y < rows.height(); ++y)
                          backend_->write(to + size_t(first + y) * target.row_bytes, rows.row(y), rows.row_bytes());
                  },
                  {.progress = {}, .stop = StoppableLoops::of_this_thread()});
    return true;
}

bool TiledRegions::render_reference(const PlannedRequest& planned, double* values, bool) {
    const int width = planned.width, height = planned.height;
    const size_t row = size_t(width) * size_t(info().channels);
    TiledReference reference(tiled_);
    std::vector<double> rows;
    for (int first = 0; first < height; first += block_side) {
        const int count = std::min(block_side, height - first);
        rows.resize(row * size_t(count));
        reference.rows(planned, first, count, rows.data(), StoppableLoops::of_this_thread());
        backend_->write(values + size_t(first) * row, rows.data(), rows.size() * sizeof(double));
    }
    return true;
}

bool TiledRegions::texels(const PlannedRequest&, const SampleRegion&, std::vector<float>&) {
    throw Error("single texels of an image that is not in memory are only read in a region");
}

}  // namespace texelscope
