#include "app/files/desktop/other_programs.h"

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/files/reading/image_files.h"
#include "gpu/core/errors.h"

namespace texelscope {
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

}  // namespace texelscope
