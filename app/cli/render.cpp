// texelscope render IN -o OUT: one view of an image into a file.

#include <optional>
#include <string>

#include <fmt/format.h>

#include "app/cli/command_line.h"
#include "app/cli/options.h"
#include "app/cli/running.h"
#include "app/picture/inspect/statistics.h"
#include "app/picture/kept_pictures.h"
#include "app/picture/numbers.h"
#include "app/picture/rendered_rows.h"
#include "app/picture/rendition.h"
#include "app/text/text.h"
#include "gpu/backend/recipe_rendering.h"
#include "gpu/backend/source_image.h"
#include "gpu/core/image.h"
#include "gpu/display/display.h"
#include "gpu/tiles/live_regions.h"

namespace texelscope {
namespace {

// How values become colours, as in the viewer's Display panel: --black --white --auto-contrast --profile --exposure --tone
// --gamma --invert --false-colour.

class DisplayOptions {
public:
    void add_to(Command command);

    // If none is, the values themselves are wanted.
    bool given() const;

    // Throws UsageError for what is out of range, before anything is computed.
    void check() const { settings(nullptr); }

    // Without an image, the levels of auto contrast are not found. Throws Error if the image has none.
    DisplaySettings settings(const Image* image) const;

private:
    std::optional<std::string> black_, white_, auto_contrast_, profile_, exposure_, tone_, gamma_, false_colour_;
    bool invert_ = false;
};

constexpr auto false_colours = std::span(all_colour_maps).subspan(1);  // all but `channels`

double parse_within(std::string_view option, const std::string& text, double low, double high) {
    const double value = parse_real(option, text);
    if (value < low || value > high)
        throw UsageError(fmt::format("{} must be from {} to {}, not '{}'", option, low, high, text));
    return value;
}

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

struct RenderCommand {
    InputOptions input;
    OutputOptions output;
    std::optional<std::string> size;
    ViewOptions view;
    AffineOption affine;
    HomographyOption homography;
    SamplingOptions sampling;
    MethodOptions method;
    DisplayOptions display;
    MemoryOption memory;
    LevelsOption levels;

    // As the screen would show it. `large`: the image is not in memory; null: it is.
    Image displayed(const std::shared_ptr<Backend>& backend, const std::shared_ptr<const Image>& image,
                    const RenderRequest& request, const LargeRendering* large) const {
        PanePicture picture{{image, sampling.light(), request}, {}, display.settings(image.get()), {}};
        if (const auto profile = profile_conversion(*image); profile && !profile->problem.empty())
            fmt::print(stderr, "texelscope: {}: {}\n", input.name(), profile->problem);
        SourceCache sources(backend);
        if (large) {
            const TiledOptions options{large->memory, large->light, large->levels};
            sources.put(image, large->light,
                        SourceImage(backend, std::make_shared<TiledRegions>(backend, large->image, options)));
        }
        return opaque(PaneRenderer(sources).render_to_rgba8(picture));
    }

    LargeRendering of_large(const std::shared_ptr<const TileSource>& tiles, RenderRequest request, const Extent& wanted,
                            BackendChoice choice) const {
        const ImageInfo& info = tiles->info();
        sampling.check_pyramid_of_large(input.name());
        check_border(request.spec, info.channels);
        request.width = wanted.width ? wanted.width : info.width;
        request.height = wanted.height ? wanted.height : info.height;
        return {tiles, request, sampling.light(), choice, memory.bytes(), levels.of(*tiles)};
    }

    // The picture itself is held in memory.
    void write_displayed(const LargeRendering& large) const {
        const double bytes = 4.0 * large.request.width * large.request.height;
        if (bytes > double(large.memory))
            throw UsageError(fmt::format(
                "with display options the picture of {}×{} pixels is held in memory, {:.0f} MiB: give a smaller "
                "--size, or more --memory",
                large.request.width, large.request.height, bytes / 0x1p20));
        const auto image = std::make_shared<const Image>(large.image);
        Image result;
        on_backend(large.backend, [&](const std::shared_ptr<Backend>& backend) {
            result = displayed(backend, image, large.request, &large);
        });
        output.write(result, SampleType::u8);
        say_if_not_kept(large);
    }

    void say_what_is_clipped(Derivative derivative, SampleType stored) const {
        if (derivative != Derivative::none && output.integers(stored))
            fmt::print(stderr,
                       "texelscope: negative slopes are clipped in this format; write .npy or .pfm to keep them\n");
    }

    void run() const {
        // Refuse invalid input before anything is computed.
        RenderRequest request;
        request.spec = method.spec();
        request.view = view.view();
        request.positions = affine.affine();
        request.warp = homography.warp();
        if (request.positions && view.given())
            throw UsageError(
                "--affine says alone what is read: leave out --translate, --scale, --zoom and --rotate, or --affine");
        request.outside = sampling.outside().value_or(Outside::extend);
        request.antialias = sampling.antialias().value_or(false);
        request.pyramid = sampling.pyramid();
        request.derivative = sampling.derivative(request.spec);
        const BackendChoice choice = method.backend();
        display.check();
        if (display.given() && request.derivative != Derivative::none)
            throw UsageError("--derivative writes slopes, which have no colours: leave out the display options");
        check_all(input, output, memory, levels, sampling.light());
        Extent wanted;
        if (size) wanted = parse_size("--size", *size);

        if (const auto tiles = input.tiles()) {
            const LargeRendering large = of_large(tiles, request, wanted, choice);
            if (display.given()) return write_displayed(large);
            write_large(large, output);
            return say_what_is_clipped(request.derivative, tiles->info().type);
        }
        Input in = input.load();
        check_axis(request.derivative, in.image.one_dimensional());
        check_border(request.spec, in.image.channels());
        request.width = wanted.width ? wanted.width : in.image.width();
        request.height = wanted.height ? wanted.height : in.image.height();
        say_if_weights_alone(request, is_by_rules(request, shape_of(in.image)));
        const auto image = std::make_shared<const Image>(std::move(in.image));
        Image result;
        const Light light = sampling.light();
        on_backend(choice, [&](const std::shared_ptr<Backend>& backend) {
            if (display.given()) result = displayed(backend, image, request, nullptr);
            else
                result = moved_numbers(image, request, light, output.type(in.stored),
                                       [&](const auto& samples, const RenderRequest& of_samples) {
                                           return SourceImage(backend, samples, light).render_to_image(of_samples);
                                       });
        });
        // The slopes of alpha and of colour times alpha do not make a transparent colour.
        if (request.derivative != Derivative::none) {
            result.set_alpha(Alpha::none);
            result.set_dimensions(image->dimensions());
        }
        if (display.given()) output.write(result, SampleType::u8);
        else if (request.derivative != Derivative::none) output.write(result, in.stored);
        else {
            keep_hidden_colours(result, *image, request);
            output.write_stored(result, *image, in.stored, "; --profile on converts them to sRGB");
        }
        say_what_is_clipped(request.derivative, in.stored);
    }
};

}  // namespace

void add_render(Command app) {
    Command command = app.add_subcommand("render", "Render one view of an image to a file");
    auto options = std::make_shared<RenderCommand>();
    options->input.add_to(command);
    options->output.add_to(command);
    command.add_option("--size", options->size, "Size of the output; default: that of the image").type_name("WxH");
    options->view.add_to(command);
    options->affine.add_to(
        command,
        "Instead of a view: output pixel (x, y) reads the point (A·x + B·y + C, D·x + E·y + F), in samples, "
        "where sample and pixel (0, 0) are the corner ones' centres; as OpenCV's warpAffine with "
        "WARP_INVERSE_MAP, and SciPy's affine_transform by rows [[E, D], [B, A]], offset (F, C)");
    options->homography.add_to(command);
    options->sampling.add_outside(command, Outside::background);
    options->sampling.add_antialias(command, "off");
    options->sampling.add_pyramid(command);
    options->sampling.add_linear_light(command);
    options->sampling.add_derivative(command);
    options->method.add_to(command);
    options->memory.add_to(command);
    options->levels.add_to(command);
    options->display.add_to(command);
    command.footer(
        "Examples:\n"
        "  texelscope render photo.png -o zoomed.png --zoom 8 --translate 40,-12 --method catmull-rom\n"
        "  texelscope render @zone-plate:512 -o small.png --scale 4 --antialias on --size 128x128\n"
        "  texelscope render photo.png -o sheared.png --affine 1,0.2,-10,0,1,0\n"
        "  texelscope render photo.png -o slope.npy --derivative x\n"
        "  texelscope render sky.exr -o sky.png --exposure 2 --tone aces");
    command.callback([options] { options->run(); });
}

}  // namespace texelscope
