// texelscope warp IN --map MAP|--affine A,B,C,D,E,F -o OUT: an image through a map of coordinates.

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/cli/command_line.h"
#include "app/cli/options.h"
#include "app/cli/running.h"
#include "app/files/bytes/file_io.h"
#include "app/files/codecs/npy.h"
#include "app/files/tables/tables.h"
#include "app/picture/numbers.h"
#include "gpu/backend/recipe_rendering.h"
#include "gpu/backend/source_image.h"

namespace texelscope {
namespace {

constexpr size_t pixels_at_once = size_t(1) << 18;

// Output pixel (i, j) reads the point j · width + i.
struct CoordinateMap {
    int width, height;
    PointList points;
};

CoordinateMap read_map(const std::string& name) {
    constexpr std::string_view shape =
        "a map is a .npy array of shape (height, width, 2), x and y of every output pixel in samples";
    constexpr size_t signature = 6;
    if (!is_npy(read_prefix(name, signature))) throw FileError(name, fmt::format("is no .npy array: {}", shape));
    PointList points = read_points(name);
    if (points.dimensions != 2 || points.shape.size() != 2) throw FileError(name, std::string(shape));
    for (const uint64_t side : points.shape)
        if (side > uint64_t(max_image_side))
            throw FileError(name, fmt::format("the map has shape ({}, 2); width and height are limited to {} pixels",
                                              fmt::join(points.shape, ", "), max_image_side));
    return {int(points.shape[1]), int(points.shape[0]), std::move(points)};
}

PointsView points_of(const CoordinateMap& map) {
    return PointsView::pairs(map.points.coordinates.data(), map.points.count());
}

// The image of the values at the map's points, the same as those of `texelscope sample`.
Image sampled(SourceImage& source, const SampleRequest& request, const CoordinateMap& map) {
    const size_t channels = size_t(source.samples().channels()), total = map.points.count();
    Image result(map.width, map.height, int(channels), SampleType::f32, source.samples().alpha());
    float* to = result.row_as<float>(0);
    Progress progress(total);
    for (size_t first = 0; first < total; first += pixels_at_once) {
        const size_t count = std::min(pixels_at_once, total - first);
        const auto values =
            source.sample_to_host(request, PointsView::pairs(map.points.coordinates.data() + 2 * first, count));
        std::copy(values.begin(), values.end(), to + first * channels);
        progress.show(first + count);
    }
    return result;
}

// The points that a built-in map reads.
CoordinateMap map_of(const Warp& warp, int width, int height) {
    CoordinateMap map{width, height, {}};
    map.points.dimensions = 2;
    for (int j = 0; j < height; ++j)
        for (int i = 0; i < width; ++i) {
            const Point p = warped(warp, {double(i), double(j)}, width, height);
            map.points.coordinates.insert(map.points.coordinates.end(), {p.x, p.y});
        }
    return map;
}

struct WarpCommand {
    InputOptions input;
    OutputOptions output;
    std::string map_name;
    AffineOption affine;
    HomographyOption homography;
    std::optional<std::string> size;
    SamplingOptions sampling;
    MethodOptions method;
    MemoryOption memory;
    LevelsOption levels;

    LargeRendering of_large(const std::shared_ptr<const TileSource>& tiles, RenderRequest request,
                            BackendChoice choice) const {
        const ImageInfo& info = tiles->info();
        if (!request.positions && !map_name.starts_with('@'))
            throw UsageError(fmt::format(
                "{} is too large to be held in memory, and then warped by the built-in maps and --affine only: "
                "--map @swirl, @barrel or @ripple",
                input.name()));
        check_border(request.spec, info.channels);
        set_size(request, info.width, info.height);
        return {tiles, request, sampling.light(), choice, memory.bytes(), levels.of(*tiles)};
    }

    // That of the image, unless another is given.
    void set_size(RenderRequest& request, int width, int height) const {
        const Extent wanted = size ? parse_size("--size", *size) : Extent{width, height};
        request.width = wanted.width;
        request.height = wanted.height;
    }

    void run() const {
        RenderRequest request;
        request.spec = method.spec();
        request.positions = affine.affine();
        if (int(request.positions.has_value()) + int(!map_name.empty()) + int(homography.given()) != 1)
            throw UsageError(
                "warp needs one of --map MAP.npy|@NAME, --affine A,B,C,D,E,F and --homography A,B,C,D,E,F,G,H,I");
        if (size && !map_name.empty())
            throw UsageError("--size goes with --affine and --homography: a map has a size of its own");
        request.outside = sampling.outside().value_or(Outside::extend);
        request.antialias = sampling.antialias().value_or(false);
        if (request.spec.method->recipe && sampling.antialias())
            throw UsageError(
                fmt::format("{} itself says whether it antialiases: leave --antialias out", request.spec.method->id));
        const BackendChoice choice = method.backend();
        const bool built_in = map_name.starts_with('@') || homography.given();
        if (homography.given()) {
            request.warp = homography.warp();
            request.positions = Affine{1, 0, 0, 0, 1, 0};
        } else if (built_in) {
            request.warp = parse_warp("--map", std::string_view(map_name).substr(1));
        }
        check_all(input, output, memory, levels, sampling.light());

        if (const auto tiles = input.tiles()) return write_large(of_large(tiles, request, choice), output);
        Input in = input.load();
        if (in.image.one_dimensional())
            throw Error("warp takes an image, not a one-dimensional signal; texelscope sample reads a signal anywhere");
        check_border(request.spec, in.image.channels());
        set_size(request, in.image.width(), in.image.height());
        say_if_weights_alone(request,
                             built_in || request.positions
                                 ? is_by_rules(request, shape_of(in.image))
                                 : is_by_rules(static_cast<const SampleRequest&>(request), shape_of(in.image)));
        std::optional<CoordinateMap> map;
        if (built_in && request.antialias && request.spec.effective_mip() == Mip::none)
            map = map_of(request.warp, request.width, request.height);
        else if (!built_in && !request.positions) map = read_map(map_name);
        const auto image = std::make_shared<const Image>(std::move(in.image));
        Image result;
        on_backend(choice, [&](const std::shared_ptr<Backend>& backend) {
            result = moved_numbers(
                image, request, sampling.light(), request.antialias ? SampleType::f32 : output.type(in.stored),
                [&](const auto& samples, const RenderRequest& of_samples) {
                    SourceImage source(backend, samples, sampling.light());
                    if (request.antialias && map)
                        return source.render_map(of_samples, points_of(*map), map->width, map->height);
                    return map ? sampled(source, of_samples, *map) : source.render_to_image(of_samples);
                });
        });
        output.write_stored(result, *image, in.stored);
    }
};

}  // namespace

void add_warp(Command app) {
    Command command = app.add_subcommand("warp", "Resample an image through a map of coordinates");
    auto options = std::make_shared<WarpCommand>();
    options->input.add_to(command);
    options->output.add_to(command);
    command
        .add_option(
            "--map", options->map_name,
            "Array of shape (height, width, 2) with the point (x, y), in samples, that each output pixel reads; or "
            "@NAME[:STRENGTH], "
            "a built-in map: " +
                warp_help())
        .type_name("MAP.npy|@NAME");
    options->affine.add_to(
        command,
        "Instead of a map: output pixel (x, y) reads the point (A·x + B·y + C, D·x + E·y + F), in samples, as in render");
    options->homography.add_to(command);
    command
        .add_option("--size", options->size,
                    "Size of the output with --affine and --homography; default: that of the image")
        .type_name("WxH");
    options->sampling.add_outside(command, Outside::background);
    options->sampling.add_antialias(command, "off");
    options->sampling.add_linear_light(command);
    options->method.add_to(command);
    options->memory.add_to(command);
    options->levels.add_to(command);
    command.footer(
        "Examples:\n"
        "  texelscope warp photo.png --map @swirl:90 -o swirled.png\n"
        "  texelscope warp photo.png --map map.npy -o warped.png --outside background\n"
        "  texelscope warp photo.png --affine 0.9,0.2,3,-0.2,0.9,5 -o moved.png "
        "--method like:scipy/affine_transform:mode=mirror");
    command.callback([options] { options->run(); });
}

}  // namespace texelscope
