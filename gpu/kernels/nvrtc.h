#pragma once
// NVRTC, CUDA's compiler as a library: found when the program runs, never linked. Nothing here needs CUDA's headers or a
// GPU.

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "gpu/core/errors.h"

namespace texelscope {

// Its machine code (or PTX for the driver to compile), or why there is none.
struct CompiledProgram {
    std::string code;  // empty: it does not compile
    std::string log;
};

class Nvrtc {
public:
    struct Functions;

    // The library of this file, its builtins loaded from the same folder first. Throws Unavailable.
    explicit Nvrtc(const std::filesystem::path& file);
    ~Nvrtc();

    int version() const { return version_; }  // 13000 for 13.0
    const std::filesystem::path& file() const { return file_; }

    // For a compute capability, 10 · major + minor; for one that it does not know PTX for the newest below that. From any
    // thread. Throws Unavailable for a GPU that is too old.
    CompiledProgram compile(const std::string& program, int compute_capability) const;

    // The least that it compiles for.
    int oldest() const { return supported_.front(); }

private:
    std::filesystem::path file_;
    std::unique_ptr<Functions> functions_;
    std::vector<int> supported_;
    int version_ = 0;
};

// Where it may be, in the order in which it is tried: what TEXELSCOPE_NVRTC says, a file or a folder, and nothing else
// then; the loader's own places; CUDA_PATH, CUDA_HOME, /usr/local/cuda, /opt/cuda, the newest version first.
std::vector<std::filesystem::path> nvrtc_places();

// The first that can be loaded, once for the life of the program. Throws Unavailable, with what to install.
const Nvrtc& nvrtc();

// Throws Unavailable if none of the files can be loaded.
std::unique_ptr<Nvrtc> load_nvrtc(const std::vector<std::filesystem::path>& places);

}  // namespace texelscope
