#pragma once

#include <string>
#include <string_view>

namespace texelscope {

// Words between tags, or as the value of an attribute, of XML and HTML.
std::string escaped(std::string_view text);

}  // namespace texelscope
