#include "app/picture/inspect/profile_plot.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/drawing/pane_colours.h"
#include "app/picture/inspect/profile.h"

namespace texelscope {

void fit_axis(PlotAxis& axis, const std::vector<Series>& series, double least) {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const Series& one : series)
        for (const double y : one.y)
            if (std::isfinite(y)) {
                low = std::min(low, y);
                high = std::max(high, y);
            }
    if (!(low <= high)) {
        low = 0;
        high = 1;
    }
    const double missing = std::max(least - (high - low), 0.0) / 2, room = 0.06 * std::max(high - low, least);
    axis.minimum = low - missing - room;
    axis.maximum = high + missing + room;
}

std::string value_axis(const ValueScale& scale) {
    return scale.range().empty() ? "value" : "value (" + scale.range() + ")";
}

Plot profile_plot(const ProfileReport& p, int channel, const ValueScale& scale) {
    Plot plot;
    plot.x = {.label = p.axis, .minimum = p.from, .maximum = p.to};
    plot.y.label = value_axis(scale);
    for (const ProfileReport::Curve& curve : p.curves) {
        Series series{
            .name = pane_name(curve.pane), .x = p.at, .style = pane_style(curve.pane), .ink = pane_ink(curve.pane)};
        for (const auto& value : curve.values)
            series.y.push_back(scale.factor() * profile_value(value, p.channels, p.has_alpha, channel));
        plot.series.push_back(std::move(series));
    }
    Series stored{.name = "stored", .style = Series::Style::dots, .ink = Ink::grey};
    for (const auto& sample : p.stored) {
        stored.x.push_back(sample.at);
        stored.y.push_back(scale.factor() * profile_value(sample.value, p.channels, p.has_alpha, channel));
    }
    plot.series.push_back(std::move(stored));
    double size = 1e-6;
    for (const Series& one : plot.series)
        for (const double y : one.y)
            if (std::isfinite(y)) size = std::max(size, std::abs(y));
    fit_axis(plot.y, plot.series, size * 1e-5);  // float32 rounding is not structure
    return plot;
}

}  // namespace texelscope
