#pragma once
// Compiled kernels on disk, by their content: what was compiled once is not compiled again.

#include <filesystem>
#include <optional>
#include <string>

namespace texelscope {

// $XDG_CACHE_HOME/texelscope/kernels, or ~/.cache/…; empty: there is no such place.
std::filesystem::path kernel_cache_folder();

class KernelCache {
public:
    static constexpr size_t most_files = 256;

    explicit KernelCache(std::filesystem::path folder = kernel_cache_folder()) : folder_(std::move(folder)) {}

    // What was kept for exactly this key, which may be as long as a program. A damaged file is nothing.
    std::optional<std::string> find(const std::string& key) const;

    // Whole or not at all; what cannot be written is not kept. The oldest of more than most_files are removed.
    void keep(const std::string& key, const std::string& code) const;

private:
    std::filesystem::path file_of(const std::string& key) const;
    void remove_oldest() const;
    std::filesystem::path folder_;
};

}  // namespace texelscope
