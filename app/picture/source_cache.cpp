#include "app/picture/source_cache.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/files/tiles/tile_folder.h"
#include "gpu/backend/source_image.h"
#include "gpu/core/parallel.h"
#include "gpu/tiles/live_regions.h"
#include "gpu/tiles/tiled_image.h"

namespace texelscope {

namespace work {
inline constexpr WorkName peak{"range of samples"};
}

SourceImage source_on(const std::shared_ptr<Backend>& backend, const std::shared_ptr<const Image>& image, Light light) {
    if (!image || image->in_memory()) return SourceImage(backend, image, light);
    const TiledOptions options{tiled_memory_aside, light, kept_levels(*image->tiles())};
    return SourceImage(backend, std::make_shared<TiledRegions>(backend, image->tiles(), options));
}

SourceImage& SourceCache::at(const std::shared_ptr<const Image>& image, Light light) {
    for (auto entry = entries_.begin(); entry != entries_.end(); ++entry)
        if (entry->image == image && entry->light == light) {
            entries_.splice(entries_.begin(), entries_, entry);
            entries_.front().kept.use();
            return entries_.front().source;
        }
    // If it does not fit, others are freed, except for the last one requested: it is on the screen.
    if (!live_ || !image || image->in_memory()) return add(image, light, source_on(backend_, image, light));
    forget_regions();
    auto levels = kept_levels(*image->tiles());
    auto regions = std::make_shared<LiveRegions>(backend_, image->tiles(),
                                                 LiveOptions{.light = light, .wake = wake_, .levels = levels});
    LiveRegions* const of_source = regions.get();
    SourceImage& source = add(image, light, SourceImage(backend_, std::move(regions)));
    entries_.front().regions = of_source;
    entries_.front().levels = std::move(levels);
    return source;
}

void SourceCache::show_live(const std::function<void()>& wake) {
    live_ = true;
    wake_ = wake;
    std::erase_if(entries_, [](const Entry& entry) { return entry.source.regions() && !entry.regions; });
}

// Forgets live regions that have not been on the screen for long: each takes as much memory as it may.
void SourceCache::forget_regions() {
    size_t kept = 0;
    for (auto entry = entries_.begin(); entry != entries_.end();) {
        const bool goes = entry->regions && ++kept >= shown_;
        entry = goes ? entries_.erase(entry) : std::next(entry);
    }
}

LiveRegions* SourceCache::regions_of(const std::shared_ptr<const Image>& image, Light light) const {
    const Entry* const entry = find(image, light);
    return entry ? entry->regions : nullptr;
}

void SourceCache::next_turn() {
    for (Entry& entry : entries_)
        if (entry.regions) entry.regions->next_turn();
}

size_t SourceCache::arrivals() {
    size_t all = 0;
    for (Entry& entry : entries_)
        if (entry.regions) all += entry.regions->arrivals();
    return all;
}

bool SourceCache::has_news() const {
    return std::any_of(entries_.begin(), entries_.end(),
                       [](const Entry& entry) { return entry.regions && entry.regions->has_news(); });
}

size_t SourceCache::coming() const {
    size_t all = 0;
    for (const Entry& entry : entries_)
        if (entry.regions) all += entry.regions->coming();
    return all;
}

double SourceCache::part_done() const {
    double part = 0;
    for (const Entry& entry : entries_)
        if (entry.regions) part = std::max(part, entry.regions->part_done());
    return part;
}

bool SourceCache::shows_levels_of_file() const {
    return std::any_of(entries_.begin(), entries_.end(),
                       [](const Entry& entry) { return entry.regions && entry.regions->shows_levels_of_file(); });
}

std::optional<std::string> SourceCache::take_problem() {
    for (Entry& entry : entries_) {
        if (!entry.regions) continue;
        if (auto problem = entry.regions->take_problem()) return problem;
        if (!entry.levels || entry.levels->why_not().empty()) continue;
        const auto levels = std::exchange(entry.levels, nullptr);
        return fmt::format("The smaller images that were made cannot be kept on disk: {}", levels->why_not());
    }
    return {};
}

SourceImage& SourceCache::add(const std::shared_ptr<const Image>& image, Light light, SourceImage source) {
    const size_t bytes = source.samples().size_bytes();
    entries_.push_front({image, light, std::move(source)});
    const auto at = entries_.begin();
    if (bytes > 0)
        at->kept = backend_->memory().keep(bytes, [this, at] {
            if (at != entries_.begin()) entries_.erase(at);
        });
    while (entries_.size() > capacity_) entries_.pop_back();
    return entries_.front().source;
}

const SourceCache::Entry* SourceCache::find(const std::shared_ptr<const Image>& image, Light light) const {
    for (const Entry& entry : entries_)
        if (entry.image == image && entry.light == light) return &entry;
    return nullptr;
}

bool SourceCache::has(const std::shared_ptr<const Image>& image, Light light) const {
    return find(image, light) != nullptr;
}

std::shared_ptr<SourceImage> SourceCache::shared_on(const std::shared_ptr<Backend>& backend,
                                                    const std::shared_ptr<const Image>& image, Light light) const {
    const Entry* entry = find(image, light);
    return entry && !entry->source.regions() ? std::make_shared<SourceImage>(entry->source.shared_on(backend))
                                             : nullptr;
}

void SourceCache::put(const std::shared_ptr<const Image>& image, Light light, SourceImage source) {
    if (source.regions()) return;  // nothing has been made that could be kept
    if (Entry* entry = find(image, light)) {
        entry->source.take_made(source);
        return;
    }
    source.move_to(backend_);
    add(image, light, std::move(source));
}

void SourceCache::put_all(SourceCache&& other) {
    std::list<Entry> entries = std::move(other.entries_);
    other.entries_.clear();
    for (Entry& entry : entries) {
        entry.kept = {};
        put(entry.image, entry.light, std::move(entry.source));
    }
}

double SourceCache::peak_at(const std::shared_ptr<const Image>& image, Light light) {
    at(image, light);
    Entry& entry = entries_.front();
    if (entry.peak == 0) entry.peak = peak_of(*image);
    return entry.peak;
}

FlipExposures SourceCache::exposures_at(const std::shared_ptr<const Image>& image, Light light) {
    at(image, light);
    Entry& entry = entries_.front();
    if (!entry.exposures) entry.exposures = exposures_of(*image);
    return *entry.exposures;
}

namespace {

// The range of finite values, in independent lanes that the compiler turns into vectors: an image may have 10⁹ of them.
struct Range {
    static constexpr size_t lanes = 16;
    std::array<float, lanes> low, high;
    Range() {
        low.fill(INFINITY);
        high.fill(-INFINITY);
    }
    void add(const float* values, size_t count) {
        size_t i = 0;
        for (; i + lanes <= count; i += lanes)
            for (size_t k = 0; k < lanes; ++k) add(values[i + k], k);
        for (; i < count; ++i) add(values[i], i % lanes);
    }
    void add(float v, size_t lane) {
        const bool finite = std::abs(v) <= std::numeric_limits<float>::max();
        low[lane] = finite && v < low[lane] ? v : low[lane];
        high[lane] = finite && v > high[lane] ? v : high[lane];
    }
    void join(const Range& other) {
        for (size_t k = 0; k < lanes; ++k) {
            low[k] = std::min(low[k], other.low[k]);
            high[k] = std::max(high[k], other.high[k]);
        }
    }
    double length() const {
        const double l = *std::min_element(low.begin(), low.end()), h = *std::max_element(high.begin(), high.end());
        return h - l;
    }
    double peak() const { return length() > 0 ? length() : 1; }
};

Range range_of(const Image& image) {
    Range range;
    const size_t row = size_t(image.width()) * size_t(image.channels());
    std::vector<float> values(image.type() == SampleType::f32 ? 0 : row);
    for (int y = 0; y < image.height(); ++y) {
        if (image.type() == SampleType::f32) {
            range.add(image.row_as<float>(y), row);
            continue;
        }
        read_floats(image.row(y), row, image.type(), values.data());
        range.add(values.data(), row);
    }
    return range;
}

}  // namespace

double peak_of(const Image& image) {
    if (is_normalised(image.type())) return 1;
    if (!image.in_memory()) return peak_of(*image.tiles(), peak_tiles_memory);
    return range_of(image).peak();
}

double peak_of(const TileSource& image, size_t memory) {
    const ImageInfo& info = image.info();
    if (is_normalised(info.type)) return 1;
    const int side = image.tile(), across = (info.width - 1) / side + 1;
    const size_t tile_bytes = size_t(side) * size_t(side) * size_t(info.channels) * size_t(bytes_per_sample(info.type));
    const int together = int(std::clamp<size_t>(memory / tile_bytes, 1, size_t(across)));
    std::vector<Range> ranges(static_cast<size_t>(together));
    for (int y = 0; y < info.height; y += side)
        parallel_for(work::peak, together, 1, [&](int first) {
            for (int k = first; k < across; k += together) {
                const SampleRegion region{int64_t(k) * side, y, std::min(side, info.width - k * side),
                                          std::min(side, info.height - y)};
                Image tile(region.width, region.height, info.channels, info.type);
                image.read(0, region, tile.row(0), tile.row_bytes());
                ranges[size_t(first)].join(range_of(tile));
            }
        });
    Range all;
    for (const Range& range : ranges) all.join(range);
    return all.peak();
}

}  // namespace texelscope
