#pragma once
// Reads and writes whole files: an output is written beside its target and renamed over it once it is complete.

#include <cstddef>
#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

namespace texelscope {

using Bytes = std::vector<std::byte>;

// Throw FileError for a file that is missing, empty, a folder, a device, or not permitted.
Bytes read_file(const std::filesystem::path& path);
Bytes read_prefix(const std::filesystem::path& path, size_t at_most);

// A temporary file in the folder of `target`. Without commit() the destructor removes it, and the target is untouched.
// SIGHUP, SIGINT and SIGTERM also remove it before they end the program.
class OutputFile {
public:
    // Throws FileError if the target cannot be written.
    explicit OutputFile(const std::filesystem::path& target);
    ~OutputFile();
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;

    void write(std::span<const std::byte> bytes);
    void commit();

private:
    std::filesystem::path shown_, target_, temporary_;
    int descriptor_ = -1;
    bool guarded_ = false;  // against signals
};

// A whole text file. Throws FileError.
void write_text(const std::filesystem::path& path, std::string_view text);

}  // namespace texelscope
