#include "app/studies/methods_page/method_pictures.h"

#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "app/files/reading/image_source.h"
#include "app/picture/inspect/curves.h"
#include "gpu/backend/source_image.h"

namespace texelscope {
namespace {

constexpr double reach = 4;  // of the weight function's plot, samples to each side
constexpr int steps_per_sample = 40;
constexpr double floor_db = -100, ceiling_db = 10;
constexpr double highest_shown_frequency = 4;
constexpr int steps_per_cycle = 160;

// y over −reach … reach. A jump between two points (nearest) is drawn as a vertical line.
template <class Function> Series over_distance(Function y, const MethodInfo& method) {
    Series series;
    for (int i = -int(reach) * steps_per_sample; i <= reach * steps_per_sample; ++i) {
        const double x = double(i) / steps_per_sample;
        const bool jumps = method.smoothness < 0 && std::abs(x) == method.taps / 2.0;
        if (jumps) {
            const double before = y(x - 1e-9), after = y(x + 1e-9);
            series.x.insert(series.x.end(), {x, x});
            series.y.insert(series.y.end(), {before, after});
            continue;
        }
        series.x.push_back(x);
        series.y.push_back(y(x));
    }
    return series;
}

template <class Function> Series over_frequency(Function gain) {
    Series series;
    for (int i = 0; i <= highest_shown_frequency * steps_per_cycle; ++i) {
        const double f = double(i) / steps_per_cycle;
        series.x.push_back(f);
        series.y.push_back(decibels(gain(f)));
    }
    return series;
}

// The value 1 at the sample, 0 at all others: required of an interpolating method.
Series samples() {
    Series series{.style = Series::Style::dots, .ink = Ink::grey};
    for (int k = -int(reach); k <= reach; ++k) {
        series.x.push_back(k);
        series.y.push_back(k == 0 ? 1 : 0);
    }
    return series;
}

Series ideal_low_pass() {
    return {.name = "ideal", .x = {0, 0.5}, .y = {0, 0}, .style = Series::Style::area, .ink = Ink::grey};
}

Series named(Series series, const char* name, Series::Style style, Ink ink) {
    series.name = name;
    series.style = style;
    series.ink = ink;
    return series;
}

}  // namespace

Plot weight_plot(const MethodInfo& method) {
    const MethodCurves curves(method);
    Plot plot{.title = fmt::format("{}: weight function", method.name),
              .x = {.label = "distance from the sample (samples)", .minimum = -reach, .maximum = reach},
              .y = {.label = "weight", .minimum = -0.4, .maximum = 1.2, .ticks = {{0, "0"}, {0.5, "0.5"}, {1, "1"}}},
              .series = {samples()}};
    const auto weight = [&](double x) { return curves.weight(x); };
    plot.series.push_back(named(over_distance(weight, method), "weight function φ", Series::Style::line, Ink::blue));
    if (method.has_prefilter()) {
        const auto cardinal = [&](double x) { return curves.cardinal(x); };
        plot.series.push_back(
            named(over_distance(cardinal, method), "cardinal function", Series::Style::dashed, Ink::orange));
    }
    return plot;
}

Plot spectrum_plot(const MethodInfo& method) {
    const MethodCurves curves(method);
    Plot plot{.title = fmt::format("{}: spectrum", method.name),
              .x = {.label = "frequency (cycles per sample)", .minimum = 0, .maximum = highest_shown_frequency},
              .y = {.label = "gain (dB)", .minimum = floor_db, .maximum = ceiling_db},
              .series = {ideal_low_pass()},
              .guides = {{Guide::Across::x, 0.5, "Nyquist"}}};
    const auto gain = [&](double f) { return curves.spectrum(f); };
    plot.series.push_back(named(over_frequency(gain), "weight function", Series::Style::line, Ink::blue));
    if (method.has_prefilter()) {
        const auto cardinal = [&](double f) { return curves.cardinal_spectrum(f); };
        plot.series.push_back(named(over_frequency(cardinal), "cardinal function", Series::Style::dashed, Ink::orange));
    }
    return plot;
}

Image zone_plate_picture(const MethodInfo& method, const std::shared_ptr<Backend>& backend) {
    const PlatePicture picture;
    SourceImage source(backend, load_image(picture.image));
    RenderRequest request;
    request.spec = default_spec(method);
    request.view.scale = 1 / picture.zoom;
    request.width = request.height = picture.size;
    return converted(source.render_to_image(request), SampleType::u8);
}

}  // namespace texelscope
