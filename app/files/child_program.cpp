#include "app/files/child_program.h"

#include <cstdlib>
#include <filesystem>

#include <unistd.h>

namespace texelscope {

std::string program_on_path(const char* program) {
    const char* path = std::getenv("PATH");
    std::string folders = path ? path : "";
    while (!folders.empty()) {
        const size_t colon = folders.find(':');
        const std::filesystem::path file = std::filesystem::path(folders.substr(0, colon)) / program;
        if (file.is_absolute() && ::access(file.c_str(), X_OK) == 0) return file.string();
        folders = colon == folders.npos ? "" : folders.substr(colon + 1);
    }
    return {};
}

}  // namespace texelscope
