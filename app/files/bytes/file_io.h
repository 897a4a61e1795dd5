#pragma once
// Reads and writes whole files: an output is written beside its target and renamed over it once it is complete.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

#include "app/files/decoding/decoder.h"

namespace texelscope {

using Bytes = std::vector<std::byte>;

// Reads bytes from an offset on, fewer at the end of the file.
using ReadAt = std::function<Bytes(uint64_t offset, size_t count)>;
// The bytes of an open file, valid while it is open; unreadable parts count as absent.
ReadAt bytes_of(int descriptor);

// An open file: it stays the same if another takes its name.
class InputFile {
public:
    // Throws FileError for a file that is missing, empty, a folder, a device, or not permitted.
    explicit InputFile(const std::filesystem::path& path);

    // Its first bytes, fewer if it is shorter. Throws FileError or OutOfMemory.
    Bytes read(size_t at_most) const;
    Bytes read() const { return read(size()); }
    size_t size() const { return size_; }
    int descriptor() const { return file_.number(); }

private:
    std::filesystem::path path_;
    Descriptor file_;
    size_t size_ = 0;
};

// Why there is nothing by this name, such as "no such file" or "permission denied"; empty if there is something.
std::string why_missing(const std::filesystem::path& path);

// What the system says by an error number (errno), in the words of all messages: "permission denied".
std::string words_of_error(int error);

// In one go; they throw what InputFile throws.
Bytes read_file(const std::filesystem::path& path);
Bytes read_prefix(const std::filesystem::path& path, size_t at_most);

// Whether the path names standard output: "-", /dev/stdout or another name that the system has for it.
bool is_standard_output(const std::filesystem::path& path);
// Whether it is standard output, a pipe (FIFO) or a device that takes bytes, such as /dev/null: these are not replaced.
bool is_stream(const std::filesystem::path& path);

// A temporary file in the folder of `target`, or of the file that it links to. Without commit() the destructor removes
// it, and the target is untouched. SIGHUP, SIGINT and SIGTERM also remove it before they end the program. Output to a
// stream is kept in a nameless file until commit() writes all of it.
class OutputFile {
public:
    // Throws FileError if the target cannot be written.
    explicit OutputFile(const std::filesystem::path& target);
    ~OutputFile();
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;

    // Appends to what has been written. Throws FileError, as all of these.
    void write(std::span<const std::byte> bytes) { write_at(size_, bytes); }
    // Anywhere; what is left out before it is zeros.
    void write_at(uint64_t at, std::span<const std::byte> bytes);
    // Reads what has been written; returns how many bytes, fewer than asked for at the end.
    size_t read_at(uint64_t at, std::span<std::byte> to) const;
    uint64_t size() const { return size_; }
    void commit();

private:
    void begin_beside(mode_t mode);
    void begin_nameless();
    void pour();

    std::filesystem::path shown_, target_, temporary_;
    bool stream_ = false;
    int descriptor_ = -1;
    uint64_t size_ = 0;
    bool guarded_ = false;  // against signals
};

// A whole text file. Throws FileError.
void write_text(const std::filesystem::path& path, std::string_view text);

}  // namespace texelscope
