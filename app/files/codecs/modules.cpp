#include "app/files/codecs/modules.h"

#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>

#include <dlfcn.h>
#include <fmt/format.h>
#include <sys/auxv.h>

#include "app/files/codecs/codecs.h"
#include "gpu/core/errors.h"

namespace fs = std::filesystem;

namespace texelscope {
namespace {

fs::path own_program() {
    std::error_code unknown;
    const fs::path program = fs::read_symlink("/proc/self/exe", unknown);
    if (!program.empty()) return program;
    const auto* const started = reinterpret_cast<const char*>(::getauxval(AT_EXECFN));  // where there is no /proc
    return fs::canonical(started ? started : "", unknown);
}

// Beside the program, where builds have it, or where it is installed. Absolute, so that no other folder is searched.
fs::path place_of(const std::string& file) {
    std::error_code unknown;
    const fs::path folder = "/" / own_program().parent_path(), beside = folder / file;
    return fs::exists(beside, unknown) ? beside
                                       : (folder / TEXELSCOPE_MODULE_FOLDER / "modules" / file).lexically_normal();
}

}  // namespace

LoadedModule load_module(const std::string& name) {
    using Entry = const void* (*)(const char* version);
    const fs::path place = place_of(name + ".so");
    void* const library = ::dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library) return {nullptr, ::dlerror()};
    const auto find = reinterpret_cast<Entry>(::dlsym(library, name.c_str()));
    const void* const functions = find ? find(TEXELSCOPE_VERSION) : nullptr;
    if (!functions) return {nullptr, place.string() + " belongs to another version of texelscope"};
    return {functions, ""};
}

const void* functions_of(const LoadedModule& module, std::string_view library) {
    if (!module.functions)
        throw Error(fmt::format("{}, which such files need, cannot be loaded ({})", library, module.problem));
    return module.functions;
}

}  // namespace texelscope

using namespace std::string_view_literals;

namespace texelscope {

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

const OiioModule& oiio_module() {
    return module_named<OiioModule>("texelscope_oiio", TEXELSCOPE_WITH_OIIO, "OpenImageIO");
}

void decode_by_oiio(const EncodedFile& file, ByteSpan content, DecodingTarget& target) {
    oiio_module().decode(codec_of(file), file, content, target);
}

void decode_others_by_oiio(const EncodedFile& file, ByteSpan content, DecodingTarget& target) {
    if (!TEXELSCOPE_WITH_OIIO)
        throw Error(
            fmt::format("{} files of this kind need OpenImageIO, which this build does not have; install "
                        "libopenimageio-dev and build again",
                        codec_of(file).name));
    decode_by_oiio(file, content, target);
}

void encode_by_oiio(const Codec& codec, const RowSource& image, OutputFile& file) {
    oiio_module().encode(codec, image, file);
}

bool oiio_opens_file(const Codec& codec) {
    try {
        return !oiio_module().reads_memory(codec);
    } catch (const Error&) {  // `decode` reports it
        return false;
    }
}

bool described_by_oiio(const Codec& codec, ByteSpan content) {
    if (!TEXELSCOPE_WITH_OIIO || codec.oiio.empty()) return false;
    return !codec.more_in_oiio || codec.more_in_oiio(content.first(std::min(content.size(), head_for_oiio)));
}

}  // namespace texelscope
