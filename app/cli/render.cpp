// texelscope render IN -o OUT: one view of an image into a file.

#include <fmt/format.h>

#include "app/cli/commands.h"
#include "app/cli/display_options.h"
#include "app/cli/files_options.h"
#include "app/cli/large_image.h"
#include "app/cli/on_backend.h"
#include "app/cli/options.h"
#include "app/picture/hidden_colours.h"
#include "app/picture/kept_pictures.h"
#include "app/picture/moved_numbers.h"
#include "app/picture/profile_conversion.h"
#include "app/picture/rendition.h"
#include "gpu/backend/source_image.h"
#include "gpu/tiles/tiled_windows.h"

namespace texelscope {
namespace {

struct RenderCommand {
    InputOptions input;
    OutputOptions output;
    std::optional<std::string> size;
    ViewOptions view;
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
                        SourceImage(backend, std::make_shared<TiledWindows>(backend, large->image, options)));
        }
        return opaque(PaneRenderer(sources).render_to_rgba8(picture));
    }

    LargeRendering of_large(const std::shared_ptr<const TileSource>& tiles, RenderRequest request, const Extent& wanted,
                            BackendChoice choice) const {
        const ImageInfo& info = tiles->info();
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
        request.outside = sampling.outside().value_or(Outside::extend);
        request.antialias = sampling.antialias().value_or(false);
        request.derivative = sampling.derivative(request.spec);
        const BackendChoice choice = method.backend();
        display.check();
        if (display.given() && request.derivative != Derivative::none)
            throw UsageError("--derivative writes slopes, which have no colours: leave out the display options");
        input.check(sampling.light());
        output.check();
        static_cast<void>(memory.bytes());
        levels.check();
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
    options->sampling.add_outside(command, Outside::background);
    options->sampling.add_antialias(command, "off");
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
        "  texelscope render photo.png -o slope.npy --derivative x\n"
        "  texelscope render sky.exr -o sky.png --exposure 2 --tone aces");
    command.callback([options] { options->run(); });
}

}  // namespace texelscope
