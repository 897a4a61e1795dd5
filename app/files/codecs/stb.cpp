#include "app/files/codecs/stb.h"

#include <climits>
#include <cstring>
#include <memory>
#include <new>
#include <utility>

#include <fmt/format.h>
#include <stb/stb_image.h>
#include <stb/stb_image_write.h>

#include "app/files/bytes/chosen_parts.h"
#include "app/files/bytes/turned_rows.h"

namespace texelscope {
namespace {

[[noreturn]] void throw_damaged(std::string_view format) {
    const char* reason = stbi_failure_reason();
    if (reason && std::strcmp(reason, "outofmem") == 0) throw OutOfMemory("not enough memory to read it");
    if (reason && std::strcmp(reason, "too large") == 0)
        throw Error(fmt::format("the {} says that it is larger than this build can read, or is damaged", format));
    throw Error(fmt::format("the {} is damaged or of a kind that cannot be read ({})", format,
                            reason ? reason : "reason unknown"));
}

void append(void* context, void* data, int size) {
    auto& bytes = *static_cast<Bytes*>(context);
    const auto* begin = static_cast<const std::byte*>(data);
    bytes.insert(bytes.end(), begin, begin + size);
}

struct OwnImage : DecodingTarget {
    Image image;

    Image& begin(const PictureShape& shape, const PictureFacts&) override {
        return image = Image(shape.width, shape.height, shape.channels, shape.type, shape.alpha);
    }
    void rows_done(int) override {}
};

// As the library delivers it.
struct Decoded {
    int width = 0, height = 0, channels = 0;
    SampleType type = SampleType::u8;
    std::unique_ptr<void, void (*)(void*)> samples{nullptr, stbi_image_free};
};

Decoded described(std::string_view format, ByteSpan bytes) {
    const auto* data = reinterpret_cast<const stbi_uc*>(bytes.data());
    const int size = int(bytes.size());
    Decoded result;
    if (!stbi_info_from_memory(data, size, &result.width, &result.height, &result.channels)) throw_damaged(format);
    result.type = stbi_is_16_bit_from_memory(data, size) ? SampleType::u16 : SampleType::u8;
    check_plausible(bytes.size(), uint64_t(result.width), uint64_t(result.height), uint64_t(result.channels),
                    result.type);
    return result;
}

void decode(std::string_view format, ByteSpan bytes, Decoded& picture) {
    const auto* data = reinterpret_cast<const stbi_uc*>(bytes.data());
    const int size = int(bytes.size());
    auto& [width, height, channels, type, samples] = picture;
    samples.reset(type == SampleType::u16
                      ? stbi_load_16_from_memory(data, size, &width, &height, &channels, 0)
                      : static_cast<void*>(stbi_load_from_memory(data, size, &width, &height, &channels, 0)));
    if (!samples) throw_damaged(format);
}

}  // namespace

void decode_with_stb(const EncodedFile& file, ByteSpan bytes, DecodingTarget& target) {
    const std::string_view format = file.format_name;
    const PictureChoice& choice = file.choice;
    if (bytes.size() > INT_MAX)
        throw Error(fmt::format("a {} of more than 2 GiB cannot be read by this build", format));
    if (format == "PSD" && !choice.part.empty() && choice.part != "1")
        throw Error("this build reads only the first part of a PSD; OpenImageIO, which it does not have, reads others");
    Decoded picture = described(format, bytes);
    decode(format, bytes, picture);
    const bool has_alpha = picture.channels == 2 || picture.channels == 4;
    const Alpha alpha = has_alpha ? Alpha::straight : Alpha::none;
    PictureFacts facts = facts_of_single(choice, picture.width, picture.height, picture.channels, alpha);
    facts.upright = choice.upright;
    const ChosenChannels chosen =
        chosen_channels(choice, usual_channel_names(picture.channels, alpha), has_alpha ? picture.channels - 1 : -1);
    facts.channels = chosen.which;
    Image& image = target.begin(turned_shape(picture.width, picture.height, chosen, picture.type, alpha, facts), facts);
    place_rows({static_cast<std::byte*>(picture.samples.get()), picture.width, 0, picture.height, picture.channels,
                chosen.which},
               turn_of(facts), image);
}

Image parse_with_stb(std::string_view format, ByteSpan bytes) {
    OwnImage target;
    EncodedFile file;
    file.format_name = format;
    decode_with_stb(file, bytes, target);
    return std::move(target.image);
}

void encode_with_stb(const Codec& codec, const RowSource& rows, OutputFile& file) {
    const Image image = whole_of(rows);
    const int w = image.width(), h = image.height(), n = image.channels();
    Bytes bytes;
    const int done = codec.name == "BMP"   ? stbi_write_bmp_to_func(append, &bytes, w, h, n, image.data())
                     : codec.name == "TGA" ? stbi_write_tga_to_func(append, &bytes, w, h, n, image.data())
                                           : stbi_write_hdr_to_func(append, &bytes, w, h, n, image.row_as<float>(0));
    if (!done) throw Error(fmt::format("{} cannot be written as {}", describe(image), codec.name));
    file.write(bytes);
}

}  // namespace texelscope
