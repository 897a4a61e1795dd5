#include <algorithm>
#include <cmath>
#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "app/cli/command_line.h"
#include "app/files/bytes/json_text.h"
#include "app/picture/inspect/curves.h"
#include "app/studies/recipes/recipe_study.h"
#include "app/text/text.h"
#include "gpu/method/kernel_method.h"
#include "gpu/method/polar_method.h"
#include "gpu/method/spec.h"

namespace texelscope {
namespace {

constexpr int eighths = 8;
constexpr size_t label_columns = 18, text_columns = 100;

using Out = std::back_insert_iterator<std::string>;

// "label   text", the text wrapped and indented.
void add_row(std::string& page, std::string_view label, std::string_view text) {
    std::string line = padded(label, label_columns);
    size_t used = label_columns;
    for (std::string_view rest = text; !rest.empty();) {
        const size_t end = std::min(rest.find(' '), rest.size());
        const std::string_view word = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        if (used + columns_of(word) > text_columns) {
            page += line + '\n';
            line = std::string(label_columns, ' ');
            used = label_columns;
        }
        line += fmt::format("{}{}", used == label_columns ? "" : " ", word);
        used += columns_of(word) + (used == label_columns ? 0 : 1);
    }
    page += line + '\n';
}

std::string_view smoothness_text(int smoothness) {
    constexpr std::string_view texts[] = {"jumps",
                                          "continuous",
                                          "continuously differentiable",
                                          "twice continuously differentiable",
                                          "three times continuously differentiable",
                                          "four times continuously differentiable",
                                          "five times continuously differentiable",
                                          "six times continuously differentiable"};
    return texts[size_t(std::clamp(smoothness + 1, 0, int(std::size(texts)) - 1))];
}

void add_record(std::string& page, const MethodSpec& spec) {
    const MethodInfo& m = *spec.method;
    const bool standard = spec.parameters == m.standard_parameters();
    page += fmt::format("{} – {}\n\n", m.id, m.name);
    add_row(page, "summary", m.summary);
    add_row(page, "source", m.paper);
    add_row(page, "taps",
            is_polar(m) ? fmt::format("{}; {} in a signal", taps_words(m), m.taps)
                        : fmt::format("{0} along an axis, {1} in an image", taps_not_zero(m),
                                      taps_not_zero(m) * taps_not_zero(m)));
    add_row(page, "samples",
            interpolates(spec) ? m.has_prefilter() ? "passes through them, with its prefilter" : "passes through them"
                               : "does not pass through them");
    if (!m.custom) {  // whose facts, below, are those of these parameters
        add_row(page, "order",
                (m.has_prefilter() ? fmt::format("{}; {} without prefilter", m.order, m.order_unfiltered)
                                   : fmt::format("{}", m.order)) +
                    (standard ? "" : " (with the default parameters)"));
        add_row(page, "smoothness", smoothness_text(m.smoothness));
    }
    add_row(page, "derivative",
            m.slope       ? "yes (--derivative x|y)"
            : is_polar(m) ? "no: of separable methods only"
                          : "no: it is not continuous");
    add_row(page, "prefilter",
            m.custom            ? "none, firN or iir, if it has one (below)"
            : m.has_prefilter() ? fmt::format("none, firN or iir; coefficients float or half; pole{} {}",
                                              m.poles.size() > 1 ? "s" : "", fmt::join(m.poles, ", "))
                                : "needs none");
    add_row(page, "hardware path", m.hardware_note);
    if (!m.custom) return;
    for (const CustomFact& fact : custom_facts(spec)) add_row(page, fact.label, fact.text);
}

void add_parameters(std::string& page, const MethodSpec& spec) {
    const auto& parameters = spec.method->parameters;
    for (size_t i = 0; i < parameters.size(); ++i) {
        const ParameterInfo& p = parameters[i];
        add_row(page, i == 0 ? "parameters" : "",
                fmt::format("{} = {:.6g}{}{}: {} ({:.6g} to {:.6g}, default {:.6g})", p.id, spec.parameters.value[i],
                            p.unit.empty() ? "" : " ", p.unit, p.summary, p.minimum, p.maximum, p.standard));
    }
}

void add_kernel(std::string& page, const MethodSpec& spec, const KernelMethod& kernel) {
    page += fmt::format("{} – {}\n\n", spec.method->id, spec.method->name);
    add_row(page, "summary", spec.method->summary);
    add_row(page, "dialect", spec.method->paper);
    add_parameters(page, spec);
    const auto add_outcome = [&](std::string_view label, const auto& outcome) {
        try {
            add_row(page, label, outcome());
        } catch (const KernelError& error) {
            for (const KernelProblem& problem : error.problems) add_row(page, label, to_string(problem));
        } catch (const Unavailable& error) {
            add_row(page, label, error.what());
        }
    };
    add_outcome("on the CPU", [&] {
        const auto code = kernel.interpreted();
        return fmt::format("{} instructions, {} bytes for each pixel", code->code.size(), code->bytes_for_pixel);
    });
    add_outcome("on a GPU", [&] {
        return fmt::format("by NVRTC; {} bytes for the oldest GPU that it knows", kernel.code(0)->bytes.size());
    });
}

// Adding +0 below makes −0 print as 0.

// Weights of the taps at a position x − floor(x); an odd number of taps is centred on the nearest sample.
void add_weights(std::string& page, const MethodSpec& spec) {
    const int taps = spec.method->taps, first = -((taps - 1) / 2);
    const bool odd = taps % 2 == 1;
    page +=
        fmt::format("\nWeights of the taps{}, counted from the {} sample, at the fraction t = x − floor(x)\n\n  t    ",
                    is_polar(*spec.method) ? " of a signal" : "", odd ? "nearest" : "floor(x)-th");
    for (int k = 0; k < taps; ++k) fmt::format_to(Out(page), "{:>10}", fmt::format("{:+}", first + k));
    page += '\n';
    for (int i = 0; i < eighths; ++i) {
        const float t = float(i) / eighths;
        fmt::format_to(Out(page), "  {:<5.3f}", t);
        for (const float w : spec.method->tap_weights(odd && t >= 0.5f ? t - 1 : t, spec.parameters))
            fmt::format_to(Out(page), "{:>10.6f}", w + 0.0f);
        page += '\n';
    }
}

void add_fetches(std::string& page, const MethodSpec& spec) {
    if (spec.method->hardware_fetches == 0) return;
    const auto at = [&](int i) { return spec.method->filtered_fetches(float(i) / eighths, spec.parameters); };
    const size_t fetches = at(0).size();
    if (fetches == 0) {
        page += "\nThe hardware path is a single point-filtered fetch at x.\n";
        return;
    }
    page += "\nFetches of the hardware path along an axis: weight g at offset h from floor(x)\n\n  t    ";
    for (size_t k = 0; k < fetches; ++k) fmt::format_to(Out(page), "{:>20}", fmt::format("g{0}       h{0}", k));
    page += '\n';
    for (int i = 0; i < eighths; ++i) {
        fmt::format_to(Out(page), "  {:<5.3f}", double(i) / eighths);
        for (const FilteredFetch& fetch : at(i))
            fmt::format_to(Out(page), "{:>11.5f}{:>9.5f}", fetch.weight + 0.0f, fetch.offset + 0.0f);
        page += '\n';
    }
}

void add_fetch_fractions(std::string& page, const MethodSpec& spec) {
    const auto fractions = fetch_fractions(spec);
    if (!fractions) return;
    page += "\nCan two fetches carry the four taps? Both fractions must lie in [0, 1] for t in [0, 1)\n\n";
    const auto add = [&](std::string_view name, std::string_view formula, const FetchFraction& h) {
        fmt::format_to(Out(page), "  {} = {}   from {:.6f} to {:.6f}   {}\n", name, formula, h.minimum, h.maximum,
                       h.possible() ? "in [0, 1]" : "not in [0, 1]");
    };
    add("h̃0", "w1 / (w0 + w1)", fractions->h0);
    add("h̃1", "w3 / (w2 + w3)", fractions->h1);
    const bool both = fractions->h0.possible() && fractions->h1.possible();
    page += both ? "  Both lie in [0, 1]: yes.\n" : "  They do not both lie in [0, 1]: no.\n";
}

}  // namespace

std::string method_page(const MethodSpec& spec) {
    std::string page;
    if (const KernelMethod* kernel = kernel_of(*spec.method)) {
        add_kernel(page, spec, *kernel);
        return page;
    }
    if (spec.method->recipe) return recipe_page(*spec.method->recipe);
    add_record(page, spec);
    add_parameters(page, spec);
    add_weights(page, spec);
    add_fetches(page, spec);
    add_fetch_fractions(page, spec);
    return page;
}

// texelscope methods: the contents of the registry; methods SPEC: one method as a page.
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
            {"group", name_of(m.group)},
            {"name", m.name},
            {"summary", m.summary},
            {"paper", m.paper},
            {"taps", taps_not_zero(m)},
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
            m->hardware_fetches == 0 ? "–" : fmt::format("{}", m->hardware_fetches * m->hardware_fetches), m->order,
            m->has_prefilter() ? "none, firN, iir" : "–");
    fmt::print(
        "\n* on the hardware path, where the texture unit filters with an 8-bit fraction. The other paths are exact:\n"
        "  global and lookup fetch each tap, from linear memory or through the texture cache; auto is the fastest\n"
        "  code, which shares work between neighbouring pixels. Methods without fetches weigh the samples in a disc,\n"
        "  of which there are so many on average, and have the paths auto and global.\n");
    for (const MethodInfo* m : all_methods()) fmt::print("\n{}\n  {}\n  {}\n", m->id, m->summary, m->paper);
    for (const MethodForm& form : method_forms)
        fmt::print("\n{}{}\n  {}\n  {}\n", form.prefix, form.value, form.summary, form.page);
    fmt::print("\n\"texelscope methods ID\" shows the weights of a method.\n");
}

void print_methods(const std::optional<std::string>& which, bool json) {
    if (which == recipe_prefix && !json) {
        fmt::print("{}", recipes_list());
        return;
    }
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
    command.add_option("SPEC", options->which,
                       fmt::format("ID[:parameter=value,…] of the method to describe, {}; default: list all methods",
                                   words_of_method_forms()));
    command.add_flag("--json", options->json, "Print JSON");
    command.callback([options] { print_methods(options->which, options->json); });
}

}  // namespace texelscope
