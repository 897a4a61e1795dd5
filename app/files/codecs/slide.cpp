#include "app/files/codecs/codecs.h"
#include "app/files/codecs/modules.h"

namespace texelscope {

const OpenSlideModule& openslide_module() {
    return module_named<OpenSlideModule>("texelscope_openslide", TEXELSCOPE_WITH_OPENSLIDE, "OpenSlide");
}

namespace {

[[maybe_unused]] bool knows(const EncodedFile& file) {
    try {
        return openslide_module().knows(file);
    } catch (const Error&) {
        return false;
    }
}

[[maybe_unused]] void decode(const EncodedFile& file, ByteSpan, DecodingTarget& target) {
    openslide_module().decode(file, target);
}

[[maybe_unused]] std::unique_ptr<const TileSource> open_regions(const EncodedFile& file) {
    return openslide_module().open_regions(file);
}

[[maybe_unused]] bool always(const Codec&) { return true; }

}  // namespace

extern const Codec slide_codec;
constinit const Codec slide_codec{
    .name = "slide",
    .extensions = "svs ndpi scn bif mrxs vms vmu svslide",
    .samples = "8 bits; tiles are laid over the background",
    .looks_like = "TIFF JPEG",
    .knows = TEXELSCOPE_WITH_OPENSLIDE ? knows : nullptr,
    .library = "OpenSlide",
    .package = "libopenslide-dev",
    .modules = (TEXELSCOPE_WITH_OPENSLIDE ? of_openslide : 0) | (TEXELSCOPE_WITH_TIFF ? of_libtiff : 0),
    .decode = TEXELSCOPE_WITH_OPENSLIDE ? decode : nullptr,
    .opens_file = TEXELSCOPE_WITH_OPENSLIDE ? always : nullptr,
    .open_regions = TEXELSCOPE_WITH_OPENSLIDE ? open_regions : nullptr,
};

}  // namespace texelscope
