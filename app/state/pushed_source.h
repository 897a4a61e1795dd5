#pragma once
// The sources of images that only this window holds: another program has pushed them, or they came from standard input.

#include <optional>
#include <string>
#include <string_view>

namespace texelscope {

inline constexpr std::string_view pushed_prefix = "@pushed:", standard_input_name = "standard input";

inline std::string pushed_source(std::string_view name) { return std::string(pushed_prefix).append(name); }

// Empty if the source is another.
inline std::optional<std::string> pushed_name(std::string_view source) {
    if (!source.starts_with(pushed_prefix)) return {};
    return std::string(source.substr(pushed_prefix.size()));
}

}  // namespace texelscope
