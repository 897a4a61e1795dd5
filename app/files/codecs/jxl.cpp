#include "app/files/codecs/codecs.h"
#include "app/files/codecs/modules.h"

using namespace std::string_view_literals;

namespace texelscope {

const JxlModule& jxl_module() { return module_named<JxlModule>("texelscope_jxl", TEXELSCOPE_WITH_JXL, "libjxl"); }

namespace {

[[maybe_unused]] void decode(const EncodedFile& file, ByteSpan content, DecodingTarget& target) {
    jxl_module().decode(file.choice, content, target);
}

}  // namespace

extern const Codec jxl_codec;
constinit const Codec jxl_codec{
    .name = "JPEG XL",
    .extensions = "jxl",
    .samples = "8 and 16 bits and 32-bit floats as stored",
    .signatures = {{{0, "\xff\x0a"sv}, {4, "JXL \r\n\x87\n"sv}}},
    .library = "libjxl",
    .package = "libjxl-dev",
    .modules = TEXELSCOPE_WITH_JXL ? of_libjxl : 0,
    .decode = TEXELSCOPE_WITH_JXL ? decode : nullptr,
};

}  // namespace texelscope
