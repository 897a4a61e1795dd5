// PNG files built by hand, so that what is read is compared with the PNG specification and not with a library's writer.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "app/files/codecs/png.h"
#include "app/files/reading/image_files.h"
#include "tests/files/bytes.h"

namespace texelscope::test {
namespace {

using namespace std::string_literals;
using U8 = std::vector<uint8_t>;
using U16 = std::vector<uint16_t>;

// Adam7, section 8.2 of the specification: the rows of the seven reduced pictures, of samples of one byte.
std::string interlaced(uint32_t width, uint32_t height, const U8& grey) {
    struct Pass {
        uint32_t x, y, dx, dy;
    };
    constexpr Pass passes[] = {{0, 0, 8, 8}, {4, 0, 8, 8}, {0, 4, 4, 8}, {2, 0, 4, 4},
                               {0, 2, 2, 4}, {1, 0, 2, 2}, {0, 1, 1, 2}};
    std::string rows;
    for (const Pass& pass : passes)
        for (uint32_t y = pass.y; y < height && pass.x < width; y += pass.dy) {
            rows += '\0';
            for (uint32_t x = pass.x; x < width; x += pass.dx) rows += char(grey[y * width + x]);
        }
    const std::string header = big32(width) + big32(height) + "\x08\0\0\0\1"s;
    return "\x89PNG\r\n\x1a\n" + chunk("IHDR", header) + chunk("IDAT", stored(rows)) + chunk("IEND", "");
}

U8 noise(size_t count) {
    U8 values(count);
    uint32_t state = 1;
    for (uint8_t& value : values) value = uint8_t((state = state * 1664525 + 1013904223) >> 24);
    return values;
}

// Demands of every announcement that its rows are complete.
struct Announced : DecodingTarget {
    explicit Announced(const U8& expected) : expected_(expected) {}

    Image* begin(const PictureShape& shape, const PictureFacts&) override {
        image = Image(shape.width, shape.height, shape.channels, shape.type, shape.alpha);
        return &image;
    }
    void rows_done(int rows) override {
        steps.push_back(rows);
        const auto* begin = reinterpret_cast<const uint8_t*>(image.data());
        EXPECT_TRUE(std::equal(begin, begin + size_t(rows) * image.row_bytes(), expected_.begin())) << rows;
    }

    Image image;
    std::vector<int> steps;

private:
    const U8& expected_;
};

class Png : public testing::Test {
protected:
    Image read(const std::string& bytes) { return read_image(folder.write("x.png", bytes)); }
    std::string complaint(const std::string& bytes) {
        return refusal([&] { read(bytes); });
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

TEST_F(Png, TransparencyOfGreyAtEveryDepth) {
    EXPECT_EQ(samples<uint8_t>(read(png(4, 1, 2, 0, "\0\x1b"s, chunk("tRNS", "\0\2"s)))),
              (U8{0, 255, 85, 255, 170, 0, 255, 255}));
    EXPECT_EQ(samples<uint8_t>(read(png(2, 1, 8, 0, "\0\x07\x08"s, chunk("tRNS", "\0\7"s)))), (U8{7, 0, 8, 255}));
    const Image deep = read(png(2, 1, 16, 0, "\0\1\2\1\3"s, chunk("tRNS", "\1\2"s)));
    EXPECT_EQ(deep.alpha(), Alpha::straight);
    EXPECT_EQ(samples<uint16_t>(deep), (U16{0x0102, 0, 0x0103, 0xffff}));
    EXPECT_EQ(samples<uint16_t>(read(png(1, 1, 16, 2, "\0\1\2\3\4\5\6"s, chunk("tRNS", "\1\2\3\4\5\6"s)))),
              (U16{0x0102, 0x0304, 0x0506, 0}));
}

TEST_F(Png, GammaChromaticitiesAndSignificantBitsChangeNoSample) {
    const std::string extra = chunk("gAMA", big32(100000)) + chunk("sBIT", "\5\5\5"s) +
                              chunk("cHRM", big32(31270) + big32(32900) + big32(64000) + big32(33000) + big32(21000) +
                                                big32(71000) + big32(15000) + big32(6000)) +
                              chunk("bKGD", "\0\1\0\2\0\3"s);
    EXPECT_EQ(samples<uint8_t>(read(png(2, 1, 8, 2, "\0\x01\x02\x03\xfd\xfe\xff"s, extra))),
              (U8{1, 2, 3, 253, 254, 255}));
}

TEST_F(Png, InterlacedPicturesOfEverySizeUpToTheirBlocks) {
    for (uint32_t height = 1; height <= 9; ++height)
        for (uint32_t width = 1; width <= 9; ++width) {
            const U8 grey = noise(width * height);
            EXPECT_EQ(samples<uint8_t>(read(interlaced(width, height, grey))), grey) << width << "×" << height;
        }
    // Turned: it lies on its right side (EXIF, orientation 8).
    const U8 grey = noise(6);
    std::string turned = interlaced(3, 2, grey);
    turned.insert(33, chunk("eXIf", "II*\0"s + little32(8) + little16(1) + little16(0x112) + little16(3) + little32(1) +
                                        little32(8) + little32(0)));
    EXPECT_EQ(samples<uint8_t>(read(turned)), (U8{grey[2], grey[5], grey[1], grey[4], grey[0], grey[3]}));
}

TEST_F(Png, RowsAreAnnouncedOnceTheyAreComplete) {
    constexpr uint32_t width = 40, height = 200;
    const U8 grey = noise(width * height);
    std::string rows;
    for (uint32_t y = 0; y < height; ++y)
        rows += '\0' + std::string(grey.begin() + y * width, grey.begin() + (y + 1) * width);
    for (const std::string& file : {png(width, height, 8, 0, rows), interlaced(width, height, grey)}) {
        Announced target(grey);
        decode_png({}, span_of(file), target);
        EXPECT_TRUE(std::is_sorted(target.steps.begin(), target.steps.end()));
        EXPECT_EQ(target.steps.back(), int(height));
        EXPECT_LT(*std::upper_bound(target.steps.begin(), target.steps.end(), 0), int(height) / 4) << "the first rows";
    }
}

TEST_F(Png, EveryRowFilterIsUndone) {
    // Sub, Up, Average, Paeth on single grey bytes: each row decodes by the specification's formulas.
    EXPECT_EQ(samples<uint8_t>(read(png(2, 5, 8, 0, "\0\x0a\x14\x01\x05\x05\x02\x01\x01\x03\x02\x02\x04\x01\x01"s))),
              (U8{10, 20, 5, 10, 6, 11, 5, 10, 6, 11}));
}

// The chunk IDAT comes after 8 + 25 bytes: length and type, 7 bytes, then the stored rows of 7 bytes each.
TEST_F(Png, TruncatedAtEveryLengthHasTheRowsThatAreThere) {
    const std::string whole = png(2, 2, 8, 2, "\0abcdef\0ghijkl"s);
    constexpr size_t rows_at = 8 + 25 + 8 + 7, row = 7;
    for (size_t length = 1; length < whole.size(); ++length) {
        const std::string cut = whole.substr(0, length), text = complaint(cut);
        EXPECT_EQ(text == "", length >= rows_at + row) << length << text;
        if (!text.empty()) {
            EXPECT_EQ(text.find("truncated") != text.npos, length >= 8) << length << text;
        } else {
            EXPECT_EQ(read(cut).missing(), length < rows_at + 2 * row ? (SampleRegion{0, 1, 2, 1}) : SampleRegion{});
        }
    }
    EXPECT_EQ(complaint(whole), "");
    EXPECT_EQ(complaint(whole + "trailing"), "");
}

// Exceptions, since all pixels are there: the length of IDAT, beyond which the file ends, and the chunk IEND.
TEST_F(Png, EveryFlippedByteOfHeaderAndPixelsIsNoticed) {
    const std::string whole = png(2, 2, 8, 2, "\0abcdef\0ghijkl"s);
    constexpr size_t length_at = 8 + 25;
    const U8 pixels = samples<uint8_t>(read(whole));
    for (size_t i = 0; i < whole.size(); ++i) {
        std::string damaged = whole;
        damaged[i] = char(damaged[i] ^ 0x55);
        const bool harmless = (i >= length_at && i < length_at + 4) || i >= whole.size() - 12;
        EXPECT_EQ(complaint(damaged) == "", harmless) << i;
        if (harmless) {
            EXPECT_EQ(samples<uint8_t>(read(damaged)), pixels) << i;
        }
    }
}

TEST_F(Png, WhatMakesNoSenseIsOneSentence) {
    const auto damaged = [](const std::string& why) {
        return "x.png: the PNG is damaged or of a kind that cannot be read (" + why + ")";
    };
    const auto said = [&](const std::string& bytes) {
        const std::string text = complaint(bytes);
        return text.substr(text.find_last_of('/') + 1);
    };
    EXPECT_EQ(said(png(2, 2, 8, 0, "\0a"s)), damaged("Not enough image data"));
    EXPECT_EQ(said(png(2, 1, 8, 3, "\0\0\0"s)), damaged("IDAT: Missing PLTE before IDAT"));
    EXPECT_EQ(said(png(1, 1, 5, 0, "\0a"s)), damaged("Invalid IHDR data"));
    EXPECT_EQ(said(png(1, 1, 8, 0, "\7a"s)), damaged("bad adaptive filter value"));
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
