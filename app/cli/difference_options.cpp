// --difference and its colours, and the viewing distance.

#include <algorithm>

#include <fmt/format.h>

#include "app/cli/compare_options.h"
#include "app/cli/options.h"
#include "app/files/bytes/file_io.h"
#include "app/state/panes.h"

namespace texelscope {

void DifferenceOptions::add_to(Command command) {
    command
        .add_option(
            "--difference", kind_,
            "Show the difference between each pane and the reference on the sheet; ssim, delta-e, flip and gradient "
            "are maps of errors as people see them, with figures in the table")
        .type_name(alternatives<DifferenceKind>())
        .group("Sheet");
    command
        .add_option(
            "--write-map", file_,
            "Write the map of errors of each pane, floats in .npy and .tif; of several panes with {pane} in the name, "
            "which is A, B, …")
        .type_name("FILE")
        .group("Sheet");
    command
        .add_option(
            "--gain", gain_,
            "Gain of the difference: the colour scale ends at 1/G, of ΔE2000 at 100/G; 1 to 16777216, default 8, of ssim, flip and gradient 1")
        .type_name("G")
        .group("Sheet");
    std::vector<std::string_view> maps = names_of<ColourMap>(all_colour_maps);
    maps.front() = "channels (each separately)";
    maps.back() = "or balance (for signed)";
    command
        .add_option(
            "--map", map_,
            fmt::format("Colours of the difference: {}; default: channels, of ssim, delta-e, flip and gradient ember",
                        fmt::join(maps, ", ")))
        .type_name("NAME")
        .group("Sheet");
}

std::optional<DifferenceSettings> DifferenceOptions::settings(bool with_sheet, const ViewingOptions& viewing) const {
    if (!kind_ && (gain_ || map_ || file_))
        throw UsageError(fmt::format("{} needs --difference", gain_ ? "--gain" : map_ ? "--map" : "--write-map"));
    if (!kind_) return {};
    DifferenceSettings settings = usual_difference(parse_choice<DifferenceKind>("--difference", *kind_));
    if (!with_sheet && (!is_map(settings.kind) || gain_ || map_))
        throw UsageError(fmt::format("{} needs --sheet OUT.png", gain_ ? "--gain" : map_ ? "--map" : "--difference"));
    if (file_ && !is_map(settings.kind))
        throw UsageError("--write-map needs a map of errors: --difference ssim, delta-e, flip or gradient");
    if (gain_) settings.gain = float(parse_real("--gain", *gain_));
    if (!(settings.gain >= 1 && settings.gain <= 1 << 24))
        throw UsageError(fmt::format("--gain must be a number from 1 to 16777216, not '{}'", *gain_));
    if (map_) settings.map = parse_choice<ColourMap>("--map", *map_);
    settings.pixels_per_degree = viewing.pixels_per_degree();
    return settings;
}

std::vector<std::string> DifferenceOptions::files(size_t panes) const {
    std::vector<std::string> files;
    if (!file_) return files;
    constexpr std::string_view mark = "{pane}";
    const size_t at = file_->find(mark);
    if (at == std::string::npos && panes > 1)
        throw UsageError(
            fmt::format("--write-map must have {{pane}} in the file's name for {} panes, not '{}'", panes, *file_));
    for (size_t pane = 0; pane < panes; ++pane) {
        std::string file = *file_;
        if (at != std::string::npos) file.replace(at, mark.size(), pane_name(int(pane)));
        check_output_name(file);
        files.push_back(std::move(file));
    }
    return files;
}

void ViewingOptions::add_to(Command command) {
    command
        .add_option(
            "--pixels-per-degree", degree_,
            fmt::format("Viewing distance of FLIP as pixels per degree of visual angle, {} to {}; default: 67, a "
                        "screen of 3840 pixels on 70 cm from 70 cm",
                        least_pixels_per_degree, most_pixels_per_degree))
        .type_name("P")
        .group("Sheet");
    command
        .add_option(
            "--screen", screen_,
            "The same by the screen: its width in pixels and in cm, and the distance of the eyes in cm, such as "
            "1920x53@60")
        .type_name("PIXELSxCM@CM")
        .group("Sheet");
}

float ViewingOptions::pixels_per_degree() const {
    if (degree_ && screen_) throw UsageError("--pixels-per-degree and --screen say the same: give one of them");
    double value = double(usual_pixels_per_degree);
    if (degree_) value = parse_real("--pixels-per-degree", *degree_);
    if (screen_) {
        const size_t times = screen_->find('x'), at = screen_->find('@');
        if (times == std::string::npos || at == std::string::npos || at < times)
            throw UsageError(fmt::format("--screen must be PIXELSxCM@CM, for example 1920x53@60, not '{}'", *screen_));
        const auto number = [&](size_t first, size_t last) {
            return parse_real("--screen", screen_->substr(first, last - first));
        };
        const double pixels = number(0, times), width = number(times + 1, at),
                     distance = number(at + 1, screen_->size());
        if (!(pixels > 0 && width > 0 && distance > 0))
            throw UsageError(fmt::format("--screen must have numbers above 0, not '{}'", *screen_));
        value = texelscope::pixels_per_degree(pixels, width, distance);
    }
    if (!(value >= double(least_pixels_per_degree) && value <= double(most_pixels_per_degree)))
        throw UsageError(fmt::format("{} must give {} to {} pixels per degree, not {:.4g}",
                                     screen_ ? "--screen" : "--pixels-per-degree", least_pixels_per_degree,
                                     most_pixels_per_degree, value));
    return float(value);
}

}  // namespace texelscope
