// What a browser does not have, each said in one sentence: processes of their own for decoders, sockets, and a desktop. The
// files that have it elsewhere are left out of this build (app/CMakeLists.txt).

#include <cstdlib>

#include <pthread.h>
#include <unistd.h>

#include <emscripten.h>

#include "app/files/decoding/decoder.h"
#include "app/files/desktop/desktop.h"
#include "app/files/reading/image_files.h"
#include "app/viewer/pushing/pushing.h"
#include "app/window/window.h"
#include "gpu/core/errors.h"

namespace texelscope {
namespace {

constexpr const char* no_process = "a browser starts no other programs";

}  // namespace

// Files are decoded in this process: the page is a sandbox itself.
bool decodes_in_child() { return false; }
Image decode_in_child(const EncodedFile&, const Reading&, const DecodingLimits&) { throw Unavailable(no_process); }
PictureFacts facts_in_child(const EncodedFile&, const Reading&) { throw Unavailable(no_process); }
std::unique_ptr<const TileSource> regions_in_child(const EncodedFile&, const DecodingLimits&) {
    throw Unavailable(no_process);
}
std::vector<std::byte> compute_in_child(std::span<const std::byte>, size_t, std::chrono::milliseconds) {
    throw Unavailable(no_process);
}

std::string remedy_without(std::string_view) {
    return "as it is a page: convert the file to PNG, or open it in the program";
}

}  // namespace texelscope

// A page in a frame of another page often has no threads: then what needs one says so, and the rest is done at once
// (BackgroundWork). The linker puts this in the place of the library's.
extern "C" {
int __real_pthread_create(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
int __wrap_pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*), void* argument) {
    if (std::getenv("TEXELSCOPE_ALONE"))
        throw texelscope::Unavailable("this needs threads, which the page has only in a tab of its own");
    return __real_pthread_create(thread, attributes, start, argument);
}
}

namespace texelscope {

// Images from other programs.
PushPlace push_place() { return {{}, "a browser lets no other program in"}; }
class PushServer::Thread {};
PushServer::PushServer(const std::filesystem::path&, std::function<void()>, const PushLimits&) {
    throw Unavailable(push_place().problem);
}
PushServer::~PushServer() = default;
bool PushServer::has_news() const { return false; }
Pushed PushServer::take() { return {}; }
void PushServer::set_open(std::vector<std::string>) {}

// The desktop. What has been copied elsewhere a page only gets when it is pasted into it: page.js opens it as a file.
Copied read_clipboard(const std::stop_token&) {
    throw Unavailable("a page may not look at what was copied: press Ctrl+V (⌘V), or drop the file");
}

void copy_picture_to_clipboard(const Image& image, const std::function<void(double part)>& progress) {
    const std::string name = "/copied.png";
    WriteOptions options;
    options.progress = progress;
    write_image(image, name, options);
    if (progress) progress(1);
    MAIN_THREAD_EM_ASM({ Module.copyPicture(UTF8ToString($0)); }, name.c_str());
}

Trashed move_to_trash(const std::filesystem::path& path) {
    throw FileError(path.string(), "a page cannot touch the files of this machine");
}
void take_from_trash(const Trashed& trashed) {
    throw FileError(trashed.original.string(), "a page cannot touch the files of this machine");
}
std::string program_on_path(const char*) { return {}; }
void launch(const std::vector<std::string>&, int, const std::string&) { throw Unavailable(no_process); }
void open_outside(const std::string& path) {
    MAIN_THREAD_EM_ASM({ Module.download(UTF8ToString($0)); }, path.c_str());
}
std::string path_of_uri(std::string_view) { return {}; }
std::vector<std::string> files_in_text(std::string_view) { return {}; }

void name_lost_display() {}
ScreenProfile screen_profile() { return {}; }

}  // namespace texelscope
