#pragma once
// Every registered method with its default parameters, and with others over their ranges.

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "gpu/method/spec.h"
#include "gpu/prefilter/prefilter.h"

namespace texelscope::test {

struct Case {
    const MethodInfo* method;
    MethodParameters parameters;

    double weight(double x) const { return method->weight(x, parameters); }
    double slope(double x) const { return method->slope(x, parameters); }
    std::vector<float> taps(float t) const { return method->tap_weights(t, parameters); }
    std::vector<FilteredFetch> fetches(float t) const { return method->filtered_fetches(t, parameters); }
    bool standard() const { return parameters == method->standard_parameters(); }

    // The tap with index 0 in weights(), from floor(x), or from floor(x + ½) if the taps are odd.
    int first_tap() const { return -(method->taps - 1) / 2; }

    std::string name() const {
        std::string text(method->id);
        for (size_t i = 0; i < method->parameters.size(); ++i)
            text += " " + std::string(method->parameters[i].id) + "=" + std::to_string(parameters.value[i]);
        return text;
    }
};

inline Case case_of(std::string_view spec) {
    const MethodSpec parsed = parse_spec(spec);
    return {parsed.method, parsed.parameters};
}

// Both ends, the default and two values between for each parameter, in all combinations.
inline std::vector<Case> all_cases() {
    std::vector<Case> cases;
    for (const MethodInfo* method : all_methods()) {
        std::vector<Case> of_method = {{method, method->standard_parameters()}};
        for (size_t i = 0; i < method->parameters.size(); ++i) {
            const ParameterInfo& p = method->parameters[i];
            std::vector<Case> varied;
            for (const Case& one : of_method)
                for (const double value : {p.standard, p.minimum, p.minimum + 0.3 * (p.maximum - p.minimum),
                                           (p.minimum + p.maximum) / 2, p.maximum}) {
                    varied.push_back(one);
                    varied.back().parameters.value[i] = value;
                }
            of_method = varied;
        }
        cases.insert(cases.end(), of_method.begin(), of_method.end());
    }
    return cases;
}

// Calls body(case) for each.
template <class Body> void for_every_case(Body body) {
    for (const Case& one : all_cases()) {
        SCOPED_TRACE(one.name());
        body(one);
    }
}

// b(−reach) … b(reach) of the exact prefilter from its gains and poles; a 1 for methods that have none.
inline std::vector<double> exact_response(const MethodInfo& method, int reach = 60) {
    std::vector<double> response(size_t(2 * reach + 1), 0.0);
    if (!method.has_prefilter()) {
        response[size_t(reach)] = 1;
        return response;
    }
    const PrefilterKernel kernel = prefilter_kernel({Prefilter::Kind::iir}, method.poles);
    for (int k = -reach; k <= reach; ++k)
        for (int i = 0; i < kernel.poles; ++i)
            response[size_t(k + reach)] += kernel.gain[size_t(i)] * std::pow(kernel.pole[size_t(i)], std::abs(k));
    return response;
}

}  // namespace texelscope::test
