#pragma once
// A file that is read here and there for as long as it is shown, while anything may happen to it.

#include <cstdint>
#include <filesystem>
#include <span>

#include "app/files/file_io.h"

namespace texelscope {

// Never mapped: where a mapped file has become shorter, looking at it would end the program. If another file takes its name, the
// one that was opened is read on.
class OpenedFile {
public:
    // Throws FileError.
    explicit OpenedFile(const std::filesystem::path& path);

    const std::filesystem::path& path() const { return path_; }
    int descriptor() const { return file_.descriptor(); }
    size_t size() const { return file_.size(); }
    int64_t modified() const { return modified_; }  // nanoseconds
    Bytes head(size_t at_most) const { return file_.read(at_most); }

    // Exactly these bytes. Throws Error, without the name, if they are not there.
    void read(uint64_t at, std::span<std::byte> to) const;
    // Throws Error, without the name, if it has been written to since it was opened.
    void check_unchanged() const;

private:
    std::filesystem::path path_;
    InputFile file_;
    int64_t modified_ = 0;
};

}  // namespace texelscope
