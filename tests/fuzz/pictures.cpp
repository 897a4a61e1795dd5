// Fuzz targets: decoders, and the parsers of files, TIFF and tiles.

#include <algorithm>
#include <cstring>

#include "app/files/codecs/codecs.h"
#include "app/files/codecs/npy.h"
#include "app/files/codecs/png.h"
#include "app/files/codecs/pnm.h"
#include "app/files/colour/icc_conversion.h"
#include "app/files/decoding/decoder.h"
#include "app/files/decoding/picture_in_file.h"
#include "app/files/reading/image_files.h"
#include "app/files/tiles/file_tiles.h"
#include "tests/files/bytes.h"
#include "tests/fuzz/fuzz.h"
#include "tests/support/encoded_files.h"

namespace {

using namespace texelscope;
using namespace std::string_literals;

// Arbitrary bytes for every decoder that runs in the sandbox without OpenImageIO, OpenSlide, OpenJPEG and libheif. Each
// must fill the picture that it announced, or throw Error.
namespace decoders {

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

int accepted(ByteSpan bytes) {
    const Codec* codec = recognise(bytes, "fuzz.tga");  // TGA has no signature
    if (!codec || !codec->decode || (codec->modules & others) || bytes.empty()) return 0;
    const PictureChoice choices[] = {{}, {"2", {}, true}, {"", {"2", "1"}, false}};
    int count = 0;
    for (const PictureChoice& choice : choices) count += fuzz::accepts([&] { decode(*codec, choice, 0, bytes); });
    count += fuzz::accepts([&] { decode(*codec, {}, 2, bytes); });
    return count;
}

std::vector<std::string> seeds() {
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

const fuzz::Registered registered({"decoders", accepted, seeds});

}  // namespace decoders

// Arbitrary bytes for our own parsers of images, for the structure checks and for the readers of colour profiles and of
// PNG's texts: each must parse, or throw Error; these two never throw.
namespace files {

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

int accepted(ByteSpan bytes) {
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

std::vector<std::string> seeds() {
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

const fuzz::Registered registered({"files", accepted, seeds});

}  // namespace files

// Arbitrary bytes for the reader of TIFF, as a whole and by regions: it must fill the announced picture or throw Error.
namespace tiff {

void read_regions(const EncodedFile& file) {
    const auto source = foreign_decoder().open_regions(file);
    const ImageInfo& info = source->info();
    const size_t pixel = size_t(info.channels) * size_t(bytes_per_sample(info.type));
    for (int level = 0; level < source->levels(); ++level) {
        const Extent extent = source->level_extent(level);
        const int width = std::min(extent.width, 100), height = std::min(extent.height, 100);
        std::vector<std::byte> samples(pixel * size_t(width) * size_t(height));
        source->read(level, {extent.width - width, extent.height - height, width, height}, samples.data(),
                     pixel * size_t(width));
    }
}

int accepted(ByteSpan bytes) {
    const Codec* codec = codec_of_signature(bytes);
    if (!codec || codec->name != "TIFF" || !readable(*codec)) return 0;
    const Descriptor file = file_of(bytes);
    const PictureChoice choices[] = {{}, {"2", {}, true}, {"", {"2", "1"}, false}};
    int count = 0;
    for (const PictureChoice& choice : choices) {
        const EncodedFile encoded{place_of(*codec), codec->name, "it", file.number(), bytes.size(), choice};
        SmallPicture target;
        count += fuzz::accepts([&] { foreign_decoder().decode(encoded, target); });
        count += fuzz::accepts([&] { read_regions(encoded); });
        PictureFacts facts;
        fuzz::accepts([&] { foreign_decoder().describe(encoded, facts); });
    }
    return count;
}

std::vector<std::string> seeds() {
    using test::TiffText;
    const auto text = [](uint32_t width, uint32_t height, uint32_t bits, uint32_t photometric, uint32_t samples,
                         TiffText::Order order = {true, false}) {
        TiffText made(width, height, order);
        made.set(258, std::vector<uint32_t>(samples, bits)).set(262, {photometric}).set(277, {samples});
        return made;
    };
    const std::string bytes = "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    std::vector<std::string> seeds = {
        TiffText(6, 2).set(262, {1}).file("\xb4\x4b"),
        text(4, 3, 12, 0, 1).file(bytes),
        text(3, 3, 8, 2, 4, {false, false}).set(338, {2}).set(278, {1}).file({bytes, bytes, bytes}),
        text(3, 3, 16, 2, 3, {true, true}).set(284, {2}).file({bytes, bytes, bytes}),
        text(5, 4, 2, 3, 1).set(320, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 65535}).file(bytes),
        text(5, 4, 8, 6, 3)
            .set(530, {2, 2})
            .set(532, {15, 1, 235, 1, 128, 1, 240, 1, 128, 1, 240, 1}, TiffText::rational_type)
            .file(bytes),
        text(3, 2, 8, 8, 3).file(bytes),
        text(3, 2, 8, 1, 1).set(330, {8, 26}, TiffText::long_type).file(bytes),
        text(3, 2, 8, 5, 4).file(bytes),
        text(3, 2, 24, 1, 1).set(339, {3}).file(bytes),
        text(2, 2, 64, 1, 1).set(339, {6}).file(bytes),
        text(16, 16, 8, 1, 1).set(259, {5}).set(317, {2}).file("\x80\x0b\x60\x50"s),
        text(16, 16, 1, 0, 1).set(259, {4}).file("\x26\xa1\xb2\x40\x04\x00\x10\x01"s),
        text(4, 4, 8, 1, 1).set(259, {32773}).set(274, {6}).file("\xf1\x41"s),
        text(4, 4, 8, 1, 1).set(259, {8}).file(test::stored(bytes.substr(0, 16))),
        text(4, 4, 32, 1, 1).set(259, {8}).set(317, {3}).set(339, {3}).file(test::stored(bytes.substr(0, 64))),
        text(2, 2, 16, 32844, 1).set(259, {34676}).file("\x02\x20\x02\x21"s),
        text(16, 16, 8, 1, 1)
            .set(322, {16})
            .set(323, {16})
            .set(324, {8}, TiffText::long_type)
            .set(325, {256}, TiffText::long_type)
            .file(std::string(256, 'x')),
    };
    return seeds;
}

const fuzz::Registered registered({"tiff", accepted, seeds});

}  // namespace tiff

// Arbitrary bytes for the header and the checksums of a file of cached tiles: what is accepted can be read without looking beyond its
// end.
namespace tile_files {

TileFileHeader small_header() {
    TileFileHeader header;
    header.shape = {3, 2, 1, SampleType::u8, Alpha::none};
    header.origin = {"/a/b.png", "part=2", 77, 123456789};
    return header;
}

int accepted(ByteSpan bytes) {
    // The checksum would keep all others out: it is made right.
    std::vector<std::byte> file(bytes.begin(), bytes.end());
    if (file.size() >= TileFileHeader::bytes) {
        const uint32_t sum = sum_of(ByteSpan(file).first(TileFileHeader::bytes - sizeof(uint32_t)));
        std::memcpy(file.data() + TileFileHeader::bytes - sizeof sum, &sum, sizeof sum);
    }
    const auto header = parse_tile_file(file, file.size());
    if (!header) return 0;
    if (header->file_bytes() != file.size() || header->tiles() > file.size()) __builtin_trap();
    for (int row = 0; row < header->rows(); ++row)
        for (int column = 0; column < header->columns(); ++column) {
            const SampleRegion place = header->region(column, row);
            const size_t size = size_t(place.width) * size_t(place.height) * header->pixel_bytes();
            if (header->offset(column, row) + size > header->sums_offset()) __builtin_trap();
        }
    parse_sums(ByteSpan(file).subspan(header->sums_offset()), header->tiles());
    return 1;
}

std::vector<std::string> seeds() {
    const TileFileHeader header = small_header();
    std::vector<std::byte> bytes = *encoded(header);
    bytes.resize(header.sums_offset());
    const auto sums = encoded_sums({sum_of(ByteSpan(bytes).subspan(TileFileHeader::bytes))});
    bytes.insert(bytes.end(), sums.begin(), sums.end());
    return {std::string(text_of(bytes))};
}

const fuzz::Registered registered({"tile_files", accepted, seeds});

}  // namespace tile_files

}  // namespace
