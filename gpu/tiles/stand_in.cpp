#include "gpu/tiles/stand_in.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "gpu/backend/job.h"

namespace texelscope {
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

StandIn::StandIn(std::shared_ptr<const ResidentImage> window, const ImageInfo& info, Level level,
                 const AddressPair& address, const ImageWindow& of_level)
    : samples_(std::move(window)), border_(address.border) {
    const auto axis = [](AddressMode of_image, int n, int on_level, const AxisWindow& part, AddressMode of_level_mode) {
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

bool StandIn::covers(const BlockWindow& block, const ReadPlan& reading) const {
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
    Resampling result = planned(request, shape, linear ? Light::linear : Light::stored).resampling;
    if (result.reading.level != Level{}) {
        request.antialias = false;
        result = planned(request, shape, linear ? Light::linear : Light::stored).resampling;
    }
    result.width = pixels.width;
    result.height = pixels.height;
    result.cut = cut_of(result.reading.positions, x_.whole, y_.whole, x_.first, y_.first, pixels.x, pixels.y);
    result.reading.positions = cut_positions(result.reading.positions, result.cut);
    return result;
}

}  // namespace texelscope
