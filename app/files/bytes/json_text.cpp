#include "app/files/bytes/json_text.h"

#include <nlohmann/json.hpp>

namespace texelscope {
namespace {

template <class Json> std::string dumped(const Json& value, int indent, NotUtf8 odd) {
    const auto handler = odd == NotUtf8::replace ? Json::error_handler_t::replace : Json::error_handler_t::strict;
    return value.dump(indent, ' ', false, handler);
}

}  // namespace

std::string json_text(const nlohmann::json& value, int indent, NotUtf8 odd) { return dumped(value, indent, odd); }

std::string json_text(const nlohmann::ordered_json& value, int indent, NotUtf8 odd) {
    return dumped(value, indent, odd);
}

std::string json_text_of(std::string_view text) { return json_text(nlohmann::json(text)); }

nlohmann::json parse_json(std::string_view text) { return nlohmann::json::parse(text); }

nlohmann::json try_parse_json(std::string_view text) { return nlohmann::json::parse(text, nullptr, false); }

}  // namespace texelscope
