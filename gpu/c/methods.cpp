// Methods of the C interface.

#include <algorithm>

#include "gpu/c/handles.h"
#include "gpu/kernels/kernel_code.h"
#include "gpu/method/custom_method.h"
#include "gpu/method/kernel_method.h"
#include "gpu/method/polar_method.h"
#include "gpu/recipes/recipe.h"
#include "gpu/weights/weights.h"

using namespace texelscope;
using namespace texelscope::c;

namespace {

const char* text_of(const char* text, const char* name) { return &checked(text, name); }

void give(ts_method** to, MethodSpec spec) {
    checked(to, "the place for the method");
    *to = new ts_method{.spec = std::move(spec)};
}

// Throws Error for a method without weights along an axis.
void check_has_weights(const MethodSpec& spec) {
    if (kernel_of(*spec.method) || !spec.method->weight)
        throw Error(fmt::format("{} is a CUDA kernel, which has no weight function", spec.method->name));
}

std::vector<FittedPiece> pieces_of(const MethodSpec& spec) {
    check_has_weights(spec);
    if (is_polar(*spec.method))
        throw Error(
            fmt::format("{} weighs by the distance in the plane: it has no spectrum along an axis", spec.method->name));
    if (spec.method->custom) return spec.method->custom->weights(spec.parameters)->pieces;
    const int reach = (spec.method->taps + 1) / 2;
    return fit_pieces([&](double x) { return spec.method->weight(x, spec.parameters); }, reach,
                      radius_of(*spec.method));
}

// b(−far) … b(far) of the spec's prefilter; of a FIR its taps.
std::vector<double> response_of(const MethodSpec& spec, std::span<const FittedPiece> pieces) {
    const Prefilter prefilter = spec.effective_prefilter();
    if (prefilter.kind == Prefilter::Kind::none) return {};
    const int reach = (spec.method->taps + 1) / 2;
    std::vector<double> all = spec.method->custom
                                  ? spec.method->custom->weights(spec.parameters)->prefilter.response
                                  : derive_prefilter([&](double x) { return value_of(pieces, x); }, reach).response;
    if (prefilter.kind == Prefilter::Kind::iir || all.empty()) return all;
    const int middle = int(all.size()) / 2;
    double whole = 0, kept = 0;
    for (int k = 0; k < int(all.size()); ++k) {
        whole += all[size_t(k)];
        if (std::abs(k - middle) > prefilter.taps / 2) all[size_t(k)] = 0;
        kept += all[size_t(k)];
    }
    for (double& tap : all) tap *= whole / kept;
    return all;
}

void fill_texts(ts_method& method) {
    const std::lock_guard lock(method.mutex);
    if (!method.texts[4].empty()) return;
    const MethodInfo& info = *method.spec.method;
    const bool of_function = info.custom && info.custom->function().text().empty();
    method.texts[0] = info.id;
    method.texts[1] = info.name;
    method.texts[2] = info.summary;
    method.texts[3] = info.paper;
    method.poles = method.spec.inverse_filter().poles;
    for (const ParameterInfo& each : info.parameters)
        for (const std::string_view text : {each.id, each.name, each.unit, each.summary})
            method.parameter_texts.emplace_back(text);
    method.texts[4] = of_function ? shown_spec_text(method.spec) : to_string(method.spec);
}

}  // namespace

extern "C" {

int ts_method_parse(const char* spec, ts_method** method) {
    return guarded([&] { give(method, parse_spec(text_of(spec, "the spec"))); });
}

int ts_method_from_text(const char* text, ts_method** method) {
    return guarded([&] {
        const std::string words = text_of(text, "the text");
        give(method, default_spec(is_kernel_text(words) ? kernel_method(words) : custom_method(words)));
    });
}

int ts_method_from_function(ts_weight_function weight, void* context, const ts_function_options* options,
                            ts_method** method) {
    return guarded([&] {
        if (!weight) throw UsageError("the weight function is null");
        const ts_function_options all = known_fields(&checked(options, "ts_function_options"), "ts_function_options");
        WeightFile file;
        if (all.name) file.name = all.name;
        file.radius = all.radius;
        file.normalise = all.normalise != 0;
        file.prefilter = all.no_prefilter == 0;
        give(method, default_spec(custom_method(file, [&](double x) { return weight(context, x); })));
    });
}

int ts_method_copy(const ts_method* method, ts_method** copy) {
    return guarded([&] { give(copy, checked(method, "the method").spec); });
}

int ts_method_set(ts_method* method, const char* key, const char* value) {
    return guarded([&] {
        MethodSpec spec = checked(method, "the method").spec;
        const std::string_view name = text_of(key, "the key"), text = text_of(value, "the value");
        set_setting(spec, name, text);
        if (name == "border") check_border_acts(spec.address, text);
        if (spec.method->custom) spec.method->custom->weights(spec.parameters);  // throws if there are none with these
        method->spec = spec;
        method->texts[4].clear();
        method->parameter_texts.clear();
    });
}

void ts_method_free(ts_method* method) { delete method; }

int ts_method_get_info(ts_method* method, ts_method_info* info) {
    return guarded([&] {
        ts_method& of = checked(method, "the method");
        fill_texts(of);
        const MethodInfo& record = *of.spec.method;
        write_known_fields(info,
                           {.size = 0,
                            .id = of.texts[0].c_str(),
                            .name = of.texts[1].c_str(),
                            .summary = of.texts[2].c_str(),
                            .paper = of.texts[3].c_str(),
                            .spec = of.texts[4].c_str(),
                            .taps = record.taps,
                            .order = record.order,
                            .order_unfiltered = record.order_unfiltered,
                            .smoothness = record.smoothness,
                            .interpolating = record.interpolating,
                            .has_prefilter = record.has_prefilter(),
                            .is_recipe = record.recipe != nullptr,
                            .is_kernel = kernel_of(record) != nullptr,
                            .radius = record.custom ? record.custom->function().file().radius : radius_of(record),
                            .poles = of.poles.data(),
                            .pole_count = int32_t(of.poles.size()),
                            .parameter_count = int32_t(record.parameters.size())},
                           "ts_method_info");
    });
}

int ts_method_get_parameter(ts_method* method, int32_t index, ts_parameter_info* info) {
    return guarded([&] {
        ts_method& of = checked(method, "the method");
        const auto& parameters = of.spec.method->parameters;
        if (index < 0 || size_t(index) >= parameters.size())
            throw UsageError(fmt::format("{} has {} parameters, and none of number {}", of.spec.method->id,
                                         parameters.size(), index));
        fill_texts(of);
        const std::string* texts = &of.parameter_texts[4 * size_t(index)];
        const ParameterInfo& of_record = parameters[size_t(index)];
        write_known_fields(info,
                           {.size = 0,
                            .id = texts[0].c_str(),
                            .name = texts[1].c_str(),
                            .unit = texts[2].c_str(),
                            .summary = texts[3].c_str(),
                            .minimum = of_record.minimum,
                            .maximum = of_record.maximum,
                            .standard = of_record.standard,
                            .value = of.spec.parameters.value[index]},
                           "ts_parameter_info");
    });
}

int ts_method_weights(const ts_method* method, const double* x, double* weights, size_t count) {
    return guarded([&] {
        const MethodSpec& spec = checked(method, "the method").spec;
        check_has_weights(spec);
        if (count == 0) return;
        checked(x, "x"), checked(weights, "the weights");
        std::transform(x, x + count, weights, [&](double at) { return spec.method->weight(at, spec.parameters); });
    });
}

int ts_method_gains(const ts_method* method, const double* frequencies, double* gains, size_t count) {
    return guarded([&] {
        const MethodSpec& spec = checked(method, "the method").spec;
        const std::vector<FittedPiece> pieces = pieces_of(spec);
        const std::vector<double> response = response_of(spec, pieces);
        if (count == 0) return;
        checked(frequencies, "the frequencies"), checked(gains, "the gains");
        std::transform(frequencies, frequencies + count, gains, [&](double f) { return gain_at(pieces, f, response); });
    });
}

const char* ts_method_id(int32_t index) {
    const auto all = all_methods();
    return index >= 0 && size_t(index) < all.size() ? all[size_t(index)]->id.data() : nullptr;  // of a literal
}

const char* ts_recipe_name(int32_t index) {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> all;
        for (const Recipe& recipe : all_recipes())
            all.push_back(fmt::format("{}{}/{}", recipe_prefix, recipe.library, recipe.function));
        return all;
    }();
    return index >= 0 && size_t(index) < names.size() ? names[size_t(index)].c_str() : nullptr;
}

}  // extern "C"
