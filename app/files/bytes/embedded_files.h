#pragma once
// Files embedded in the program when it was built; see third_party/embed.cmake.

#include <span>
#include <string_view>

namespace texelscope {

struct EmbeddedFile {
    std::string_view name, text;
};

std::span<const EmbeddedFile> embedded_shaders();  // files of shaders/, for example "picture.frag"
std::span<const EmbeddedFile> embedded_lessons();  // files of assets/lessons/, for example "half-texel.md"
std::span<const EmbeddedFile> embedded_kernels();  // files of assets/kernels/, for example "bilateral.cu"
std::span<const EmbeddedFile> embedded_sources();  // all of gpu/ and shaders/, for example "gpu/core/image.h"
std::span<const EmbeddedFile> embedded_fonts();    // for example "Inter-Regular.otf"; none if built without fonts
std::span<const EmbeddedFile> embedded_icons();    // PNG files of the icon by size; none if built without rsvg-convert

// Null if there is no file of that name.
inline const EmbeddedFile* find_file(std::span<const EmbeddedFile> files, std::string_view name) {
    for (const EmbeddedFile& file : files)
        if (file.name == name) return &file;
    return nullptr;
}

}  // namespace texelscope
