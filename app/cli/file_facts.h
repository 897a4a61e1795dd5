#pragma once
// What `texelscope info FILE` prints of a picture: only its header is read.

#include <string>

#include <nlohmann/json_fwd.hpp>

namespace texelscope {

// Both throw Error, and UsageError for what is no file.
std::string file_facts_as_text(const std::string& source);
nlohmann::ordered_json file_facts_as_json(const std::string& source);

}  // namespace texelscope
