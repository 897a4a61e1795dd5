#include "app/files/bytes/file_uri.h"

#include <iterator>

#include <fmt/format.h>

namespace texelscope {

std::string encoded_path(std::string_view path) {
    constexpr std::string_view plain =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789!$&'()*+,-./:=@_~";
    std::string text;
    for (const char c : path)
        if (plain.find(c) != plain.npos) text += c;
        else fmt::format_to(std::back_inserter(text), "%{:02X}", static_cast<unsigned char>(c));
    return text;
}

}  // namespace texelscope
