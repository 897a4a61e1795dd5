// texelscope check RESULT --is resize:IN,…: compares a result with the expected one, and names the most likely mistake.

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/command_line.h"
#include "app/cli/options.h"
#include "app/cli/running.h"
#include "app/files/bytes/file_io.h"
#include "app/files/bytes/json_text.h"
#include "app/files/reading/image_files.h"
#include "app/picture/rendered_rows.h"
#include "app/studies/recipes/recipe_study.h"
#include "gpu/backend/recipe_rendering.h"
#include "gpu/backend/source_image.h"
#include "gpu/core/errors.h"
#include "gpu/core/text.h"

namespace texelscope {
namespace {

// What the result should be.
struct Exercise {
    std::string input;
    WholePicture picture;
    Light light = Light::stored;
    bool from_zero = false;  // pixel (0, 0) reads sample (0, 0)
    double shift = 0;        // of all positions, in samples
};

// "resize:photo.png,align=corners,antialias=off,method=catmull-rom": the method, or like=RECIPE, is the last one, since it may
// have commas itself.
Exercise parse_exercise(const std::string& text) {
    constexpr std::string_view form =
        "resize:IN[,align=HOW][,antialias=on|off][,light=linear][,method=SPEC|,like=RECIPE]";
    const auto fail = [&](std::string_view what) -> UsageError {
        return UsageError(fmt::format("--is: {}: write {}", what, form));
    };
    if (!text.starts_with("resize:")) throw fail(fmt::format("'{}' does not begin with resize:", text));
    std::string_view rest = std::string_view(text).substr(7);
    Exercise exercise;
    exercise.picture.spec = parse_spec("bilinear");
    exercise.input = std::string(rest.substr(0, rest.find(',')));
    rest.remove_prefix(std::min(exercise.input.size() + 1, rest.size()));
    if (exercise.input.empty()) throw fail("there is no picture");
    while (!rest.empty()) {
        const size_t equals = rest.find('=');
        const std::string_view key = trimmed(rest.substr(0, equals));
        const bool last = key == "method" || key == "like";
        const size_t end = last ? rest.size() : std::min(rest.find(','), rest.size());
        if (equals == rest.npos || equals > end) throw fail(fmt::format("'{}' has no value", rest.substr(0, end)));
        const std::string value(trimmed(rest.substr(equals + 1, end - equals - 1)));
        if (key == "align") exercise.picture.align = parse_choice<Align>("align", value);
        else if (key == "antialias" && (value == "on" || value == "off")) exercise.picture.antialias = value == "on";
        else if (key == "light" && (value == "linear" || value == "stored"))
            exercise.light = value == "linear" ? Light::linear : Light::stored;
        else if (key == "method") exercise.picture.spec = parse_spec(value);
        else if (key == "like")
            exercise.picture.spec = parse_spec(value.starts_with("like:") ? value : "like:" + value);
        else throw fail(fmt::format("'{}={}' is not known", key, value));
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return exercise;
}

// f32, of the size of the result.
Image made(const Exercise& exercise, const std::shared_ptr<const Image>& original,
           const std::shared_ptr<Backend>& backend) {
    SourceImage source(backend, original, exercise.light);
    RenderRequest request = request_for(exercise.picture, shape_of(*original));
    if (exercise.from_zero) request.positions->x0 = request.positions->y0 = 0;
    if (exercise.shift != 0) request.positions->x0 += exercise.shift, request.positions->y0 += exercise.shift;
    return rendered(source, exercise.picture, request);
}

// An image of the same size and channels, in which `from` gives the value of each pixel and channel.
Image rearranged(const Image& image, const std::function<float(int x, int y, int c)>& from) {
    Image result(image.width(), image.height(), image.channels(), SampleType::f32);
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            for (int c = 0; c < image.channels(); ++c)
                result.row_as<float>(y)[size_t(x) * size_t(image.channels()) + size_t(c)] = from(x, y, c);
    return result;
}

// A mistake, and what would come of it.
struct Mistake {
    std::string words;
    Image image;
};

// The rule of the resize, whose edges can be changed: the library's, or by our own options that of a method whose weights
// read the samples themselves. Throws Error for a method that these do not have.
ResizeRule rule_of(const Exercise& exercise, const Image& original) {
    MethodSpec spec = exercise.picture.spec;
    if (spec.filters()) throw Error("it reads coefficients, not samples");
    if (!spec.method->recipe) {
        std::string text = fmt::format("like:texelscope/resize:method={},edges=clamp,antialias={},align={}",
                                       spec.method->id, exercise.picture.antialias, name_of(exercise.picture.align));
        for (size_t i = 0; i < spec.method->parameters.size(); ++i)
            text += fmt::format(",{}={:.17g}", spec.method->parameters[i].id, spec.parameters.value[i]);
        spec = recipe_spec(text);
    }
    const Extent size = *exercise.picture.size;
    ResizeRule rule =
        rule_for(spec, original.type(), original.channels(), false, shape_of(original), size.width, size.height);
    for (Rule* axis : {&rule.x, &rule.y}) axis->prefilter = axis->prefilter && exercise.picture.spec.method->recipe;
    return rule;
}

// Edges that are treated in another way. Of methods, address modes are parts of their specs.
void add_edge_mistakes(std::vector<Mistake>& mistakes, const Exercise& exercise,
                       const std::shared_ptr<const Image>& original, const std::shared_ptr<Backend>& backend) {
    std::vector<std::optional<AddressMode>> others = {std::nullopt};
    if (exercise.picture.spec.method->recipe)
        others.insert(others.end(), all_address_modes.begin(), all_address_modes.end());
    for (const std::optional<AddressMode>& edges : others) try {
            ResizeRule rule = rule_of(exercise, *original);
            if (rule.x.edges == edges && rule.y.edges == edges) continue;
            for (Rule* axis : {&rule.x, &rule.y}) {
                axis->edges = edges;
                axis->table = {};
            }
            SourceImage source(backend, original, exercise.light);
            mistakes.push_back(
                {edges ? fmt::format("beyond the edges it reads by {}", name_of(*edges))
                       : "weights of samples beyond the edges are left out, and the others normalised to a sum of 1",
                 image_by_rule(source, rule, exercise.picture.size->width, exercise.picture.size->height)});
        } catch (const Error&) {  // the rule has no such form
        }
}

// The mistakes that leave the size of the result unchanged, and the pictures they make.
std::vector<Mistake> mistakes_of(const Exercise& exercise, const std::shared_ptr<const Image>& original,
                                 const Image& right, SampleType type, const std::shared_ptr<Backend>& backend) {
    std::vector<Mistake> mistakes;
    const auto if_changed = [&](std::string words, const std::function<void(Exercise&)>& change) {
        Exercise other = exercise;
        change(other);
        try {
            mistakes.push_back({std::move(words), made(other, original, backend)});
        } catch (const Error&) {  // the method has no such form: nobody can have made it
        }
    };
    const int w = right.width(), h = right.height(), channels = right.channels();
    const auto value = [&](int x, int y, int c) { return float(right.value(x, y, c)); };
    if (w == h)
        mistakes.push_back(
            {"the axes are swapped", rearranged(right, [&](int x, int y, int c) { return value(y, x, c); })});
    mistakes.push_back(
        {"it is upside down", rearranged(right, [&](int x, int y, int c) { return value(x, h - 1 - y, c); })});
    mistakes.push_back({"left and right are exchanged",
                        rearranged(right, [&](int x, int y, int c) { return value(w - 1 - x, y, c); })});
    if (channels >= 3)
        mistakes.push_back({"red and blue are exchanged",
                            rearranged(right, [&](int x, int y, int c) { return value(x, y, c < 3 ? 2 - c : c); })});
    const double unit = type == SampleType::u8 ? 255 : type == SampleType::u16 ? 65535 : 0;
    if (unit > 0) {
        mistakes.push_back(
            {"values are cut off to whole levels instead of rounded",
             rearranged(right, [&](int x, int y, int c) { return float(std::floor(value(x, y, c) * unit) / unit); })});
        mistakes.push_back(
            {"values beyond the range are not clamped and wrap around", rearranged(right, [&](int x, int y, int c) {
                 const double level = std::nearbyint(double(value(x, y, c)) * unit);
                 return float((level - std::floor(level / (unit + 1)) * (unit + 1)) / unit);
             })});
    } else {
        mistakes.push_back({"values are levels from 0 to 255 instead of 0 to 1",
                            rearranged(right, [&](int x, int y, int c) { return 255 * value(x, y, c); })});
    }
    add_edge_mistakes(mistakes, exercise, original, backend);
    if (exercise.picture.spec.method->recipe) return mistakes;
    if_changed("positions lack the half: pixel i reads i / factor instead of (i + ½) / factor − ½",
               [](Exercise& e) { e.from_zero = true; });
    if_changed("all positions are half a sample too large: the half of texture coordinates is in them",
               [](Exercise& e) { e.shift = 0.5; });
    if_changed("all positions are half a sample too small: the half of texture coordinates is taken off samples",
               [](Exercise& e) { e.shift = -0.5; });
    if (exercise.picture.align != Align::origin)
        if_changed("pixels lack their half: pixel i reads i / factor − ½ instead of (i + ½) / factor − ½",
                   [](Exercise& e) { e.picture.align = Align::origin; });
    if (exercise.picture.align != Align::corners)
        if_changed("the outermost samples coincide (align_corners)",
                   [](Exercise& e) { e.picture.align = Align::corners; });
    if (exercise.picture.align != Align::centers)
        if_changed("the outer edges coincide instead of what was asked for",
                   [](Exercise& e) { e.picture.align = Align::centers; });
    if_changed(exercise.picture.antialias ? "it is not antialiased" : "it is antialiased",
               [](Exercise& e) { e.picture.antialias = !e.picture.antialias; });
    if_changed(exercise.light == Light::linear ? "stored values are interpolated instead of linear light"
                                               : "linear light is interpolated instead of the stored values",
               [](Exercise& e) { e.light = e.light == Light::linear ? Light::stored : Light::linear; });
    if (exercise.picture.spec.filters())
        if_changed("the prefilter is missing",
                   [](Exercise& e) { e.picture.spec.prefilter.kind = Prefilter::Kind::none; });
    for (const AddressMode mode : all_address_modes)
        if (!(exercise.picture.spec.address == AddressPair{mode, mode}))
            if_changed(fmt::format("beyond the edges it reads by {}", name_of(mode)), [mode](Exercise& e) {
                e.picture.spec.address = {mode, mode};
            });
    for (const char* id : {"nearest", "bilinear", "catmull-rom", "bicubic", "bspline", "lanczos3"}) {
        const MethodSpec spec = parse_spec(id);
        if (spec.method != exercise.picture.spec.method)
            if_changed(fmt::format("it is interpolated by {}", spec.method->name),
                       [&](Exercise& e) { e.picture.spec = parse_spec(id, &exercise.picture.spec); });
    }
    return mistakes;
}

struct CheckCommand {
    std::string result, is, backend = "auto", json, map;
    std::optional<std::string> tolerance;

    void run() const {
        const NamedOutput outputs[] = {{"--json", json}, {"--map", map}};
        check_outputs(outputs);
        if (!map.empty()) check_output_name(map);
        Exercise exercise = parse_exercise(is);
        const Image handed_in = without_alpha(load_whole(result, false));
        const auto original = std::make_shared<const Image>(without_alpha(load_whole(exercise.input, false)));
        if (handed_in.channels() != original->channels())
            throw Error(fmt::format("{} has {} channels, {} has {}", result, handed_in.channels(), exercise.input,
                                    original->channels()));
        exercise.picture.size = Extent{handed_in.width(), handed_in.height()};
        const bool levels = handed_in.type() == SampleType::u8 || handed_in.type() == SampleType::u16;
        const double most = tolerance ? parse_positive("--tolerance", *tolerance) : levels ? 1 : 2e-6;
        Closeness close;
        Image right;
        const Mistake* likely = nullptr;
        std::vector<Mistake> mistakes;
        on_backend(parse_backend(backend), [&](const std::shared_ptr<Backend>& made_on) {
            right = made(exercise, original, made_on);
            close = closeness(right, handed_in);
            mistakes.clear();
            likely = nullptr;
            if (close.largest <= most) return;
            mistakes = mistakes_of(exercise, original, right, handed_in.type(), made_on);
            double least = close.mean / 4;  // much nearer than to what is asked for
            for (const Mistake& mistake : mistakes) {
                const double mean = closeness(mistake.image, handed_in).mean;
                if (mean < least) least = mean, likely = &mistake;
            }
        });
        if (!map.empty()) write_map(right, handed_in, most);
        const std::string unit = levels ? " levels" : "";
        std::string answer = fmt::format("right: no value is further off than {:.3g}{}", close.largest, unit);
        if (close.largest > most) {
            answer = fmt::format("wrong: values are off by {:.3g}{} on average, {:.4g} at most, at x = {}, y = {}",
                                 close.mean, unit, close.largest, close.worst_x, close.worst_y);
            if (likely)
                answer += fmt::format(". It looks as if {}: then no value is further off than {:.3g}{}", likely->words,
                                      closeness(likely->image, handed_in).largest, unit);
            else answer += ". It looks like none of the usual mistakes";
        }
        if (!json.empty()) write_text(json, as_json(close, most, likely));
        if (!is_one_printed(outputs)) fmt::print("{}\n", answer);
        if (close.largest > most) throw Error(fmt::format("{} is not {}", result, is));
    }

    static Image without_alpha(Image image) {
        image.set_alpha(Alpha::none);
        return image;
    }

    static std::string as_json(const Closeness& close, double most, const Mistake* likely) {
        nlohmann::json all = {{"right", close.largest <= most},
                              {"largest", close.largest},
                              {"mean", close.mean},
                              {"tolerance", most},
                              {"x", close.worst_x},
                              {"y", close.worst_y}};
        all["mistake"] = likely ? nlohmann::json(likely->words) : nlohmann::json();
        return json_text(all, 2) + "\n";
    }

    // The right picture in grey, and red where the result is off by more than the tolerance.
    void write_map(const Image& right, const Image& handed_in, double most) const {
        const double unit = handed_in.type() == SampleType::u8 ? 255 : handed_in.type() == SampleType::u16 ? 65535 : 1;
        Image picture(right.width(), right.height(), 3, SampleType::u8);
        for (int y = 0; y < right.height(); ++y)
            for (int x = 0; x < right.width(); ++x) {
                double grey = 0, off = 0;
                for (int c = 0; c < right.channels(); ++c) {
                    grey += std::clamp(double(right.value(x, y, c)), 0.0, 1.0) / right.channels();
                    const double one = std::abs(double(right.value(x, y, c)) - double(handed_in.value(x, y, c))) * unit;
                    off = std::isnan(one) ? INFINITY : std::max(off, one);
                }
                auto* pixel = picture.row_as<uint8_t>(y) + 3 * x;
                const auto level = uint8_t(64 + grey * 127);
                std::fill_n(pixel, 3, level);
                if (off > most) pixel[0] = 255, pixel[1] = pixel[2] = 32;
            }
        write_image(picture, map);
    }
};

}  // namespace

void add_check(Command app) {
    Command command = app.add_subcommand("check", "Check a result of your own, and say which mistake it looks like");
    auto options = std::make_shared<CheckCommand>();
    command
        .add_option("result", options->result, "The result: an image, or a .npy array of height × width (× channels)")
        .type_name("RESULT")
        .required();
    command
        .add_option(
            "--is", options->is,
            "What it should be, at its own size: resize:IN, then align=centers|corners|origin, antialias=on|off, "
            "light=stored|linear, and last method=SPEC or like=RECIPE. Default: bilinear, antialiased")
        .type_name("resize:IN,…")
        .required();
    command
        .add_option(
            "--tolerance", options->tolerance,
            "How far a value may be off: levels of integers (default: 1), or a number for floats (default: 2e-6)")
        .type_name("T");
    command.add_option("--map", options->map, "Write a picture that is red where the result is wrong")
        .type_name("FILE");
    command.add_option("--json", options->json, "The figures as JSON; - is standard output").type_name("FILE");
    command.add_option("--backend", options->backend, "auto (default), cuda or cpu").type_name("auto|cuda|cpu");
    command.footer(
        "Exit status 0: right, 1: wrong.\n"
        "Examples:\n"
        "  texelscope check mine.npy --is resize:photo.png,antialias=off,method=catmull-rom\n"
        "  texelscope check mine.png --is resize:photo.png,like=pillow/bicubic --map wrong.png");
    command.callback([options] { options->run(); });
}

}  // namespace texelscope
