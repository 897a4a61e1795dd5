// texelscope sample IN --at POINTS: values of an image or a signal at arbitrary points.

#include <algorithm>
#include <cerrno>
#include <cfloat>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <system_error>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/cli/command_line.h"
#include "app/cli/options.h"
#include "app/cli/running.h"
#include "app/files/bytes/file_io.h"
#include "app/files/bytes/naming.h"
#include "app/files/codecs/npy.h"
#include "app/files/decoding/picture_in_file.h"
#include "app/files/tables/tables.h"
#include "app/picture/numbers.h"
#include "app/text/text.h"
#include "gpu/backend/recipe_rendering.h"
#include "gpu/backend/source_image.h"
#include "gpu/core/colour.h"
#include "gpu/core/image.h"

namespace texelscope {
namespace {

// Interpolated values of points, written as they arrive: a table of text, or a NumPy array.

// Without commit() the file is left as it was; output to stdout cannot be undone.
class ValueOutput {
public:
    virtual ~ValueOutput() = default;

    // Values of the points from number `first` on, `channels` of each.
    virtual void write(size_t first, std::span<const StoredNumber> values) = 0;
    virtual void commit() = 0;
};

// A file that exists complete or not at all; or stdout.
class Sink {
public:
    explicit Sink(const std::string& name) {
        if (!name.empty() && name != "-") file_ = std::make_unique<OutputFile>(name);
    }
    void write(std::span<const std::byte> bytes) {
        if (file_) file_->write(bytes);
        else if (std::fwrite(bytes.data(), 1, bytes.size(), stdout) != bytes.size()) fail();
    }
    void commit() {
        if (file_) file_->commit();
        else if (std::fflush(stdout) != 0) fail();
    }

private:
    [[noreturn]] static void fail() {
        throw FileError("standard output", "cannot be written: " + words_of_error(errno));
    }

    std::unique_ptr<OutputFile> file_;
};

class Table : public ValueOutput {
public:
    Table(const std::string& name, const PointList& points, std::span<const std::string> names)
        : sink_(name), points_(points), channels_(names.size()) {
        if (points.header) text_ = fmt::format("{},{}\n", points.dimensions == 1 ? "x" : "x,y", fmt::join(names, ","));
    }

    void write(size_t first, std::span<const StoredNumber> values) override {
        for (size_t k = 0; k * channels_ < values.size(); ++k) {
            append_point(points_, first + k, text_);
            for (const StoredNumber& value : values.subspan(k * channels_, channels_)) text_ += ',' + text_of(value);
            text_ += '\n';
        }
        sink_.write(std::as_bytes(std::span(text_)));
        text_.clear();
    }
    void commit() override { sink_.commit(); }

private:
    Sink sink_;
    const PointList& points_;
    size_t channels_;
    std::string text_;
};

void store(const StoredNumber& number, std::byte* to, SampleType type) {
    const auto store_as = [&](const auto& value, SampleType stored) {
        convert_samples(reinterpret_cast<const std::byte*>(&value), 1, stored, to, type);
    };
    if (const auto* integer = std::get_if<int64_t>(&number)) store_as(*integer, SampleType::i64);
    else if (const auto* large = std::get_if<uint64_t>(&number)) store_as(*large, SampleType::u64);
    else if (const auto* single = std::get_if<float>(&number)) store_as(*single, SampleType::f32);
    else store_as(std::get<double>(number), SampleType::f64);
}

class Array : public ValueOutput {
public:
    Array(const std::string& name, const PointList& points, size_t channels, SampleType type)
        : sink_(name), type_(type) {
        std::vector<uint64_t> shape = points.shape;
        if (channels > 1) shape.push_back(channels);
        const std::string header = encode_npy_header(shape, type);
        sink_.write(std::as_bytes(std::span(header)));
    }

    void write(size_t, std::span<const StoredNumber> values) override {
        std::vector<std::byte> samples(values.size() * size_t(bytes_per_sample(type_)));
        std::byte* to = samples.data();
        for (const StoredNumber& value : values) {
            store(value, to, type_);
            to += bytes_per_sample(type_);
        }
        sink_.write(samples);
    }
    void commit() override { sink_.commit(); }

private:
    Sink sink_;
    SampleType type_;
};

// Throws UsageError unless the name is empty, "-" (stdout), a stream, or ends in .csv, .tsv, .txt, .dat or .npy.
void check_value_output_name(const std::string& name) {
    if (!name.empty() && !is_stream(name) && !name.ends_with(".npy") && !is_table_name(name))
        throw UsageError(fmt::format(
            "{}: values are written to .csv, .tsv, .txt, .dat or .npy, and as a table to - and to pipes", name));
}

// Opens an output for channels `names`. Tables have a header if the points had one; arrays have samples of type `type`.
// Throws FileError.
std::unique_ptr<ValueOutput> open_value_output(const std::string& name, const PointList& points,
                                               std::span<const std::string> names, SampleType type) {
    if (name.ends_with(".npy")) return std::make_unique<Array>(name, points, names.size(), type);
    return std::make_unique<Table>(name, points, names);
}

constexpr size_t points_at_once = size_t(1) << 18;

// Sample i of an axis is at origin + i · spacing.
struct Grid {
    double origin[2] = {0, 0}, spacing[2] = {1, 1};
    bool plain() const { return origin[0] == 0 && origin[1] == 0 && spacing[0] == 1 && spacing[1] == 1; }
};

// The coordinate of x in sample space. It is rounded to a whole sample if it differs only by the rounding of x, origin
// and spacing: the last sample of an interval must not fall outside. `digits` is the relative rounding error of x.
double sample_coordinate(double x, double origin, double spacing, double digits) {
    const double p = (x - origin) / spacing, whole = std::nearbyint(p);
    const double rounding =
        4 * ((digits * std::abs(x) + DBL_EPSILON * std::abs(origin)) / std::abs(spacing) + DBL_EPSILON * std::abs(p));
    return std::abs(p - whole) <= std::min(rounding, 1e-3) ? whole : p;
}

// The points that are read, in sample space: on the grid, then mapped.
std::vector<double> places_of(const PointList& points, const Grid& grid, const std::optional<Affine>& affine) {
    std::vector<double> places = points.coordinates;
    const double digits = points.single ? FLT_EPSILON : DBL_EPSILON;
    if (!grid.plain())
        for (size_t k = 0; k < places.size(); ++k) {
            const size_t axis = k % size_t(points.dimensions);
            places[k] = sample_coordinate(places[k], grid.origin[axis], grid.spacing[axis], digits);
        }
    const auto dimensions = size_t(points.dimensions);
    if (affine)
        for (size_t k = 0; k < places.size(); k += dimensions) {
            const Point p = apply(*affine, places[k], dimensions == 2 ? places[k + 1] : 0);
            places[k] = p.x;
            if (dimensions == 2) places[k + 1] = p.y;
        }
    return places;
}

// "v", "re" and "im" of complex values, or "v0", "v1", …
std::vector<std::string> channel_names(const Image& image) {
    if (image.channels() == 1) return {"v"};
    if (image.channels() == 2 && image.alpha() == Alpha::none) return {"re", "im"};
    std::vector<std::string> names;
    for (int c = 0; c < image.channels(); ++c) names.push_back(fmt::format("v{}", c));
    return names;
}

Bytes all_of(std::FILE* file) {
    Bytes bytes;
    std::byte block[65536];
    for (size_t read; (read = std::fread(block, 1, sizeof block, file)) > 0;)
        bytes.insert(bytes.end(), block, block + read);
    if (std::ferror(file)) throw Error("cannot be read: " + words_of_error(errno));
    return bytes;
}

// A table or an array, or what is as short as a point: "1.5,2.5".
PointList points_named(const std::string& name) {
    const auto parsed = [](const std::string& named, const auto& bytes) {
        return naming(named, [&] { return parse_points(bytes()); });
    };
    if (name == "-") return parsed("standard input", [] { return all_of(stdin); });
    std::error_code none;
    if (name.find_first_not_of("0123456789+-.eE,") != name.npos || std::filesystem::exists(name, none))
        return read_points(name);
    const auto text = std::as_bytes(std::span(name));
    return parsed("--at " + name, [&] { return Bytes(text.begin(), text.end()); });
}

struct SampleCommand {
    InputOptions input;
    std::vector<std::string> at;
    std::string output;
    std::optional<std::string> depth, origin, spacing;
    AffineOption affine;
    SamplingOptions sampling;
    MethodOptions method;

    void run() const {
        SampleRequest request;
        request.spec = method.spec();
        request.outside = sampling.outside().value_or(Outside::extend);
        request.derivative = sampling.derivative(request.spec);
        if (sampling.antialias().value_or(false))
            throw UsageError(
                "--antialias must be off for arbitrary points, which have no scale; resize or render the image first");
        const BackendChoice choice = method.backend();
        input.check(sampling.light());
        if (at[0] == "-" && file_of(input.name()) == "-")
            throw UsageError("IN and --at both read standard input: give one of them a file");
        check_value_output_name(output);
        const std::optional<Affine> map = affine.affine();
        const SampleType type = array_type();
        grid_of(Input{});  // refuses malformed values

        Input in = input.load();
        check_axis(request.derivative, in.image.one_dimensional());
        check_border(request.spec, in.image.channels());
        say_if_weights_alone(request, is_by_rules(request, shape_of(in.image)));
        const PointList points = at.size() == 1 ? points_named(at[0]) : read_points(at[0], at[1]);
        check_dimensions(in.image, points);

        const auto names = channel_names(in.image);
        const auto image = std::make_shared<const Image>(std::move(in.image));
        std::unique_ptr<ValueOutput> out;
        size_t written = 0;  // points: those already on stdout are not computed again
        on_backend(choice, [&](const std::shared_ptr<Backend>& backend) {
            if (!out) out = open_value_output(output, points, names, type);
            write_values(reader(backend, image, request, grid_of(in), type), points,
                         places_of(points, grid_of(in), map), *out, written);
        });
        out->commit();
    }

    // The sample type of an array; a table has all digits.
    SampleType array_type() const {
        if (!depth) return SampleType::f32;
        if (!output.ends_with(".npy"))
            throw UsageError("--depth is the type of an array (.npy): a table has the values as they are");
        return parse_choice<SampleType>("--depth", *depth, all_sample_types);
    }

    // A function from points to their values.
    using Reader = std::function<std::vector<StoredNumber>(const PointsView& points)>;

    Reader reader(const std::shared_ptr<Backend>& backend, const std::shared_ptr<const Image>& image,
                  const SampleRequest& request, const Grid& grid, SampleType type) const {
        const SampleType written = output.ends_with(".npy") ? type : image->type();
        if (moves_numbers(request, *image, sampling.light(), written))
            return [values = std::make_shared<MovedValues>(backend, *image, request)](const PointsView& points) {
                return values->at(points);
            };
        return [=, source = std::make_shared<SourceImage>(backend, image, sampling.light())](const PointsView& points) {
            const size_t channels = size_t(source->samples().channels());
            const bool derivative = request.derivative != Derivative::none;
            const double step = grid.spacing[request.derivative == Derivative::y ? 1 : 0];
            std::vector<float> values = source->sample_to_host(request, points);
            if (!derivative && source->samples().alpha() != Alpha::none)
                for (size_t k = 0; k < values.size(); k += channels) make_straight(&values[k], int(channels));
            if (derivative)
                for (float& value : values) value = float(value / step);
            return std::vector<StoredNumber>(values.begin(), values.end());
        };
    }

    // Starts at point number `written` and advances it.
    static void write_values(const Reader& read, const PointList& points, const std::vector<double>& places,
                             ValueOutput& out, size_t& written) {
        const size_t total = points.count();
        Progress progress(total);
        while (written < total) {
            const size_t first = written, count = std::min(points_at_once, total - first);
            out.write(first, read(slice(places, points.dimensions, first, count)));
            written += count;
            progress.show(written);
        }
    }

    static PointsView slice(const std::vector<double>& places, int dimensions, size_t first, size_t count) {
        const double* at = places.data() + first * size_t(dimensions);
        return dimensions == 2 ? PointsView::pairs(at, count) : PointsView::arrays(at, nullptr, count);
    }

    // The grid given on the command line, else the grid of the signal's table.
    Grid grid_of(const Input& in) const {
        Grid grid{{in.grid.origin, 0}, {in.grid.spacing, 1}};
        if (origin) {
            const Point pair = parse_pair("--origin", *origin);
            grid.origin[0] = pair.x;
            grid.origin[1] = pair.y;
        }
        if (spacing) {
            const Point pair = parse_pair("--spacing", *spacing);
            if (pair.x == 0 || pair.y == 0) throw UsageError("--spacing must not be 0");
            grid.spacing[0] = pair.x;
            grid.spacing[1] = pair.y;
        }
        return grid;
    }

    void check_dimensions(const Image& image, const PointList& points) const {
        if (image.one_dimensional() && points.dimensions == 2)
            throw Error(at[0] + ": points of a one-dimensional signal have one coordinate, x; these have two");
        if (!image.one_dimensional() && points.dimensions == 1)
            throw Error(at[0] + ": points of an image have two coordinates, x and y; these have one");
    }
};

}  // namespace

void add_sample(Command app) {
    Command command = app.add_subcommand("sample", "Interpolate an image or a signal at arbitrary points");
    auto options = std::make_shared<SampleCommand>();
    options->input.add_to(command);
    command
        .add_option("--at", options->at,
                    "Points: table (.csv) of x, or x and y; .npy array (N,) of x, or …×2 of x and y; or two files of "
                    "x and of y; - for standard input; or one point, X or X,Y")
        .required()
        .expected(1, 2)
        .type_name("POINTS [POINTS_Y]");
    command.add_option("-o,--output", options->output, "Table (.csv) or array (.npy); default: a table on stdout")
        .type_name("OUT");
    command
        .add_option("--depth", options->depth,
                    "Type of an array's values: f32, the default, or u8, u16, f16, i8, i16, i32, u32, i64, u64, f64")
        .type_name("TYPE");
    command
        .add_option("--origin", options->origin,
                    "Coordinate of sample 0, in the units of the points; one number for both axes, or x,y")
        .type_name("X0[,Y0]")
        .group("Grid");
    command
        .add_option("--spacing", options->spacing,
                    "Distance between samples, in the units of the points; derivatives are per such unit")
        .type_name("DX[,DY]")
        .group("Grid");
    options->affine.add_to(
        command, "Read (A·x + B·y + C, D·x + E·y + F), in samples, for each point (x, y); A·x + C of a signal");
    options->sampling.add_outside(command, Outside::nan);
    options->sampling.add_antialias(command, "off (required: points have no scale)");
    options->sampling.add_linear_light(command);
    options->sampling.add_derivative(command);
    options->method.add_to(command);
    command.footer(
        "IN may be a signal: a table of values, of x and value, or of x, real and imaginary part (x rising in equal\n"
        "steps gives origin and spacing), or a 1-D .npy array. Sample i of a row is at x = X0 + i·DX.\n"
        "Tables may begin with a header line; commas, semicolons, tabs and spaces separate their columns.\n"
        "Each row of the result repeats the point and adds the value of every channel; a .npy result holds only\n"
        "the values.\n\n"
        "Examples:\n"
        "  texelscope sample photo.png --at points.csv --method bilinear -o values.csv\n"
        "  texelscope sample photo.png --at 12.5,40\n"
        "  texelscope sample field.npy --at x.npy y.npy --address border -o values.npy\n"
        "  texelscope sample signal.csv --at x.csv --outside nan --method bilinear");
    command.callback([options] { options->run(); });
}

}  // namespace texelscope
