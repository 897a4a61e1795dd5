#include "app/studies/experiments/pictures.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "app/drawing/pane_colours.h"
#include "app/text/spec_words.h"
#include "gpu/display/display_settings.h"

namespace texelscope {

Image as_shown(const Image& image) {
    const int channels = image.channels() >= 3 ? 3 : 1;
    Image shown(image.width(), image.height(), channels, SampleType::u8);
    for (int y = 0; y < image.height(); ++y) {
        uint8_t* to = shown.row_as<uint8_t>(y);
        for (int x = 0; x < image.width(); ++x)
            for (int c = 0; c < channels; ++c)
                *to++ = uint8_t(std::lround(255 * std::clamp(double(image.value(x, y, c)), 0.0, 1.0)));
    }
    return shown;
}

Image residual_picture(const Image& a, const Image& b, double end) {
    const auto& colours = colour_table(ColourMap::balance);
    const int channels = std::min(a.channels(), 3);
    Image picture(a.width(), a.height(), 3, SampleType::u8);
    for (int y = 0; y < a.height(); ++y) {
        uint8_t* to = picture.row_as<uint8_t>(y);
        for (int x = 0; x < a.width(); ++x, to += 3) {
            double sum = 0;
            for (int c = 0; c < channels; ++c) sum += double(a.value(x, y, c)) - double(b.value(x, y, c));
            const double place = std::clamp(0.5 + 0.5 * 255 * sum / channels / end, 0.0, 1.0);
            const uint32_t colour = colours[size_t(std::lround(255 * place))];
            to[0] = uint8_t(colour), to[1] = uint8_t(colour >> 8), to[2] = uint8_t(colour >> 16);
        }
    }
    return picture;
}

Series method_series(const std::string& name, int k) {
    return {.name = name, .style = pane_style(k), .ink = pane_ink(k)};
}

std::string method_words(const MethodSpec& spec) {
    std::string text = spec.path == FetchPath::automatic ? words_without_path(spec) : words(spec);
    const auto& parameters = spec.method->parameters;
    for (size_t i = 0; i < parameters.size(); ++i)
        if (spec.parameters.value[i] != parameters[i].standard)
            text += fmt::format(" · {} {:g}", parameters[i].name, spec.parameters.value[i]);
    return text;
}

PlotAxis axis_over(const std::vector<Series>& series, bool along_x, bool logarithmic, std::string label) {
    double low = 1e300, high = -1e300;
    for (const Series& one : series)
        for (const double v : along_x ? one.x : one.y)
            if (std::isfinite(v) && (!logarithmic || v > 0)) low = std::min(low, v), high = std::max(high, v);
    if (low > high) low = high = 1;
    PlotAxis axis{.label = std::move(label), .logarithmic = logarithmic};
    if (logarithmic) {
        axis.minimum = low / (along_x ? 1 : 1.3);
        axis.maximum = std::max(high, low * 1.1) * (along_x ? 1 : 1.3);
    } else {
        axis.minimum = along_x ? low : std::min(0.0, low * 1.05);
        axis.maximum = high > axis.minimum ? (along_x ? high : high * 1.05) : axis.minimum + 1;
    }
    return axis;
}

}  // namespace texelscope
