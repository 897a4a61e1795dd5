#pragma once
// Files that are in the program, as they were when it was built; see third_party/embed.cmake.

#include <span>
#include <string_view>

namespace texelscope {

struct EmbeddedFile {
    std::string_view name, text;
};

std::span<const EmbeddedFile> embedded_shaders();  // "picture.frag": those of shaders/
std::span<const EmbeddedFile> embedded_lessons();  // "half-texel.md": those of assets/lessons/
std::span<const EmbeddedFile> embedded_sources();  // "gpu/core/image.h": all of gpu/ and shaders/
std::span<const EmbeddedFile> embedded_fonts();    // "Inter-Regular.otf"; none where it was built without fonts

// Null where there is no file of that name.
inline const EmbeddedFile* find_file(std::span<const EmbeddedFile> files, std::string_view name) {
    for (const EmbeddedFile& file : files)
        if (file.name == name) return &file;
    return nullptr;
}

}  // namespace texelscope
