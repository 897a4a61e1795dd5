#include "app/files/desktop/clipboard.h"

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

#include "app/files/bytes/child_program.h"
#include "app/files/reading/image_files.h"

namespace texelscope {
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

}  // namespace texelscope
