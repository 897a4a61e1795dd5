#include "app/files/desktop/desktop.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <string>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/files/bytes/naming.h"
#include "app/files/codecs/codecs.h"
#include "app/files/decoding/decoder.h"
#include "app/files/reading/image_files.h"
#include "gpu/core/errors.h"
#include "gpu/core/machine.h"
#include "gpu/core/text.h"

namespace texelscope {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& path, const std::string& why) {
    throw FileError(path.string(), "cannot be moved to the trash: " + why);
}

bool has_companions(const fs::path& path) {
    const auto companions = companions_of(path);
    return companions && !companions->files().empty();
}

// The device of the folder, or of the nearest one above it that exists.
dev_t device_of(fs::path folder) {
    struct stat info = {};
    while (::stat(folder.c_str(), &info) != 0 && folder.has_relative_path()) folder = folder.parent_path();
    return info.st_dev;
}

// The top folder of the file system that this folder is on.
fs::path top_of(const fs::path& folder) {
    fs::path top = folder;
    while (top.has_relative_path() && device_of(top.parent_path()) == device_of(top)) top = top.parent_path();
    return top;
}

// An administrator may have made one trash for all; it counts only if it is safe to share.
bool is_shared_trash(const fs::path& folder) {
    struct stat info = {};
    return ::lstat(folder.c_str(), &info) == 0 && S_ISDIR(info.st_mode) && (info.st_mode & S_ISVTX);
}

struct Place {
    fs::path trash;
    fs::path relative_to;  // recorded paths are; empty: absolute
};

Place place_for(const fs::path& folder) {
    const fs::path home = path_in(data_home, "Trash");
    if (!home.empty() && device_of(home) == device_of(folder)) return {home, {}};
    const fs::path top = top_of(folder);
    const fs::path shared = top / ".Trash";
    if (is_shared_trash(shared)) return {shared / std::to_string(::getuid()), top};
    return {top / fmt::format(".Trash-{}", ::getuid()), top};
}

void make_private(const fs::path& path, const fs::path& folder) {
    std::error_code error;
    if (folder.has_parent_path()) fs::create_directories(folder.parent_path(), error);
    if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST)
        fail(path, fmt::format("{}: {}", folder.string(), std::strerror(errno)));
}

std::string record(const fs::path& path, const fs::path& relative_to) {
    const fs::path shown = relative_to.empty() ? path : path.lexically_relative(relative_to);
    const std::time_t now = std::time(nullptr);
    std::tm local = {};
    localtime_r(&now, &local);
    char date[32] = "";
    std::strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%S", &local);
    return fmt::format("[Trash Info]\nPath={}\nDeletionDate={}\n", encoded_path(shown.string()), date);
}

// The record takes the name: only one program can create it. "a.png", "a.2.png", "a.3.png", …
Trashed claim(const fs::path& path, const fs::path& trash, const std::string& text) {
    for (int number = 1; number < 100000; ++number) {
        const std::string name = number == 1
                                     ? path.filename().string()
                                     : fmt::format("{}.{}{}", path.stem().string(), number, path.extension().string());
        Trashed trashed{path, trash / "files" / name, trash / "info" / (name + ".trashinfo")};
        struct stat info = {};
        if (::lstat(trashed.file.c_str(), &info) == 0) continue;  // left without a record by another program
        const int descriptor = ::open(trashed.info.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
        if (descriptor < 0 && errno == EEXIST) continue;
        if (descriptor < 0) fail(path, std::strerror(errno));
        const bool written = ::write(descriptor, text.data(), text.size()) == ssize_t(text.size());
        if (::close(descriptor) == 0 && written) return trashed;
        ::unlink(trashed.info.c_str());
        fail(path, "its record cannot be written");
    }
    fail(path, "there are too many files of this name in it");
}

}  // namespace

Trashed move_to_trash(const fs::path& path) {
    std::error_code none;
    const fs::path full = fs::absolute(path, none).lexically_normal();
    struct stat info = {};
    if (::lstat(full.c_str(), &info) != 0) fail(full, std::strerror(errno));
    if (S_ISREG(info.st_mode) && has_companions(full)) fail(full, "files beside it belong to it, and would stay");
    const Place place = place_for(full.parent_path());
    for (const fs::path& folder : {place.trash, place.trash / "files", place.trash / "info"})
        make_private(full, folder);
    const Trashed trashed = claim(full, place.trash, record(full, place.relative_to));
    if (::rename(full.c_str(), trashed.file.c_str()) == 0) return trashed;
    const int error = errno;
    ::unlink(trashed.info.c_str());
    fail(full, std::strerror(error));
}

void take_from_trash(const Trashed& trashed) {
    const auto refuse = [&](const std::string& why) {
        throw FileError(trashed.original.string(), "cannot be brought back from the trash: " + why);
    };
    struct stat info = {};
    // Where the file system cannot rename without overwriting, a look before must do.
    int result = ::renameat2(AT_FDCWD, trashed.file.c_str(), AT_FDCWD, trashed.original.c_str(), RENAME_NOREPLACE);
    if (result != 0 && (errno == EINVAL || errno == ENOSYS)) {
        if (::lstat(trashed.original.c_str(), &info) == 0) refuse("there is another file of this name now");
        result = ::rename(trashed.file.c_str(), trashed.original.c_str());
    }
    if (result != 0 && errno == EEXIST) refuse("there is another file of this name now");
    if (result != 0 && ::lstat(trashed.file.c_str(), &info) != 0) refuse("it is no longer there");
    if (result != 0) refuse(std::strerror(errno));
    ::unlink(trashed.info.c_str());
}

namespace {

// Only calls that are safe between fork and exec.
[[noreturn]] void become(char* const* command, int input, int nowhere) {
    ::dup2(input, 0);
    ::dup2(nowhere, 1);
    ::dup2(nowhere, 2);
    ::close_range(3, ~0u, 0);  // it must not inherit those of the GPU and the display
    ::execv(command[0], command);
    ::_exit(127);
}

}  // namespace

std::string program_on_path(const char* program) {
    const char* path = std::getenv("PATH");
    std::string folders = path ? path : "";
    while (!folders.empty()) {
        const size_t colon = folders.find(':');
        const std::filesystem::path file = std::filesystem::path(folders.substr(0, colon)) / program;
        if (file.is_absolute() && ::access(file.c_str(), X_OK) == 0) return file.string();
        folders = colon == folders.npos ? "" : folders.substr(colon + 1);
    }
    return {};
}

// As a grandchild, so that no one has to wait for its end.
void launch(const std::vector<std::string>& command, int input, const std::string& name) {
    std::vector<char*> words;
    for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
    const pid_t child = ::fork();
    if (child == 0) {
        ::setsid();
        const pid_t grandchild = ::fork();
        if (grandchild == 0) become(words.data(), input, nowhere);
        ::_exit(grandchild < 0 ? 1 : 0);
    }
    int status = 0;
    const bool started =
        child > 0 && ::waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
    if (nowhere >= 0) ::close(nowhere);
    if (!started) throw Error(name + " could not be started: the system cannot create another process");
}

namespace {

namespace fs = std::filesystem;

bool is_set(const char* variable) {
    const char* value = std::getenv(variable);
    return value && *value;
}

// The command that reads a PNG from its standard input.
std::vector<std::string> clipboard_command() {
    const bool wayland = is_set("WAYLAND_DISPLAY");
    const std::string wl_copy = program_on_path("wl-copy"), xclip = program_on_path("xclip");
    if (wayland && !wl_copy.empty()) return {wl_copy, "-t", "image/png"};
    if (is_set("DISPLAY") && !xclip.empty()) return {xclip, "-selection", "clipboard", "-t", "image/png", "-i"};
    throw Unavailable(std::string("copying pictures needs ") + (wayland ? "wl-copy" : "xclip") +
                      ", which is not installed; on Debian: apt install " + (wayland ? "wl-clipboard" : "xclip"));
}

// A file that disappears when its last user closes it.
class Png {
public:
    Png(const Image& image, const std::function<void(double part)>& progress) {
        std::string name = (fs::temp_directory_path() / "texelscope-XXXXXX.png").string();
        const int created = ::mkstemps(name.data(), 4);
        if (created < 0) throw FileError(name, "cannot be written");
        ::close(created);
        try {
            WriteOptions options;
            options.progress = progress;
            write_image(image, name, options);
        } catch (...) {
            ::unlink(name.c_str());
            throw;
        }
        descriptor_ = ::open(name.c_str(), O_RDONLY | O_CLOEXEC);
        ::unlink(name.c_str());
    }
    ~Png() {
        if (descriptor_ >= 0) ::close(descriptor_);
    }
    Png(const Png&) = delete;
    Png& operator=(const Png&) = delete;

    int descriptor() const { return descriptor_; }

private:
    int descriptor_ = -1;
};

}  // namespace

void copy_picture_to_clipboard(const Image& image, const std::function<void(double part)>& progress) {
    const std::vector<std::string> command = clipboard_command();
    const Png png(image, progress);
    if (png.descriptor() < 0) throw Error("the picture for the clipboard could not be read back");
    if (progress) progress(1);
    launch(command, png.descriptor(), "the clipboard program");
}

void open_outside(const std::string& path) {
    std::error_code none;
    if (!std::filesystem::exists(path, none)) throw FileError(path, "does not exist any more");
    const std::string program = program_on_path("xdg-open");
    if (program.empty())
        throw Unavailable("opening " + path +
                          " from here needs xdg-open, which is not installed; on Debian: apt install xdg-utils");
    const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    try {
        launch({program, path}, nothing, "xdg-open");
    } catch (...) {
        ::close(nothing);
        throw;
    }
    ::close(nothing);
}

namespace {

constexpr std::string_view file_scheme = "file://";

// Empty if a percent sign has no two digits behind it, or if they stand for the end of a text.
std::string percent_decoded(std::string_view text) {
    std::string result;
    for (size_t at = 0; at < text.size(); ++at) {
        if (text[at] != '%') {
            result += text[at];
            continue;
        }
        unsigned value = 0;
        const char* const begin = text.data() + at + 1;
        const char* const end = begin + std::min<size_t>(2, text.size() - at - 1);
        const auto [read, error] = std::from_chars(begin, end, value, 16);
        if (error != std::errc() || read != begin + 2 || value == 0) return {};
        result += char(value);
        at += 2;
    }
    return result;
}

std::string path_of_line(std::string_view line) {
    if (line.starts_with('/')) return std::string(line);
    const char* const home = std::getenv("HOME");
    if (line.starts_with("~/") && home && *home) return home + std::string(line.substr(1));
    return path_of_uri(line);
}

}  // namespace

std::string path_of_uri(std::string_view uri) {
    if (!lower_case(std::string(uri.substr(0, file_scheme.size()))).starts_with(file_scheme)) return {};
    uri.remove_prefix(file_scheme.size());
    constexpr std::string_view here = "localhost";
    if (uri.starts_with(here)) uri.remove_prefix(here.size());
    return uri.starts_with('/') ? percent_decoded(uri) : "";
}

std::vector<std::string> files_in_text(std::string_view text) {
    std::vector<std::string> files;
    while (!text.empty()) {
        const size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = trimmed(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
        if (line.empty() || line.starts_with('#')) continue;
        std::string path = path_of_line(line);
        if (path.empty()) return {};
        files.push_back(std::move(path));
    }
    return files;
}

}  // namespace texelscope
