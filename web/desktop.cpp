// What a browser does not have, each said in one sentence: processes of their own for decoders, sockets, and a desktop. The
// files that have it elsewhere are left out of this build (app/CMakeLists.txt).

#include "app/files/decoding/decoder.h"
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

// The desktop.
Copied read_clipboard(const std::stop_token&) {
    throw Unavailable("a page may not look at what was copied; drop the file, or choose File ▸ Open");
}
void name_lost_display() {}
ScreenProfile screen_profile() { return {}; }

}  // namespace texelscope
