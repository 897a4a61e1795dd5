#include "gpu/tiles/tiled_levels.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <span>

#include "gpu/backend/source_state.h"
#include "gpu/core/errors.h"
#include "gpu/core/pixel.h"
#include "gpu/core/text.h"
#include "gpu/core/tile_source.h"

namespace texelscope {
namespace {

// While a tile is made, a region of each finer level is in memory, and two copies of one of them.
int side_of_tiles(const ImageInfo& info, int levels, size_t working_bytes) {
    const size_t texel = size_t(info.channels) * sizeof(float),
                 wide = size_t(pixel_channels(info.channels)) * sizeof(float);
    int side = 256;
    const auto needed = [&] {
        const size_t region = 2 * size_t(side) + 16;
        return region * region * (texel * size_t(levels) + 2 * wide);
    };
    while (side > 16 && needed() > working_bytes) side /= 2;
    return side;
}

// Samples of each side that the widened filter reads, of a level whose samples are `step` apart.
int reduction_reach(double step) { return int(std::ceil(reduction_method().taps / 2.0 * step)) + 2; }

AxisRegion region_of_part(AddressMode mode, int n, bool halves, int64_t first, int count) {
    const LevelAxis axis(mode, n, halves ? (n + 1) / 2 : n);
    const double start = axis.step() / 2 - axis.before, step = axis.step();
    return axis_region(mode, n, {start + step * double(first), start + step * double(first + count - 1)},
                       reduction_reach(step));
}

// Three channels become four, as those of a resident level.
Image padded_to_four(const Image& image) {
    Image result(image.width(), image.height(), 4, SampleType::f32);
    for (int y = 0; y < image.height(); ++y) {
        const float* from = image.row_as<float>(y);
        float* to = result.row_as<float>(y);
        for (int x = 0; x < image.width(); ++x) std::copy_n(from + 3 * x, 3, to + 4 * x);
    }
    return result;
}

// All texels of an image of the backend, without those channels that only pad them.
Image read_back(Backend& backend, const ResidentImage& image, int channels, Alpha alpha) {
    Resampling whole;  // nearest reads exactly the texel at whole positions
    whole.spec = default_spec(parse_method("nearest"));
    whole.width = image.width();
    whole.height = image.height();
    Image all(image.width(), image.height(), image.channels(), SampleType::f32, alpha);
    const std::shared_ptr<void> memory = backend.allocate(all.size_bytes());
    backend.resample(image, whole, {memory.get(), all.row_bytes(), RenderTarget::Format::floats, no_timer});
    backend.read_back(all.data(), memory.get(), all.size_bytes());
    if (all.channels() == channels) return all;
    Image result(image.width(), image.height(), channels, SampleType::f32, alpha);
    for (int y = 0; y < all.height(); ++y)
        for (int x = 0; x < all.width(); ++x)
            std::copy_n(all.row_as<float>(y) + x * all.channels(), channels, result.row_as<float>(y) + x * channels);
    return result;
}

// Minus the border, but for what is beyond it.
void subtract(Image& image, const ImageRegion& region, const BorderPixel& border) {
    const auto rows = runs_of(region.y, region.address.y, region.height);
    for (const RegionRun& run : runs_of(region.x, region.address.x, region.width))
        for (const RegionRun& of_rows : rows)
            for (int y = of_rows.at; y < of_rows.at + of_rows.count && run.stored >= 0 && of_rows.stored >= 0; ++y) {
                float* texel = image.row_as<float>(y) + run.at * image.channels();
                for (int x = 0; x < run.count; ++x)
                    for (int c = 0; c < image.channels(); ++c) *texel++ -= border.v[c];
            }
}

void copy_part(const Image& image, int x, int y, const SampleRegion& part, std::byte* to, size_t row_bytes) {
    const size_t texel = size_t(image.channels()) * sizeof(float);
    for (int j = 0; j < part.height; ++j)
        std::memcpy(to + size_t(j) * row_bytes, image.row(y + j) + size_t(x) * texel, size_t(part.width) * texel);
}

// Regions that are a rectangle together become one.
std::vector<SampleRegion> joined(std::vector<SampleRegion> regions) {
    const auto join = [](SampleRegion& a, const SampleRegion& b) {
        const bool beside = a.y == b.y && a.height == b.height && a.x + a.width == b.x,
                   below = a.x == b.x && a.width == b.width && a.y + a.height == b.y;
        if (beside) a.width += b.width;
        if (below) a.height += b.height;
        return beside || below;
    };
    for (bool again = true; again;) {
        again = false;
        for (size_t i = 0; i < regions.size() && !again; ++i)
            for (size_t k = 0; k < regions.size() && !again; ++k)
                if (i != k && join(regions[i], regions[k])) {
                    regions.erase(regions.begin() + ptrdiff_t(k));
                    again = true;
                }
    }
    return regions;
}

}  // namespace

TiledLevels::TiledLevels(std::shared_ptr<Backend> backend, std::shared_ptr<TileCache> samples, Light light,
                         size_t kept_bytes, size_t working_bytes, std::shared_ptr<LevelStore> store)
    : backend_(std::move(backend)),
      samples_(std::move(samples)),
      store_(std::move(store)),
      light_(light),
      limit_(kept_bytes),
      working_bytes_(working_bytes) {}

Extent TiledLevels::extent(Level level) const {
    const ImageInfo& info = samples_->source().info();
    return {halved(info.width, level.x), halved(info.height, level.y)};
}

BorderPixel border_of(const ImageInfo& info, const AddressPair& address, Light light) {
    if (!address.has_border()) return {};
    return border_pixel(address.border, info.channels, info.alpha != Alpha::none, light == Light::linear);
}

Image TiledLevels::region(Level level, const AddressPair& address, const AxisRegion& x, const AxisRegion& y,
                          const std::stop_token& stop) {
    tile_ = side_of_tiles(samples_->source().info(), std::max(level.x, level.y), working_bytes_);
    return region_of(level, address, x, y, stop);
}

Image TiledLevels::region_of(Level level, const AddressPair& address, const AxisRegion& x, const AxisRegion& y,
                             const std::stop_token& stop) {
    if (stop.stop_requested()) throw Cancelled("cancelled");
    const ImageInfo& info = samples_->source().info();
    const Extent size = extent(level);
    const ImageRegion extended{x, y, size.width, size.height, address_on(level, address)};
    if (level == Level{}) {
        const TileSource& source = samples_->source();
        const bool alone = is_read_alone(extended, source);
        Image stored = assembled(extended, info.channels, info.type, info.alpha,
                                 [&](const SampleRegion& region, std::byte* to, size_t row_bytes) {
                                     if (alone && !samples_->ready(0, region)) source.read(0, region, to, row_bytes);
                                     else read_stored(region, to, row_bytes, stop);
                                 });
        stored.set_profile(info.profile);
        const BorderPixel beyond = border(address);
        if (light_ == Light::linear) stored = linear_light(stored);
        if (beyond.is_zero()) return stored;
        Image difference = converted(premultiplied(stored), SampleType::f32);
        subtract(difference, extended, beyond);
        return difference;
    }
    const Alpha alpha = info.alpha == Alpha::none ? Alpha::none : Alpha::premultiplied;
    return assembled(extended, info.channels, SampleType::f32, alpha,
                     [&](const SampleRegion& region, std::byte* to, size_t row_bytes) {
                         read(level, address, region, to, row_bytes, stop);
                     });
}

// A row of tiles at a time: in between it can be given up.
void TiledLevels::read_stored(const SampleRegion& region, std::byte* to, size_t row_bytes,
                              const std::stop_token& stop) {
    const int64_t side = samples_->source().tile(), end = region.y + region.height;
    samples_->ask(0, region);
    for (int64_t y = region.y; y < end;) {
        if (stop.stop_requested()) throw Cancelled("cancelled");
        const int64_t next = std::min((y / side + 1) * side, end);
        samples_->read(0, {region.x, y, region.width, int(next - y)}, to + size_t(y - region.y) * row_bytes, row_bytes);
        y = next;
    }
}

// A tile of which only an edge is wanted is not made: at its other end, another one's edge would be, and so on.
void TiledLevels::read(Level level, const AddressPair& address, const SampleRegion& region, std::byte* to,
                       size_t row_bytes, const std::stop_token& stop) {
    const size_t texel = size_t(samples_->source().info().channels) * sizeof(float);
    const auto place = [&](const SampleRegion& part) {
        return to + size_t(part.y - region.y) * row_bytes + size_t(part.x - region.x) * texel;
    };
    const LevelKind kind = this->kind(level, address);
    struct Missing {
        Key key;
        SampleRegion tile, part;
        int64_t column, row;
    };
    std::vector<Missing> missing;
    std::vector<SampleRegion> edges;
    for (int64_t row = region.y / tile_; row * tile_ < region.y + region.height; ++row)
        for (int64_t column = region.x / tile_; column * tile_ < region.x + region.width; ++column) {
            const SampleRegion tile = kind.tile(column, row);
            SampleRegion part;
            part.x = std::max(tile.x, region.x);
            part.y = std::max(tile.y, region.y);
            part.width = int(std::min(tile.x + tile.width, region.x + region.width) - part.x);
            part.height = int(std::min(tile.y + tile.height, region.y + region.height) - part.y);
            const Key key{level.x, level.y, int(address.x), int(address.y), kind.border, tile_, column, row};
            std::shared_ptr<const Image> samples = kept(key);
            if (!samples && (samples = stored(kind, column, row))) keep(key, samples);
            if (samples) copy_part(*samples, int(part.x - tile.x), int(part.y - tile.y), part, place(part), row_bytes);
            else if (4.0 * part.width * part.height >= double(tile.width) * tile.height)
                missing.push_back({key, tile, part, column, row});
            else edges.push_back(part);
        }
    for (size_t i = 0; i < missing.size(); ++i) {
        const auto& [key, tile, part, column, row] = missing[i];
        const SampleRegion* const next = i + 1 < missing.size() ? &missing[i + 1].tile : nullptr;
        const auto samples = std::make_shared<const Image>(made(level, address, tile, stop, next));
        if (store_) store_->put(kind, column, row, *samples);
        keep(key, samples);
        copy_part(*samples, int(part.x - tile.x), int(part.y - tile.y), part, place(part), row_bytes);
    }
    for (const SampleRegion& part : joined(std::move(edges)))
        copy_part(made(level, address, part, stop, nullptr), 0, 0, part, place(part), row_bytes);
}

ImageRegion TiledLevels::region_under(Level level, const AddressPair& address, const SampleRegion& region) const {
    const Level finer = before(level);
    const Reduction axes = last_step_to(level);
    const AddressPair on_finer = address_on(finer, address);
    const Extent size = extent(finer);
    return {region_of_part(on_finer.x, size.width, axes.x, region.x, region.width),
            region_of_part(on_finer.y, size.height, axes.y, region.y, region.height), size.width, size.height,
            on_finer};
}

Image TiledLevels::made(Level level, const AddressPair& address, const SampleRegion& region,
                        const std::stop_token& stop, const SampleRegion* next) {
    const ImageRegion under = region_under(level, address, region);
    const Level finer = before(level);
    Image samples = region_of(finer, address, under.x, under.y, stop);
    if (next && finer == Level{})  // its tiles are decoded meanwhile
        for (const SampleRegion& soon : regions_of(region_under(level, address, *next))) samples_->ask(0, soon);
    const int channels = samples.channels();
    const Alpha alpha = samples.alpha() == Alpha::none ? Alpha::none : Alpha::premultiplied;
    const bool padded = finer != Level{} || !border(address).is_zero();  // as what is resident
    if (padded && channels == 3) samples = padded_to_four(samples);
    const auto resident = backend_->upload(std::make_shared<const Image>(std::move(samples)));
    const ReducedPart part{under.width, under.height, under.x.first, under.y.first, region};
    const auto reduced =
        backend_->reduce_part(*resident, under.own_address(), under.address, last_step_to(level), part);
    return read_back(*backend_, *reduced, channels, alpha);
}

LevelKind TiledLevels::kind(Level level, const AddressPair& address) {
    const ImageInfo& info = samples_->source().info();
    if (store_ && !maker_) maker_ = level_maker(backend_, info, light_);
    const BorderPixel beyond = border(address);
    return {level,
            extent(level),
            info.channels,
            tile_,
            address.x,
            address.y,
            {beyond.v[0], beyond.v[1], beyond.v[2], beyond.v[3]},
            light_,
            maker_.value_or(0)};
}

// Null if the store has none.
std::shared_ptr<const Image> TiledLevels::stored(const LevelKind& kind, int64_t column, int64_t row) {
    if (!store_) return nullptr;
    const Alpha alpha = samples_->source().info().alpha == Alpha::none ? Alpha::none : Alpha::premultiplied;
    const SampleRegion tile = kind.tile(column, row);
    const auto samples = std::make_shared<Image>(tile.width, tile.height, kind.channels, SampleType::f32, alpha);
    return store_->find(kind, column, row, *samples) ? samples : nullptr;
}

std::shared_ptr<const Image> TiledLevels::kept(const Key& key) {
    const auto at = tiles_.find(key);
    if (at == tiles_.end()) return nullptr;
    uses_.splice(uses_.begin(), uses_, at->second.use);
    return at->second.samples;
}

void TiledLevels::keep(const Key& key, std::shared_ptr<const Image> samples) {
    const size_t size = samples->size_bytes();
    while (bytes_ + size > limit_ && !uses_.empty()) {
        const auto oldest = tiles_.find(uses_.back());
        bytes_ -= oldest->second.samples->size_bytes();
        tiles_.erase(oldest);
        uses_.pop_back();
    }
    if (bytes_ + size > limit_ || tiles_.contains(key)) return;
    uses_.push_front(key);
    tiles_.emplace(key, Kept{std::move(samples), uses_.begin()});
    bytes_ += size;
}

namespace {

constexpr size_t enough = size_t(1) << 20;  // bytes, for each of its caches

std::shared_ptr<const Image> noise_like(const ImageInfo& image) {
    Image bytes(45, 38, image.channels, SampleType::u8, image.alpha);
    uint32_t random = 1;
    for (size_t i = 0; i < bytes.size_bytes(); ++i) {
        random = random * 1664525u + 1013904223u;  // Numerical Recipes
        bytes.data()[i] = std::byte(random >> 24);
    }
    Image noise = converted(bytes, image.type);
    noise.set_profile(image.profile);
    return std::make_shared<const Image>(std::move(noise));
}

}  // namespace

uint64_t level_maker(const std::shared_ptr<Backend>& backend, const ImageInfo& image, Light light) {
    const auto tiles = std::make_shared<TileCache>(std::make_shared<ImageTiles>(noise_like(image)), enough, 0);
    TiledLevels levels(backend, tiles, light, enough, enough);
    uint64_t hash = fnv1a(std::as_bytes(std::span(name_of(backend->info().kind))));
    for (const AddressMode mode : all_address_modes)
        for (const Level level : {Level{2, 1}, Level{1, 2}}) {  // by halving both axes, and then each alone
            const Extent size = levels.extent(level);
            const Image samples =
                levels.region(level, {mode, mode, {{0.5f}, 1}}, {0, size.width, true}, {0, size.height, true});
            hash = fnv1a({samples.data(), samples.size_bytes()}, hash);
        }
    return hash;
}

}  // namespace texelscope
