#include "app/files/cmyk_jpeg.h"

#include <csetjmp>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include <jpeglib.h>
#include <lcms2.h>

#include "app/files/colour_tags.h"
#include "gpu/core/errors.h"

namespace texelscope {
namespace {

// libjpeg ends a failed call by a jump, so no function here has both a call and an object with a destructor.
class Reader {
public:
    Reader() {
        decoder_.err = jpeg_std_error(&errors_);
        decoder_.client_data = this;
        errors_.error_exit = [](j_common_ptr decoder) {
            Reader& reader = *static_cast<Reader*>(decoder->client_data);
            decoder->err->format_message(decoder, reader.message_);
            std::longjmp(reader.failed_, 1);
        };
        errors_.output_message = [](j_common_ptr) {};  // of warnings: the picture is there
        jpeg_create_decompress(&decoder_);
    }
    ~Reader() { jpeg_destroy_decompress(&decoder_); }
    Reader(const Reader&) = delete;
    Reader& operator=(const Reader&) = delete;

    // The size, and whether there are four inks. False if that fails.
    bool read_header(ByteSpan bytes) {
        if (setjmp(failed_)) return false;
        jpeg_mem_src(&decoder_, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
        jpeg_read_header(&decoder_, TRUE);
        return true;
    }
    bool start() {
        if (setjmp(failed_)) return false;
        decoder_.out_color_space = JCS_CMYK;
        jpeg_start_decompress(&decoder_);
        return true;
    }
    // Four bytes for each pixel.
    bool read_row(unsigned char* row) {
        if (setjmp(failed_)) return false;
        return jpeg_read_scanlines(&decoder_, &row, 1) == 1;
    }

    int width() const { return int(decoder_.image_width); }
    int height() const { return int(decoder_.image_height); }
    bool has_inks() const {
        return decoder_.num_components == 4 &&
               (decoder_.jpeg_color_space == JCS_CMYK || decoder_.jpeg_color_space == JCS_YCCK);
    }
    // Adobe's programs store 255 for no ink.
    bool inverted() const { return decoder_.saw_Adobe_marker; }
    const char* message() const { return message_; }

private:
    jpeg_decompress_struct decoder_{};
    jpeg_error_mgr errors_{};
    std::jmp_buf failed_{};
    char message_[JMSG_LENGTH_MAX] = {};
};

struct Closer {
    void operator()(void* profile) const { cmsCloseProfile(profile); }
};
struct Deleter {
    void operator()(void* transform) const { cmsDeleteTransform(transform); }
};

std::unique_ptr<void, Deleter> to_srgb(const std::vector<std::byte>& icc, bool inverted) {
    const std::unique_ptr<void, Closer> profile(cmsOpenProfileFromMem(icc.data(), cmsUInt32Number(icc.size()))),
        srgb(cmsCreate_sRGBProfile());
    if (!profile || cmsGetColorSpace(profile.get()) != cmsSigCmykData) return nullptr;
    const cmsUInt32Number intent = cmsGetHeaderRenderingIntent(profile.get());
    return std::unique_ptr<void, Deleter>(
        cmsCreateTransform(profile.get(), inverted ? TYPE_CMYK_8_REV : TYPE_CMYK_8, srgb.get(), TYPE_RGB_8,
                           intent <= INTENT_ABSOLUTE_COLORIMETRIC ? intent : INTENT_PERCEPTUAL, 0));
}

[[noreturn]] void fail(const Reader& reader) {
    throw Error(std::string("the JPEG is damaged (") + reader.message() + ")");
}

}  // namespace

bool decode_cmyk_jpeg(ByteSpan bytes, DecodingTarget& target) {
    const auto tags = colour_tags(bytes);
    if (!tags || !tags->applied) return false;
    Reader reader;
    if (!reader.read_header(bytes)) fail(reader);
    const auto transform = reader.has_inks() ? to_srgb(tags->icc, reader.inverted()) : nullptr;
    if (!transform) return false;
    check_dimensions(uint64_t(reader.width()), uint64_t(reader.height()), 4, SampleType::u8);
    Image& image = target.begin({reader.width(), reader.height(), 3, SampleType::u8, Alpha::none});
    if (!reader.start()) fail(reader);
    std::vector<unsigned char> inks(size_t(reader.width()) * 4);
    for (int y = 0; y < reader.height(); ++y) {
        if (!reader.read_row(inks.data())) fail(reader);
        cmsDoTransform(transform.get(), inks.data(), image.row(y), cmsUInt32Number(reader.width()));
        target.rows_done(y + 1);
    }
    return true;
}

}  // namespace texelscope
