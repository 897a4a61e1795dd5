#include "gpu/method/custom_method.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <map>

#include <fmt/format.h>

#include "gpu/core/errors.h"
#include "gpu/core/text.h"
#include "gpu/method/evaluate.h"
#include "gpu/method/polar_method.h"
#include "gpu/method/resample.h"
#include "gpu/method/resample_job.h"
#include "gpu/weights/weights.h"

namespace texelscope {
namespace {

// The shared code of fitted weights, chosen at run time by a custom method's taps and fetches.

// Calls visit.template operator()<taps, fetches>().
template <class Visit> auto with_shape(const CustomWeights& weights, Visit visit) {
    const bool pairs = 2 * weights.kernel_fetches() == weights.shared.taps;
    switch (weights.shared.taps) {
        case 2: return visit.template operator()<2, 1>();
        case 4: return pairs ? visit.template operator()<4, 2>() : visit.template operator()<4, 3>();
        case 6: return pairs ? visit.template operator()<6, 3>() : visit.template operator()<6, 5>();
        case 8: return pairs ? visit.template operator()<8, 4>() : visit.template operator()<8, 7>();
        default: throw Error("these weights come from pieces, not from polynomials that methods share");
    }
}

// With weights.fetches > 0.
std::vector<FilteredFetch> custom_fetches(const CustomWeights& weights, float t) {
    return with_shape(weights, [&]<int taps, int fetches>() {
        float offset[fetches], weight[fetches];
        FittedFetches<taps, fetches>(weights.shared).groups(t, offset, weight);
        std::vector<FilteredFetch> result;
        for (int i = 0; i < fetches; ++i) result.push_back({offset[i], weight[i]});
        return result;
    });
}

// With weights.shared.taps > 0; launch_custom() alike.
void resample_custom_rows(const CustomWeights& weights, const ResampleJob& job, int first, int last) {
    with_shape(weights, [&]<int taps, int fetches>() {
        detail::resample_rows(FittedFetches<taps, fetches>(weights.shared), job, first, last);
    });
}

#if TEXELSCOPE_WITH_CUDA
void launch_custom(const CustomWeights& weights, const ResampleJob& job, const KernelChoice& choice,
                   const AxisWeights& shared, const DeviceQueue& queue) {
    with_shape(weights, [&]<int taps, int fetches>() { launch_shared<taps, fetches>(job, choice, shared, queue); });
}
#endif

std::vector<double> values_of(const WeightFile& file, const MethodParameters& parameters) {
    return {parameters.value, parameters.value + file.parameters.size()};
}

// The shared polynomials, if they agree with the pieces on both sides of every place where something may change.
AxisWeights shared_weights(const MethodInfo& info, const MethodParameters& parameters,
                           std::span<const FittedPiece> pieces) {
    if (info.taps > AxisWeights::max_taps || pieces.size() > 64) return {};
    const AxisWeights weights = axis_weights(info, parameters);
    if (weights.taps == 0) return {};
    std::vector<double> places;
    for (int i = 0; i < 256; ++i) places.push_back(i / 256.0);
    for (const FittedPiece& piece : pieces)
        for (const double x : {piece.begin, piece.begin + 1e-7, piece.end - 1e-7}) places.push_back(x - std::floor(x));
    for (const double t : places) {
        const double s = std::min(t, 1 - t);
        for (int k = 0; k < weights.taps; ++k) {
            const float* c = weights.c[t > 0.5 ? weights.taps - 1 - k : k];
            double sum = 0;
            for (int n = weights.degree; n >= 0; --n) sum = sum * s + double(c[n]);
            if (!(std::abs(sum - value_of(pieces, t + (weights.taps / 2 - 1) - k)) < 3e-7)) return {};
        }
    }
    return weights;
}

// All for the life of the program: methods of functions as well, whose key is not a text.
struct CustomMethods {
    std::mutex one_at_a_time;
    std::map<std::string, std::unique_ptr<const CustomMethod>, std::less<>> by_text;

    const MethodInfo& add(std::string key, std::unique_ptr<const CustomMethod> method) {
        return by_text.emplace(std::move(key), std::move(method)).first->second->info();
    }
    void check_room() const {
        if (by_text.size() >= most_custom_methods)
            throw Error(fmt::format("{} formulas have been tried: start the program again for more", by_text.size()));
    }
};

CustomMethods& custom_methods() {
    static CustomMethods all;
    return all;
}

// The function, computed from pieces: it is called here and never again, and its values are those of the pieces.
RealFunction in_pieces(const WeightFile& file, const RealFunction& function) {
    const WeightFunction called(file, function);
    if (const auto problem = called.problem({})) throw WeightError(*problem);
    auto pieces = std::make_shared<std::vector<FittedPiece>>(
        fit_pieces([&](double x) { return called.undivided(x, {}); }, called.taps() / 2, file.radius));
    return [pieces](double x) { return value_of(*pieces, x); };
}

}  // namespace

CustomMethod::CustomMethod(const WeightFile& file, const RealFunction& function)
    : function_(file, in_pieces(file, function)) {
    check_and_describe();
}

CustomMethod::CustomMethod(std::string text) : function_(std::move(text)) { check_and_describe(); }

void CustomMethod::check_and_describe() {
    const WeightFile& file = function_.file();
    std::vector<double> standard;
    for (const WeightParameter& parameter : file.parameters) standard.push_back(parameter.standard);
    if (const auto problem = function_.problem(standard)) throw WeightError(*problem);
    try {
        describe();
    } catch (const Error& error) {
        throw WeightError({file.formula_line, file.formula_column, error.what()});
    }
}

void CustomMethod::describe() {
    const WeightFile& file = function_.file();
    info_.id = custom_id;
    info_.family = custom_id;
    info_.name = file.name;
    info_.summary = "A weight function of one's own, from its formula.";
    info_.paper = "docs/weights.md";
    info_.rank = 1000;
    info_.tolerance = 2e-6;
    info_.taps = function_.taps();
    info_.custom = this;
    for (const WeightParameter& parameter : file.parameters)
        info_.parameters.push_back({parameter.id, parameter.id, "", parameter.minimum, parameter.maximum,
                                    parameter.standard, "A parameter of the formula."});
    info_.weight = [this](double x, const MethodParameters& parameters) {
        return function_(x, std::span(parameters.value, function_.file().parameters.size()));
    };
    if (file.normalise)
        info_.undivided = [this](double x, const MethodParameters& parameters) {
            return function_.undivided(x, std::span(parameters.value, function_.file().parameters.size()));
        };
    info_.tap_weights = [this](float t, const MethodParameters& parameters) {
        const auto weights = this->weights(parameters);
        const auto table = weights->packed.at(weights->packed.bytes.data());
        const int whole = int(std::floor(t));  // t may be just outside of [0, 1)
        std::vector<float> result;
        for (int k = 0; k < info_.taps; ++k)
            result.push_back(piece_value(table, whole + info_.taps / 2 - 1 - k, t - float(whole)));
        return result;
    };
    info_.filtered_fetches = [this](float t, const MethodParameters& parameters) {
        const auto weights = this->weights(parameters);
        if (weights->fetches > 0) return custom_fetches(*weights, t);
        std::vector<FilteredFetch> each;
        const std::vector<float> taps = info_.tap_weights(t, parameters);
        for (int k = 0; k < info_.taps; ++k) each.push_back({float(k - info_.taps / 2 + 1), taps[size_t(k)]});
        return each;
    };
    info_.resample_rows = [this](const ResampleJob& job, int first, int last) {
        resample_custom_rows(*weights(job.spec.parameters), job, first, last);
    };
#if TEXELSCOPE_WITH_CUDA
    info_.launch = [this](const ResampleJob& job, const KernelChoice& choice, const AxisWeights& shared,
                          const DeviceQueue& queue) {
        launch_custom(*weights(job.spec.parameters), job, choice, shared, queue);
    };
#endif
    const auto standard = weights(info_.standard_parameters());
    const auto& pieces = standard->pieces;
    info_.derives_prefilter = file.prefilter && !standard->prefilter.filter.empty();
    info_.interpolating = standard->interpolates(info_.derives_prefilter);
    info_.order = standard->order(info_.derives_prefilter).order;
    info_.order_unfiltered = standard->order(false).order;
    info_.smoothness = smoothness_of(pieces);
    info_.hardware_fetches = standard->fetches > 0 ? standard->fetches : info_.taps;
    info_.hardware_note =
        standard->fetches == 0 ? "No taps can be merged: this path computes exact weights, as lookup does."
        : 2 * standard->fetches == info_.taps
            ? "No weight is negative: all taps are merged in pairs. Each fetch has an 8-bit fraction."
            : "The two middle weights share a fetch; the others may have another sign and are fetched "
              "one by one. Each fetch has an 8-bit fraction.";
    if (info_.smoothness >= 1)
        info_.slope = [this](double x, const MethodParameters& parameters) {
            const auto weights = this->weights(parameters);
            const auto& all = weights->pieces;
            const auto after = std::upper_bound(all.begin(), all.end(), x,
                                                [](double at, const FittedPiece& piece) { return at < piece.begin; });
            if (after == all.begin() || x >= (after - 1)->end) return 0.0;
            return derivatives({*(after - 1)}).front()(x);
        };
}

std::shared_ptr<const CustomWeights> CustomMethod::weights(const MethodParameters& parameters) const {
    constexpr size_t capacity = 16;
    const std::lock_guard<std::mutex> lock(one_at_a_time_);
    const auto found =
        std::find_if(kept_.begin(), kept_.end(), [&](const Kept& k) { return k.parameters == parameters; });
    if (found != kept_.end()) {
        kept_.splice(kept_.begin(), kept_, found);
    } else {
        kept_.push_front({parameters, computed(parameters)});
        if (kept_.size() > capacity) kept_.pop_back();
    }
    return kept_.front().weights;
}

std::shared_ptr<const CustomWeights> CustomMethod::computed(const MethodParameters& parameters) const {
    const WeightFile& file = function_.file();
    const std::vector<double> values = values_of(file, parameters);
    if (const auto problem = function_.problem(values)) throw Error(to_string(*problem));
    const RealFunction h = function_.with(values);
    const int reach = function_.taps() / 2;
    auto result = std::make_shared<CustomWeights>();
    result->pieces = fit_pieces(h, reach, file.radius);
    if (file.normalise) result->undivided = fit_pieces(widened_function(info_, parameters), reach, file.radius);
    result->stated = !file.stated.values.empty();
    result->prefilter = result->stated ? stated_prefilter(file.stated.recursive, function_.stated_values(values))
                                       : derive_prefilter(h, reach);
    result->packed = texelscope::packed<float>(result->pieces, reach);
    result->largest_error = largest_error(result->packed, h, result->pieces);
    result->shared = shared_weights(info_, parameters, result->pieces);
    if (result->shared.taps > 0) result->fetches = fetches_along_axis(result->pieces, info_.taps);
    // The single fetch of two taps has the weight 1.
    if (info_.taps == 2 && !weight_sum(result->pieces).is_one()) result->fetches = 0;
    return result;
}

PackedPieces<float> CustomMethod::packed(const MethodParameters& parameters, WeightForm form) const {
    const auto all = weights(parameters);
    switch (form) {
        case WeightForm::own: break;
        case WeightForm::widened: return texelscope::packed<float>(all->widened(), all->packed.reach);
        case WeightForm::derivative: return texelscope::packed<float>(derivatives(all->pieces), all->packed.reach);
    }
    return all->packed;
}

const MethodInfo& custom_method(const std::string& text) {
    CustomMethods& all = custom_methods();
    const std::lock_guard<std::mutex> lock(all.one_at_a_time);
    const auto found = all.by_text.find(text);
    if (found != all.by_text.end()) return found->second->info();
    all.check_room();
    return all.add(text, std::make_unique<const CustomMethod>(text));
}

const MethodInfo& custom_method(const WeightFile& file, const RealFunction& function) {
    CustomMethods& all = custom_methods();
    const std::lock_guard<std::mutex> lock(all.one_at_a_time);
    all.check_room();
    auto method = std::make_unique<const CustomMethod>(file, function);
    return all.add(fmt::format("\x01function {}", all.by_text.size()), std::move(method));
}

const MethodInfo& custom_method_of_file(const std::string& path) {
    const std::string text = read_text_file(path, WeightFile::most_bytes);
    try {
        return custom_method(text);
    } catch (const WeightError& error) {
        throw FileError(path, to_string(error.problem));
    }
}

std::string encoded_text(std::string_view text) {
    std::string word;
    for (const char c : text) {
        const bool plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' ||
                           c == '_' || c == '.';
        if (plain) word += c;
        else word += fmt::format("%{:02X}", unsigned((unsigned char)c));
    }
    return word;
}

std::string decoded_text(std::string_view word) {
    std::string text;
    for (size_t i = 0; i < word.size(); ++i) {
        if (word[i] != '%') {
            text += word[i];
            continue;
        }
        unsigned byte = 0;
        const std::string_view digits = word.substr(i + 1, 2);
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), byte, 16);
        if (digits.size() != 2 || error != std::errc() || end != digits.data() + 2)
            throw UsageError("the text of a custom method has a % without two hexadecimal digits after it");
        text += char(byte);
        i += 2;
    }
    return text;
}

std::string weights_text(const MethodSpec& spec) {
    const MethodInfo& method = *spec.method;
    if (method.custom) return method.custom->function().text();
    if (method.formula.empty()) throw Error(fmt::format("{} has no text to start from", method.name));
    std::string result = fmt::format("name = {} (copy)\nradius = {}\n", method.name, radius_of(method));
    for (size_t i = 0; i < method.parameters.size(); ++i)
        result += fmt::format("parameter {} = {} from {} to {}\n", method.parameters[i].id, spec.parameters.value[i],
                              method.parameters[i].minimum, method.parameters[i].maximum);
    if (method.formula_divided) result += "normalise = yes\n";
    return result + fmt::format("w(x) = {}\n", method.formula);
}

}  // namespace texelscope
