#pragma once
// Reading a JSON object field by field, with errors that give their location. Internal to this folder.

#include <cstddef>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "gpu/core/errors.h"

namespace texelscope {

class JsonError : public Error {
public:
    JsonError(std::string at, const std::string& what) : Error(what), place(std::move(at)) {}
    std::string place;
};

// One value of a JSON file and its path: "panes[2].view".
class JsonValue {
public:
    // `asked` receives the paths of all members that are looked up, for complain_of_unknown.
    JsonValue(const nlohmann::json& value, std::string place, std::set<std::string>* asked = nullptr)
        : value_(&value), place_(std::move(place)), asked_(asked) {}

    // Throws JsonError "PLACE: what".
    [[noreturn]] void complain(std::string_view what) const;

    // Each throws Error if the value has another type or is out of range.
    bool boolean() const;
    double number(double low, double high) const;  // both ends included
    int integer(int low, int high) const;
    std::string text() const;
    std::vector<JsonValue> elements(size_t least, size_t most) const;
    template <class Choice> Choice choice(std::span<const Choice> choices) const;

    // Members of an object; an error for other values.
    std::optional<JsonValue> find(std::string_view key) const;
    JsonValue at(std::string_view key) const;  // an error if it is missing

    // Throws JsonError if it has a member that was never looked up.
    void complain_of_unknown() const;

private:
    [[noreturn]] void complain_of_choice(const std::vector<std::string_view>& names) const;

    const nlohmann::json* value_;
    std::string place_;
    std::set<std::string>* asked_;
};

template <class Choice> Choice JsonValue::choice(std::span<const Choice> choices) const {
    const std::string word = text();
    std::vector<std::string_view> names;
    for (const Choice choice : choices) {
        if (name_of(choice) == word) return choice;
        names.push_back(name_of(choice));
    }
    complain_of_choice(names);
}

}  // namespace texelscope
