#include "app/files/bytes/naming.h"

#include <iterator>

#include <fmt/format.h>

namespace texelscope {

std::string words_of_missing(const SampleRegion& missing, int width, int height) {
    const bool rows = missing.width == width, columns = missing.height == height;
    if (rows && columns) return "the file ends early; at most a coarse picture is there";
    if (!rows && !columns)
        return fmt::format("the file ends early; {}×{} of its pixels are missing", missing.width, missing.height);
    const int all = rows ? height : width, there = all - (rows ? missing.height : missing.width);
    return fmt::format("the file ends early; {} % of the {} are there", int64_t(there) * 100 / all,
                       rows ? "rows" : "columns");
}

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
