#include "app/files/codecs/codecs.h"

#include <fmt/format.h>
#include <stb/stb_image_write.h>

namespace texelscope {
namespace {

void append(void* context, void* data, int size) {
    auto& bytes = *static_cast<Bytes*>(context);
    const auto* begin = static_cast<const std::byte*>(data);
    bytes.insert(bytes.end(), begin, begin + size);
}

}  // namespace

void encode_with_stb(const Codec& codec, const RowSource& rows, OutputFile& file) {
    const Image image = whole_of(rows);
    const int w = image.width(), h = image.height(), n = image.channels();
    Bytes bytes;
    const int done = codec.name == "TGA" ? stbi_write_tga_to_func(append, &bytes, w, h, n, image.data())
                                         : stbi_write_hdr_to_func(append, &bytes, w, h, n, image.row_as<float>(0));
    if (!done) throw Error(fmt::format("{} cannot be written as {}", describe(image), codec.name));
    file.write(bytes);
}

}  // namespace texelscope
