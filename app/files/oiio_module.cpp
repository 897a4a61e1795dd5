#include "app/files/oiio_module.h"

#include <algorithm>
#include <filesystem>
#include <string>
#include <system_error>

#include <dlfcn.h>
#include <fmt/format.h>
#include <sys/auxv.h>

namespace fs = std::filesystem;
using namespace std::string_view_literals;

namespace texelscope {
namespace {

constexpr const char* module_file = "texelscope_oiio.so";
constexpr const char* entry = "texelscope_oiio";
using Entry = const OiioModule* (*)(const char* version);

struct Loaded {
    const OiioModule* module = nullptr;
    std::string problem;
};

fs::path own_program() {
    std::error_code unknown;
    const fs::path program = fs::read_symlink("/proc/self/exe", unknown);
    if (!program.empty()) return program;
    const auto* const started = reinterpret_cast<const char*>(::getauxval(AT_EXECFN));  // where there is no /proc
    return fs::canonical(started ? started : "", unknown);
}

// Beside the program, where builds have it, or where it is installed. Absolute, so that no other folder is searched.
fs::path place_of_module() {
    std::error_code unknown;
    const fs::path folder = "/" / own_program().parent_path(), beside = folder / module_file;
    return fs::exists(beside, unknown)
               ? beside
               : (folder / TEXELSCOPE_MODULE_FOLDER / "modules" / module_file).lexically_normal();
}

Loaded load() {
    if (!TEXELSCOPE_WITH_OIIO) return {nullptr, "this build does not have it"};
    const fs::path place = place_of_module();
    void* const library = ::dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL);  // for good
    if (!library) return {nullptr, ::dlerror()};
    const auto find = reinterpret_cast<Entry>(::dlsym(library, entry));
    const OiioModule* const module = find ? find(TEXELSCOPE_VERSION) : nullptr;
    if (!module) return {nullptr, place.string() + " belongs to another version of texelscope"};
    return {module, ""};
}

// APP13 with IPTC, APP1 with XMP, or EXIF data with notes that only the library reads.
bool has_segments_for_oiio(ByteSpan jpeg) {
    for (size_t at = 2; at + 4 <= jpeg.size();) {
        const uint32_t marker = byte_at(jpeg, at + 1), length = be16(jpeg, at + 2);
        if (marker == 0xff) {  // a filling byte
            ++at;
            continue;
        }
        if (byte_at(jpeg, at) != 0xff || marker == 0xda || marker == 0xd9 || length < 2) return false;
        const ByteSpan rest = jpeg.subspan(at + 4);
        const std::string_view data = text_of(rest.first(std::min<size_t>(length - 2, rest.size())));
        if (marker == 0xed) return true;
        if (marker == 0xe1 && (!data.starts_with("Exif\0"sv) || data.find("Canon") != data.npos)) return true;
        at += 2 + size_t(length);
    }
    return false;
}

// The flags of an extended header.
bool has_chunks_for_oiio(ByteSpan webp) {
    constexpr uint32_t animation = 2, xmp = 4;
    return webp.size() > 20 && text_of(webp.subspan(12, 4)) == "VP8X" && (byte_at(webp, 20) & (animation | xmp)) != 0;
}

}  // namespace

const OiioModule& oiio_module() {
    static const Loaded loaded = load();
    if (!loaded.module)
        throw Error(fmt::format("OpenImageIO, which such files need, cannot be loaded ({})", loaded.problem));
    return *loaded.module;
}

bool described_by_oiio(const Format& format, ByteSpan content) {
    if (!known_to_oiio(format)) return false;
    const ByteSpan head = content.first(std::min(content.size(), head_for_oiio));
    if (format.id == FormatId::jpeg) return has_segments_for_oiio(head);
    if (by_libwebp(format)) return has_chunks_for_oiio(head);
    return true;
}

}  // namespace texelscope
