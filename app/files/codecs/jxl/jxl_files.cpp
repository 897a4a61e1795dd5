// JPEG XL through libjxl; app/files/codecs/modules.h describes these functions.

#include <algorithm>
#include <memory>
#include <span>
#include <string_view>

#include <fmt/format.h>
#include <jxl/decode.h>

#include "app/files/bytes/parts.h"
#include "app/files/bytes/rows.h"
#include "app/files/codecs/modules.h"
#include "app/files/decoding/decoder.h"

namespace texelscope {
namespace {

constexpr int most_frames = 100000;

[[noreturn]] void throw_damaged(const char* why) {
    throw Error(fmt::format("the JPEG XL is damaged or of a kind that cannot be read ({})", why));
}

// One way through the file, from its beginning. That no more of it follows is not said to libjxl, which otherwise gives
// nothing of a frame that is cut.
class Decoding {
public:
    Decoding(ByteSpan file, int events) : decoder_(JxlDecoderCreate(nullptr), JxlDecoderDestroy) {
        if (!decoder_) throw OutOfMemory("not enough memory to read it");
        check(JxlDecoderSubscribeEvents(get(), events));
        check(JxlDecoderSetKeepOrientation(get(), JXL_TRUE));  // we turn it ourselves
        check(JxlDecoderSetInput(get(), reinterpret_cast<const uint8_t*>(file.data()), file.size()));
    }
    JxlDecoder* get() { return decoder_.get(); }

    // The next event; JXL_DEC_SUCCESS at the end of the pictures, JXL_DEC_NEED_MORE_INPUT at that of a file which is cut.
    JxlDecoderStatus next() {
        const JxlDecoderStatus status = JxlDecoderProcessInput(get());
        if (status == JXL_DEC_ERROR) throw_damaged("its data make no sense");
        return status;
    }
    void check(JxlDecoderStatus status) {
        if (status != JXL_DEC_SUCCESS) throw_damaged("libjxl refuses it");
    }

private:
    std::unique_ptr<JxlDecoder, void (*)(JxlDecoder*)> decoder_;
};

struct Content {
    JxlBasicInfo info = {};
    int frames = 0;  // the last one may be cut

    int colours() const { return int(info.num_color_channels); }
    bool alpha() const { return info.alpha_bits > 0; }
    int channels() const { return colours() + (alpha() ? 1 : 0); }
    SampleType type() const {
        if (info.exponent_bits_per_sample > 0 || info.bits_per_sample > 16) return SampleType::f32;
        return info.bits_per_sample > 8 ? SampleType::u16 : SampleType::u8;
    }
    JxlPixelFormat pixels() const {
        const JxlDataType number = type() == SampleType::u8    ? JXL_TYPE_UINT8
                                   : type() == SampleType::u16 ? JXL_TYPE_UINT16
                                                               : JXL_TYPE_FLOAT;
        return {uint32_t(channels()), number, JXL_NATIVE_ENDIAN, 0};
    }
};

// Frames are counted without being decoded.
Content content_of(ByteSpan file) {
    Decoding decoding(file, JXL_DEC_BASIC_INFO | JXL_DEC_FRAME);
    Content content;
    JxlDecoderStatus event = JXL_DEC_SUCCESS;
    while ((event = decoding.next()) != JXL_DEC_SUCCESS && event != JXL_DEC_NEED_MORE_INPUT) {
        if (event == JXL_DEC_BASIC_INFO) decoding.check(JxlDecoderGetBasicInfo(decoding.get(), &content.info));
        if (event == JXL_DEC_FRAME && ++content.frames >= most_frames) break;
    }
    if (content.frames < 1) throw_damaged(event == JXL_DEC_SUCCESS ? "it holds no picture" : "it is not whole");
    if (!content.info.have_animation) content.frames = 1;
    if (content.colours() != 1 && content.colours() != 3) throw_damaged("it has neither one nor three colours");
    return content;
}

// What lossy pictures are converted to; the samples of others are as stored.
void prefer_srgb(Decoding& decoding, const Content& content) {
    if (content.info.uses_original_profile) return;
    JxlColorEncoding wanted = {};
    wanted.color_space = content.colours() == 1 ? JXL_COLOR_SPACE_GRAY : JXL_COLOR_SPACE_RGB;
    wanted.white_point = JXL_WHITE_POINT_D65;
    wanted.primaries = JXL_PRIMARIES_SRGB;
    wanted.transfer_function =
        content.type() == SampleType::f32 ? JXL_TRANSFER_FUNCTION_LINEAR : JXL_TRANSFER_FUNCTION_SRGB;
    wanted.rendering_intent = JXL_RENDERING_INTENT_RELATIVE;
    JxlDecoderSetPreferredColorProfile(decoding.get(), &wanted);
}

// Returns whether all of it is there. What the file lacks is coarse, or 0: libjxl does not say which.
bool decode_picture(ByteSpan file, const Content& content, int frame, std::byte* to, size_t bytes) {
    Decoding decoding(file, JXL_DEC_COLOR_ENCODING | JXL_DEC_FRAME | JXL_DEC_FULL_IMAGE);
    if (frame > 0) JxlDecoderSkipFrames(decoding.get(), size_t(frame));
    const JxlPixelFormat pixels = content.pixels();
    for (;;) {
        switch (decoding.next()) {
            case JXL_DEC_COLOR_ENCODING: prefer_srgb(decoding, content); break;
            case JXL_DEC_NEED_IMAGE_OUT_BUFFER:
                decoding.check(JxlDecoderSetImageOutBuffer(decoding.get(), &pixels, to, bytes));
                break;
            case JXL_DEC_FULL_IMAGE: return true;
            case JXL_DEC_NEED_MORE_INPUT:
                if (JxlDecoderFlushImage(decoding.get()) != JXL_DEC_SUCCESS ||
                    std::ranges::all_of(std::span(to, bytes), [](std::byte byte) { return byte == std::byte(0); }))
                    throw_damaged("it is not whole");
                return false;
            case JXL_DEC_SUCCESS: throw_damaged("a frame is missing");
            default: break;
        }
    }
}

void decode_jxl(const PictureChoice& choice, ByteSpan file, DecodingTarget& target) {
    const Content content = content_of(file);
    const int stored = content.channels();
    check_plausible(file.size(), content.info.xsize, content.info.ysize, uint64_t(stored), content.type());
    const int width = int(content.info.xsize), height = int(content.info.ysize);
    const Alpha alpha = !content.alpha()                   ? Alpha::none
                        : content.info.alpha_premultiplied ? Alpha::premultiplied
                                                           : Alpha::straight;
    ChosenPicture picture = chosen_picture(choice, {width, height, stored, content.type(), alpha}, content.frames,
                                           int(content.info.orientation));
    PictureFacts& facts = picture.facts;
    facts.may_lack_samples = facts.part + 1 == content.frames;
    const ChosenChannels& channels = picture.channels;
    Image* const into = target.begin(turned_shape(width, height, channels, content.type(), alpha, facts), facts);
    if (!into) return;
    Image& image = *into;

    const size_t bytes = size_t(width) * size_t(height) * size_t(stored) * size_t(bytes_per_sample(content.type()));
    const bool straight = turn_of(facts) == 1 && choice.channels.empty();
    std::vector<std::byte> pixels(straight ? 0 : bytes);
    std::byte* const to = straight ? image.data() : pixels.data();
    const bool whole = decode_picture(file, content, facts.part, to, bytes);
    if (!straight) place_rows({to, width, 0, height, stored, channels.which}, turn_of(facts), image);
    if (!whole) image.set_missing({0, 0, image.width(), image.height()});
}

}  // namespace
}  // namespace texelscope

// The module's only entry point. Null if the program is of another version.
extern "C" __attribute__((visibility("default"))) const texelscope::JxlModule* texelscope_jxl(const char* version) {
    using namespace texelscope;
    if (std::string_view(version) != TEXELSCOPE_VERSION) return nullptr;
    static constexpr JxlModule module{decode_jxl};
    return &module;
}
