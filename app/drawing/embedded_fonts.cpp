#include "app/drawing/embedded_fonts.h"

#include <array>
#include <filesystem>
#include <string>

#include "app/files/bytes/embedded_files.h"
#include "app/files/bytes/file_io.h"
#include "gpu/core/errors.h"

namespace texelscope {
namespace {

struct FilesOfFace {
    const char *own, *stand_in;  // both in the program
    const char* dejavu;          // has characters that neither has
};

// By FontFace.
constexpr std::array<FilesOfFace, 4> faces = {{
    {"Inter-Regular.otf", "JetBrainsMono-Regular.ttf", "DejaVuSans.ttf"},
    {"Inter-SemiBold.otf", "JetBrainsMono-Regular.ttf", "DejaVuSans-Bold.ttf"},
    {"Inter-Italic.otf", "JetBrainsMono-Regular.ttf", "DejaVuSans-Oblique.ttf"},
    {"JetBrainsMono-Regular.ttf", "Inter-Regular.otf", "DejaVuSansMono.ttf"},
}};

// Empty if it cannot be read.
Bytes dejavu(const char* name) {
    try {
        return read_file(std::filesystem::path("/usr/share/fonts/truetype/dejavu") / name);
    } catch (const Error&) {
        return {};
    }
}

struct Fonts {
    std::array<Bytes, faces.size()> read;
    std::array<std::vector<std::string_view>, faces.size()> files;

    Fonts() {
        for (size_t i = 0; i < faces.size(); ++i) {
            for (const char* name : {faces[i].own, faces[i].stand_in})
                if (const EmbeddedFile* file = find_file(embedded_fonts(), name)) files[i].push_back(file->text);
            read[i] = dejavu(faces[i].dejavu);
            if (read[i].empty()) read[i] = dejavu(faces[0].dejavu);
            if (!read[i].empty()) files[i].emplace_back(reinterpret_cast<const char*>(read[i].data()), read[i].size());
        }
    }
};

}  // namespace

const std::vector<std::string_view>& font_files(FontFace face) {
    static const Fonts fonts;
    return fonts.files[size_t(face)];
}

}  // namespace texelscope
