// make_methods_page [FOLDER]: writes methods.md, its pictures, libraries.md, glossary.md and the table of formats in files.md below
// the folder, docs by default, and the number of methods into the texts of the project around it.

#include <cstdio>

#include <filesystem>

#include "app/files/bytes/file_io.h"
#include "app/files/bytes/rows.h"
#include "app/studies/methods_page/methods_page.h"
#include "app/studies/recipes/recipe_study.h"
#include "app/text/glossary.h"
#include "gpu/core/errors.h"

int main(int argc, char** argv) {
    if (argc > 2) {
        std::fprintf(stderr, "make_methods_page: give one folder or none, for example: make_methods_page docs\n");
        return 2;
    }
    try {
        const std::filesystem::path folder = argc == 2 ? argv[1] : "docs";
        texelscope::write_methods_page(folder);
        texelscope::write_text(folder / "glossary.md", texelscope::glossary_page());
        texelscope::write_text(folder / "libraries.md", texelscope::libraries_page());
        const texelscope::Bytes page = texelscope::read_file(folder / "files.md");
        texelscope::write_text(folder / "files.md", texelscope::with_formats_table(texelscope::text_of(page)));
        for (const std::string_view text : texelscope::texts_with_method_count) {
            const std::filesystem::path file = std::filesystem::absolute(folder).parent_path() / text;
            if (!std::filesystem::exists(file)) continue;
            const texelscope::Bytes bytes = texelscope::read_file(file);
            texelscope::write_text(file, texelscope::with_method_count(texelscope::text_of(bytes)));
        }
        return 0;
    } catch (const texelscope::Error& error) {
        std::fprintf(stderr, "make_methods_page: %s\n", error.what());
        return 1;
    }
}
