// Arbitrary bytes for every decoder that runs in the sandbox without OpenImageIO, OpenSlide, OpenJPEG and libheif. Each
// must fill the picture that it announced, or throw Error.

#include "app/files/codecs/codecs.h"
#include "app/files/decoding/companions.h"
#include "app/files/reading/image_files.h"
#include "tests/files/bytes.h"
#include "tests/fuzz/fuzz.h"
#include "tests/support/encoded_files.h"

namespace {

using namespace texelscope;
using namespace std::string_literals;

// Frames are decoded before they are announced.
bool small_in_header(const Codec& codec, ByteSpan bytes) {
    if (codec.name == "GIF") return bytes.size() > 10 && le16(bytes, 6) * le16(bytes, 8) <= most_pixels;
    if (codec.name == "PNG") return bytes.size() > 24 && uint64_t(be32(bytes, 16)) * be32(bytes, 20) <= most_pixels;
    return true;
}

// Decodes a file without a name. `enough`: a picture of this size may be smaller, as for a thumbnail.
void decode(const Codec& codec, const PictureChoice& choice, int enough, ByteSpan bytes) {
    if (!small_in_header(codec, bytes)) return;
    const Descriptor file = file_of(bytes);
    SmallPicture target;
    foreign_decoder().decode(
        {place_of(codec), codec.name, "it", file.number(), bytes.size(), choice, enough, codec.modules}, target);
}

// Libraries that are fuzzed by their own projects, with all that they bring.
constexpr uint32_t others = of_oiio | of_openslide | of_openjpeg | of_libheif;

}  // namespace

int fuzz::accepted(ByteSpan bytes) {
    const Codec* codec = recognise(bytes, "fuzz.tga");  // TGA has no signature
    if (!codec || !codec->decode || (codec->modules & others) || bytes.empty()) return 0;
    const PictureChoice choices[] = {{}, {"2", {}, true}, {"", {"2", "1"}, false}};
    int count = 0;
    for (const PictureChoice& choice : choices) count += fuzz::accepts([&] { decode(*codec, choice, 0, bytes); });
    count += fuzz::accepts([&] { decode(*codec, {}, 2, bytes); });
    return count;
}

std::vector<std::string> fuzz::seeds() {
    using namespace texelscope::test;
    const auto value = [](int x, int y, int c) { return 8 * x + 5 * y + 20 * c; };
    const auto progressive = [](jpeg_compress_struct& info) { jpeg_simple_progression(&info); };
    const auto restarting = [](jpeg_compress_struct& info) { info.restart_interval = 1; };
    const std::string frame = big32(1) + big32(1) + big32(0) + big32(0) + big16(1) + big16(9);
    std::vector<std::string> seeds = raster_seeds();
    seeds.insert(
        seeds.end(),
        {
            "qoif\0\0\0\2\0\0\0\2\4\0\xff\1\2\3\4\x6a\x95\x88\xc0\0\0\0\0\0\0\0\1"s,
            std::string(128, '\0') +
                "DICM\2\0\x10\0UI\x14\0"
                "1.2.840.10008.1.2.1\0\x28\0\4\0CS\x0c\0MONOCHROME2 \x28\0\x10\0US\2\0\1\0\x28\0\x11\0US\2\0\2\0"
                "\x28\0\0\1US\2\0\x08\0\x28\0\1\1US\2\0\x08\0\x28\0\2\1US\2\0\7\0\xe0\x7f\x10\0OW\0\0\2\0\0\0ab"s,
            jpeg_of(17, 9, 3, JCS_RGB, value),
            jpeg_of(17, 9, 3, JCS_RGB, value, progressive),
            jpeg_of(9, 17, 1, JCS_GRAYSCALE, value, restarting),
            jpeg_of(8, 8, 4, JCS_CMYK, value, {}, bytes_of(inks_profile().get())),
            "GIF89a\2\0\1\0\x80\0\0\0\0\0\xff\xff\xff!\xf9\4\x09\0\0\0\0,\0\0\0\0\2\0\1\0\0\2\2D\n\0!\xf9\4\x0d\0\0\1\0,\1"
            "\0\0\0\1\0\1\0\0\2\2D\1\0;"s,
            "RIFF\x1a\0\0\0WEBPVP8L\x0d\0\0\0\x2f\0\0\0\x10\x07\x10\x11\x11\x88\x88\xfe\x07\0"s,
            "\xff\x0a\x08\x40\x10\x14\x17\x02\x08\x02\x01\x00\x2c\x00\x4b\x12\xc5\x82\x85\x24\x92\x16\xd0\x93\x01"s,
            "\xff\x0a\x41\xf0\x93\x50\x5c\x08\x00\x12\x08\x01\x00\xd4\x00\x5d\xe5\x12\x00\x00\x15\x2a\xa3\x8c\x1b\xbc\x9c\xeb\xf9\xf2\x43\x87\xc5\xb4\x8d\xeb\x0c\x6d\xb5\x6d\x61\x49\xa2\xc8\x38\x36\x49\x27\x70\x48\x12\x8b\xc0\xc6\x05\x68\x06\x00\xc0\x98\x39\x6c\x42\x06\xa8\x95\x24\x00"s,
            exr({exr_halves("A", {0x3c00, 0}), exr_floats("R", {0.5f, 2}), exr_integers("id", {7, 1000})},
                {-1, 2, 0, 2}, {-4, 0, 3, 3}),
            "\x89PNG\r\n\x1a\n" + chunk("IHDR", big32(1) + big32(1) + "\x08\0\0\0\0"s) +
                chunk("acTL", big32(2) + big32(0)) + chunk("fcTL", big32(0) + frame + "\1\0"s) +
                chunk("IDAT", test::stored("\0\7"s)) + chunk("fcTL", big32(1) + frame + "\0\1"s) +
                chunk("fdAT", big32(2) + test::stored("\0\x08"s)) + chunk("IEND", ""),
            png(3, 2, 8, 2, "\0abcdefghi\1abcdefghi"s),
            png(3, 1, 2, 3, "\0\x18"s, chunk("PLTE", "abcdefghi") + chunk("tRNS", "\x40\x80"s)),
            png(1, 2, 16, 2, "\2abcdef\4abcdef"s, chunk("tRNS", "abcdef") + chunk("gAMA", big32(45455))),
            "\x89PNG\r\n\x1a\n" + chunk("IHDR", big32(3) + big32(3) + "\x08\4\0\0\1"s) +
                chunk("IDAT", test::stored("\0ab\0cd\0efgh\0ij\0kl\0mnopqr"s)) + chunk("IEND", ""),
        });
    return seeds;
}

FUZZ_TARGET
