#pragma once
// Reading a JSON object field by field, with errors that say where they are. Internal to this folder.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "app/keep/session_names.h"

namespace texelscope {

// One value of a JSON file and its place: "panes[2].view".
class JsonValue {
public:
    JsonValue(const nlohmann::json& value, std::string place) : value_(&value), place_(std::move(place)) {}

    // Throws Error "PLACE: what".
    [[noreturn]] void complain(std::string_view what) const;

    // Each throws Error where the value is of another type, or beyond its range.
    bool boolean() const;
    double number(double low, double high) const;  // both ends allowed
    double positive() const;
    int integer(int low, int high) const;
    std::string text() const;
    std::vector<JsonValue> elements(size_t least, size_t most) const;
    template <class Choice, size_t N> Choice choice(const session_names::Table<Choice, N>& table) const;
    bool is_text() const;

    // Members of an object; where it is none, an error.
    std::optional<JsonValue> find(std::string_view key) const;
    JsonValue at(std::string_view key) const;  // an error where it is missing

private:
    [[noreturn]] void complain_of_choice(const std::vector<std::string_view>& names) const;

    const nlohmann::json* value_;
    std::string place_;
};

template <class Choice, size_t N> Choice JsonValue::choice(const session_names::Table<Choice, N>& table) const {
    const std::string word = text();
    std::vector<std::string_view> names;
    for (const auto& [value, name] : table) {
        if (name == word) return value;
        names.push_back(name);
    }
    complain_of_choice(names);
}

}  // namespace texelscope
