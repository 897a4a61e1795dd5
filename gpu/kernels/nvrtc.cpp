#include "gpu/kernels/nvrtc.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <mutex>

#include <fmt/format.h>

namespace texelscope {
namespace fs = std::filesystem;
namespace {

using Program = void*;                             // nvrtcProgram
constexpr int success = 0, compilation_error = 6;  // nvrtcResult

constexpr std::string_view what_to_install =
    "a kernel of one's own needs NVRTC, CUDA's compiler as a library: install libnvrtc of CUDA 12 or 13 (the package "
    "cuda-nvrtc-13-0 of NVIDIA, libnvrtc12 of Debian), or set TEXELSCOPE_NVRTC to its file";

// The names of the versions that there are, the newest first: a name without a number belongs to packages for developers.
constexpr const char* names[] = {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2", "libnvrtc.so"};

std::string last_error() {
    const char* const words = dlerror();
    return words ? words : "unknown reason";
}

// It loads its builtins itself only from the loader's places.
void load_builtins(const fs::path& folder) {
    std::error_code ignored;
    std::vector<fs::path> files;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored)) {
        const std::string name = entry.path().filename();
        if (name.starts_with("libnvrtc-builtins.so.")) files.push_back(entry.path());
    }
    std::sort(files.rbegin(), files.rend());
    for (const fs::path& file : files) dlopen(file.c_str(), RTLD_NOW | RTLD_GLOBAL);
}

void add_folder(std::vector<fs::path>& places, const fs::path& folder) {
    std::error_code ignored;
    for (const char* name : names)
        if (fs::exists(folder / name, ignored)) places.push_back(folder / name);
}

void add_toolkit(std::vector<fs::path>& places, const fs::path& root) {
    for (const char* part : {"lib64", "lib", "targets/x86_64-linux/lib", "targets/sbsa-linux/lib"})
        add_folder(places, root / part);
}

}  // namespace

struct Nvrtc::Functions {
    void* library = nullptr;
    int (*get_version)(int*, int*) = nullptr;
    int (*count_archs)(int*) = nullptr;
    int (*get_archs)(int*) = nullptr;
    int (*create)(Program*, const char*, const char*, int, const char* const*, const char* const*) = nullptr;
    int (*destroy)(Program*) = nullptr;
    int (*compile)(Program, int, const char* const*) = nullptr;
    int (*log_size)(Program, size_t*) = nullptr;
    int (*get_log)(Program, char*) = nullptr;
    int (*cubin_size)(Program, size_t*) = nullptr;
    int (*get_cubin)(Program, char*) = nullptr;
    int (*ptx_size)(Program, size_t*) = nullptr;
    int (*get_ptx)(Program, char*) = nullptr;
    const char* (*words)(int) = nullptr;

    template <class Function> void find(Function& function, const char* name, const fs::path& file) {
        function = reinterpret_cast<Function>(dlsym(library, name));
        if (!function)
            throw Unavailable(
                fmt::format("{}: it has no {}: it is no NVRTC of CUDA 11.2 or newer", file.string(), name));
    }
};

Nvrtc::Nvrtc(const fs::path& file) : file_(file), functions_(std::make_unique<Functions>()) {
    if (file.has_parent_path()) load_builtins(file.parent_path());
    Functions& f = *functions_;
    f.library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!f.library) throw Unavailable(last_error());
    f.find(f.get_version, "nvrtcVersion", file);
    f.find(f.count_archs, "nvrtcGetNumSupportedArchs", file);
    f.find(f.get_archs, "nvrtcGetSupportedArchs", file);
    f.find(f.create, "nvrtcCreateProgram", file);
    f.find(f.destroy, "nvrtcDestroyProgram", file);
    f.find(f.compile, "nvrtcCompileProgram", file);
    f.find(f.log_size, "nvrtcGetProgramLogSize", file);
    f.find(f.get_log, "nvrtcGetProgramLog", file);
    f.find(f.cubin_size, "nvrtcGetCUBINSize", file);
    f.find(f.get_cubin, "nvrtcGetCUBIN", file);
    f.find(f.ptx_size, "nvrtcGetPTXSize", file);
    f.find(f.get_ptx, "nvrtcGetPTX", file);
    f.find(f.words, "nvrtcGetErrorString", file);
    int major = 0, minor = 0, count = 0;
    if (f.get_version(&major, &minor) != success || f.count_archs(&count) != success || count < 1)
        throw Unavailable(file.string() + ": it does not say its version");
    version_ = 1000 * major + 10 * minor;
    supported_.resize(size_t(count));
    if (f.get_archs(supported_.data()) != success)
        throw Unavailable(file.string() + ": it does not say what it compiles for");
    std::sort(supported_.begin(), supported_.end());
    // Where the loader found it, for the builtins.
    Dl_info place{};
    if (!file.has_parent_path() && dladdr(reinterpret_cast<void*>(f.get_version), &place) != 0 && place.dli_fname) {
        file_ = place.dli_fname;
        load_builtins(file_.parent_path());
    }
}

Nvrtc::~Nvrtc() {
    if (functions_ && functions_->library) dlclose(functions_->library);
}

CompiledProgram Nvrtc::compile(const std::string& program, int compute_capability) const {
    const Functions& f = *functions_;
    const auto newer = std::upper_bound(supported_.begin(), supported_.end(), compute_capability);
    if (newer == supported_.begin())
        throw Unavailable(fmt::format(
            "NVRTC {}.{} compiles for compute capability {}.{} and above, but the GPU has {}.{}: install an "
            "older libnvrtc and set TEXELSCOPE_NVRTC to its file",
            version_ / 1000, version_ % 1000 / 10, oldest() / 10, oldest() % 10, compute_capability / 10,
            compute_capability % 10));
    const int known = *(newer - 1);
    const bool machine_code = known == compute_capability;
    const std::string arch = fmt::format("--gpu-architecture={}_{}", machine_code ? "sm" : "compute", known);
    const char* const options[] = {arch.c_str(), "--std=c++17", "--device-as-default-execution-space",
                                   "--no-source-include"};
    const int used = version_ >= 12040 ? 4 : 3;
    const auto check = [&](int result) {
        if (result != success) throw Error(fmt::format("NVRTC cannot compile: {}", f.words(result)));
    };
    Program raw = nullptr;
    check(f.create(&raw, program.c_str(), "kernel.cu", 0, nullptr, nullptr));
    const auto destroy = [&f](void** p) { f.destroy(p); };
    const std::unique_ptr<Program, decltype(destroy)> held(&raw, destroy);
    const int result = f.compile(raw, used, options);
    CompiledProgram compiled;
    size_t size = 0;
    check(f.log_size(raw, &size));
    compiled.log.resize(size);
    if (size > 0) check(f.get_log(raw, compiled.log.data()));
    compiled.log.resize(std::min(compiled.log.find('\0'), compiled.log.size()));
    if (result == compilation_error) return compiled;
    if (result != success && !compiled.log.empty()) return compiled;
    check(result);
    check(machine_code ? f.cubin_size(raw, &size) : f.ptx_size(raw, &size));
    compiled.code.resize(size);
    check(machine_code ? f.get_cubin(raw, compiled.code.data()) : f.get_ptx(raw, compiled.code.data()));
    return compiled;
}

std::vector<fs::path> nvrtc_places() {
    std::vector<fs::path> places;
    if (const char* const set = std::getenv("TEXELSCOPE_NVRTC")) {
        std::error_code ignored;
        if (fs::is_directory(set, ignored)) add_folder(places, set);
        else places.emplace_back(set);
        return places;
    }
    for (const char* name : names) places.emplace_back(name);
    for (const char* variable : {"CUDA_PATH", "CUDA_HOME"})
        if (const char* const root = std::getenv(variable); root && *root) add_toolkit(places, root);
    for (const char* root : {"/usr/local/cuda", "/opt/cuda"}) add_toolkit(places, root);
    std::error_code ignored;
    std::vector<fs::path> versions;
    for (const fs::directory_entry& entry : fs::directory_iterator("/usr/local", ignored))
        if (entry.path().filename().string().starts_with("cuda-")) versions.push_back(entry.path());
    std::sort(versions.rbegin(), versions.rend());
    for (const fs::path& root : versions) add_toolkit(places, root);
    return places;
}

std::unique_ptr<Nvrtc> load_nvrtc(const std::vector<fs::path>& places) {
    for (const fs::path& place : places) {
        try {
            return std::make_unique<Nvrtc>(place);
        } catch (const Unavailable&) {
            continue;
        }
    }
    throw Unavailable(std::string(what_to_install));
}

const Nvrtc& nvrtc() {
    static std::mutex one_at_a_time;
    static std::unique_ptr<Nvrtc> found;
    const std::lock_guard<std::mutex> lock(one_at_a_time);
    if (!found) found = load_nvrtc(nvrtc_places());
    return *found;
}

}  // namespace texelscope
