#include "gpu/method/spec.h"

#include <charconv>
#include <cmath>
#include <optional>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gpu/core/errors.h"
#include "gpu/core/text.h"
#include "gpu/method/custom_method.h"
#include "gpu/method/kernel_method.h"
#include "gpu/method/polar_method.h"

namespace texelscope {
namespace {

std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    for (;;) {
        const size_t at = text.find(separator);
        parts.push_back(text.substr(0, at));
        if (at == std::string_view::npos) return parts;
        text.remove_prefix(at + 1);
    }
}

template <class Number> bool parse_number(std::string_view text, Number& value) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size();
}

// The element whose name is `text`.
template <class Range> auto parse_named(std::string_view what, std::string_view text, const Range& all) {
    std::vector<std::string_view> names;
    for (const auto item : all) {
        if (name_of(item) == text) return item;
        names.push_back(name_of(item));
    }
    throw UsageError(fmt::format("unknown {} '{}'{}: choose one of {}", what, text, did_you_mean(text, names),
                                 fmt::join(names, ", ")));
}

void set_parameter(MethodSpec& spec, std::string_view key, std::string_view text) {
    const auto& parameters = spec.method->parameters;
    std::vector<std::string_view> keys = {"path", "address", "border", "prefilter", "coefficients", "mip"};
    for (size_t i = 0; i < parameters.size(); ++i) {
        keys.push_back(parameters[i].id);
        if (parameters[i].id != key) continue;
        double value = 0;
        if (!parse_number(text, value) || !(value >= parameters[i].minimum && value <= parameters[i].maximum))
            throw UsageError(fmt::format("{} of {} must be a number from {} to {}, not '{}'", key, spec.method->id,
                                         parameters[i].minimum, parameters[i].maximum, text));
        spec.parameters.value[i] = value;
        return;
    }
    throw UsageError(fmt::format("unknown setting '{}' of {}{}: choose one of {}", key, spec.method->id,
                                 did_you_mean(key, keys), fmt::join(keys, ", ")));
}

// The method of `custom`, from its setting file=F or text=T.
const MethodInfo& custom_of(std::string_view settings) try {
    for (const std::string_view setting : split(settings, ',')) {
        if (setting.starts_with("file=")) return custom_method_of_file(std::string(setting.substr(5)));
        if (setting.starts_with("text=")) return custom_method(decoded_text(setting.substr(5)));
    }
    throw UsageError("the method 'custom' needs its formula: write custom:file=my.weights");
} catch (const WeightError& error) {
    throw UsageError("the formula of a custom method, " + to_string(error.problem));
}

// The method of `kernel`, from its setting file=F or text=T.
const MethodInfo& kernel_of(std::string_view settings) try {
    for (const std::string_view setting : split(settings, ',')) {
        if (setting.starts_with("file=")) return kernel_method_of_file(std::string(setting.substr(5)));
        if (setting.starts_with("text=")) return kernel_method(decoded_text(setting.substr(5)));
    }
    throw UsageError("the method 'kernel' needs its function: write kernel:file=my.cu");
} catch (const KernelError& error) {
    throw UsageError(fmt::format("the text of a kernel, {}", error.what()));
}

void check_custom(const MethodSpec& spec) try {
    spec.method->custom->weights(spec.parameters);
} catch (const Error& error) {
    throw UsageError(fmt::format("the custom method '{}', {}", spec.method->name, error.what()));
}

MethodSpec (*recipe_spec)(std::string_view text) = nullptr;

}  // namespace

RegisterRecipes::RegisterRecipes(MethodSpec (*spec_of)(std::string_view text)) { recipe_spec = spec_of; }

InverseFilter MethodSpec::inverse_filter() const {
    if (!method->custom) return {method->poles, {}};
    if (!method->derives_prefilter) return {};
    return method->custom->weights(parameters)->prefilter.filter;
}

Prefilter MethodSpec::effective_prefilter() const {
    const bool has = method->has_prefilter() && (!method->custom || !inverse_filter().empty());
    return has ? prefilter : Prefilter{Prefilter::Kind::none};
}

FetchPath MethodSpec::effective_path() const {
    if (is_polar(*method) || method->is_wide()) return path == FetchPath::automatic ? path : FetchPath::global;
    const bool unmerged = method->custom && method->custom->weights(parameters)->fetches == 0;
    return path == FetchPath::hardware && unmerged ? FetchPath::lookup : path;
}

namespace {
bool reads_mip_levels(const MethodInfo& method) { return method.id == "nearest" || method.id == "bilinear"; }
}  // namespace

Mip MethodSpec::effective_mip() const { return reads_mip_levels(*method) ? mip : Mip::none; }

std::string words_of_method_forms() {
    std::string words;
    for (const MethodForm& form : method_forms)
        words += fmt::format("{}{}{}",
                             words.empty()                         ? ""
                             : &form == std::end(method_forms) - 1 ? " or "
                                                                   : ", ",
                             form.prefix, form.value);
    return words;
}

MethodSpec default_spec(const MethodInfo& method) {
    MethodSpec spec;
    spec.method = &method;
    spec.parameters = method.standard_parameters();
    return spec;
}

const MethodInfo& parse_method(std::string_view id) {
    if (id.starts_with(recipe_prefix) && recipe_spec) return *recipe_spec(id).method;
    if (const MethodInfo* method = find_method(id)) return *method;
    if (id == kernel_id) throw UsageError("the method 'kernel' needs its function: write kernel:file=my.cu");
    if (id == "area")
        throw UsageError(
            "the method 'area' makes whole pictures smaller, in resize alone: elsewhere it is nearest, antialiased");
    if (id == custom_id) throw UsageError("the method 'custom' needs its formula: write custom:file=my.weights");
    if (recipe_prefix == fmt::format("{}:", id))
        throw UsageError(
            "the method 'like' needs a function: write like:pillow/bicubic; 'texelscope methods like:' lists all");
    std::vector<std::string_view> ids;
    for (const MethodInfo* method : all_methods()) ids.push_back(method->id);
    const std::string listed = fmt::format("{}, {}", fmt::join(ids, ", "), words_of_method_forms());
    for (const MethodForm& form : method_forms) ids.push_back(form.id);
    throw UsageError(fmt::format("unknown method '{}'{}: choose one of {}", id, did_you_mean(id, ids), listed));
}

FetchPath parse_path(std::string_view text) { return parse_named("path", text, all_fetch_paths); }

AddressMode parse_address_mode(std::string_view text) { return parse_named("address mode", text, all_address_modes); }

AddressPair parse_address(std::string_view text) {
    const auto parts = split(text, text.find('/') != std::string_view::npos ? '/' : ',');
    if (parts.size() > 2)
        throw UsageError(fmt::format("address '{}' has more than two modes: write MODE or MODE,MODE (x,y)", text));
    return {parse_address_mode(parts.front()), parse_address_mode(parts.back()), {}};
}

BorderValue parse_border(std::string_view text) {
    const auto numbers = split(text, ':');
    if (numbers.size() > BorderValue::most)
        throw UsageError(
            fmt::format("border '{}' has {} numbers: write one for all channels, or one for each, as in 0.2:0.4:0.6",
                        text, numbers.size()));
    BorderValue border;
    border.count = int(numbers.size());
    for (size_t i = 0; i < numbers.size(); ++i)
        if (!parse_number(numbers[i], border.value[i]) || !std::isfinite(border.value[i]))
            throw UsageError(fmt::format(
                "border '{}' must be a finite number, or one per channel with colons between, as in 0.2:0.4:0.6",
                text));
    return border;
}

void check_border_acts(const AddressPair& address, std::string_view text) {
    if (!address.has_border())
        throw UsageError(fmt::format(
            "border '{}' is beyond no edge, since neither axis has the address mode border: write address=border",
            text));
}

Prefilter parse_prefilter(std::string_view text, bool half_float) {
    if (text == "none") return {Prefilter::Kind::none, Prefilter::default_taps, half_float};
    if (text == "iir") return {Prefilter::Kind::iir, Prefilter::default_taps, half_float};
    Prefilter fir{Prefilter::Kind::fir, Prefilter::default_taps, half_float};
    if (text == "fir") return fir;
    if (text.starts_with("fir") && parse_number(text.substr(3), fir.taps) && fir.taps % 2 == 1 &&
        fir.taps >= Prefilter::min_taps && fir.taps <= Prefilter::max_taps)
        return fir;
    throw UsageError(fmt::format("unknown prefilter '{}': choose none, iir, or firN with an odd N from {} to {}", text,
                                 Prefilter::min_taps, Prefilter::max_taps));
}

bool parse_half_float(std::string_view text) {
    if (text == "float" || text == "half") return text == "half";
    throw UsageError(fmt::format("unknown coefficients '{}': choose one of float, half", text));
}

namespace {

Mip parse_mip(const MethodInfo& method, std::string_view text) {
    const Mip mip = parse_named("mip", text, all_values<Mip>);
    if (mip != Mip::none && !reads_mip_levels(method))
        throw UsageError(
            fmt::format("{} cannot read mip levels: texture units filter nearest and bilinear", method.id));
    return mip;
}

}  // namespace

void set_setting(MethodSpec& spec, std::string_view key, std::string_view value) {
    if (spec.method->recipe)
        throw UsageError(fmt::format("{} says all by its own options: make it again with other ones", spec.method->id));
    if (key == "path") spec.path = parse_path(value);
    else if (key == "address") spec.address = with_modes(spec.address, parse_address(value));
    else if (key == "border") spec.address.border = parse_border(value);
    else if (key == "prefilter") spec.prefilter = parse_prefilter(value, spec.prefilter.half_float);
    else if (key == "coefficients") spec.prefilter.half_float = parse_half_float(value);
    else if (key == "mip") spec.mip = parse_mip(*spec.method, value);
    else set_parameter(spec, key, value);
}

MethodSpec parse_spec(std::string_view text, const MethodSpec* defaults) {
    if (text.starts_with(recipe_prefix) && recipe_spec) return recipe_spec(text);
    const size_t colon = text.find(':');
    const bool with_settings = colon != std::string_view::npos;
    const bool custom = text.substr(0, colon) == custom_id, kernel = text.substr(0, colon) == kernel_id;
    const MethodInfo& method = custom && with_settings   ? custom_of(text.substr(colon + 1))
                               : kernel && with_settings ? kernel_of(text.substr(colon + 1))
                                                         : parse_method(text.substr(0, colon));
    MethodSpec spec = defaults ? *defaults : default_spec(method);
    if (spec.method != &method) {
        spec.method = &method;
        spec.parameters = method.standard_parameters();
    }
    if (colon == std::string_view::npos) return spec;
    std::optional<std::string_view> border;
    for (const std::string_view setting : split(text.substr(colon + 1), ',')) {
        const size_t equals = setting.find('=');
        if (equals == std::string_view::npos)
            throw UsageError(fmt::format("'{}' in method spec '{}' is not of the form key=value", setting, text));
        const std::string_view key = setting.substr(0, equals), value = setting.substr(equals + 1);
        if ((custom || kernel) && (key == "file" || key == "text")) continue;  // read by custom_of or kernel_of
        if (key == "border") border = value;
        set_setting(spec, key, value);
    }
    if (border) check_border_acts(spec.address, *border);
    if (custom) check_custom(spec);
    return spec;
}

std::string to_string(const Prefilter& prefilter) {
    switch (prefilter.kind) {
        case Prefilter::Kind::none: return "none";
        case Prefilter::Kind::fir: return fmt::format("fir{}", prefilter.taps);
        case Prefilter::Kind::iir: return "iir";
    }
    return "";
}

std::string to_settings(const Prefilter& prefilter) {
    return "prefilter=" + to_string(prefilter) + (prefilter.half_float ? ",coefficients=half" : "");
}

std::string to_string(const AddressPair& address) {
    if (address.x == address.y) return std::string(name_of(address.x));
    return fmt::format("{}/{}", name_of(address.x), name_of(address.y));
}

std::string to_string(const BorderValue& border) {
    return fmt::format("{}", fmt::join(border.value, border.value + border.count, ":"));
}

std::string to_settings(const AddressPair& address) {
    const bool acts = address.has_border() && address.border != BorderValue{};
    return "address=" + to_string(address) + (acts ? ",border=" + to_string(address.border) : "");
}

namespace {

std::string spec_text(const MethodSpec& spec, const std::string& of_custom) {
    if (spec.method->recipe) return std::string(spec.method->id);  // it says all
    std::string text = fmt::format("{}:path={},{}", spec.method->id, name_of(spec.path), to_settings(spec.address));
    if (spec.method->has_prefilter()) text += "," + to_settings(spec.prefilter);
    if (spec.effective_mip() != Mip::none) text += fmt::format(",mip={}", name_of(spec.mip));
    text += of_custom;
    const auto& parameters = spec.method->parameters;
    for (size_t i = 0; i < parameters.size(); ++i)
        text += fmt::format(",{}={}", parameters[i].id, spec.parameters.value[i]);
    return text;
}

}  // namespace

std::string to_string(const MethodSpec& spec) {
    const KernelMethod* const kernel = kernel_of(*spec.method);
    const std::string* const text = kernel                ? &kernel->text()
                                    : spec.method->custom ? &spec.method->custom->function().text()
                                                          : nullptr;
    return spec_text(spec, text ? ",text=" + encoded_text(*text) : "");
}

std::string shown_spec_text(const MethodSpec& spec) {
    return spec_text(spec,
                     spec.method->custom || kernel_of(*spec.method) ? fmt::format(",name={}", spec.method->name) : "");
}

}  // namespace texelscope
