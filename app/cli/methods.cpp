// texelscope methods: what the registry holds.

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "gpu/method/method_info.h"

namespace texelscope {
namespace {

nlohmann::json to_json(const MethodInfo& m) {
    nlohmann::json parameters = nlohmann::json::array();
    for (const ParameterInfo& p : m.parameters)
        parameters.push_back({{"id", p.id}, {"name", p.name}, {"unit", p.unit}, {"minimum", p.minimum},
                              {"maximum", p.maximum}, {"default", p.standard}, {"summary", p.summary}});
    return {{"id", m.id},
            {"name", m.name},
            {"summary", m.summary},
            {"paper", m.paper},
            {"taps", m.taps},
            {"taps_2d", m.taps * m.taps},
            {"hardware_fetches_2d", m.hardware_fetches * m.hardware_fetches},
            {"hardware_note", m.hardware_note},
            {"interpolating", m.interpolating},
            {"order", m.order},
            {"order_unfiltered", m.order_unfiltered},
            {"prefilter_poles", m.poles},
            {"paths", {"auto", "global", "lookup", "hardware"}},
            {"tolerance", m.tolerance},
            {"parameters", parameters}};
}

void print_methods(bool json) {
    if (json) {
        nlohmann::json all = nlohmann::json::array();
        for (const MethodInfo* method : all_methods()) all.push_back(to_json(*method));
        fmt::print("{}\n", all.dump(2));
        return;
    }
    fmt::print("{:<13}{:<20}{:>10}{:>10}{:>7}  {}\n", "id", "name", "taps 2-D", "fetches*", "order", "prefilter");
    for (const MethodInfo* m : all_methods())
        fmt::print("{:<13}{:<20}{:>10}{:>10}{:>7}  {}\n", m->id, m->name, m->taps * m->taps,
                   m->hardware_fetches * m->hardware_fetches, m->order, m->has_prefilter() ? "none, firN, iir" : "–");
    fmt::print("\n* on the path hardware, where the texture unit filters with an 8-bit fraction\n");
    for (const MethodInfo* m : all_methods()) fmt::print("\n{}\n  {}\n  {}\n", m->id, m->summary, m->paper);
}

}  // namespace

void add_methods(CLI::App& app) {
    auto* command = app.add_subcommand("methods", "List the interpolation methods");
    auto json = std::make_shared<bool>(false);
    command->add_flag("--json", *json, "As JSON");
    command->callback([json] { print_methods(*json); });
}

}  // namespace texelscope
