#include "app/studies/bench/cases.h"

#include <fnmatch.h>

#include <algorithm>

#include <fmt/format.h>

namespace texelscope {

std::string short_text(const MethodSpec& spec) {
    const MethodSpec standard = default_spec(*spec.method);
    std::string settings;
    const auto add = [&](const std::string& setting) { settings += (settings.empty() ? ":" : ",") + setting; };
    if (spec.path != standard.path) add(fmt::format("path={}", name_of(spec.path)));
    if (spec.address != standard.address) add(to_settings(spec.address));
    if (spec.method->has_prefilter()) add(to_settings(spec.prefilter));
    const auto& parameters = spec.method->parameters;
    for (size_t i = 0; i < parameters.size(); ++i)
        if (spec.parameters.value[i] != standard.parameters.value[i])
            add(fmt::format("{}={}", parameters[i].id, spec.parameters.value[i]));
    return std::string(spec.method->id) + settings;
}

std::string BenchCase::name() const {
    std::string text = fmt::format("{}/{}/{}/{}", name_of(section), view, name_of(format), short_text(spec));
    if (simple) text += "/simple";
    if (work == Work::whole_call) text += "/whole-call";
    if (section == BenchSection::resize) text += fmt::format("/{}", name_of(backend));
    return text;
}

BenchCase bilinear_of(BenchCase of) {
    MethodSpec bilinear = default_spec(parse_method("bilinear"));
    bilinear.path = of.spec.path;
    bilinear.address = of.spec.address;
    of.spec = bilinear;
    return of;
}

bool chosen_by(const std::string& pattern, const std::string& name) {
    if (pattern.find_first_of("*?[") == pattern.npos) return name.find(pattern) != name.npos;
    return ::fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
}

std::vector<BenchCase> bench_cases(const BenchPlan& plan, const BackendInfo& backend) {
    BenchPlan wanted = plan;
    if (!plan.pattern.empty()) wanted.full = true, wanted.quick = false;
    std::vector<BenchCase> cases;
    for (const BenchSection section : plan.sections) {
        if (section == BenchSection::render) add_render_cases(wanted, backend, cases);
        if (section == BenchSection::prefilter) add_prefilter_cases(wanted, backend, cases);
        if (section == BenchSection::resize) add_resize_cases(wanted, backend, cases);
        if (section == BenchSection::paper) add_paper_cases(wanted, backend, cases);
    }
    if (plan.pattern.empty()) return cases;
    const size_t all = cases.size();
    std::erase_if(cases, [&](const BenchCase& c) { return !chosen_by(plan.pattern, c.name()); });
    if (cases.empty())
        throw UsageError(
            fmt::format("--case '{}' matches none of the {} cases; --list prints their names", plan.pattern, all));
    return cases;
}

}  // namespace texelscope
