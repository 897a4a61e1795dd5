// Arbitrary bytes for our own parsers of images, for the structure checks and for the readers of colour profiles and of
// PNG's texts: each must parse, or throw Error; these two never throw.

#include <algorithm>

#include "app/files/codecs/codecs.h"
#include "app/files/codecs/npy.h"
#include "app/files/codecs/png.h"
#include "app/files/codecs/pnm.h"
#include "app/files/colour/icc_conversion.h"
#include "app/files/decoding/picture_in_file.h"
#include "tests/files/bytes.h"
#include "tests/fuzz/fuzz.h"

using namespace texelscope;
using namespace std::string_literals;

namespace {

// A target that refuses large pictures.
struct SmallTarget : DecodingTarget {
    Image image;
    Image* begin(const PictureShape& shape, const PictureFacts&) override {
        if (int64_t(shape.width) * shape.height > 65536) throw Error("large");
        image = Image(shape.width, shape.height, shape.channels, shape.type, shape.alpha);
        return &image;
    }
    void rows_done(int rows) override {
        if (rows < 0 || rows > image.height()) __builtin_trap();
    }
};

}  // namespace

int fuzz::accepted(ByteSpan bytes) {
    int count = 0;
    Image (*const npy)(ByteSpan) = [](ByteSpan array) { return parse_npy(array); };
    for (Image (*parse)(ByteSpan) : {parse_pnm, parse_pfm, npy})
        count += fuzz::accepts([&] {
            const Image image = parse(bytes);
            // At least a sixteenth of the rows is present, with at least one bit a pixel.
            if (image.size_bytes() > 256 * bytes.size()) __builtin_trap();
        });
    fuzz::accepts([&] {
        const int channels = count_npy_channels(bytes);
        parse_npy(bytes, {channels - 1, 0});
    });
    for (RawSamples (*raw)(ByteSpan) : {raw_pnm, raw_pfm}) fuzz::accepts([&] { raw(bytes); });
    fuzz::accepts([&] { raw_npy(bytes, {0, count_npy_channels(bytes) - 1}); });
    for (const Codec* codec : codecs()) {
        if (codec->check) fuzz::accepts([&] { codec->check(bytes); });
        const int orientation = stored_orientation(*codec, bytes);
        if (orientation < 1 || orientation > 8) __builtin_trap();
    }
    fuzz::accepts([&] {
        check_png(bytes);
        if (be32(bytes, 16) > 64 || be32(bytes, 20) > 64) return;
        for (int part = int(parts_of_png(bytes).size()) - 1; part > 0; --part) apng_frame(bytes, part);
    });
    for (const char* name : {"a.fits", "a.hdr"}) {
        SmallTarget target;
        count += fuzz::accepts([&] { codec_of_extension(name)->decode({}, bytes, target); });
        const SampleRegion& missing = target.image.missing();
        if (missing.y + missing.height > target.image.height() || missing.x + missing.width > target.image.width())
            __builtin_trap();
    }
    if (const int orientation = orientation_in_exif(bytes); orientation < 1 || orientation > 8) __builtin_trap();
    const auto [file, choice] = parse_picture_source(text_of(bytes));
    const std::string source = with_choice(file, choice);
    const PictureSource again = parse_picture_source(source);
    if (again.file != file || with_choice(again.file, again.choice) != source) __builtin_trap();
    colour_tags(bytes);
    return count;
}

std::vector<std::string> fuzz::seeds() {
    const auto npy = [](const std::string& dictionary, const std::string& data) {
        return "\x93NUMPY\x01\0"s + char(dictionary.size() + 1) + '\0' + dictionary + '\n' + data;
    };
    const auto fits = [](std::initializer_list<std::string> cards) {
        std::string header;
        for (const std::string& card : cards) header += card + std::string(80 - card.size(), ' ');
        return header + std::string(2880 - header.size(), ' ');
    };
    using test::big16, test::big32, test::chunk, test::stored;
    const std::string frame = big32(1) + big32(1) + big32(0) + big32(0) + big16(1) + big16(9);
    const std::string apng = "\x89PNG\r\n\x1a\n" + chunk("IHDR", big32(1) + big32(1) + "\x08\0\0\0\0"s) +
                             chunk("acTL", big32(2) + big32(0)) + chunk("fcTL", big32(0) + frame + "\1\0"s) +
                             chunk("IDAT", stored("\0\7"s)) + chunk("fcTL", big32(1) + frame + "\0\1"s) +
                             chunk("fdAT", big32(2) + stored("\0\x08"s)) + chunk("tEXt", "Thumb::URI\0file:///a"s) +
                             chunk("zTXt", "Thumb::MTime\0\0"s + stored("12")) + chunk("IEND", "");
    return {
        apng,
        "P1\n# c\n3 2\n101 010\n",
        "P2 2 2 255\n1 2 3 4\n",
        "P3 1 1 65535\n1 2 3\n",
        "P4 10 1\n\xff\x80"s,
        "P5 2 2 15\n\1\2\3\4"s,
        "P5 2 2 100\n\1\2\3\4"s,
        "P6\n1 1\n65535\nabcdef",
        "P7\nWIDTH 1\nHEIGHT 1\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\nabcd",
        "Pf\n1 1\n-1.0\nabcd",
        "Pf\n# c\n1 1\n#\n-1.0\nabcd",
        "PF\n1 1\n1.0\nabcdefghijkl",
        npy("{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2), }", "abcdefgh"),
        npy("{'descr': '>i8', 'fortran_order': True, 'shape': (1, 1, 1), }", "abcdefgh"),
        npy("{'descr': '<u4', 'fortran_order': False, 'shape': (2,), }", "abcdefgh"),
        npy("{'descr': '>c8', 'fortran_order': True, 'shape': (1,), }", "abcdefgh"),
        "\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\0\1\0\0\0\1\x08\0\0\0\0\x3a\x7e\x9b\x55"s,
        "\xff\xd8\xff\xc0\0\x0b\x08\0\1\0\1\1\1\x11\0\xff\xd9"s,
        "\xff\xd8\xff\xe2\0\x12ICC_PROFILE\0\1\1ab\xff\xda\0\2"s,
        "II*\0\x08\0\0\0\1\0\x73\x87\7\0\x08\0\0\0\x1a\0\0\0\0\0\0\0profiles"s,
        "II*\0\x08\0\0\0\1\0\x4a\1\4\0\1\0\0\0\x40\0\0\0\0\0\0\0"s,
        "MM\0*\0\0\0\x08\0\1\1\x4a\0\4\0\0\0\2\0\0\0\x1a\0\0\0\0\0\0\0\x40\0\0\0\x50"s,
        "II+\0\x08\0\0\0\x10\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0\x4a\1\x12\0\1\0\0\0\0\0\0\0\x40\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"s,
        "RIFF\0\0\0\0WEBPVP8X\0\0\0\0ICCP\4\0\0\0icc!"s,
        "\x76\x2f\x31\x01\2\0\0\0chromaticities\0chromaticities\0\x20\0\0\0"
        "0123456789abcdef0123456789abcdef\0"s,
        "\0\0\0\x0c"
        "ftypheic\0\0\0\x30meta\0\0\0\0\0\0\0\x24iprp\0\0\0\x1cipco\0\0\0\x14"
        "colrprofprofile!"s,
        "GIF89a\1\0\1\0\0\0\0,\0\0\0\0\1\0\1\0\0\2\1D\0;"s,
        "\xff\xd8\xff\xe1\0\x22"
        "Exif\0\0II*\0\x08\0\0\0\1\0\x12\1\3\0\1\0\0\0\6\0\0\0\0\0\0\0\xff\xd9"s,
        "MM\0*\0\0\0\x08\0\1\1\x12\0\3\0\0\0\1\0\x08\0\0\0\0\0\0"s,
        "/d/scan.tif#part=left%20eye&channels=diffuse.R,diffuse.G,7&orientation=off",
        "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 1 +X 8\n\2\2\0\x08\x88"
        "a\x88"
        "b\x88"
        "c\x88"
        "d"s,
        "#?RGBE\nEXPOSURE=2\nCOLORCORR= 1 2 3\nFORMAT=32-bit_rle_xyze\n\n+X 2 -Y 3\nabcd\1\1\1\2efgh\1\1\1\1\1\1\1\0"s,
        fits({"SIMPLE  =                    T", "BITPIX  =                   16", "NAXIS   =                    3",
              "NAXIS1  =                    2", "NAXIS2  =                    1", "NAXIS3  =                    2",
              "BZERO   =              3.2D+04", "BLANK   =                   -1", "EXTNAME = 'a''b    ' / c", "END"}) +
            "abcdefgh",
    };
}

FUZZ_TARGET
