#include "app/cli/method_page.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/picture/inspect/method_facts.h"
#include "app/text/columns.h"
#include "gpu/method/kernel_method.h"
#include "gpu/method/polar_method.h"

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
                        : fmt::format("{} along an axis, {} in an image", m.taps, m.taps * m.taps));
    add_row(page, "samples",
            interpolates(spec) ? m.has_prefilter() ? "passes through them, with its prefilter" : "passes through them"
                               : "does not pass through them");
    add_row(page, "order",
            (m.has_prefilter() ? fmt::format("{}; {} without prefilter", m.order, m.order_unfiltered)
                               : fmt::format("{}", m.order)) +
                (standard ? "" : " (with the default parameters)"));
    add_row(page, "smoothness", smoothness_text(m.smoothness));
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
    try {
        const auto code = kernel.code(0);
        add_row(page, "compiler", fmt::format("NVRTC; {} bytes for the oldest GPU that it knows", code->bytes.size()));
    } catch (const KernelError& error) {
        for (const KernelProblem& problem : error.problems) add_row(page, "compiler", to_string(problem));
    } catch (const Unavailable& error) {
        add_row(page, "compiler", error.what());
    }
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
    if (is_polar(*spec.method)) return;
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
    add_record(page, spec);
    add_parameters(page, spec);
    add_weights(page, spec);
    add_fetches(page, spec);
    add_fetch_fractions(page, spec);
    return page;
}

}  // namespace texelscope
