#pragma once
// JSON values as text, and back. The library is all templates: here they are compiled once, not in each file that writes
// or reads.

#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

namespace texelscope {

enum class NotUtf8 { replace, refuse };  // what becomes of bytes that JSON cannot hold; refuse: nlohmann::json::type_error

// Indented by so many spaces; below 0: all on one line.
std::string json_text(const nlohmann::json& value, int indent = -1, NotUtf8 odd = NotUtf8::replace);
std::string json_text(const nlohmann::ordered_json& value, int indent = -1, NotUtf8 odd = NotUtf8::replace);

// Throws nlohmann::json::exception; parse_error where the text is no JSON.
nlohmann::json parse_json(std::string_view text);

// Discarded where it is no JSON.
nlohmann::json try_parse_json(std::string_view text);

}  // namespace texelscope
