// PNG files built by hand, so that what is read is compared with the PNG specification and not with a library's writer.
#include <gtest/gtest.h>

#include "app/files/image_files.h"
#include "tests/files/bytes.h"

namespace texelscope::test {
namespace {

using namespace std::string_literals;
using U8 = std::vector<uint8_t>;
using U16 = std::vector<uint16_t>;

class Png : public testing::Test {
protected:
    Image read(const std::string& bytes) { return read_image(folder.write("x.png", bytes)); }
    std::string complaint(const std::string& bytes) {
        return error_of([&] { read(bytes); });
    }
    Folder folder;
};

TEST_F(Png, GreyOfEveryDepth) {
    EXPECT_EQ(samples<uint8_t>(read(png(9, 1, 1, 0, "\0\xa5\x80"s))), (U8{255, 0, 255, 0, 0, 255, 0, 255, 255}));
    EXPECT_EQ(samples<uint8_t>(read(png(4, 1, 2, 0, "\0\x1b"s))), (U8{0, 85, 170, 255}));
    EXPECT_EQ(samples<uint8_t>(read(png(3, 1, 4, 0, "\0\x0f\x10"s))), (U8{0, 255, 17}));
    EXPECT_EQ(samples<uint8_t>(read(png(2, 2, 8, 0, "\0\x01\xfe\0\x7f\x80"s))), (U8{1, 254, 127, 128}));
    const Image deep = read(png(2, 1, 16, 0, "\0\x01\x02\xff\xfe"s));
    EXPECT_EQ(deep.type(), SampleType::u16);
    EXPECT_EQ(samples<uint16_t>(deep), (U16{0x0102, 0xfffe}));
}

TEST_F(Png, AlphaIsStraightAndKeepsEveryBit) {
    const Image grey = read(png(2, 1, 8, 4, "\0\x07\x01\xc8\x00"s));
    EXPECT_EQ(grey.alpha(), Alpha::straight);
    EXPECT_EQ(samples<uint8_t>(grey), (U8{7, 1, 200, 0}));
    const Image colour = read(png(2, 1, 8, 6, "\0\x01\x02\x03\x01\xff\xfe\xfd\x00"s));
    EXPECT_EQ(colour.alpha(), Alpha::straight);
    EXPECT_EQ(samples<uint8_t>(colour), (U8{1, 2, 3, 1, 255, 254, 253, 0}));
    const Image deep = read(png(1, 1, 16, 6, "\0\x01\x02\x03\x04\x05\x06\x00\x01"s));
    EXPECT_EQ(deep.alpha(), Alpha::straight);
    EXPECT_EQ(samples<uint16_t>(deep), (U16{0x0102, 0x0304, 0x0506, 1}));
    EXPECT_EQ(samples<uint16_t>(read(png(1, 1, 16, 4, "\0\x01\x02\x03\x04"s))), (U16{0x0102, 0x0304}));
}

TEST_F(Png, ColoursAndPalettesAreReadAtEveryDepth) {
    EXPECT_EQ(samples<uint8_t>(read(png(1, 2, 8, 2, "\0\x01\x02\x03\0\x04\x05\x06"s))), (U8{1, 2, 3, 4, 5, 6}));
    EXPECT_EQ(samples<uint16_t>(read(png(1, 1, 16, 2, "\0\x01\x02\x03\x04\x05\x06"s))), (U16{0x0102, 0x0304, 0x0506}));
    const std::string palette = chunk("PLTE", "\x0a\x0b\x0c\x14\x15\x16\x1e\x1f\x20"s);
    for (const auto& [depth, rows] : {std::pair{8, "\0\x02\x00\x01"s}, {4, "\0\x20\x10"s}, {2, "\0\x84"s}}) {
        const Image image = read(png(3, 1, depth, 3, rows, palette));
        EXPECT_EQ(image.alpha(), Alpha::none);
        EXPECT_EQ(samples<uint8_t>(image), (U8{30, 31, 32, 10, 11, 12, 20, 21, 22})) << depth;
    }
}

TEST_F(Png, TransparencyOfPaletteAndKeyColour) {
    const std::string palette = chunk("PLTE", "\x0a\x0b\x0c\x14\x15\x16"s) + chunk("tRNS", "\x40"s);
    const Image indexed = read(png(2, 1, 8, 3, "\0\x00\x01"s, palette));
    EXPECT_EQ(indexed.alpha(), Alpha::straight);
    EXPECT_EQ(samples<uint8_t>(indexed), (U8{10, 11, 12, 64, 20, 21, 22, 255}));
    const Image keyed = read(png(2, 1, 8, 2, "\0\x01\x02\x03\x04\x05\x06"s, chunk("tRNS", "\0\x01\0\x02\0\x03"s)));
    EXPECT_EQ(keyed.alpha(), Alpha::straight);
    EXPECT_EQ(samples<uint8_t>(keyed), (U8{1, 2, 3, 0, 4, 5, 6, 255}));
}

TEST_F(Png, EveryRowFilterIsUndone) {
    // Sub, Up, Average, Paeth on single grey bytes: each row decodes by the specification's formulas.
    EXPECT_EQ(samples<uint8_t>(read(png(2, 5, 8, 0, "\0\x0a\x14\x01\x05\x05\x02\x01\x01\x03\x02\x02\x04\x01\x01"s))),
              (U8{10, 20, 5, 10, 6, 11, 5, 10, 6, 11}));
}

TEST_F(Png, TruncatedAtEveryLengthIsAnError) {
    const std::string whole = png(2, 2, 8, 2, "\0abcdef\0ghijkl"s);
    for (size_t length = 1; length < whole.size(); ++length) {
        const std::string text = complaint(whole.substr(0, length));
        EXPECT_NE(text, "") << length;
        EXPECT_EQ(text.find("truncated") != text.npos, length >= 8) << length << text;
    }
    EXPECT_EQ(complaint(whole), "");
    EXPECT_EQ(complaint(whole + "trailing"), "");
}

TEST_F(Png, EveryFlippedByteOfHeaderAndPixelsIsNoticed) {
    const std::string whole = png(2, 2, 8, 2, "\0abcdef\0ghijkl"s);
    for (size_t i = 0; i < whole.size(); ++i) {
        std::string damaged = whole;
        damaged[i] = char(damaged[i] ^ 0x55);
        EXPECT_NE(complaint(damaged), "") << i;
    }
}

TEST_F(Png, HugeClaimsAreRefused) {
    EXPECT_NE(complaint(png(50000, 40000, 8, 6, "\0abcd"s)).find("50000×40000"), std::string::npos);
    EXPECT_NE(complaint(png(0xffffffff, 0xffffffff, 16, 6, "\0abcd"s)).find("4294967295"), std::string::npos);
    EXPECT_NE(complaint(png(0, 1, 8, 0, "\0"s)).find("0×1"), std::string::npos);
    EXPECT_NE(complaint(png(2, 2, 8, 0, "\0a"s)), "");  // too few pixels in a whole file
}

TEST_F(Png, WrittenPixelsAreReadBackBitForBit) {
    for (int channels = 1; channels <= 4; ++channels)
        for (const SampleType type : {SampleType::u8, SampleType::u16}) {
            const Alpha alpha = channels % 2 == 0 ? Alpha::straight : Alpha::none;
            Image image(13, 7, channels, type, alpha);
            for (size_t i = 0; i < image.size_bytes(); ++i) image.data()[i] = std::byte(i * 73 + i / 7);
#if !TEXELSCOPE_WITH_OIIO
            if (type == SampleType::u16) {
                EXPECT_THROW(write_image(image, folder / "o.png"), UsageError);
                continue;
            }
#endif
            write_image(image, folder / "o.png");
            const Image back = read_image(folder / "o.png");
            EXPECT_EQ(back.type(), type);
            EXPECT_EQ(back.channels(), channels);
            EXPECT_EQ(back.alpha(), alpha);
            EXPECT_EQ(samples<std::byte>(back), samples<std::byte>(image));
        }
}

}  // namespace
}  // namespace texelscope::test
