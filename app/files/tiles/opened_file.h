#pragma once
// A file that is read here and there for as long as it is shown, while anything may happen to it.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/files/bytes/file_io.h"
#include "app/files/decoding/companions.h"

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
    // With its companions, as they were when it was opened.
    const FileState& state() const { return state_; }
    const std::shared_ptr<const Companions>& companions() const { return companions_; }
    Bytes head(size_t at_most) const { return file_.read(at_most); }

    // Exactly these bytes. Throws Error, without the name, if they are not there.
    void read(uint64_t at, std::span<std::byte> to) const;
    // Throws Error, without the name, if it or a companion has been written to since it was opened.
    void check_unchanged() const;

private:
    FileState state_now() const;

    std::filesystem::path path_;
    InputFile file_;
    std::shared_ptr<const Companions> companions_;
    std::vector<std::string> beside_;  // when it was opened: others are made beside it, too
    FileState state_;
};

// Of the file and its companions. Unset: it cannot be opened.
std::optional<uint64_t> stored_bytes(const std::filesystem::path& path);

}  // namespace texelscope
