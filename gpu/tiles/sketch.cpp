#include "gpu/tiles/regions.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "gpu/backend/job.h"
#include "gpu/core/errors.h"
#include "gpu/core/parallel.h"

namespace texelscope {

namespace work {
inline constexpr WorkName sketch_rows{"rows of a sketch"};
}

namespace {

// Whether cells are so large that each has a tile of its own; `region`: theirs, of a level.
bool takes_one_tile(const TileSource& source, const SketchPlan& plan, const SampleRegion& region) {
    const double side = 1.5 * source.tile();
    return region.width > side * plan.width && region.height > side * plan.height;
}

// Where cell k of `cells` begins, of `count` samples from `first` on.
int64_t edge(int64_t first, int count, int cells, int k) { return first + int64_t(count) * k / cells; }

// The region of a plan, of a level of the file.
SampleRegion region_of_level(const TileSource& source, const SketchPlan& plan, int level) {
    if (level == 0) return plan.region;
    const ImageInfo& info = source.info();
    const Extent extent = source.level_extent(level);
    const auto scaled = [](int64_t first, int count, int all, int of_level, int64_t& to, int& n) {
        const double ratio = double(of_level) / all;
        to = std::clamp<int64_t>(int64_t(std::floor(double(first) * ratio)), 0, of_level - 1);
        n = int(std::clamp<int64_t>(std::llround(count * ratio), 1, of_level - to));
    };
    SampleRegion region;
    scaled(plan.region.x, plan.region.width, info.width, extent.width, region.x, region.width);
    scaled(plan.region.y, plan.region.height, info.height, extent.height, region.y, region.height);
    return region;
}

class Sketching {
public:
    Sketching(TileCache& tiles, Light light, const SketchPlan& plan, bool quickly, const std::stop_token& stop)
        : tiles_(tiles),
          source_(tiles.source()),
          light_(light),
          plan_(plan),
          stop_(stop),
          level_(level_of_sketch(source_, plan)),
          any_region_(level_ == 0 && source_.reads_any_region()),
          single_(quickly && any_region_ && plan.step_x() > most_read_for_one),
          region_(region_of_level(source_, plan_, level_)),
          by_tile_(quickly && !any_region_ && takes_one_tile(source_, plan_, region_)),
          cells_(plan.width, plan.height, source_.info().channels, SampleType::f32,
                 source_.info().alpha == Alpha::none ? Alpha::none : Alpha::premultiplied) {}

    Image made() {
        if (any_region_) {
            const int together = single_ ? plan_.width : cells_of(1 << 16);
            parallel_for(work::sketch_rows, plan_.height, 4, [&](int row) {
                for (int first = 0; first < plan_.width; first += together)
                    fill(row, first, std::min(first + together, plan_.width));
            });
            return std::move(cells_);
        }
        if (by_tile_) {
            for (int row = 0; row < plan_.height; ++row) {
                for (int k = 0; k < plan_.width; ++k) tiles_.ask(level_, part_of_tile(k, row));
                for (int k = 0; k < plan_.width; ++k) fill_by_tile(k, row);
            }
            return std::move(cells_);
        }
        // Tiles are read once each, and few of them are needed at a time: columns of cells, from the left.
        const int together = cells_of(2048);
        for (int first = 0; first < plan_.width; first += together)
            for (int row = 0; row < plan_.height; ++row) fill(row, first, std::min(first + together, plan_.width));
        return std::move(cells_);
    }

private:
    // How many cells in a row there are in so many samples.
    int cells_of(int samples) const { return std::max(1, int(double(samples) * plan_.width / region_.width)); }

    static constexpr double most_read_for_one = 48;  // samples of a row that take as long as a single one

    void read(const SampleRegion& region, Image& to) const {
        if (any_region_) source_.read(0, region, to.data(), to.row_bytes());
        else tiles_.read(level_, region, to.data(), to.row_bytes());
    }

    // Some rows of the tile in a cell's middle.
    SampleRegion part_of_tile(int k, int row) const {
        constexpr int most_rows = 16;
        const int side = source_.tile();
        const auto part = [&](int64_t first, int count, int cells, int cell, int most, int64_t& from, int& n) {
            const int64_t begin = edge(first, count, cells, cell), end = edge(first, count, cells, cell + 1);
            const int64_t tile = (begin + end) / 2 / side * side;
            const int64_t low = std::max(begin, tile), high = std::min(end, tile + side);
            n = int(std::min<int64_t>(high - low, most));
            from = (low + high - n) / 2;
        };
        SampleRegion region;
        part(region_.x, region_.width, plan_.width, k, side, region.x, region.width);
        part(region_.y, region_.height, plan_.height, row, most_rows, region.y, region.height);
        return region;
    }

    void fill_by_tile(int k, int row) {
        if (stop_.stop_requested()) throw Cancelled("cancelled");
        const SampleRegion part = part_of_tile(k, row);
        const ImageInfo& info = source_.info();
        Image samples(part.width, part.height, info.channels, info.type, info.alpha);
        read(part, samples);
        const Image values = computed_with(std::move(samples));
        mean(values, 0, values.width(), cells_.row_as<float>(row) + size_t(k) * size_t(values.channels()));
    }

    Image computed_with(Image samples) const {
        samples.set_profile(source_.info().profile);
        if (light_ == Light::linear) samples = linear_light(samples);
        return converted(premultiplied(samples), SampleType::f32);
    }

    // Cells begin … end − 1 of a row of them.
    void fill(int row, int begin, int end) {
        if (stop_.stop_requested()) throw Cancelled("cancelled");
        const ImageInfo& info = source_.info();
        const int64_t top = edge(region_.y, region_.height, plan_.height, row),
                      bottom = edge(region_.y, region_.height, plan_.height, row + 1);
        // Rows that are read anyhow, of tiles and levels, all count.
        const int rows = any_region_ ? 1 : int(std::clamp<int64_t>(bottom - top, 1, 8));
        const int64_t y = std::clamp((top + bottom - rows) / 2, region_.y, region_.y + region_.height - rows);
        const int64_t left = edge(region_.x, region_.width, plan_.width, begin);
        const int64_t right = std::max(edge(region_.x, region_.width, plan_.width, end), left + 1);
        Image samples(single_ ? end - begin : int(right - left), rows, info.channels, info.type, info.alpha);
        if (single_) {
            Image sample(1, 1, info.channels, info.type, info.alpha);
            const size_t bytes = sample.size_bytes();
            for (int k = begin; k < end; ++k) {
                const int64_t x = (edge(region_.x, region_.width, plan_.width, k) +
                                   edge(region_.x, region_.width, plan_.width, k + 1)) /
                                  2;
                read({x, y, 1, 1}, sample);
                std::copy_n(sample.data(), bytes, samples.data() + size_t(k - begin) * bytes);
            }
        } else {
            read({left, y, int(right - left), rows}, samples);
        }
        average(computed_with(std::move(samples)), left, row, begin, end);
    }

    void average(const Image& samples, int64_t left, int row, int begin, int end) {
        const int channels = samples.channels();
        float* cell = cells_.row_as<float>(row) + size_t(begin) * size_t(channels);
        for (int k = begin; k < end; ++k) {
            int from = k - begin, to = from + 1;
            if (!single_) {
                from = int(edge(region_.x, region_.width, plan_.width, k) - left);
                to = std::max(int(edge(region_.x, region_.width, plan_.width, k + 1) - left), from + 1);
                from = std::min(from, samples.width() - 1);
                to = std::min(to, samples.width());
            }
            mean(samples, from, to, cell);
            cell += channels;
        }
    }

    // The mean of columns from … to − 1.
    static void mean(const Image& samples, int from, int to, float* cell) {
        const int channels = samples.channels();
        for (int c = 0; c < channels; ++c) {
            double sum = 0;
            for (int y = 0; y < samples.height(); ++y) {
                const float* at = samples.row_as<float>(y) + c;
                for (int x = from; x < to; ++x) sum += double(at[size_t(x) * size_t(channels)]);
            }
            *cell++ = float(sum / (double(to - from) * samples.height()));
        }
    }

    TileCache& tiles_;
    const TileSource& source_;
    Light light_;
    const SketchPlan& plan_;
    const std::stop_token& stop_;
    int level_;
    bool any_region_, single_;
    SampleRegion region_;  // of the level
    bool by_tile_;
    Image cells_;
};

}  // namespace

int level_of_sketch(const TileSource& source, const SketchPlan& plan) {
    const ImageInfo& info = source.info();
    int best = 0;
    for (int level = 1; level < source.levels(); ++level) {
        const Extent extent = source.level_extent(level);
        const bool fine_enough = double(info.width) / extent.width <= 1.01 * plan.step_x() &&
                                 double(info.height) / extent.height <= 1.01 * plan.step_y();
        if (fine_enough && extent.width < source.level_extent(best).width) best = level;
    }
    return best;
}

SketchPlan sketch_of_all(const ImageInfo& info, int side) {
    const double step = std::max(1.0, double(std::max(info.width, info.height)) / side);
    const auto cells = [&](int samples) { return std::clamp(int(std::lround(samples / step)), 1, samples); };
    return {{0, 0, info.width, info.height}, cells(info.width), cells(info.height)};
}

Image sketched(TileCache& tiles, Light light, const SketchPlan& plan, bool quickly, const std::stop_token& stop) {
    return Sketching(tiles, light, plan, quickly, stop).made();
}

SketchPlan affordable(const TileSource& source, const SketchPlan& plan, double most) {
    const double cost = cost_of_sketch(source, plan, true), tile = double(source.tile()) * source.tile();
    if (cost <= most) return plan;
    const double cells = std::max(1.0, most / tile), part = std::sqrt(cells / (double(plan.width) * plan.height));
    SketchPlan result = plan;
    const auto fewer = [](int all, double wanted) { return std::clamp(int(wanted), 1, all); };
    result.height = fewer(plan.height, plan.height * part);
    result.width = fewer(plan.width, std::min(plan.width * part, cells / result.height));
    return result;
}

double cost_of_sketch(const TileSource& source, const SketchPlan& plan, bool quickly) {
    const int level = level_of_sketch(source, plan);
    const SampleRegion region = region_of_level(source, plan, level);
    const double width = region.width, height = region.height;
    if (level == 0 && source.reads_any_region())
        return plan.height * (quickly ? std::min(width, 48.0 * plan.width) : width);
    if (!quickly || !takes_one_tile(source, plan, region)) return width * height;
    return double(plan.width) * plan.height * source.tile() * source.tile();
}

namespace {

// From samples of a level to those of the image.
double on_image(const LevelAxis& level, double x) {
    const bool image_itself = level.samples == level.divided && level.before == 0.5;
    return image_itself ? x : (x + 0.5) * level.step() - level.before;
}

}  // namespace

StandIn::StandIn(std::shared_ptr<const ResidentImage> sketch, const ImageInfo& info, const SketchPlan& plan,
                 const AddressPair& address)
    : samples_(std::move(sketch)), border_(address.border) {
    const AddressPair on_cells = address_on({1, 1}, address);
    const auto axis = [](int64_t first, int samples, int of, int cells, AddressMode mode) {
        Axis result;
        result.ratio = double(cells) / samples;
        result.before = 0.5 - double(first);
        result.count = result.whole = cells;
        result.all = samples == of;
        result.address = result.all ? mode : AddressMode::clamp;
        return result;
    };
    x_ = axis(plan.region.x, plan.region.width, info.width, plan.width, on_cells.x);
    y_ = axis(plan.region.y, plan.region.height, info.height, plan.height, on_cells.y);
    partial_sketch_ = !x_.all || !y_.all;
}

StandIn::StandIn(std::shared_ptr<const ResidentImage> region, const ImageInfo& info, Level level,
                 const AddressPair& address, const ImageRegion& of_level)
    : samples_(std::move(region)), border_(address.border) {
    const auto axis = [](AddressMode of_image, int n, int on_level, const AxisRegion& part, AddressMode of_level_mode) {
        const LevelAxis along(of_image, n, on_level);
        Axis result;
        result.ratio = along.ratio();
        result.before = along.before;
        result.first = double(part.first);
        result.count = int(part.count);
        result.whole = on_level;
        result.all = part.whole;
        result.address = part.address(of_level_mode);
        return result;
    };
    x_ = axis(address.x, info.width, halved(info.width, level.x), of_level.x, of_level.address.x);
    y_ = axis(address.y, info.height, halved(info.height, level.y), of_level.y, of_level.address.y);
}

bool StandIn::covers(const Axis& axis, const LevelAxis& level, const PositionRange& range, double slack) const {
    if (axis.all || range.empty()) return true;
    const double low = axis.at(on_image(level, range.low)), high = axis.at(on_image(level, range.high));
    return low >= axis.first - 0.5 + slack && high <= axis.first + axis.count - 0.5 - slack;
}

bool StandIn::covers(const BlockRegion& block, const ReadPlan& reading) const {
    const double slack = partial_sketch_ ? 0 : 1;  // taps of a bilinear filter
    return covers(x_, reading.level_x, block.x, slack) && covers(y_, reading.level_y, block.y, slack);
}

double StandIn::unlikeness(const ReadPlan& reading) const {
    const Affine& p = reading.positions;
    const double step = std::sqrt(std::abs(p.xx * p.yy - p.xy * p.yx)) * reading.level_x.step();
    const double apart = std::log2(std::max(1 / x_.ratio, 1 / y_.ratio) / std::max(step, 1.0));
    return apart > 0 ? apart : -0.5 * apart;  // finer ones are sharp, but are shrunk with much work
}

Point StandIn::texel_at(Point on_level, const ReadPlan& reading) const {
    return {x_.at(on_image(reading.level_x, on_level.x)) - x_.first,
            y_.at(on_image(reading.level_y, on_level.y)) - y_.first};
}

Resampling StandIn::request(const Resampling& whole, const PixelRange& pixels, bool linear) const {
    RenderRequest request;
    request.spec = default_spec(parse_method("bilinear"));
    request.spec.address = {x_.address, y_.address, border_};
    request.outside = partial_sketch_ ? Outside::extend : whole.outside;
    request.width = whole.width;
    request.height = whole.height;
    request.antialias = true;
    const Affine& p = whole.reading.positions;
    const auto scale = [](const Axis& axis, const LevelAxis& level) {
        return axis.at(on_image(level, 1)) - axis.at(on_image(level, 0));
    };
    const double sx = scale(x_, whole.reading.level_x), sy = scale(y_, whole.reading.level_y);
    const double x0 = x_.at(on_image(whole.reading.level_x, p.x0)), y0 = y_.at(on_image(whole.reading.level_y, p.y0));
    request.positions = Affine{p.xx * sx, p.xy * sx, x0, p.yx * sy, p.yy * sy, y0};
    const ImageShape shape{x_.whole, y_.whole, false};
    Resampling result = planned(request, shape, linear ? Light::linear : Light::stored);
    if (result.reading.level != Level{}) {
        request.antialias = false;
        result = planned(request, shape, linear ? Light::linear : Light::stored);
    }
    result.width = pixels.width;
    result.height = pixels.height;
    result.cut = cut_of(result.reading.positions, x_.whole, y_.whole, x_.first, y_.first, pixels.x, pixels.y);
    result.reading.positions = cut_positions(result.reading.positions, result.cut);
    return result;
}

}  // namespace texelscope
