#pragma once
// JPEG 2000 files packed by OpenJPEG, and unpacked by it as a whole.

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>

#include <openjpeg.h>

#include "gpu/core/errors.h"
#include "gpu/core/image.h"

namespace texelscope::test {

struct Jpeg2000Packing {
    int tile_width = 0, tile_height = 0;  // 0: one tile
    bool lossy = false;
    bool boxes = true;  // a JP2 file, else a bare codestream
    int resolutions = 4;
    int bits = 0;                                      // 0: all of the sample's
    OPJ_COLOR_SPACE colours = OPJ_CLRSPC_UNSPECIFIED;  // by the number of channels
    bool smaller_second = false;                       // the second channel has half the width
    bool signed_first = false;                         // the first channel has its numbers less half their range
    bool alpha = true;                                 // a second or fourth channel is straight alpha
};

namespace jpeg2000 {

// What is written or read.
struct Bytes {
    std::string text = {};
    size_t at = 0;
};

using Stream = std::unique_ptr<opj_stream_t, void (*)(opj_stream_t*)>;
using Codec = std::unique_ptr<opj_codec_t, void (*)(opj_codec_t*)>;
using Picture = std::unique_ptr<opj_image_t, void (*)(opj_image_t*)>;

inline Stream stream_of(Bytes& bytes, bool reading) {
    Stream stream(opj_stream_default_create(reading), opj_stream_destroy);
    opj_stream_set_user_data(stream.get(), &bytes, nullptr);
    opj_stream_set_user_data_length(stream.get(), bytes.text.size());
    opj_stream_set_write_function(stream.get(), [](void* from, OPJ_SIZE_T count, void* to) -> OPJ_SIZE_T {
        auto& [text, at] = *static_cast<Bytes*>(to);
        text.resize(std::max(text.size(), at + count));
        std::memcpy(text.data() + at, from, count);
        at += count;
        return count;
    });
    opj_stream_set_read_function(stream.get(), [](void* to, OPJ_SIZE_T count, void* from) -> OPJ_SIZE_T {
        auto& [text, at] = *static_cast<Bytes*>(from);
        count = std::min(count, text.size() - std::min(at, text.size()));
        if (count == 0) return OPJ_SIZE_T(-1);
        std::memcpy(to, text.data() + at, count);
        at += count;
        return count;
    });
    opj_stream_set_skip_function(stream.get(), [](OPJ_OFF_T count, void* bytes_) -> OPJ_OFF_T {
        static_cast<Bytes*>(bytes_)->at += size_t(count);
        return count;
    });
    opj_stream_set_seek_function(stream.get(), [](OPJ_OFF_T to, void* bytes_) -> OPJ_BOOL {
        static_cast<Bytes*>(bytes_)->at = size_t(to);
        return OPJ_TRUE;
    });
    return stream;
}

// The test is of no use if the library refuses.
inline void expect(bool done) {
    if (!done) throw Error("OpenJPEG does not do what the test wants");
}

inline int sample(const Image& image, int x, int y, int channel) {
    const int at = x * image.channels() + channel;
    switch (image.type()) {
        case SampleType::u8: return image.row_as<uint8_t>(y)[at];
        case SampleType::u16: return image.row_as<uint16_t>(y)[at];
        case SampleType::i8: return image.row_as<int8_t>(y)[at];
        case SampleType::i16: return image.row_as<int16_t>(y)[at];
        default: return image.row_as<int32_t>(y)[at];
    }
}

}  // namespace jpeg2000

inline std::string packed_jpeg2000(const Image& image, const Jpeg2000Packing& how = {}) {
    using namespace jpeg2000;
    std::vector<opj_image_cmptparm_t> channels(size_t(image.channels()));
    for (size_t i = 0; i < channels.size(); ++i) {
        opj_image_cmptparm_t& channel = channels[i];
        channel = {};
        channel.dx = how.smaller_second && i == 1 ? 2 : 1;
        channel.dy = 1;
        channel.w = (uint32_t(image.width()) + channel.dx - 1) / channel.dx;
        channel.h = uint32_t(image.height());
        channel.prec = uint32_t(how.bits > 0 ? how.bits : 8 * bytes_per_sample(image.type()));
        channel.sgnd = !is_normalised(image.type()) || (how.signed_first && i == 0);
    }
    const OPJ_COLOR_SPACE usual = image.channels() >= 3 ? OPJ_CLRSPC_SRGB : OPJ_CLRSPC_GRAY;
    const Picture picture(opj_image_create(uint32_t(channels.size()), channels.data(),
                                           how.colours == OPJ_CLRSPC_UNSPECIFIED ? usual : how.colours),
                          opj_image_destroy);
    expect(picture != nullptr);
    picture->x1 = uint32_t(image.width());
    picture->y1 = uint32_t(image.height());
    for (int c = 0; c < image.channels(); ++c) {
        opj_image_comp_t& channel = picture->comps[c];
        if (how.alpha && c == image.channels() - 1 && c % 2 == 1) channel.alpha = 1;
        const int less = how.signed_first && c == 0 ? 1 << (channel.prec - 1) : 0;
        for (int y = 0; y < image.height(); ++y)
            for (uint32_t x = 0; x < channel.w; ++x)
                channel.data[size_t(y) * channel.w + x] = sample(image, int(x * channel.dx), y, c) - less;
    }
    opj_cparameters_t parameters;
    opj_set_default_encoder_parameters(&parameters);
    parameters.tile_size_on = how.tile_width > 0;
    parameters.cp_tdx = how.tile_width;
    parameters.cp_tdy = how.tile_height;
    parameters.numresolution = how.resolutions;
    parameters.irreversible = how.lossy;
    parameters.tcp_mct = image.channels() >= 3 && !how.smaller_second;
    parameters.tcp_numlayers = 1;
    parameters.cp_disto_alloc = 1;
    parameters.tcp_rates[0] = how.lossy ? 8 : 0;
    Bytes bytes;
    const Stream stream = stream_of(bytes, false);
    const Codec codec(opj_create_compress(how.boxes ? OPJ_CODEC_JP2 : OPJ_CODEC_J2K), opj_destroy_codec);
    expect(opj_setup_encoder(codec.get(), &parameters, picture.get()));
    expect(opj_start_compress(codec.get(), picture.get(), stream.get()));
    expect(opj_encode(codec.get(), stream.get()));
    expect(opj_end_compress(codec.get(), stream.get()));
    return bytes.text;
}

// All of it at once, each side halved `level` times.
inline Image unpacked_jpeg2000(const std::string& file, int level, SampleType type) {
    using namespace jpeg2000;
    Bytes bytes{file};
    const Stream stream = stream_of(bytes, true);
    const Codec codec(opj_create_decompress(file[0] == '\xff' ? OPJ_CODEC_J2K : OPJ_CODEC_JP2), opj_destroy_codec);
    opj_dparameters_t parameters;
    opj_set_default_decoder_parameters(&parameters);
    parameters.cp_reduce = uint32_t(level);
    expect(opj_setup_decoder(codec.get(), &parameters));
    opj_image_t* read = nullptr;
    expect(opj_read_header(stream.get(), codec.get(), &read));
    const Picture picture(read, opj_image_destroy);
    expect(opj_decode(codec.get(), stream.get(), picture.get()));
    const auto count = int(picture->numcomps);
    Image image(int(picture->comps[0].w), int(picture->comps[0].h), count, type,
                count % 2 == 0 ? Alpha::straight : Alpha::none);
    for (int c = 0; c < count; ++c)
        for (int i = 0; i < image.width() * image.height(); ++i) {
            const int value = picture->comps[c].data[i];
            if (type == SampleType::u8) image.row_as<uint8_t>(0)[i * count + c] = uint8_t(value);
            else image.row_as<uint16_t>(0)[i * count + c] = uint16_t(value);
        }
    return image;
}

}  // namespace texelscope::test
