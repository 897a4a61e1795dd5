#include "app/cli/compare_options.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <numbers>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/cli/options.h"
#include "app/files/bytes/file_io.h"
#include "app/files/reading/image_files.h"
#include "app/picture/comparison.h"
#include "app/state/panes.h"
#include "app/state/view_math.h"
#include "app/text/glossary.h"
#include "app/viewer/editing/pane_edits.h"
#include "gpu/core/text.h"

namespace texelscope {
namespace {

std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    for (size_t at = 0; at <= text.size();) {
        const size_t end = std::min(text.find(separator, at), text.size());
        parts.push_back(trimmed(text.substr(at, end - at)));
        at = end + 1;
    }
    return parts;
}

bool is_image(const std::string& text) {
    std::error_code none;
    return text.starts_with('@') || text.find('/') != text.npos || std::filesystem::exists(text, none) ||
           std::filesystem::path(text.substr(0, text.find(':'))).has_extension();
}

ComparisonReference method_reference(std::string_view text) {
    ComparisonReference reference;
    reference.spec = parse_spec(text);
    reference.own_address = text.find("address=") == text.npos;
    return reference;
}

bool is_widened(const RenderRequest& request) { return request.antialias && request.view.scale > 1; }

// The method, without its path where antialiasing makes that irrelevant: weights then come from a table. The line about the
// view says that all are antialiased.
std::string label_of(const RenderRequest& request) { return words(request.spec, !is_widened(request)); }

constexpr std::string_view panes_help =
    "--panes must list 1 to 16 methods, separated by semicolons, for example "
    "\"bspline; catmull-rom; bilinear:path=hardware\"";

}  // namespace

std::vector<std::string_view> pane_words(std::string_view text) {
    std::vector<std::string_view> words;
    for (size_t at = 0; at <= text.size();) {
        const std::string_view rest = text.substr(at), word = trimmed(rest);
        const size_t quote = word.starts_with(command_prefix) ? word.find('\'', command_prefix.size() + 1) : word.npos;
        const size_t inside = quote == word.npos ? 0 : size_t(word.data() - rest.data()) + quote;
        const size_t end = std::min(rest.find(';', inside), rest.size());
        words.push_back(trimmed(rest.substr(0, end)));
        at += end + 1;
    }
    if (words.back().empty()) words.pop_back();  // a semicolon may end the list
    return words;
}

std::vector<MethodSpec> parse_panes(const std::string& text, const MethodSpec& defaults) {
    const auto words = pane_words(text);
    if (words.empty()) throw UsageError(std::string(panes_help));
    if (words.size() > max_panes) throw UsageError(fmt::format("{}; there are {}", panes_help, words.size()));
    std::vector<MethodSpec> specs;
    for (const std::string_view word : words) {
        if (word.empty())
            throw UsageError(fmt::format("{}; pane {} is empty", panes_help, pane_name(int(specs.size()))));
        try {
            specs.push_back(word.starts_with(command_prefix) ? command_spec(word) : parse_spec(word, &defaults));
        } catch (const UsageError& error) {
            throw UsageError(fmt::format("--panes, pane {}: {}", pane_name(int(specs.size())), error.what()));
        }
    }
    return specs;
}

std::vector<MethodSpec> four_panes(const MethodSpec& defaults) { return parse_panes(usual_panes(), defaults); }

std::vector<MethodSpec> compared_specs(const MethodOptions& method, const std::optional<std::string>& panes,
                                       const MethodSpec& defaults, UsualSpecs usual) {
    const MethodSpec with_settings = method.settings_over(defaults);
    std::vector<MethodSpec> specs = panes ? parse_panes(*panes, with_settings) : usual(with_settings);
    if (const MethodInfo* own = method.own_method()) {
        if (panes && specs.size() == size_t(max_panes))
            throw UsageError(fmt::format("{}; with --method-file there are {}", panes_help, specs.size() + 1));
        MethodSpec first = with_settings;
        first.method = own;
        first.parameters = own->standard_parameters();
        specs.insert(specs.begin(), first);
    }
    return specs;
}

std::string usual_panes() { return fmt::format("{}", fmt::join(four_methods, "; ")); }

ComparisonReference parse_reference(const std::optional<std::string>& typed) {
    ComparisonReference reference;
    if (!typed) {
        reference.spec = default_reference().spec;
        return reference;
    }
    const std::string& text = *typed;
    if (text == "own") {
        reference.kind = Reference::Kind::own;
        return reference;
    }
    if (text == "truth") {
        reference.kind = Reference::Kind::truth;
        return reference;
    }
    // A method name takes precedence over a file name: ./bspline is the file.
    if (!find_method(text.substr(0, text.find(':'))) && is_image(text)) {
        reference.kind = Reference::Kind::image;
        reference.source = text;
        return reference;
    }
    try {
        return method_reference(text);
    } catch (const UsageError& error) {
        throw UsageError(fmt::format("--reference: {}; or own, truth, or an image", error.what()));
    }
}

Extent picture_area(const View& view, const ImageShape& image) {
    // The picture's extent in output pixels about its centre, which is moved against that of the output.
    const double angle = view.rotate * std::numbers::pi / 180, c = std::cos(angle), s = std::sin(angle);
    const double width = image.width / view.scale, height = image.height / view.scale;
    const double x = (c * view.translate_x + s * view.translate_y) / view.scale,
                 y = (c * view.translate_y - s * view.translate_x) / view.scale;
    const auto side = [](double length, int most) {
        constexpr double rounding = 1e-9;  // of a length that is a whole number
        return int(std::clamp(std::floor(length * (1 + rounding)), 1.0, double(most)));
    };
    const int across = side(std::abs(c) * width + std::abs(s) * height + 2 * std::abs(x), image.width);
    if (image.one_dimensional) return {across, image.height};
    return {across, side(std::abs(s) * width + std::abs(c) * height + 2 * std::abs(y), image.height)};
}

Region parse_selection(const std::string& text) {
    const auto parts = split(text, ',');
    if (parts.size() != 4)
        throw UsageError(fmt::format("--select must be X0,Y0,X1,Y1 in samples, for example 0,0,64,48, not '{}'", text));
    std::array<double, 4> side{};
    for (size_t i = 0; i < 4; ++i) side[i] = parse_real("--select", parts[i]);
    const Region region{side[0], side[1], side[2], side[3]};
    if (!(region.x0 < region.x1 && region.y0 < region.y1))
        throw UsageError(fmt::format("--select must have X0 below X1 and Y0 below Y1, not '{}'", text));
    return region;
}

void check_selection(const Region& region, const std::string& text, const ImageShape& image) {
    const double right = image.width - 0.5, bottom = image.height - 0.5;
    const bool within_rows = image.one_dimensional || (region.y0 < bottom && region.y1 > -0.5);
    if (region.x0 < right && region.x1 > -0.5 && within_rows) return;
    throw UsageError(fmt::format("--select must be on the picture at least in part, from -0.5,-0.5 to {},{}, not '{}'",
                                 right, bottom, text));
}

int parse_columns(const std::string& text, bool with_sheet) {
    if (!with_sheet) throw UsageError("--columns needs --sheet OUT.png");
    const double columns = parse_real("--columns", text);
    if (!(columns >= 1 && columns <= max_panes && columns == int(columns)))
        throw UsageError(fmt::format("--columns must be a whole number from 1 to {}, not '{}'", max_panes, text));
    return int(columns);
}

ImageInfo ComparisonPlan::info() const {
    if (tiles) return tiles->info();
    return {image->width(), image->height(), image->channels(), image->type(), image->alpha(), image->profile()};
}

void ComparisonPlan::load_reference() {
    if (reference.kind == Reference::Kind::truth) {
        reference.formula = formula_of(source);
        if (!reference.formula)
            throw UsageError(
                fmt::format("--reference truth needs a test image that is made by a formula, for example "
                            "@zone-plate or @waves, not {}; --reference takes its larger original, too",
                            source));
    }
    if (reference.kind != Reference::Kind::image) return;
    if (tiles)
        throw UsageError(fmt::format(
            "--reference {}: {} is too large to be held in memory, and then compared with a method, own or truth only",
            reference.source, words_of_source(source)));
    reference.image = std::make_shared<const Image>(load_whole(reference.source, partial));
    const std::string why = why_not_same_field(*image, source, *reference.image, reference.source);
    if (!why.empty()) throw UsageError(fmt::format("--reference {}", why));
}

bool ComparisonPlan::against_another_size() const {
    return reference.image && frame_size(*reference.image) != frame_size(*image);
}

void ComparisonPlan::show_at_size_of_reference() {
    const SampleRegion frame = frame_around(*image);
    request.width = frame_size(*reference.image).width;
    request.height = frame_size(*reference.image).height;
    request.view.scale = 1 / times_as_large(*reference.image, *image);
    request.positions = aligned_affine(Align::centers, frame.width, frame.height, request.width, request.height);
    request.positions->x0 += double(frame.x);
    request.positions->y0 += double(frame.y);
    if (image->one_dimensional()) request.positions->yy = request.positions->y0 = 0;
}

MethodSpec ComparisonPlan::reference_for(const MethodSpec& spec) const {
    MethodSpec result = reference_of(reference.kind == Reference::Kind::method ? reference.spec : spec);
    if (reference.own_address) result.address = spec.address;
    return result;
}

bool ComparisonPlan::only_arithmetic() const {
    return reference.kind == Reference::Kind::own ||
           (reference.kind == Reference::Kind::image && reference.source == source);
}

std::string ComparisonPlan::reference_name() const {
    if (reference.kind == Reference::Kind::method) return name_in_text(*reference.spec.method);
    if (reference.kind == Reference::Kind::truth) return "the formula";
    if (against_another_size() && times_as_large(*reference.image, *image) > 1) return "the original";
    Document document;
    document.source = reference.source;
    return document.title();
}

bool ComparisonPlan::tells_likeness() const { return reference.kind == Reference::Kind::method && is_widened(request); }

Against ComparisonPlan::against(const RenderRequest& shown) const {
    if (only_arithmetic()) return {Against::Tells::arithmetic, ""};
    if (reference.kind == Reference::Kind::method &&
        is_reference(shown.spec, reference_for(shown.spec), is_widened(shown)))
        return {Against::Tells::nothing, ""};
    return {Against::Tells::difference, reference_name(), tells_likeness()};
}

ComparedPane ComparisonPlan::pane(int index) const {
    ComparedPane pane;
    pane.index = index;
    pane.picture.shown = {image, light, request};
    RenderRequest& shown = pane.picture.shown.request;
    const MethodSpec& spec = specs[size_t(index)];
    shown.spec = is_outside(spec) ? default_spec(parse_method("bspline")) : spec;
    pane.label = label_of(shown);
    const ImageInfo of_image = info();
    const Affine positions = positions_of(shown, of_image.width, of_image.height);
    if (selection)
        pane.selection =
            MeasureJob::Selection{positions, selection->x0, selection->y0, selection->x1, selection->y1, is_signal()};
    pane.against = against(shown);
    pane.reference = pane.picture.shown;
    pane.reference->float64 = true;
    pane.reference->request.spec = reference_for(shown.spec);
    pane.reference->formula = reference.formula;
    pane.reference->masked = reference.formula.has_value();
    if (reference.image) pane.reference = over_same_field(*pane.reference, reference.image);
    if (is_outside(spec)) show_made(pane);
    if (difference) {
        pane.picture.against = pane.reference;
        leave_out_beyond(*pane.picture.against, pane.picture.shown);
        pane.picture.difference = *difference;
        if (is_map(difference->kind)) leave_out_outside(pane.picture);
        pane.label += " − " + (only_arithmetic() ? "its exact result" : reference_name());
    }
    return pane;
}

// --difference and its colours, and the viewing distance.

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
