#include "app/cli/options.h"

#include <charconv>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace texelscope {
namespace {

// Ids of all methods, for the help text.
std::string method_ids() {
    std::vector<std::string_view> ids;
    for (const MethodInfo* method : all_methods()) ids.push_back(method->id);
    return fmt::format("{}", fmt::join(ids, ", "));
}

double parse_positive(std::string_view option, std::string_view text) {
    const double value = parse_real(option, text);
    if (!(value > 0)) throw UsageError(fmt::format("{} must be above 0, not '{}'", option, text));
    return value;
}

// A side of an output: digits alone, 1 … max_image_side.
std::optional<int> parse_side(std::string_view text) {
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value < 1 || value > max_image_side) return {};
    return value;
}

}  // namespace

double parse_real(std::string_view option, std::string_view text) {
    std::string_view digits = text.starts_with('+') ? text.substr(1) : text;
    double value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc() || end != digits.data() + digits.size() || !std::isfinite(value))
        throw UsageError(fmt::format("{} must be a finite number, not '{}'", option, text));
    return value;
}

Size parse_size(std::string_view option, const std::string& text) {
    const size_t cross = text.find_first_of("xX");
    if (cross != std::string::npos) {
        const auto width = parse_side(std::string_view(text).substr(0, cross));
        const auto height = parse_side(std::string_view(text).substr(cross + 1));
        if (width && height) return {*width, *height};
    }
    throw UsageError(fmt::format("{} must be WIDTHxHEIGHT with sides from 1 to {}, for example 640x480, not '{}'", option,
                                 max_image_side, text));
}

void ViewOptions::add_to(CLI::App& command) {
    const char* group = "View";
    command.add_option("--translate", translate_, "Shift of the view's centre over the image, in samples")
        ->type_name("TX,TY")->group(group);
    auto* scale = command.add_option("--scale", scale_, "Samples per output pixel: above 1 zooms out")
        ->type_name("S")->group(group);
    command.add_option("--zoom", zoom_, "Output pixels per sample: 1 / scale")->type_name("Z")->group(group)->excludes(scale);
    command.add_option("--rotate", rotate_, "Rotation about the centre, in degrees")->type_name("DEG")->group(group);
    command.add_option("--outside", outside_, "Beyond the edges: extend (by address mode) or background (grey)")
        ->type_name("extend|background")->group(group);
    command.add_option("--antialias", antialias_, "Widen the weight function when zooming out: off")
        ->type_name("off")->group(group);
}

View ViewOptions::view() const {
    View view;
    if (translate_) {
        const size_t comma = translate_->find(',');
        if (comma == std::string::npos)
            throw UsageError(fmt::format("--translate must be TX,TY in samples, for example 10,-2.5, not '{}'", *translate_));
        view.translate_x = parse_real("--translate", std::string_view(*translate_).substr(0, comma));
        view.translate_y = parse_real("--translate", std::string_view(*translate_).substr(comma + 1));
    }
    if (scale_) view.scale = parse_positive("--scale", *scale_);
    if (zoom_) view.scale = 1 / parse_positive("--zoom", *zoom_);
    if (rotate_) view.rotate = parse_real("--rotate", *rotate_);
    if (!std::isfinite(view.scale)) throw UsageError(fmt::format("--zoom '{}' is too small", *zoom_));
    return view;
}

std::optional<Outside> ViewOptions::outside() const {
    if (!outside_) return {};
    if (*outside_ == "extend") return Outside::extend;
    if (*outside_ == "background") return Outside::background;
    throw UsageError(fmt::format("--outside must be extend or background, not '{}'", *outside_));
}

void ViewOptions::check_antialias() const {
    if (antialias_ && *antialias_ != "off")
        throw UsageError(fmt::format("--antialias must be off, not '{}': this version does not widen the weights", *antialias_));
}

void MethodOptions::add_to(CLI::App& command) {
    const char* group = "Method";
    command.add_option("--method", method_, fmt::format("ID[:key=value,…]; ID is one of {}", method_ids()))
        ->type_name("SPEC")->group(group);
    command.add_option("--path", path_, "How taps are read: auto, global, lookup or hardware")->type_name("PATH")->group(group);
    command.add_option("--address", address_, "Beyond the edges: clamp, border, wrap or mirror, one for both axes or x,y")
        ->type_name("MODE[,MODE]")->group(group);
    command.add_option("--prefilter", prefilter_, "Coefficients of the B-spline: none, firN (odd N, 3 to 31) or iir (exact)")
        ->type_name("none|firN|iir")->group(group);
    command.add_option("--backend", backend_, "Who computes: auto, cuda or cpu")
        ->type_name("auto|cuda|cpu")->group(group);
}

MethodSpec MethodOptions::spec() const {
    MethodSpec spec = parse_spec(method_.value_or("bspline"));
    if (path_) spec.path = parse_path(*path_);
    if (address_) spec.address = parse_address(*address_);
    if (prefilter_) spec.prefilter = parse_prefilter(*prefilter_);
    return spec;
}

}  // namespace texelscope
