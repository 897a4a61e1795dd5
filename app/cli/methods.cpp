// texelscope methods: the contents of the registry; methods SPEC: one method as a page.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/method_page.h"
#include "app/files/bytes/json_text.h"
#include "app/picture/inspect/method_facts.h"
#include "app/text/columns.h"
#include "gpu/method/polar_method.h"
#include "gpu/method/spec.h"

namespace texelscope {
namespace {

nlohmann::json paths_of(const MethodInfo& method) {
    nlohmann::json paths = nlohmann::json::array();
    for (const FetchPath path : all_fetch_paths) {
        MethodSpec spec = default_spec(method);
        spec.path = path;
        if (spec.effective_path() == path) paths.push_back(name_of(path));
    }
    return paths;
}

nlohmann::json to_json(const MethodInfo& m) {
    nlohmann::json parameters = nlohmann::json::array();
    for (const ParameterInfo& p : m.parameters)
        parameters.push_back({{"id", p.id},
                              {"name", p.name},
                              {"unit", p.unit},
                              {"minimum", p.minimum},
                              {"maximum", p.maximum},
                              {"default", p.standard},
                              {"summary", p.summary}});
    return {{"id", m.id},
            {"family", m.family},
            {"name", m.name},
            {"summary", m.summary},
            {"paper", m.paper},
            {"taps", m.taps},
            {"taps_2d", std::lround(samples_of_plane(m))},
            {"polar_radius", is_polar(m) ? nlohmann::json(radius_of(m)) : nlohmann::json()},
            {"hardware_fetches_2d", m.hardware_fetches * m.hardware_fetches},
            {"hardware_note", m.hardware_note},
            {"interpolating", m.interpolating},
            {"order", m.order},
            {"order_unfiltered", m.order_unfiltered},
            {"smoothness", m.smoothness},
            {"slope", m.slope != nullptr},
            {"prefilter_poles", m.poles},
            {"paths", paths_of(m)},
            {"tolerance", m.tolerance},
            {"parameters", parameters}};
}

void print_table() {
    size_t id = 2, name = 4;
    for (const MethodInfo* m : all_methods()) {
        id = std::max(id, columns_of(m->id));
        name = std::max(name, columns_of(m->name));
    }
    const auto row = [&](std::string_view a, std::string_view b, auto taps, auto fetches, auto order,
                         std::string_view prefilter) {
        fmt::print("{}  {}  {:>8}  {:>8}  {:>5}  {}\n", padded(a, id), padded(b, name), taps, fetches, order,
                   prefilter);
    };
    row("id", "name", "taps 2-D", "fetches*", "order", "prefilter");
    for (const MethodInfo* m : all_methods())
        row(m->id, m->name, std::lround(samples_of_plane(*m)),
            is_polar(*m) ? "–" : fmt::format("{}", m->hardware_fetches * m->hardware_fetches), m->order,
            m->has_prefilter() ? "none, firN, iir" : "–");
    fmt::print(
        "\n* on the hardware path, where the texture unit filters with an 8-bit fraction. The other paths are exact:\n"
        "  global and lookup fetch each tap, from linear memory or through the texture cache; auto is the fastest\n"
        "  code, which shares work between neighbouring pixels. Methods without fetches weigh the samples in a disc,\n"
        "  of which there are so many on average, and have the paths auto and global.\n");
    for (const MethodInfo* m : all_methods()) fmt::print("\n{}\n  {}\n  {}\n", m->id, m->summary, m->paper);
    fmt::print("\n\"texelscope methods ID\" shows the weights of a method.\n");
}

void print_methods(const std::optional<std::string>& which, bool json) {
    if (which) {
        const MethodSpec spec = parse_spec(*which);
        if (!json) {
            fmt::print("{}", method_page(spec));
            return;
        }
        nlohmann::json record = to_json(*spec.method);
        record["interpolating"] = interpolates(spec);
        fmt::print("{}\n", json_text(record, 2));
        return;
    }
    if (!json) {
        print_table();
        return;
    }
    nlohmann::json all = nlohmann::json::array();
    for (const MethodInfo* method : all_methods()) all.push_back(to_json(*method));
    fmt::print("{}\n", json_text(all, 2));
}

}  // namespace

void add_methods(Command app) {
    Command command = app.add_subcommand("methods", "List the interpolation methods, or describe one of them");
    struct Options {
        std::optional<std::string> which;
        bool json = false;
    };
    auto options = std::make_shared<Options>();
    command.add_option(
        "SPEC", options->which,
        "ID[:parameter=value,…] of the method to describe, custom:file=FILE or kernel:file=FILE; default: list all methods");
    command.add_flag("--json", options->json, "Print JSON");
    command.callback([options] { print_methods(options->which, options->json); });
}

}  // namespace texelscope
