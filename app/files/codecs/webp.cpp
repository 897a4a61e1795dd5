// WebP through libwebp, on all builds that have it: OpenImageIO 2.4 multiplies by alpha in 8 bits and under a gamma, which
// cannot be undone. Without libwebp OpenImageIO reads those that have no alpha.

#include "app/files/codecs/modules.h"

#if TEXELSCOPE_WITH_WEBP
#include <memory>

#include <fmt/format.h>
#include <webp/decode.h>
#include <webp/demux.h>

#include "app/files/bytes/parts.h"
#include "app/files/bytes/rows.h"
#endif
#include "app/files/codecs/embedded_metadata.h"

using namespace std::string_view_literals;

namespace texelscope {
#if TEXELSCOPE_WITH_WEBP
namespace {

[[noreturn]] void throw_damaged(const char* why) {
    throw Error(fmt::format("the WebP is damaged or of a kind that cannot be read ({})", why));
}

struct Content {
    int width = 0, height = 0, frames = 1;
    bool animated = false, alpha = false;
};

Content content_of(const WebPData& data) {
    const std::unique_ptr<WebPDemuxer, void (*)(WebPDemuxer*)> demuxer(WebPDemux(&data), WebPDemuxDelete);
    if (!demuxer) throw_damaged("it is not whole");
    const uint32_t flags = WebPDemuxGetI(demuxer.get(), WEBP_FF_FORMAT_FLAGS);
    Content content{int(WebPDemuxGetI(demuxer.get(), WEBP_FF_CANVAS_WIDTH)),
                    int(WebPDemuxGetI(demuxer.get(), WEBP_FF_CANVAS_HEIGHT)),
                    int(WebPDemuxGetI(demuxer.get(), WEBP_FF_FRAME_COUNT)), (flags & ANIMATION_FLAG) != 0};
    content.alpha = content.animated || (flags & ALPHA_FLAG) != 0;
    if (content.frames < 1) throw_damaged("it holds no picture");
    return content;
}

// Into memory of width × height pixels of 3 or 4 bytes.
void decode_still(const WebPData& data, const Content& content, std::byte* pixels) {
    WebPDecoderConfig config;
    if (!WebPInitDecoderConfig(&config)) throw_damaged("another version of libwebp");
    const int pixel = content.alpha ? 4 : 3;
    config.output.colorspace = content.alpha ? MODE_RGBA : MODE_RGB;
    config.output.is_external_memory = 1;
    config.output.u.RGBA.rgba = reinterpret_cast<uint8_t*>(pixels);
    config.output.u.RGBA.stride = content.width * pixel;
    config.output.u.RGBA.size = size_t(content.width) * size_t(content.height) * size_t(pixel);
    const VP8StatusCode status = WebPDecode(data.bytes, data.size, &config);
    if (status == VP8_STATUS_OUT_OF_MEMORY) throw OutOfMemory("not enough memory to read it");
    if (status != VP8_STATUS_OK) throw_damaged("its data make no sense");
}

// The canvas after a frame; each is drawn over those before it.
class Animation {
public:
    explicit Animation(const WebPData& data) {
        WebPAnimDecoderOptions options;
        if (!WebPAnimDecoderOptionsInit(&options)) throw_damaged("another version of libwebp");
        options.color_mode = MODE_RGBA;
        decoder_.reset(WebPAnimDecoderNew(&data, &options));
        if (!decoder_) throw_damaged("its animation makes no sense");
    }
    std::byte* canvas_after(int frame) {
        uint8_t* canvas = nullptr;
        for (int i = 0, time = 0; i <= frame; ++i)
            if (!WebPAnimDecoderGetNext(decoder_.get(), &canvas, &time)) throw_damaged("a frame makes no sense");
        return reinterpret_cast<std::byte*>(canvas);
    }

private:
    std::unique_ptr<WebPAnimDecoder, void (*)(WebPAnimDecoder*)> decoder_{nullptr, WebPAnimDecoderDelete};
};

void decode(const EncodedFile& encoded, ByteSpan file, DecodingTarget& target) {
    const PictureChoice& choice = encoded.choice;
    const WebPData data{reinterpret_cast<const uint8_t*>(file.data()), file.size()};
    const Content content = content_of(data);
    const Alpha alpha = content.alpha ? Alpha::straight : Alpha::none;
    const int stored = content.alpha ? 4 : 3;
    check_plausible(file.size(), uint64_t(content.width), uint64_t(content.height), uint64_t(stored), SampleType::u8);

    const ChosenPicture picture = chosen_picture(choice, {content.width, content.height, stored, SampleType::u8, alpha},
                                                 content.frames, orientation_in_exif(exif_of_webp(file)));
    const PictureFacts& facts = picture.facts;
    const ChosenChannels& channels = picture.channels;
    Image* const into =
        target.begin(turned_shape(content.width, content.height, channels, SampleType::u8, alpha, facts), facts);
    if (!into) return;
    Image& image = *into;

    const auto place = [&](std::byte* pixels) {
        place_rows({pixels, content.width, 0, content.height, stored, channels.which}, turn_of(facts), image);
    };
    if (content.animated) return place(Animation(data).canvas_after(facts.part));
    if (turn_of(facts) == 1 && choice.channels.empty()) return decode_still(data, content, image.data());
    std::vector<std::byte> pixels(size_t(content.width) * size_t(content.height) * size_t(stored));
    decode_still(data, content, pixels.data());
    place(pixels.data());
}

}  // namespace
#endif

extern const Codec webp_codec;
constinit const Codec webp_codec {
    .name = "WebP", .extensions = "webp", .samples = "8 bits, straight alpha", .signatures = {{{8, "WEBP"sv}}},
    .library = "libwebp", .package = "libwebp-dev",
#if TEXELSCOPE_WITH_WEBP
    .decode = decode,
#else
    .modules = module_of_oiio, .decode = with_oiio(decode_by_oiio),
#endif
    .oiio = "webp", .more_in_oiio = TEXELSCOPE_WITH_WEBP ? has_chunks_for_oiio : nullptr, .exif = exif_of_webp,
    .writing = {.types = holds_u8, .channels = "3", .encode = with_oiio(encode_by_oiio), .most_side = 16383},
};

}  // namespace texelscope
