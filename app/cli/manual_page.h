#pragma once
// The manual page, in roff as man(7) defines it.

#include <string>

#include "app/cli/command_table.h"

namespace texelscope {

std::string manual_page(const CommandText& program);

}  // namespace texelscope
