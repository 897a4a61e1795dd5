// texelscope resize IN -o OUT: the whole image at another size.

#include <fmt/format.h>

#include "app/cli/command_line.h"
#include "app/cli/options.h"
#include "app/cli/running.h"
#include "app/picture/numbers.h"
#include "app/picture/rendered_rows.h"
#include "gpu/backend/recipe_rendering.h"
#include "gpu/backend/source_image.h"

namespace texelscope {
namespace {

struct ResizeCommand {
    InputOptions input;
    OutputOptions output;
    std::optional<std::string> size, factor;
    std::string align = "centers";
    bool least_squares = false;
    SamplingOptions sampling;
    MethodOptions method;
    MemoryOption memory;
    LevelsOption levels;

    void run() const {
        const bool area = method.names_area();
        WholePicture picture{.spec = area ? method.spec_of_area() : method.spec()};
        // Widened weights come from a table in linear memory, so a requested texture path would have no effect.
        const bool texture = picture.spec.path == FetchPath::lookup || picture.spec.path == FetchPath::hardware;
        picture.antialias = sampling.antialias().value_or(!texture);
        picture.pyramid = sampling.pyramid();
        picture.align = parse_choice<Align>("--align", align);
        picture.least_squares = least_squares || area;
        if (picture.least_squares && !sampling.antialias().value_or(true))
            throw UsageError(fmt::format("{} is a way of antialiasing: it cannot be combined with --antialias off",
                                         words_of_least_squares()));
        check_least_squares(picture);
        const BackendChoice choice = method.backend();
        if (picture.spec.method->recipe) check_recipe(picture);
        if (!size && !factor) throw UsageError("resize needs --size WxH or --factor F");
        if (size) picture.size = parse_size("--size", *size);
        if (factor) picture.factor = parse_factors("--factor", *factor);
        if (least_squares && factor && picture.factor.x >= 1 && picture.factor.y >= 1)
            throw UsageError(fmt::format(
                "--least-squares acts along axes that shrink: --factor must be below 1 along x or y, not '{}'",
                *factor));
        check_all(input, output, memory, levels, sampling.light());

        if (const auto tiles = input.tiles()) return write_large(of_large(tiles, picture, choice), output);
        Input in = input.load();
        check_border(picture.spec, in.image.channels());
        if (picture.spec.method->recipe)  // refuses sizes that the library does not have
            rule_for(picture.spec, in.image.type(), in.image.channels(), in.image.alpha() != Alpha::none,
                     shape_of(in.image), extent_of(picture, shape_of(in.image)).width,
                     extent_of(picture, shape_of(in.image)).height);
        const Alpha alpha = in.image.alpha();
        const bool plain_alpha = has_plain_alpha(picture, in.image);
        if (plain_alpha) in.image.set_alpha(Alpha::none);
        const RenderRequest request = request_for(picture, shape_of(in.image));
        say_if_nothing_shrinks(request, in.image);
        const auto source = std::make_shared<const Image>(std::move(in.image));
        Image result;
        on_backend(choice, [&](const std::shared_ptr<Backend>& backend) {
            result = moved_numbers(source, request, sampling.light(), output.type(in.stored),
                                   [&](const auto& samples, const RenderRequest& of_samples) {
                                       SourceImage on(backend, samples, sampling.light());
                                       return rendered(on, picture, of_samples);
                                   });
        });
        if (plain_alpha) result.set_alpha(alpha);
        else keep_hidden_colours(result, *source, request);
        output.write_stored(result, *source, in.stored);
    }

    std::string words_of_least_squares() const { return least_squares ? "--least-squares" : "--method area"; }

    // A recipe is another library's function, which leaves nothing to choose but its own options.
    void check_recipe(const WholePicture& picture) const {
        const std::string_view name = picture.spec.method->id;
        if (sampling.antialias())
            throw UsageError(fmt::format("{} itself says whether it antialiases: leave --antialias out", name));
        if (picture.align != Align::centers)
            throw UsageError(fmt::format("{} itself says how it is aligned: leave --align out", name));
        if (least_squares) throw UsageError(fmt::format("{} does not shrink by least squares", name));
    }

    // Whether the recipe's library resizes alpha like any other channel.
    static bool has_plain_alpha(const WholePicture& picture, const Image& image) {
        if (!picture.spec.method->recipe || image.alpha() == Alpha::none) return false;
        const Extent extent = extent_of(picture, shape_of(image));
        return !rule_for(picture.spec, image.type(), image.channels(), true, shape_of(image), extent.width,
                         extent.height)
                    .premultiplied;
    }

    LargeRendering of_large(const std::shared_ptr<const TileSource>& tiles, const WholePicture& picture,
                            BackendChoice choice) const {
        const ImageInfo& info = tiles->info();
        if (picture.spec.method->recipe)
            throw UsageError(fmt::format(
                "{} needs the whole image in memory: {} is too large for that; with --texels f32 it is read as a whole "
                "all the same",
                picture.spec.method->id, input.name()));
        if (picture.least_squares)
            throw UsageError(fmt::format(
                "{} needs the whole image in memory: {} is too large for that; with --texels f32 it is read as a whole "
                "all the same",
                words_of_least_squares(), input.name()));
        sampling.check_pyramid_of_large(input.name());
        check_border(picture.spec, info.channels);
        return {tiles,
                request_for(picture, {info.width, info.height}),
                sampling.light(),
                choice,
                memory.bytes(),
                levels.of(*tiles)};
    }

    // Not refused: a size may be meant for many pictures.
    void say_if_nothing_shrinks(const RenderRequest& request, const Image& image) const {
        if (least_squares && request.width >= image.width() && request.height >= image.height())
            fmt::print(stderr,
                       "texelscope: --least-squares acts along axes that shrink, and none does from {}×{} to {}×{}\n",
                       image.width(), image.height(), request.width, request.height);
    }
};

}  // namespace

void add_resize(Command app) {
    Command command = app.add_subcommand("resize", "Write the whole image at another size");
    auto options = std::make_shared<ResizeCommand>();
    options->input.add_to(command);
    options->output.add_to(command);
    const Option size = command.add_option("--size", options->size, "Size of the output, in pixels").type_name("WxH");
    command
        .add_option("--factor", options->factor,
                    "Output pixels per sample, one for both axes or x,y; the size is rounded")
        .type_name("F[,FY]")
        .excludes(size);
    command
        .add_option(
            "--align", options->align,
            "How the grids are aligned: centers (outer edges coincide, default), corners (outermost samples coincide), "
            "or origin (texture coordinate i/F; shifts the picture by half an output pixel)")
        .type_name("HOW");
    options->sampling.add_antialias(command, "on; off with --path lookup or hardware");
    options->sampling.add_pyramid(command);
    command
        .add_flag(
            "--least-squares", options->least_squares,
            "Shrink to the picture that the method enlarges to the nearest of the given one, instead of widening its "
            "weight function: keeps more, and gives back what bilinear or a B-spline enlarged by an odd factor; bilinear "
            "and splines. --method area is nearest with it: the mean of each pixel's area")
        .group("Sampling");
    options->sampling.add_linear_light(command);
    options->method.add_to(command);
    options->memory.add_to(command);
    options->levels.add_to(command);
    command.footer(
        "Examples:\n"
        "  texelscope resize photo.png -o half.png --factor 0.5 --method lanczos3\n"
        "  texelscope resize photo.png -o icon.png --size 64x64 --linear-light\n"
        "  texelscope resize photo.png -o half.png --factor 0.5 --method bspline --least-squares\n"
        "  texelscope resize photo.png -o small.png --size 200x150 --method area\n"
        "  texelscope resize scan.tif -o half.tif --factor 0.5 --method lanczos3 --memory 4G\n"
        "  texelscope resize photo.png -o shifted.png --factor 2 --align origin --method bilinear --path hardware");
    command.callback([options] { options->run(); });
}

}  // namespace texelscope
