# cmake -D OUTPUT=embedded_shaders.cpp -D FILES="a.vert;b.frag" -P embed.cmake

set(entries "")
foreach(file IN LISTS FILES)
    get_filename_component(name ${file} NAME)
    file(READ ${file} text)
    string(APPEND entries "    {\"${name}\", R\"shader(${text})shader\"},\n")
endforeach()

file(CONFIGURE OUTPUT ${OUTPUT} @ONLY CONTENT [[
// Written by shaders/embed.cmake. Do not edit.
#include "app/gl/embedded_shaders.h"

#include <array>

namespace texelscope {

std::string_view shader_source(std::string_view name) {
    struct Entry {
        std::string_view name, text;
    };
    static constexpr auto entries = std::to_array<Entry>({
        {"", ""},
@entries@    });
    for (const Entry& entry : entries)
        if (entry.name == name) return entry.text;
    return {};
}

}  // namespace texelscope
]])
