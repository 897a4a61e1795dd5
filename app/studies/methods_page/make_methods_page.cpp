// make_methods_page [FOLDER]: writes methods.md and its pictures below the folder, docs by default.

#include <cstdio>

#include "app/studies/methods_page/methods_page.h"
#include "gpu/core/errors.h"

int main(int argc, char** argv) {
    if (argc > 2) {
        std::fprintf(stderr, "make_methods_page: give one folder or none, for example: make_methods_page docs\n");
        return 2;
    }
    try {
        texelscope::write_methods_page(argc == 2 ? argv[1] : "docs");
        return 0;
    } catch (const texelscope::Error& error) {
        std::fprintf(stderr, "make_methods_page: %s\n", error.what());
        return 1;
    }
}
