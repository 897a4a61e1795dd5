#include "app/cli/options.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gpu/method/custom_method.h"
#include "gpu/method/kernel_method.h"
#include "gpu/method/polar_method.h"
#include "gpu/recipes/recipe.h"

namespace texelscope {
namespace {

// Ids of all methods, for the help text.
std::string method_ids() {
    std::vector<std::string_view> ids;
    for (const MethodInfo* method : all_methods()) ids.push_back(method->id);
    return fmt::format("{}", fmt::join(ids, ", "));
}

constexpr const char *view_group = "View", *sampling_group = "Sampling", *method_group = "Method";

}  // namespace

void ViewOptions::add_to(Command command) {
    command.add_option("--translate", translate_, "Shift of the view's centre over the image, in samples")
        .type_name("TX,TY")
        .group(view_group);
    const Option scale = command.add_option("--scale", scale_, "Samples per output pixel: above 1 zooms out")
                             .type_name("S")
                             .group(view_group);
    command.add_option("--zoom", zoom_, "Output pixels per sample: 1 / scale")
        .type_name("Z")
        .group(view_group)
        .excludes(scale);
    command.add_option("--rotate", rotate_, "Rotation about the centre, in degrees").type_name("DEG").group(view_group);
}

View ViewOptions::view() const {
    View view;
    if (translate_) {
        const size_t comma = translate_->find(',');
        if (comma == std::string::npos)
            throw UsageError(
                fmt::format("--translate must be TX,TY in samples, for example 10,-2.5, not '{}'", *translate_));
        const Point shift = parse_pair("--translate", *translate_);
        constexpr double farthest = double(max_image_side);  // positions are exact that far
        if (!(std::abs(shift.x) <= farthest && std::abs(shift.y) <= farthest))
            throw UsageError(fmt::format("--translate must be from -{0} to {0} samples along x and y, not '{1}'",
                                         max_image_side, *translate_));
        view.translate_x = shift.x;
        view.translate_y = shift.y;
    }
    if (scale_) view.scale = parse_factor("--scale", *scale_);
    if (zoom_) view.scale = 1 / parse_factor("--zoom", *zoom_);
    if (rotate_) view.rotate = parse_real("--rotate", *rotate_);
    return view;
}

void HomographyOption::add_to(Command command) {
    command
        .add_option(
            "--homography", homography_,
            "A perspective view: point (x, y) of the view reads ((A·x + B·y + C) / w, (D·x + E·y + F) / w) with "
            "w = G·x + H·y + I, in samples; nothing where w is not above 0. As OpenCV's warpPerspective with "
            "WARP_INVERSE_MAP")
        .type_name("A,B,C,D,E,F,G,H,I")
        .group(view_group);
}

Warp HomographyOption::warp() const { return homography_ ? parse_homography("--homography", *homography_) : Warp{}; }

void AffineOption::add_to(Command command, std::string_view help) {
    command.add_option("--affine", affine_, std::string(help)).type_name("A,B,C,D,E,F").group(view_group);
}

std::optional<Affine> AffineOption::affine() const {
    if (!affine_) return {};
    std::vector<double> numbers;
    for (size_t first = 0; first <= affine_->size();) {
        const size_t comma = std::min(affine_->find(',', first), affine_->size());
        numbers.push_back(parse_real("--affine", std::string_view(*affine_).substr(first, comma - first)));
        first = comma + 1;
    }
    if (numbers.size() != 6)
        throw UsageError(
            fmt::format("--affine must be six numbers A,B,C,D,E,F, for example 1,0,10,0,1,-2.5, not '{}'", *affine_));
    constexpr double farthest = double(max_image_side);  // positions are exact that far
    for (const double number : numbers)
        if (!(std::abs(number) <= farthest))
            throw UsageError(
                fmt::format("--affine's numbers must be from -{0} to {0}, not '{1}'", max_image_side, *affine_));
    const Affine a{numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5]};
    const double area = a.xx * a.yy - a.xy * a.yx;
    if (!(std::abs(area) > 1e-12 * (std::abs(a.xx * a.yy) + std::abs(a.xy * a.yx))))
        throw UsageError(fmt::format(
            "--affine must map areas to areas, with A·E - B·D other than 0, which '{}' does not", *affine_));
    return a;
}

void MethodOptions::add_to(Command command) {
    command
        .add_option("--method", method_,
                    fmt::format("ID[:key=value,…], default bspline; ID is one of {}, {}", method_ids(),
                                words_of_method_forms()))
        .type_name("SPEC")
        .group(method_group);
    add_file(command, "the same as --method custom:file=FILE or kernel:file=FILE");
    add_settings(command);
    command.add_option("--backend", backend_, "Backend: auto, cuda or cpu")
        .type_name("auto|cuda|cpu")
        .group(method_group);
}

void MethodOptions::add_file(Command command, std::string_view where) {
    command.add_option("--method-file", method_file_, fmt::format("{}; {}", method_file_help, where))
        .type_name("FILE")
        .group(method_group);
}

void MethodOptions::add_settings(Command command) {
    command
        .add_option("--path", path_,
                    "How taps are read: auto (fastest exact code), global, lookup or hardware. Ignored when an "
                    "antialiased picture is scaled down and with --derivative, since those use tabulated weights and "
                    "linear memory")
        .type_name("PATH")
        .group(method_group);
    command
        .add_option("--address", address_,
                    "Beyond the edges: clamp, border, wrap, mirror (… 1 0 | 0 1 …) or reflect101 (… 2 1 | 0 1 …: "
                    "OpenCV's REFLECT_101, SciPy's mirror), one for both axes or x,y")
        .type_name("MODE[,MODE]")
        .group(method_group);
    command
        .add_option("--border", border_,
                    "With the address mode border, the value beyond the edges: one number for all channels, or one per "
                    "channel; straight colour, 0 to 1 for integer images; default: 0, transparent with alpha")
        .type_name("V[:V…]")
        .group(method_group);
    command
        .add_option(
            "--prefilter", prefilter_,
            "Coefficients of the splines: none, firN (odd N, 3 to 31) or iir (exact); in a SPEC also coefficients=float|half")
        .type_name("none|firN|iir")
        .group(method_group);
}

MethodSpec MethodOptions::spec() const {
    if (method_ && method_file_) throw UsageError("--method and --method-file both name the method: give one of them");
    if (method_file_) return settings_over(default_spec(own_method_of_file(*method_file_)));
    return settings_over(parse_spec(method_.value_or("bspline")));
}

constexpr std::string_view area_id = "area";

bool MethodOptions::names_area() const {
    return method_ && method_->substr(0, method_->find(':')) == area_id && !method_file_;
}

MethodSpec MethodOptions::spec_of_area() const {
    return settings_over(parse_spec("nearest" + method_->substr(area_id.size())));
}

const MethodInfo* MethodOptions::own_method() const {
    return method_file_ ? &own_method_of_file(*method_file_) : nullptr;
}

std::string spec_of_method_file(const std::string& file) {
    const MethodInfo& method = own_method_of_file(file);
    const KernelMethod* const kernel = kernel_of(method);
    return fmt::format("{}:text={}", method.id,
                       encoded_text(kernel ? kernel->text() : method.custom->function().text()));
}

MethodSpec MethodOptions::settings_over(MethodSpec spec) const {
    if (path_) spec.path = parse_path(*path_);
    if (address_) spec.address = with_modes(spec.address, parse_address(*address_));
    if (border_) {
        spec.address.border = parse_border(*border_);
        check_border_acts(spec.address, *border_);
    }
    if (prefilter_) spec.prefilter = parse_prefilter(*prefilter_, spec.prefilter.half_float);
    return spec;
}

void SamplingOptions::add_outside(Command command, Outside other) {
    other_outside_ = other;
    const char* help = other == Outside::nan ? "Beyond the first and last sample: extend (by address mode) or nan"
                                             : "Beyond the edges: extend (by address mode) or background (grey)";
    command.add_option("--outside", outside_, help)
        .type_name(fmt::format("extend|{}", name_of(other)))
        .group(sampling_group);
}

void SamplingOptions::add_antialias(Command command, std::string_view standard) {
    command
        .add_option("--antialias", antialias_,
                    fmt::format("Widen the weight function when the scale is above 1; --path is then ignored, since "
                                "this uses tabulated weights and linear memory; default: {}",
                                standard))
        .type_name("on|off")
        .group(sampling_group);
}

void SamplingOptions::add_pyramid(Command command) {
    command
        .add_option(
            "--pyramid", pyramid_,
            "From scale 8 on, antialias as the window's views do, from smaller images that are halved step by step, "
            "whose gain is right within 3 %. off (default): from all samples, exactly; rotated views, polar "
            "methods and images that are not in memory are always antialiased by the pyramid")
        .type_name("on|off")
        .group(sampling_group);
}

void SamplingOptions::add_linear_light(Command command) {
    command
        .add_flag(
            "--linear-light", linear_light_,
            "Decode sRGB to linear light, interpolate, and encode the result again; nothing changes for files that are "
            "linear light by their own statement: OpenEXR, Radiance HDR, PNG with gAMA 1")
        .group(sampling_group);
}

void SamplingOptions::add_derivative(Command command) {
    command
        .add_option(
            "--derivative", derivative_,
            "Output the first derivative along x or y (per sample) instead of the value; with --linear-light, the "
            "derivative of linear light")
        .type_name("x|y")
        .group(sampling_group);
}

std::optional<Outside> SamplingOptions::outside() const {
    if (!outside_) return {};
    const std::array choices = {Outside::extend, other_outside_};
    return parse_choice<Outside>("--outside", *outside_, choices);
}

std::optional<bool> SamplingOptions::antialias() const {
    if (!antialias_) return {};
    return parse_on_off("--antialias", *antialias_);
}

bool SamplingOptions::pyramid() const { return pyramid_ && parse_on_off("--pyramid", *pyramid_); }

void SamplingOptions::check_pyramid_of_large(const std::string& name) const {
    if (pyramid_ && !pyramid())
        throw UsageError(fmt::format(
            "--pyramid off needs the whole image in memory: {} is too large for that; with --texels f32 it is read as a "
            "whole all the same",
            name));
}

Derivative SamplingOptions::derivative(const MethodSpec& spec) const {
    if (!derivative_) return Derivative::none;
    if (*derivative_ != "x" && *derivative_ != "y")
        throw UsageError(fmt::format("--derivative must be x or y, not '{}'", *derivative_));
    if (is_polar(*spec.method))
        throw UsageError(fmt::format(
            "--derivative: {} weighs by the distance in the plane; choose a method with weights along the axes, such as bspline",
            spec.method->id));
    if (!spec.method->slope)
        throw UsageError(fmt::format(
            "--derivative: {} has no continuous derivative; choose a smooth method such as bspline", spec.method->id));
    if (antialias().value_or(false))
        throw UsageError(
            "--derivative cannot be combined with --antialias on, because it differentiates the interpolant itself");
    return *derivative_ == "x" ? Derivative::x : Derivative::y;
}

void check_border(const MethodSpec& spec, int channels) {
    const int given = spec.address.border.count;
    if (!spec.address.has_border() || given == 1 || given == channels) return;
    throw UsageError(fmt::format("the border value {} has {} numbers, and the image {} channel{}: give one number{}",
                                 to_string(spec.address.border), given, channels, channels == 1 ? "" : "s",
                                 channels == 1 ? "" : fmt::format(" for all, or {}", channels)));
}

void say_if_weights_alone(const Sampling& request, bool by_rules) {
    if (const BoundRecipe* const recipe = request.spec.method->recipe; recipe && !by_rules)
        fmt::print(stderr, "texelscope: {}\n", weights_alone_words(*recipe, request.derivative != Derivative::none));
}

void check_axis(Derivative derivative, bool one_dimensional) {
    if (derivative == Derivative::y && one_dimensional)
        throw UsageError("--derivative y: a one-dimensional signal has only an x axis");
}

}  // namespace texelscope
