#include "gpu/tiles/tiled_image.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "gpu/backend/arguments.h"
#include "gpu/core/colour_profile.h"
#include "gpu/core/errors.h"
#include "gpu/core/parallel.h"
#include "gpu/tiles/tiled_state.h"

namespace texelscope {

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
        : resampling_(planned.resampling),
          state_(state),
          border_(state.levels.border(resampling_.spec.address)),
          windows_(planned, state.tiles->source(), state.light == Light::linear, !border_.is_zero()),
          format_(format),
          stop_(stop) {}

    // Into the rows of the band, whose first is row first_row of the output.
    void render(const PixelRange& block, Image& band, int first_row) {
        windows_.divide(block, most(), bytes_, [&](const BlockWindow& read, const PixelRange& part) {
            if (stop_.stop_requested()) throw Cancelled("cancelled");
            compute(read);
            copy(read, part, band, first_row);
        });
    }

    // Has the tiles loaded that a block reads.
    void ask(const PixelRange& block) { windows_.ask(block, most(), bytes_, *state_.tiles); }

private:
    double most() const { return double(state_.shares.window); }

    void compute(const BlockWindow& read) {
        Backend& backend = *state_.backend;
        Image samples =
            state_.levels.window(windows_.level(), resampling_.spec.address, read.window.x, read.window.y, stop_);
        const auto resident = backend.upload(std::make_shared<const Image>(std::move(samples)));
        const BlockWindows::Part part = windows_.part(read, backend, state_.points);
        const auto source = windows_.prefilters() ? backend.prefilter(*resident, part.request.spec) : resident;
        row_bytes_ = size_t(read.pixels.width) * pixel_bytes();
        const size_t bytes = row_bytes_ * size_t(read.pixels.height);
        const auto memory = state_.output.at_least(backend, bytes);
        state_.border_sum.render(backend, *source, part.request, border_,
                                 {memory.get(), row_bytes_, format_, no_timer});
        rendered_.resize(bytes);
        backend.read_back(rendered_.data(), memory.get(), bytes);
    }

    size_t pixel_bytes() const { return bytes_per_pixel(format_, state_.info().channels); }

    void copy(const BlockWindow& read, const PixelRange& block, Image& band, int first_row) const {
        const size_t pixel = pixel_bytes();
        for (int j = block.y; j < block.y + block.height; ++j)
            std::memcpy(
                band.row(j - first_row) + size_t(block.x) * pixel,
                rendered_.data() + size_t(j - read.pixels.y) * row_bytes_ + size_t(block.x - read.pixels.x) * pixel,
                size_t(block.width) * pixel);
    }

    const Resampling& resampling_;
    State& state_;
    BorderPixel border_;
    BlockWindows windows_;
    BlockWindows::Bytes bytes_ = [this](const BlockWindow& block) { return windows_.bytes(block); };
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
    RenderRequest acting = request;
    if (state_->levels.border(request.spec.address).is_zero()) acting.spec.address.border = {};
    PlannedRequest result = planned(acting, {info().width, info().height, false}, state_->light);
    check_reads_windows(request.spec);
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
    const int width = planned.resampling.width, end = first + count;
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
            if (following.progress) following.progress(done / (double(width) * planned.resampling.height));
        }
    }
    return band;
}

void TiledImage::render(const PlannedRequest& plan, RenderTarget::Format format, const RowSink& sink,
                        const Following& following) {
    State& s = *state_;
    const Resampling& request = plan.resampling;
    const size_t pixel = bytes_per_pixel(format, info().channels);
    const int together = int(std::clamp<size_t>(s.shares.rows / (size_t(request.width) * pixel), 1, block_side));
    for (int row = 0; row < request.height; row += together)
        sink(rows(plan, format, row, std::min(together, request.height - row), following), row);
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
    RenderRequest request;
    request.spec = spec;
    request.width = width;
    request.height = height;
    request.antialias = antialias;
    request.positions = aligned_affine(align, image.width, image.height, width, height);
    return request;
}

}  // namespace texelscope
