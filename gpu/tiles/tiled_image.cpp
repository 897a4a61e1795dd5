#include "gpu/tiles/tiled_image.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include <fmt/format.h>

#include "gpu/backend/arguments.h"
#include "gpu/backend/border_sum.h"
#include "gpu/backend/job.h"
#include "gpu/backend/scratch.h"
#include "gpu/core/colour_profile.h"
#include "gpu/core/errors.h"
#include "gpu/core/parallel.h"
#include "gpu/core/pixel.h"
#include "gpu/method/kernel_method.h"
#include "gpu/method/output.h"
#include "gpu/reference/reference_job.h"
#include "gpu/tiles/tiled_levels.h"

namespace texelscope {

namespace work {
inline constexpr WorkName tiled_points{"points of a block"};
}

namespace {

constexpr int block_side = 512;

// The memory's parts, in eighths: tiles of the file 2, tiles of levels 2, levels in the making 1, the rows of the output 1,
// a block's window with its coefficients 1; the rest is what threads, allocators and tables take.
struct Shares {
    explicit Shares(size_t memory) : tiles(memory / 4), levels(memory / 4), eighth(memory / 8) {}
    size_t tiles, levels, eighth;
};

// What a block of the output reads.
struct BlockWindow {
    PixelRange pixels;  // of the output, computed: under a warp with neighbours, whose distances are its stretch
    ImageWindow window;
    std::vector<double> points;  // pairs, in indices of the window; empty: positions are affine
};

PositionRange within_extent(PositionRange range, Outside outside, int n, double beyond) {
    if (outside == Outside::extend) return range;
    const double more = outside == Outside::nan ? 0 : beyond;
    return {std::max(range.low, -more), std::min(range.high, n - 1 + more)};
}

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
          light_(light),
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
          size_(levels.extent(level_)),
          address_(address_on(level_, resampling_.spec.address)),
          reach_(window_reach(resampling_)) {}

    // Into the rows of the band, whose first is row first_row of the output.
    void render(const PixelRange& block, Image& band, int first_row) {
        if (following_.stop.stop_requested()) throw Cancelled("cancelled");
        const BlockWindow read = window_of(block);
        const double bytes = read.window.samples() * bytes_per_texel();
        const bool too_large = bytes > double(window_bytes_);
        if (too_large || is_sparse(read)) {
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
        const BlockWindow read = window_of(block);
        if (!read.points.empty() || read.window.samples() * bytes_per_texel() > double(window_bytes_)) return;
        for (const SampleRegion& region : regions_of(read.window)) tiles_.ask(0, region);
    }

private:
    // In the window's image and the copies that are made of it, its coefficients included.
    double bytes_per_texel() const {
        const bool stored = level_ == Level{};
        const int stored_bytes = stored ? bytes_per_sample(info_.type) : 4;
        const bool decoded = stored && (light_ == Light::linear || !border_.is_zero()),
                   multiplied = stored && info_.alpha == Alpha::straight;
        const int wide = pixel_channels(info_.channels);
        double bytes = info_.channels * stored_bytes + (decoded ? 4 * info_.channels : 0) +
                       (multiplied ? 8 * info_.channels : 0) + wide * (decoded || multiplied ? 4 : stored_bytes);
        if (is_prefiltered()) bytes += wide * (resampling_.spec.prefilter.half_float ? 6 : 4);
        return bytes;
    }

    bool is_prefiltered() const {
        return resampling_.reading.prefiltered && resampling_.spec.effective_prefilter().kind != Prefilter::Kind::none;
    }

    // Of the samples that lie between a block's pixels, most are read for nothing: smaller blocks read less, although each
    // costs something for itself.
    bool is_sparse(const BlockWindow& read) const {
        constexpr double each = 65536;  // samples that are read in the time that a block takes
        const double alone = (2.0 * reach_.x + 2) * (2.0 * reach_.y + 2);
        return read.window.samples() > 2.0 * read.pixels.width * read.pixels.height * (alone + each);
    }

    static std::array<PixelRange, 2> halves(const PixelRange& b) {
        if (b.width >= b.height) {
            const int left = b.width / 2;
            return {PixelRange{b.x, b.y, left, b.height}, PixelRange{b.x + left, b.y, b.width - left, b.height}};
        }
        const int top = b.height / 2;
        return {PixelRange{b.x, b.y, b.width, top}, PixelRange{b.x, b.y + top, b.width, b.height - top}};
    }

    BlockWindow window_of(const PixelRange& block) const {
        BlockWindow read;
        read.pixels = block;
        PositionRange x, y;
        if (planned_.warp.kind == Warp::Kind::none && corners(block, x, y)) {
            x = within_extent(x, resampling_.outside, size_.width, resampling_.reading.level_x.beyond());
            y = within_extent(y, resampling_.outside, size_.height, resampling_.reading.level_y.beyond());
        } else {
            if (resampling_.reading.local_stretch) read.pixels = with_neighbours(block);
            find_points(read, x, y);
        }
        const bool nothing = x.empty() || y.empty();  // all is outside
        const auto window = [&](AddressMode mode, int n, const PositionRange& range, int reach) {
            return nothing ? axis_window(mode, n, {0, 0}, 0) : axis_window(mode, n, range, reach);
        };
        read.window = {window(address_.x, size_.width, x, reach_.x), window(address_.y, size_.height, y, reach_.y),
                       size_.width, size_.height, address_};
        for (size_t k = 0; k < read.points.size(); k += 2) {
            read.points[k] -= double(read.window.x.first);
            read.points[k + 1] -= double(read.window.y.first);
        }
        return read;
    }

    // The positions of an affine view's block. False if they are too far away to be counted from a window.
    bool corners(const PixelRange& block, PositionRange& x, PositionRange& y) const {
        const Affine& p = resampling_.reading.positions;
        x = y = {INFINITY, -INFINITY};
        for (const double i : {double(block.x), block.x + block.width - 1.0})
            for (const double j : {double(block.y), block.y + block.height - 1.0}) {
                const double px = affine_position(p.xx, p.xy, p.x0, i, j), py = affine_position(p.yy, p.yx, p.y0, j, i);
                if (!(std::abs(px) < farthest_window && std::abs(py) < farthest_window)) return false;
                x = {std::min(x.low, px), std::max(x.high, px)};
                y = {std::min(y.low, py), std::max(y.high, py)};
            }
        return true;
    }

    // One more column and row, on the side where local_stretches() and steps_at() look.
    PixelRange with_neighbours(PixelRange block) const {
        const auto widen = [](int& first, int& count, int all) {
            if (first + count < all) ++count;
            else if (count == 1 && first > 0) --first, ++count;
        };
        widen(block.x, block.width, resampling_.width);
        widen(block.y, block.height, resampling_.height);
        return block;
    }

    // The positions of all pixels, of the level; what is read of them.
    void find_points(BlockWindow& read, PositionRange& x, PositionRange& y) const {
        const ReadPlan& reading = resampling_.reading;
        const Affine& a = reading.positions;
        const PixelRange& pixels = read.pixels;
        const bool warped_view = planned_.warp.kind != Warp::Kind::none;
        read.points.resize(2 * size_t(pixels.width) * size_t(pixels.height));
        parallel_for(work::tiled_points, pixels.height, 8, [&](int j) {
            double* pair = read.points.data() + 2 * size_t(j) * size_t(pixels.width);
            for (int i = 0; i < pixels.width; ++i, pair += 2) {
                const double column = double(pixels.x) + i, row = double(pixels.y) + j;
                Point p{affine_position(a.xx, a.xy, a.x0, column, row), affine_position(a.yy, a.yx, a.y0, row, column)};
                if (warped_view) {
                    p = warped(planned_.warp, p, info_.width, info_.height);
                    p = {reading.level_x.at(p.x), reading.level_y.at(p.y)};
                }
                pair[0] = p.x;
                pair[1] = p.y;
            }
        });
        x = y = {INFINITY, -INFINITY};
        for (size_t k = 0; k < read.points.size(); k += 2) {
            double &px = read.points[k], &py = read.points[k + 1];
            if (is_outside_axis(resampling_.outside, px, size_.width, reading.level_x.beyond()) ||
                is_outside_axis(resampling_.outside, py, size_.height, reading.level_y.beyond()))
                continue;
            px = near_enough(px, address_.x, size_.width, reach_.x);
            py = near_enough(py, address_.y, size_.height, reach_.y);
            if (px != px || py != py) continue;  // NaN
            x = {std::min(x.low, px), std::max(x.high, px)};
            y = {std::min(y.low, py), std::max(y.high, py)};
        }
    }

    // A position that reads the same and can be counted from a window; NaN if there is none.
    static double near_enough(double x, AddressMode mode, int n, int reach) {
        return std::abs(x) < farthest_window ? x : reduced_position(x, mode, n, reach);
    }

    void compute(const BlockWindow& read) {
        Image samples = levels_.window(level_, resampling_.spec.address, read.window.x, read.window.y, following_.stop);
        const auto resident = backend_.upload(std::make_shared<const Image>(std::move(samples)));
        Resampling part = resampling_;
        part.spec.address = read.window.own_address();
        part.width = read.pixels.width;
        part.height = read.pixels.height;
        part.cut = cut_of(resampling_.reading.positions, size_.width, size_.height, double(read.window.x.first),
                          double(read.window.y.first), read.pixels.x, read.pixels.y);
        std::shared_ptr<void> pairs;
        if (read.points.empty()) {
            part.reading.positions = cut_positions(resampling_.reading.positions, part.cut);
        } else {
            const size_t bytes = read.points.size() * sizeof(double);
            pairs = points_.at_least(backend_, bytes);
            backend_.write(pairs.get(), read.points.data(), bytes);
            part.points = PointsView::pairs(static_cast<double*>(pairs.get()), read.points.size() / 2);
        }
        const auto source = is_prefiltered() ? backend_.prefilter(*resident, part.spec) : resident;
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
    Light light_;
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
    Extent size_;          // of the level
    AddressPair address_;  // of the level
    WindowReach reach_;
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
    State& s = *state_;
    const PlannedRequest plan = this->plan(request);
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
