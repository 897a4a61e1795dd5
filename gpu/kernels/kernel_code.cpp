#include "gpu/kernels/kernel_code.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <mutex>
#include <span>
#include <vector>

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include "gpu/core/machine.h"
#include "gpu/core/text.h"

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

namespace fs = std::filesystem;
namespace {

constexpr std::string_view magic = "texelscope kernel 1\n", ending = ".kernel";

// Only names a file: the whole key stands in it and is compared.
uint64_t hash(std::string_view text) { return fnv1a(std::as_bytes(std::span(text.data(), text.size()))); }

void add_number(std::string& bytes, uint64_t number) {
    char raw[sizeof number];
    std::memcpy(raw, &number, sizeof number);
    bytes.append(raw, sizeof number);
}

std::string head_of(const std::string& key, const std::string& code_hash_of) {
    std::string head(magic);
    add_number(head, key.size());
    add_number(head, code_hash_of.size());
    add_number(head, hash(code_hash_of));
    return head + key;
}

}  // namespace

fs::path kernel_cache_folder() { return path_in(cache_home, "texelscope/kernels"); }

fs::path KernelCache::file_of(const std::string& key) const {
    return folder_ / fmt::format("{:016x}{}", hash(key), ending);
}

std::optional<std::string> KernelCache::find(const std::string& key) const {
    if (folder_.empty()) return {};
    const fs::path path = file_of(key);
    std::ifstream file(path, std::ios::binary);
    const std::string all{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    const size_t before = magic.size() + 3 * sizeof(uint64_t) + key.size();
    if (!file || all.size() < before) return {};
    std::string code = all.substr(before);
    if (code.empty() || all.compare(0, before, head_of(key, code)) != 0) return {};
    std::error_code ignored;
    fs::last_write_time(path, fs::file_time_type::clock::now(),
                        ignored);  // the oldest are removed by when they were used
    return code;
}

void KernelCache::keep(const std::string& key, const std::string& code) const {
    if (folder_.empty()) return;
    static std::atomic<unsigned> count{0};
    std::error_code problem;
    fs::create_directories(folder_, problem);
    if (problem) return;
    const fs::path part = folder_ / fmt::format("{}-{}.part", getpid(), count++);
    bool written = false;
    {
        std::ofstream file(part, std::ios::binary);
        const std::string head = head_of(key, code);
        file.write(head.data(), std::streamsize(head.size())).write(code.data(), std::streamsize(code.size()));
        file.close();
        written = bool(file);
    }
    if (written) fs::rename(part, file_of(key), problem);
    if (!written || problem) fs::remove(part, problem);
    remove_oldest();
}

void KernelCache::remove_oldest() const {
    std::error_code ignored;
    std::vector<std::pair<fs::file_time_type, fs::path>> files;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder_, ignored))
        if (entry.path().extension() == ending) files.emplace_back(entry.last_write_time(ignored), entry.path());
    if (files.size() <= most_files) return;
    std::sort(files.begin(), files.end());
    for (size_t i = 0; i + most_files < files.size(); ++i) fs::remove(files[i].second, ignored);
}

std::shared_ptr<const KernelCode> compile_kernel(const KernelFile& file, int compute_capability,
                                                 const KernelCache& cache) {
    const Nvrtc& compiler = nvrtc();
    const int target = compute_capability > 0 ? compute_capability : compiler.oldest();
    const std::string program = kernel_program(file);
    const std::string key = fmt::format("NVRTC {} for {}\n{}", compiler.version(), target, program);
    auto code = std::make_shared<KernelCode>();
    if (auto kept = cache.find(key)) {
        code->bytes = std::move(*kept);
        code->was_kept = true;
        return code;
    }
    CompiledProgram compiled = compiler.compile(program, target);
    if (compiled.code.empty()) throw KernelError(problems_of_log(compiled.log));
    code->bytes = std::move(compiled.code);
    cache.keep(key, code->bytes);
    return code;
}

}  // namespace texelscope
