#pragma once
// Our modules: libraries that are loaded by the first file that needs them, as loading them takes longer than most pictures
// take to decode.

#include <string>
#include <string_view>

namespace texelscope {

struct LoadedModule {
    const void* functions = nullptr;  // what its entry function returned
    std::string problem;              // why there is none
};

// Loads NAME.so, which lies beside the program or where it is installed, for good, and calls its function NAME with this
// program's version. Opens files.
LoadedModule load_module(const std::string& name);

// Throws Error, which names the library in it, if it could not be loaded.
const void* functions_of(const LoadedModule& module, std::string_view library);

}  // namespace texelscope
