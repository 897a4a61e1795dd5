#pragma once
// JSON values as text, and back. The library consists of templates: compiled once here, not in each file that writes
// or reads.

#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

namespace texelscope {

enum class NotUtf8 { replace, refuse };  // handling of bytes that JSON cannot hold; refuse: nlohmann::json::type_error

// Indented by `indent` spaces; below 0: all on one line.
std::string json_text(const nlohmann::json& value, int indent = -1, NotUtf8 odd = NotUtf8::replace);
std::string json_text(const nlohmann::ordered_json& value, int indent = -1, NotUtf8 odd = NotUtf8::replace);

// One string, with its quotes.
std::string json_text_of(std::string_view text);

// Throws nlohmann::json::exception; parse_error if the text is not JSON.
nlohmann::json parse_json(std::string_view text);

// Discarded if it is not JSON.
nlohmann::json try_parse_json(std::string_view text);

}  // namespace texelscope
