#pragma once
// The MD5 digest (RFC 1321), by which the desktop names its thumbnails. Not for anything that must be safe.

#include <string>
#include <string_view>

namespace texelscope {

// 32 hexadecimal digits, lower case.
std::string md5(std::string_view text);

}  // namespace texelscope
