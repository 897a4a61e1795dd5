#include "app/state/session/fields.h"

#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "gpu/core/errors.h"

namespace texelscope {
namespace {

// The value as in the file, shortened if it is long.
std::string shown(const nlohmann::json& value) {
    constexpr size_t most = 40;
    const std::string text = value.is_structured()
                                 ? (value.is_array() ? "a list" : "an object")
                                 : value.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
    return text.size() <= most ? text : text.substr(0, most) + "…";
}

}  // namespace

void JsonValue::complain(std::string_view what) const {
    throw JsonError(place_, place_.empty() ? std::string(what) : fmt::format("{}: {}", place_, what));
}

void JsonValue::complain_of_choice(const std::vector<std::string_view>& names) const {
    complain(fmt::format("must be one of {}, not {}", fmt::join(names, ", "), shown(*value_)));
}

bool JsonValue::boolean() const {
    if (!value_->is_boolean()) complain(fmt::format("must be true or false, not {}", shown(*value_)));
    return value_->get<bool>();
}

double JsonValue::number(double low, double high) const {
    constexpr double all = std::numeric_limits<double>::max();
    const double value = value_->is_number() ? value_->get<double>() : std::nan("");
    if (value >= low && value <= high) return value;
    const std::string range = low == -all && high == all ? "" : fmt::format(" from {} to {}", low, high);
    complain(fmt::format("must be a number{}, not {}", range, shown(*value_)));
}

int JsonValue::integer(int low, int high) const {
    const bool whole = value_->is_number_integer();
    // A number beyond 64 bits has none of these types; one beyond int is compared as double.
    const double value = whole ? value_->get<double>() : std::nan("");
    if (!(value >= low && value <= high))
        complain(fmt::format("must be a whole number from {} to {}, not {}", low, high, shown(*value_)));
    return int(value);
}

std::string JsonValue::text() const {
    if (!value_->is_string()) complain(fmt::format("must be a string, not {}", shown(*value_)));
    return value_->get<std::string>();
}

std::vector<JsonValue> JsonValue::elements(size_t least, size_t most) const {
    if (!value_->is_array()) complain(fmt::format("must be a list, not {}", shown(*value_)));
    if (value_->size() < least || value_->size() > most)
        complain(fmt::format("must have {} to {} elements, not {}", least, most, value_->size()));
    std::vector<JsonValue> result;
    for (const nlohmann::json& element : *value_)
        result.emplace_back(element, fmt::format("{}[{}]", place_, result.size()), asked_);
    return result;
}

std::optional<JsonValue> JsonValue::find(std::string_view key) const {
    if (!value_->is_object()) complain(fmt::format("must be an object, not {}", shown(*value_)));
    const std::string place = place_.empty() ? std::string(key) : fmt::format("{}.{}", place_, key);
    if (asked_) asked_->insert(place);
    const auto at = value_->find(key);
    if (at == value_->end()) return {};
    return JsonValue(*at, place, asked_);
}

JsonValue JsonValue::at(std::string_view key) const {
    if (auto value = find(key)) return *value;
    complain(fmt::format("\"{}\" is missing", key));
}

void JsonValue::complain_of_unknown() const {
    size_t index = 0;
    if (value_->is_array())
        for (const nlohmann::json& element : *value_)
            JsonValue(element, fmt::format("{}[{}]", place_, index++), asked_).complain_of_unknown();
    if (!value_->is_object()) return;
    for (const auto& [key, member] : value_->items()) {
        const JsonValue value(member, place_.empty() ? key : fmt::format("{}.{}", place_, key), asked_);
        if (!asked_->contains(value.place_)) value.complain("there is no such key; docs/session.md lists them");
        value.complain_of_unknown();
    }
}

}  // namespace texelscope
