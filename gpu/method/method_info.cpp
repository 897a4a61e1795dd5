#include "gpu/method/method_info.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include <fmt/format.h>

#include "gpu/core/errors.h"
#include "gpu/method/polar_method.h"
#include "gpu/method/spec.h"
#include "gpu/weights/inverse_filter.h"
#include "gpu/weights/poles.h"

namespace texelscope {
namespace {

// Filled by static objects of other files, so it must exist at first use.
std::vector<std::unique_ptr<const MethodInfo>>& records() {
    static std::vector<std::unique_ptr<const MethodInfo>> all;
    return all;
}

}  // namespace

RegisterMethod::RegisterMethod(MethodInfo info) {
    check_method(info);  // an exception ends the program before main, with the message
    records().push_back(std::make_unique<const MethodInfo>(std::move(info)));
}

MethodParameters MethodInfo::standard_parameters() const {
    MethodParameters result;
    for (size_t i = 0; i < parameters.size(); ++i) result.value[i] = parameters[i].standard;
    return result;
}

std::function<double(double x)> widened_function(const MethodInfo& method, const MethodParameters& parameters) {
    if (!method.undivided) return [&method, parameters](double x) { return method.weight(x, parameters); };
    // What is divided by its sums has the integral 1. By the midpoint rule, which is exact to 1e-9 for functions that end smoothly.
    constexpr int parts = 64;
    const int reach = (method.taps + 1) / 2 * parts;
    double integral = 0;
    for (int n = -reach; n < reach; ++n) integral += method.undivided((n + 0.5) / parts, parameters) / parts;
    const double factor = std::abs(integral) > 1e-9 ? 1 / integral : 1;
    return [&method, parameters, factor](double x) { return factor * method.undivided(x, parameters); };
}

std::span<const MethodInfo* const> all_methods() {
    static const std::vector<const MethodInfo*> by_rank = [] {
        std::vector<const MethodInfo*> result;
        for (const auto& record : records()) result.push_back(record.get());
        std::sort(result.begin(), result.end(), [](auto* a, auto* b) { return a->rank < b->rank; });
        return result;
    }();
    return by_rank;
}

const MethodInfo* find_method(std::string_view id) {
    for (const MethodInfo* method : all_methods())
        if (method->id == id) return method;
    return nullptr;
}

namespace {

constexpr int most_taps = 16;  // of which max_widened_taps has room for a stretch of 4

void check_parameter(const MethodInfo& method, const ParameterInfo& parameter) {
    if (!std::isfinite(parameter.minimum) || !std::isfinite(parameter.maximum) ||
        !(parameter.minimum <= parameter.standard && parameter.standard <= parameter.maximum))
        throw Error(fmt::format("parameter {} of method {} needs a default value between its minimum and its maximum",
                                parameter.id, method.id));
}

}  // namespace

void check_poles(std::span<const double> poles) {
    if (poles.size() > size_t(most_poles))
        throw Error(fmt::format("a prefilter of {} poles cannot be computed: up to {} can", poles.size(), most_poles));
    for (const double z : poles)
        if (!(std::abs(z) <= largest_pole) || z == 0)
            throw Error(
                fmt::format("a prefilter with a pole at {} cannot be computed: poles lie within ±{} and are not 0", z,
                            largest_pole));
    const double least = least_distance_of_poles(int(poles.size()));
    for (size_t i = 1; i < poles.size(); ++i)
        for (size_t j = 0; j < i; ++j)
            if (std::abs(poles[i] - poles[j]) < least)
                throw Error(fmt::format(
                    "a prefilter with poles at {} and {} cannot be computed: they must be at least {} apart", poles[j],
                    poles[i], least));
}

void check_prefilter(const Prefilter& prefilter) {
    const int taps = prefilter.taps;
    if (prefilter.kind == Prefilter::Kind::fir &&
        (taps % 2 == 0 || taps < Prefilter::min_taps || taps > Prefilter::max_taps))
        throw Error(fmt::format("a prefilter of {} taps cannot be computed: choose an odd number from {} to {}", taps,
                                Prefilter::min_taps, Prefilter::max_taps));
}

void check_method(const MethodInfo& method) try {
    if (method.id.empty()) throw Error("it has no id");
    if (method.taps < 1 || method.taps > most_taps)
        throw Error(fmt::format("it has {} taps along an axis: 1 to {} can be computed", method.taps, most_taps));
    if (!method.weight || !method.tap_weights || !method.filtered_fetches ||
        (!method.resample_rows && !is_polar(method) && !method.is_wide()))
        throw Error("its functions are missing: describe it with described_by<Method>()");
    if (method.parameters.size() > size_t(MethodParameters::capacity))
        throw Error(fmt::format("it has {} parameters: there is room for {}", method.parameters.size(),
                                MethodParameters::capacity));
    for (const ParameterInfo& parameter : method.parameters) check_parameter(method, parameter);
    check_poles(method.poles);
} catch (const Error& error) {
    throw Error(fmt::format("the method '{}' cannot be registered: {}", method.id, error.what()));
}

}  // namespace texelscope
