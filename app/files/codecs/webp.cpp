// WebP through libwebp, on all builds that have it: OpenImageIO 2.4 multiplies by alpha in 8 bits and under a gamma, which
// cannot be undone. Without libwebp OpenImageIO reads those that have no alpha.

#include "app/files/codecs/modules.h"

#if TEXELSCOPE_WITH_WEBP
#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <fmt/format.h>
#include <webp/decode.h>
#include <webp/demux.h>
#include <webp/encode.h>

#include "app/files/bytes/parts.h"
#include "app/files/bytes/rows.h"
#endif
#include "app/files/codecs/codecs.h"

using namespace std::string_view_literals;

namespace texelscope {
#if TEXELSCOPE_WITH_WEBP
namespace {

[[noreturn]] void throw_damaged(const char* why) {
    throw Error(fmt::format("the WebP is damaged or of a kind that cannot be read ({})", why));
}

WebPData data_of(ByteSpan file) { return {reinterpret_cast<const uint8_t*>(file.data()), file.size()}; }

bool is_of_picture(std::string_view type) {
    return type == "VP8 " || type == "VP8L" || type == "ALPH" || type == "ANMF";
}

constexpr size_t file_header = 12, chunk_header = 8;

// Where the chunks end that are whole, beginning with the first; the last one's padding may be missing. What is cut
// behind the picture, such as EXIF data, is left out. Empty if a chunk of the picture is cut or missing.
std::optional<size_t> end_of_whole(ByteSpan file) {
    size_t at = file_header, end = at;
    bool picture = false;
    while (at + chunk_header <= file.size()) {
        const std::string_view type = text_of(file.subspan(at, 4));
        const uint64_t bytes = le32(file, at + 4);
        if (bytes > file.size() - at - chunk_header)
            return picture && !is_of_picture(type) ? std::optional(end) : std::nullopt;
        picture |= is_of_picture(type) && type != "ALPH";
        at = end = at + chunk_header + size_t(bytes);
        at += at % 2;
    }
    return picture ? std::optional(end) : std::nullopt;
}

// libwebp refuses a file that ends before its first chunk, RIFF, says, even if only what follows the picture is missing.
// The file as if it ended there, in `made`; null if a part of the picture is missing.
std::optional<ByteSpan> whole_file(ByteSpan file, Bytes& made) {
    if (file.size() < file_header) throw_truncated(file.size(), "WebP");
    if (chunk_header + uint64_t(le32(file, 4)) <= file.size()) return file;
    const std::optional<size_t> end = end_of_whole(file);
    if (!end) return {};
    made.assign(file.begin(), file.begin() + ptrdiff_t(*end));
    if (made.size() % 2) made.push_back({});
    const auto claimed = uint32_t(made.size() - chunk_header);
    for (size_t i = 0; i < 4; ++i) made[4 + i] = std::byte(claimed >> 8 * i & 255);
    return made;
}

struct Content {
    int width = 0, height = 0, frames = 1;
    bool animated = false, alpha = false;
};

Content content_of(ByteSpan file, bool whole) {
    const WebPData data = data_of(file);
    const std::unique_ptr<WebPDemuxer, void (*)(WebPDemuxer*)> demuxer(
        whole ? WebPDemux(&data) : WebPDemuxPartial(&data, nullptr), WebPDemuxDelete);
    if (!demuxer) throw_damaged("it is not whole");
    const uint32_t flags = WebPDemuxGetI(demuxer.get(), WEBP_FF_FORMAT_FLAGS);
    Content content{int(WebPDemuxGetI(demuxer.get(), WEBP_FF_CANVAS_WIDTH)),
                    int(WebPDemuxGetI(demuxer.get(), WEBP_FF_CANVAS_HEIGHT)),
                    int(WebPDemuxGetI(demuxer.get(), WEBP_FF_FRAME_COUNT)), (flags & ANIMATION_FLAG) != 0};
    content.alpha = content.animated || (flags & ALPHA_FLAG) != 0;
    if (!whole && (content.animated || content.frames < 1 || content.width < 1)) throw_truncated(file.size(), "WebP");
    if (content.frames < 1) throw_damaged("it holds no picture");
    return content;
}

// For memory of width × height pixels of 3 or 4 bytes.
WebPDecoderConfig decoding_into(const Content& content, std::byte* pixels) {
    WebPDecoderConfig config;
    if (!WebPInitDecoderConfig(&config)) throw_damaged("another version of libwebp");
    const int pixel = content.alpha ? 4 : 3;
    config.output.colorspace = content.alpha ? MODE_RGBA : MODE_RGB;
    config.output.is_external_memory = 1;
    config.output.u.RGBA.rgba = reinterpret_cast<uint8_t*>(pixels);
    config.output.u.RGBA.stride = content.width * pixel;
    config.output.u.RGBA.size = size_t(content.width) * size_t(content.height) * size_t(pixel);
    return config;
}

void check(VP8StatusCode status) {
    if (status == VP8_STATUS_OUT_OF_MEMORY) throw OutOfMemory("not enough memory to read it");
    if (status != VP8_STATUS_OK) throw_damaged("its data make no sense");
}

void decode_still(ByteSpan file, const Content& content, std::byte* pixels) {
    WebPDecoderConfig config = decoding_into(content, pixels);
    check(WebPDecode(data_of(file).bytes, file.size(), &config));
}

// A still picture, of which a part is missing. Returns the number of its rows that are there; clears the others.
int decode_cut(ByteSpan file, const Content& content, std::byte* pixels) {
    WebPDecoderConfig config = decoding_into(content, pixels);
    const std::unique_ptr<WebPIDecoder, void (*)(WebPIDecoder*)> decoder(WebPIDecode(nullptr, 0, &config), WebPIDelete);
    if (!decoder) throw OutOfMemory("not enough memory to read it");
    const VP8StatusCode status = WebPIUpdate(decoder.get(), data_of(file).bytes, file.size());
    if (status != VP8_STATUS_SUSPENDED) check(status);
    int rows = 0;
    if (!WebPIDecGetRGB(decoder.get(), &rows, nullptr, nullptr, nullptr)) rows = 0;
    check_enough_rows(rows, content.height, file.size(), "WebP");
    const size_t row = size_t(content.width) * (content.alpha ? 4 : 3);
    std::fill_n(pixels + row * size_t(rows), row * size_t(content.height - rows), std::byte(0));
    return rows;
}

// The canvas after a frame; each is drawn over those before it.
class Animation {
public:
    explicit Animation(ByteSpan file) {
        const WebPData data = data_of(file);
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

void decode(const EncodedFile& encoded, ByteSpan stored_file, DecodingTarget& target) {
    const PictureChoice& choice = encoded.choice;
    Bytes made;
    const std::optional<ByteSpan> whole = whole_file(stored_file, made);
    const ByteSpan file = whole.value_or(stored_file);
    const Content content = content_of(file, whole.has_value());
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
    if (content.animated) return place(Animation(file).canvas_after(facts.part));
    if (whole && turn_of(facts) == 1 && choice.channels.empty()) return decode_still(file, content, image.data());
    std::vector<std::byte> pixels(size_t(content.width) * size_t(content.height) * size_t(stored));
    if (whole) {
        decode_still(file, content, pixels.data());
    } else {
        const int rows = decode_cut(file, content, pixels.data());
        image.set_missing(
            turned({0, rows, content.width, content.height - rows}, content.width, content.height, turn_of(facts)));
    }
    place(pixels.data());
}

// Without loss, colours of transparent pixels included.
void encode(const Codec&, const RowSource& rows, OutputFile& file) {
    constexpr int effort = 2;  // of 9; more takes much longer, and gains little
    WebPConfig config;
    WebPPicture picture;
    if (!WebPConfigInit(&config) || !WebPConfigLosslessPreset(&config, effort) || !WebPPictureInit(&picture))
        throw Error("cannot be written as WebP (another version of libwebp)");
    config.exact = 1;
    picture.use_argb = 1;
    picture.width = rows.width;
    picture.height = rows.height;
    const std::unique_ptr<WebPPicture, void (*)(WebPPicture*)> owner(&picture, WebPPictureFree);
    if (!WebPPictureAlloc(&picture)) throw OutOfMemory("not enough memory to write it as WebP");
    for_each_band(rows, [&](const Image& band, int first, int last) {
        for (int y = first; y < last; ++y) {
            const uint8_t* from = band.row_as<uint8_t>(y - first);
            uint32_t* const to = picture.argb + ptrdiff_t(y) * picture.argb_stride;
            for (int x = 0; x < rows.width; ++x, from += rows.channels)
                to[x] = (rows.channels == 4 ? from[3] : 255u) << 24 | uint32_t(from[0]) << 16 | uint32_t(from[1]) << 8 |
                        from[2];
        }
    });
    struct Output {
        OutputFile& file;
        WaitingError waiting = {};
    } output{file};
    picture.custom_ptr = &output;
    picture.writer = [](const uint8_t* data, size_t size, const WebPPicture* of) -> int {
        Output& to = *static_cast<Output*>(of->custom_ptr);
        return to.waiting.none_in([&] { to.file.write(std::as_bytes(std::span(data, size))); });
    };
    if (WebPEncode(&config, &picture)) return;
    output.waiting.rethrow();
    if (picture.error_code == VP8_ENC_ERROR_OUT_OF_MEMORY ||
        picture.error_code == VP8_ENC_ERROR_BITSTREAM_OUT_OF_MEMORY)
        throw OutOfMemory("not enough memory to write it as WebP");
    throw Error(fmt::format("cannot be written as WebP (libwebp's error {})", int(picture.error_code)));
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
#if TEXELSCOPE_WITH_WEBP
    .writing = {.types = holds_u8,
                .channels = "34",
                .alpha = Alpha::straight,
                .encode = encode,
                .fourth_is_alpha = true,
                .most_side = 16383},
#endif
};

}  // namespace texelscope
