#pragma once
// What is written for shells and man(1).

#include <array>
#include <string>
#include <string_view>

#include "app/cli/command.h"

namespace texelscope {

// Scripts that complete commands, options and their values in a shell.
inline constexpr std::array<std::string_view, 3> completion_shells = {"bash", "zsh", "fish"};

// Throws UsageError for a shell that is not one of these.
std::string completion(const CommandText& program, std::string_view shell);

// The manual page, in roff as man(7) defines it.
std::string manual_page(const CommandText& program);

}  // namespace texelscope
