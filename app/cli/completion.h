#pragma once
// Scripts that complete commands, options and their values in a shell.

#include <array>
#include <string>
#include <string_view>

#include "app/cli/command_table.h"

namespace texelscope {

inline constexpr std::array<std::string_view, 3> completion_shells = {"bash", "zsh", "fish"};

// Throws UsageError for a shell that is not one of these.
std::string completion(const CommandText& program, std::string_view shell);

}  // namespace texelscope
