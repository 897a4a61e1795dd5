#include "gpu/kernels/kernel_code.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <span>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include "gpu/core/machine.h"
#include "gpu/core/text.h"
#include "gpu/kernels/nvrtc.h"

namespace texelscope {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view magic = "texelscope kernel 1\n", ending = ".kernel";

// Only names a file: the whole key stands in it and is compared.
uint64_t hash(std::string_view text) { return fnv1a(std::as_bytes(std::span(text))); }

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
