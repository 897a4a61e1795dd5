#include "app/cli/display_options.h"

#include <fmt/format.h>

#include "app/picture/inspect/auto_levels.h"
#include "app/text/typed_values.h"

namespace texelscope {
namespace {

constexpr auto false_colours = std::span(all_colour_maps).subspan(1);  // all but `channels`

double parse_within(std::string_view option, const std::string& text, double low, double high) {
    const double value = parse_real(option, text);
    if (value < low || value > high)
        throw UsageError(fmt::format("{} must be from {} to {}, not '{}'", option, low, high, text));
    return value;
}

}  // namespace

void DisplayOptions::add_to(Command command) {
    constexpr const char* group = "Display, as on the screen in 8 bits";
    const auto add = [&](const char* name, std::optional<std::string>& value, const char* help, std::string type) {
        return command.add_option(name, value, help).type_name(std::move(type)).group(group);
    };
    const Option black =
        add("--black", black_, "Stored value that is shown black; integers are 0 to 1; default: 0", "V");
    const Option white = add("--white", white_, "Stored value that is shown white; default: 1", "V");
    add("--auto-contrast", auto_contrast_,
        "Percentage of the samples that becomes black, and as much white: levels at percentiles, 0 to 49", "PERCENT")
        .excludes(black)
        .excludes(white);
    add("--profile", profile_,
        "Convert colours by the file's profile to sRGB, as any other of these options does by default; without any of them, "
        "stored values are written",
        "on|off");
    add("--exposure", exposure_, "Stops: values times 2^EV, -16 to 16", "EV");
    add("--tone", tone_, "Tone curve, after the exposure: none, reinhard (on the luminance) or aces (each channel)",
        alternatives<ToneCurve>(all_tone_curves));
    add("--gamma", gamma_, "Values to the power 1/G, after the tone curve; 0.1 to 10", "G");
    command.add_flag("--invert", invert_, "Show 1 - value").group(group);
    add("--false-colour", false_colour_, "A picture of a single channel (--channels 1) through a colour map",
        alternatives<ColourMap>(false_colours));
}

bool DisplayOptions::given() const {
    return black_ || white_ || auto_contrast_ || profile_ || exposure_ || tone_ || gamma_ || false_colour_ || invert_;
}

DisplaySettings DisplayOptions::settings(const Image* image) const {
    constexpr double far = 1e9;
    DisplaySettings s;
    if (black_) s.black = float(parse_within("--black", *black_, -far, far));
    if (white_) s.white = float(parse_within("--white", *white_, -far, far));
    if (!(s.black < s.white)) throw UsageError(fmt::format("--black {} must be below --white {}", s.black, s.white));
    if (profile_) s.by_profile = parse_on_off("--profile", *profile_);
    if (exposure_) s.exposure = float(parse_within("--exposure", *exposure_, -16, 16));
    if (tone_) s.curve = parse_choice<ToneCurve>("--tone", *tone_);
    if (gamma_) s.gamma = float(parse_within("--gamma", *gamma_, 0.1, 10));
    if (false_colour_) s.map = parse_choice<ColourMap>("--false-colour", *false_colour_, false_colours);
    s.invert = invert_;
    const int colours = image ? image->channels() - (image->alpha() != Alpha::none ? 1 : 0) : 1;
    if (false_colour_ && colours > 1)
        throw UsageError(
            fmt::format("--false-colour is for a single channel, but the picture has {}: choose one, such as "
                        "--channels 1",
                        colours));
    if (!auto_contrast_) return s;
    const double share = parse_within("--auto-contrast", *auto_contrast_, 0, 49) / 100;
    if (!image) return s;
    if (!image->in_memory())
        throw UsageError(
            "--auto-contrast needs all samples of an image in memory, and this one is too large for that: give --black "
            "and --white");
    const auto levels = auto_levels(*image, {}, s.channel, share);
    if (!levels) throw Error("--auto-contrast: the samples have all the same value, or none that is finite");
    s.black = levels->black;
    s.white = levels->white;
    return s;
}

}  // namespace texelscope
