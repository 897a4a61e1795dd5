#include "app/files/codecs/modules.h"

#include <filesystem>
#include <system_error>

#include <dlfcn.h>
#include <fmt/format.h>
#include <sys/auxv.h>

#include "gpu/core/errors.h"

namespace fs = std::filesystem;

namespace texelscope {
namespace {

fs::path own_program() {
    std::error_code unknown;
    const fs::path program = fs::read_symlink("/proc/self/exe", unknown);
    if (!program.empty()) return program;
    const auto* const started = reinterpret_cast<const char*>(::getauxval(AT_EXECFN));  // where there is no /proc
    return fs::canonical(started ? started : "", unknown);
}

// Beside the program, where builds have it, or where it is installed. Absolute, so that no other folder is searched.
fs::path place_of(const std::string& file) {
    std::error_code unknown;
    const fs::path folder = "/" / own_program().parent_path(), beside = folder / file;
    return fs::exists(beside, unknown) ? beside
                                       : (folder / TEXELSCOPE_MODULE_FOLDER / "modules" / file).lexically_normal();
}

}  // namespace

LoadedModule load_module(const std::string& name) {
    using Entry = const void* (*)(const char* version);
    const fs::path place = place_of(name + ".so");
    void* const library = ::dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library) return {nullptr, ::dlerror()};
    const auto find = reinterpret_cast<Entry>(::dlsym(library, name.c_str()));
    const void* const functions = find ? find(TEXELSCOPE_VERSION) : nullptr;
    if (!functions) return {nullptr, place.string() + " belongs to another version of texelscope"};
    return {functions, ""};
}

const void* functions_of(const LoadedModule& module, std::string_view library) {
    if (!module.functions)
        throw Error(fmt::format("{}, which such files need, cannot be loaded ({})", library, module.problem));
    return module.functions;
}

}  // namespace texelscope
