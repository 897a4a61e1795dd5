#include "gpu/tiles/tiled_image.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "gpu/backend/arguments.h"
#include "gpu/backend/border_sum.h"
#include "gpu/backend/scratch.h"
#include "gpu/core/colour_profile.h"
#include "gpu/core/errors.h"
#include "gpu/core/parallel.h"
#include "gpu/method/kernel_method.h"
#include "gpu/tiles/block_window.h"
#include "gpu/tiles/tiled_levels.h"

namespace texelscope {

namespace {

constexpr int block_side = 512;

// The memory's parts, in eighths: tiles of the file 2, tiles of levels 2, levels in the making 1, the rows of the output 1,
// a block's window with its coefficients 1; the rest is what threads, allocators and tables take.
struct Shares {
    explicit Shares(size_t memory) : tiles(memory / 4), levels(memory / 4), eighth(memory / 8) {}
    size_t tiles, levels, eighth;
};

}  // namespace

struct TiledImage::State {
    State(std::shared_ptr<Backend> on, std::shared_ptr<const TileSource> source, const TiledOptions& options)
        : backend(std::move(on)),
          light(is_linear(source->info().profile.get()) ? Light::stored : options.light),
          shares(options.memory),
          tiles(std::make_shared<TileCache>(std::move(source), shares.tiles)),
          levels(backend, tiles, light, shares.levels, shares.eighth, options.levels) {}

    std::shared_ptr<Backend> backend;
    Light light;
    Shares shares;
    std::shared_ptr<TileCache> tiles;
    TiledLevels levels;
    Scratch output, points;
    BorderSum border_sum;

    const ImageInfo& info() const { return tiles->source().info(); }
};

namespace {

// One request on its way through blocks.
class Rendering {
public:
    Rendering(const PlannedRequest& planned, const ImageInfo& info, Light light, TiledLevels& levels, TileCache& tiles,
              Backend& backend, Scratch& output, Scratch& points, BorderSum& border_sum, size_t window_bytes,
              RenderTarget::Format format, const Following& following)
        : planned_(planned),
          resampling_(planned.resampling),
          info_(info),
          levels_(levels),
          tiles_(tiles),
          backend_(backend),
          output_(output),
          points_(points),
          border_sum_(border_sum),
          border_(levels.border(resampling_.spec.address)),
          window_bytes_(window_bytes),
          format_(format),
          following_(following),
          level_(resampling_.reading.level),
          blocks_(planned, info, light == Light::linear, !border_.is_zero()) {}

    // Into the rows of the band, whose first is row first_row of the output.
    void render(const PixelRange& block, Image& band, int first_row) {
        if (following_.stop.stop_requested()) throw Cancelled("cancelled");
        const BlockWindow read = blocks_.of(block);
        const double bytes = blocks_.bytes(read);
        const bool too_large = bytes > double(window_bytes_);
        if (too_large || blocks_.is_sparse(read)) {
            if (block.width > 1 || block.height > 1) {
                for (const PixelRange& half : halves(block)) render(half, band, first_row);
                return;
            }
            if (too_large)
                throw OutOfMemory(
                    fmt::format("a pixel of this view needs {:.0f} MiB of samples and coefficients: more "
                                "than is set aside for them",
                                bytes / 0x1p20));
        }
        compute(read);
        copy(read, block, band, first_row);
    }

    // Has the tiles loaded that a block reads.
    void ask(const PixelRange& block) {
        if (level_ != Level{} || planned_.warp.kind != Warp::Kind::none) return;
        const BlockWindow read = blocks_.of(block);
        if (!read.points.empty() || blocks_.bytes(read) > double(window_bytes_)) return;
        for (const SampleRegion& region : regions_of(read.window)) tiles_.ask(0, region);
    }

private:
    void compute(const BlockWindow& read) {
        Image samples = levels_.window(level_, resampling_.spec.address, read.window.x, read.window.y, following_.stop);
        const auto resident = backend_.upload(std::make_shared<const Image>(std::move(samples)));
        Resampling part = blocks_.request(read, read.window);
        std::shared_ptr<void> pairs;
        if (!read.points.empty()) {
            const std::vector<double> points = counted_points(read, read.window);
            const size_t bytes = points.size() * sizeof(double);
            pairs = points_.at_least(backend_, bytes);
            backend_.write(pairs.get(), points.data(), bytes);
            part.points = PointsView::pairs(static_cast<double*>(pairs.get()), points.size() / 2);
        }
        const auto source = blocks_.prefilters() ? backend_.prefilter(*resident, part.spec) : resident;
        row_bytes_ = size_t(part.width) * pixel_bytes();
        const size_t bytes = row_bytes_ * size_t(part.height);
        const auto memory = output_.at_least(backend_, bytes);
        border_sum_.render(backend_, *source, part, border_, {memory.get(), row_bytes_, format_, no_timer},
                           [this](const ResidentImage& image, const Resampling& what, const RenderTarget& to) {
                               backend_.resample(image, what, to);
                           });
        rendered_.resize(bytes);
        backend_.read_back(rendered_.data(), memory.get(), bytes);
    }

    size_t pixel_bytes() const {
        return format_ == RenderTarget::Format::rgba8 ? 4 : size_t(info_.channels) * sizeof(float);
    }

    void copy(const BlockWindow& read, const PixelRange& block, Image& band, int first_row) const {
        const size_t pixel = pixel_bytes();
        for (int j = block.y; j < block.y + block.height; ++j)
            std::memcpy(
                band.row(j - first_row) + size_t(block.x) * pixel,
                rendered_.data() + size_t(j - read.pixels.y) * row_bytes_ + size_t(block.x - read.pixels.x) * pixel,
                size_t(block.width) * pixel);
    }

    const PlannedRequest& planned_;
    const Resampling& resampling_;
    const ImageInfo& info_;
    TiledLevels& levels_;
    TileCache& tiles_;
    Backend& backend_;
    Scratch &output_, &points_;
    BorderSum& border_sum_;
    BorderPixel border_;
    size_t window_bytes_;
    RenderTarget::Format format_;
    const Following& following_;
    Level level_;
    BlockWindows blocks_;
    std::vector<std::byte> rendered_;  // of the last block
    size_t row_bytes_ = 0;
};

}  // namespace

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
    if (kernel_of(*request.spec.method))
        throw Error(
            fmt::format("the kernel '{}' may read any sample, so it needs the whole image in memory: choose "
                        "another method",
                        request.spec.method->name));
    check_output_size(request.width, request.height);
    return result;
}

void TiledImage::render(const RenderRequest& request, RenderTarget::Format format, const RowSink& sink,
                        const Following& following) {
    render(plan(request), format, sink, following);
}

void TiledImage::render(const PlannedRequest& plan, RenderTarget::Format format, const RowSink& sink,
                        const Following& following) {
    State& s = *state_;
    const Resampling& request = plan.resampling;
    const StoppableLoops loops(following.stop);
    Rendering rendering(plan, info(), s.light, s.levels, *s.tiles, *s.backend, s.output, s.points, s.border_sum,
                        s.shares.eighth, format, following);
    const bool screen = format == RenderTarget::Format::rgba8;
    const int channels = screen ? 4 : info().channels;
    const SampleType type = screen ? SampleType::u8 : SampleType::f32;
    const Alpha alpha = screen ? Alpha::straight : info().alpha == Alpha::none ? Alpha::none : Alpha::premultiplied;
    const size_t row_bytes = size_t(request.width) * size_t(channels) * size_t(bytes_per_sample(type));
    const int together = int(std::clamp<size_t>(s.shares.eighth / row_bytes, 1, block_side));
    for (int row = 0; row < request.height; row += together) {
        Image band(request.width, std::min(together, request.height - row), channels, type, alpha);
        for (int column = 0; column < request.width; column += block_side) {
            const int width = std::min(block_side, request.width - column);
            if (const int next = column + width; next < request.width)
                rendering.ask({next, row, std::min(block_side, request.width - next), band.height()});
            rendering.render({column, row, width, band.height()}, band, row);
            const double done = double(row) * request.width + double(band.height()) * (column + width);
            if (following.progress) following.progress(done / (double(request.width) * request.height));
        }
        sink(band, row);
    }
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
