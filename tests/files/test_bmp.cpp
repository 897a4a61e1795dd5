// BMP, icons and cursors.

#include "tests/files/bytes.h"
#include "tests/files/pixels.h"

namespace texelscope::test {
namespace {

using namespace std::string_literals;
using Row = std::vector<Samples>;
using Bmp = ReadsBytes;
using Lines = std::pair<int64_t, int64_t>;

// BMP, byte by byte; expectations follow Microsoft's description of BITMAPCOREHEADER to BITMAPV5HEADER.

// Blue, green, red and a byte that is not used.
const std::string palette = "\x03\x02\x01\0"s + "\x13\x12\x11\0"s + "\x23\x22\x21\0"s + "\x33\x32\x31\0"s;
const Samples a = {1, 2, 3}, b = {0x11, 0x12, 0x13}, c = {0x21, 0x22, 0x23}, d = {0x31, 0x32, 0x33};

TEST_F(Bmp, HasRowsFromBelowUnlessItsHeightIsNegative) {
    const std::string rows = "\x01\x02\x03\0"s + "\x11\x12\x13\0"s;  // each row: one pixel and the padding
    const Image up = read("a.bmp", bmp(dib_header(1, 2, 24, 0), rows));
    EXPECT_EQ(row_of(up, 0), (Row{{0x13, 0x12, 0x11}}));
    EXPECT_EQ(row_of(up, 1), (Row{{3, 2, 1}}));
    const Image down = read("a.bmp", bmp(dib_header(1, -2, 24, 0), rows));
    EXPECT_EQ(row_of(down, 0), (Row{{3, 2, 1}}));
    EXPECT_EQ(row_of(down, 1), (Row{{0x13, 0x12, 0x11}}));
}

TEST_F(Bmp, OfEachDepthHasColoursOfItsPalette) {
    const auto indexed = [&](int bits, const std::string& row) {
        return row_of(read("a.bmp", bmp(dib_header(3, 1, bits, 0, 4) + palette, row)), 0);
    };
    EXPECT_EQ(indexed(1, "\x40\0\0\0"s), (Row{a, b, a}));
    EXPECT_EQ(indexed(2, "\x6c\0\0\0"s), (Row{b, c, d}));
    EXPECT_EQ(indexed(4, "\x31\x20\0\0"s), (Row{d, b, c}));
    EXPECT_EQ(indexed(8, "\3\0\1\0"s), (Row{d, a, b}));
}

TEST_F(Bmp, IndicesBeyondAShortPaletteAreBlack) {
    const std::string head = dib_header(4, 1, 8, 0, 2) + palette.substr(0, 8);
    EXPECT_EQ(row_of(read("a.bmp", bmp(head, "\0\1\2\xff"s)), 0), (Row{a, b, {0, 0, 0}, {0, 0, 0}}));
    // The header gives no number of colours, but the pixels begin behind the second one.
    const std::string unsaid = dib_header(4, 1, 8, 0) + palette.substr(0, 8);
    EXPECT_EQ(row_of(read("a.bmp", bmp(unsaid, "\0\1\2\xff"s)), 0), (Row{a, b, {0, 0, 0}, {0, 0, 0}}));
    EXPECT_NE(error("a.bmp", bmp(dib_header(4, 1, 8, 0), "\0\1\2\xff"s)).find("palette is missing"), std::string::npos);
}

TEST_F(Bmp, PixelsBeginWhereItSays) {
    EXPECT_EQ(row_of(read("a.bmp", bmp(dib_header(2, 1, 8, 0, 4) + palette, "\1\2\0\0"s, 5)), 0), (Row{b, c}));
}

TEST_F(Bmp, OfOs2HasThreeBytesAColour) {
    const std::string core = little32(12) + little16(2) + little16(1) + little16(1) + little16(1);
    EXPECT_EQ(row_of(read("a.bmp", bmp(core + "\3\2\1\x13\x12\x11"s, "\x40\0\0\0"s)), 0), (Row{a, b}));
    const std::string short_header = little32(16) + little32(1) + little32(1) + little16(1) + little16(24);
    EXPECT_EQ(row_of(read("a.bmp", bmp(short_header, "\x01\x02\x03\0"s)), 0), (Row{{3, 2, 1}}));
    const std::string long_header = dib_header(2, 1, 24, 4, 0, std::string(24, '\0'));  // runs of 24 bits
    EXPECT_EQ(row_of(read("a.bmp", bmp(long_header, "\2\3\2\1\0\1"s)), 0), (Row{a, a}));
}

TEST_F(Bmp, SixteenBitsAreFiveOfEachColourUnlessMasksSayOtherwise) {
    const std::string row = little16(0x7c00 | 1) + "\0\0"s;
    EXPECT_EQ(row_of(read("a.bmp", bmp(dib_header(1, 1, 16, 0), row)), 0), (Row{{255, 0, 8}}));
    const std::string five_six_five = dib_header(1, 1, 16, 3) + masks(0xf800, 0x7e0, 0x1f);
    EXPECT_EQ(row_of(read("a.bmp", bmp(five_six_five, little16(0x07e0 | 1) + "\0\0"s)), 0), (Row{{0, 255, 8}}));
}

TEST_F(Bmp, MasksOfMoreThanEightBitsGiveSixteen) {
    const std::string head = dib_header(1, 1, 32, 3) + masks(0x3ff, 0xffc00, 0x3ff00000);
    const Image image = read("a.bmp", bmp(head, little32(1023 | 512 << 10 | 1 << 20)));
    ASSERT_EQ(image.type(), SampleType::u16);
    EXPECT_EQ(row_of(image, 0), (Row{{65535, 32800, 64}}));  // v · 65535/1023
}

TEST_F(Bmp, AFourthByteIsAlphaUnlessItIsZeroEverywhereOrTheHeaderLeavesItOut) {
    const Image image = read("a.bmp", bmp(dib_header(1, 1, 32, 0), "\3\2\1\x40"s));  // RGBA as Pillow writes it
    EXPECT_EQ(image.alpha(), Alpha::straight);
    EXPECT_EQ(row_of(image, 0), (Row{{1, 2, 3, 0x40}}));
    const Image unused = read("a.bmp", bmp(dib_header(1, 1, 32, 0), "\3\2\1\0"s));
    EXPECT_EQ(unused.alpha(), Alpha::none);
    EXPECT_EQ(row_of(unused, 0), (Row{a}));
    const std::string v4 = dib_header(1, 1, 32, 0, 0, masks(0, 0, 0) + std::string(56, '\0'));
    EXPECT_EQ(row_of(read("a.bmp", bmp(v4, "\3\2\1\x40"s)), 0), (Row{a}));
}

TEST_F(Bmp, AMaskForAlphaMakesItStraight) {
    const std::string colours = masks(0xff0000, 0xff00, 0xff), alpha = little32(0xff000000);
    const std::string pixel = "\3\2\1\x40"s;
    for (const std::string& more : {colours + alpha,                             // version 3
                                    colours + alpha + std::string(52, '\0'),     // 4
                                    colours + alpha + std::string(68, '\0')}) {  // 5
        const Image image = read("a.bmp", bmp(dib_header(1, 1, 32, 3, 0, more), pixel));
        EXPECT_EQ(image.alpha(), Alpha::straight);
        EXPECT_EQ(row_of(image, 0), (Row{{1, 2, 3, 0x40}}));
    }
    EXPECT_EQ(row_of(read("a.bmp", bmp(dib_header(1, 1, 32, 6) + colours + alpha, pixel)), 0), (Row{{1, 2, 3, 0x40}}));
    const std::string five = dib_header(2, 1, 16, 6) + masks(0x7c00, 0x3e0, 0x1f) + little32(0x8000);
    EXPECT_EQ(row_of(read("a.bmp", bmp(five, little16(0xfc00) + little16(0x001f))), 0),
              (Row{{255, 0, 0, 255}, {0, 0, 255, 0}}));
    EXPECT_EQ(read("a.bmp", bmp(dib_header(1, 1, 32, 3, 0, colours), pixel)).channels(), 3);  // version 2 has none
}

TEST_F(Bmp, AlphaThatIsZeroEverywhereIsNone) {
    const std::string v4 =
        dib_header(2, 1, 32, 3, 0, masks(0xff0000, 0xff00, 0xff) + little32(0xff000000) + std::string(52, '\0'));
    const Image image = read("a.bmp", bmp(v4, "\3\2\1\0\x13\x12\x11\0"s));
    EXPECT_EQ(image.alpha(), Alpha::none);
    EXPECT_EQ(row_of(image, 0), (Row{a, b}));
}

TEST_F(Bmp, OfGreysHasOneChannel) {
    const std::string greys = "\0\0\0\0"s + "\x40\x40\x40\0"s + "\xff\xff\xff\0"s;
    EXPECT_EQ(row_of(read("a.bmp", bmp(dib_header(3, 1, 8, 0, 3) + greys, "\2\1\0\0"s)), 0), (Row{{255}, {64}, {0}}));
}

class BmpRuns : public ReadsBytes {
protected:
    std::vector<Row> rows(int bits, int width, int height, const std::string& runs) {
        const Image image = read("a.bmp", bmp(dib_header(width, height, bits, bits == 4 ? 2 : 1, 4) + palette, runs));
        std::vector<Row> result;
        for (int y = 0; y < image.height(); ++y) result.push_back(row_of(image, y));
        return result;
    }
};

TEST_F(BmpRuns, EndWithTheLineThePictureOrBoth) {
    const std::string lines = "\2\1\2\2\0\0"s + "\0\4\0\1\2\3"s;  // two runs; four pixels as they are
    const std::vector<Row> picture = {{a, b, c, d}, {b, b, c, c}};
    for (const std::string& end : {"\0\0\0\1"s, "\0\1"s, "\0\0"s, ""s}) EXPECT_EQ(rows(8, 4, 2, lines + end), picture);
}

TEST_F(BmpRuns, OfFourBitsAlternate) {
    EXPECT_EQ(rows(4, 5, 1, "\5\x12\0\0\0\1"s), (std::vector<Row>{{b, c, b, c, b}}));
    EXPECT_EQ(rows(4, 5, 1, "\0\5\x12\x30\x10\0\0\1"s), (std::vector<Row>{{b, c, d, a, b}}));
}

TEST_F(BmpRuns, WhatTheyLeaveOutHasTheFirstColour) {
    EXPECT_EQ(rows(8, 3, 2, "\1\1\0\2\1\1\1\2\0\1"s), (std::vector<Row>{{a, a, c}, {b, a, a}}));  // a step of 1, 1
    EXPECT_EQ(rows(8, 2, 2, "\2\3\0\1"s), (std::vector<Row>{{a, a}, {d, d}}));                    // it ends early
}

TEST_F(BmpRuns, WhatIsBeyondTheEdgesIsDropped) {
    EXPECT_EQ(rows(8, 2, 1, "\7\2\0\0\3\1\0\1"s), (std::vector<Row>{{c, c}}));
}

TEST_F(Bmp, OfOtherKindsIsRefusedInASentence) {
    EXPECT_NE(error("a.bmp", bmp(dib_header(1, 1, 0, 5), "\x89PNG"s)).find("bits per pixel"), std::string::npos);
    EXPECT_NE(error("a.bmp", bmp(dib_header(1, 1, 24, 4), "\0\0\0\0"s)).find("compression 4"), std::string::npos);
    EXPECT_NE(error("a.bmp", bmp(dib_header(-1, 1, 24, 0), "\0\0\0\0"s)), "");
    EXPECT_NE(error("a.bmp", bmp(dib_header(1, 1, 32, 3) + masks(5, 0xff00, 0xff0000), "\0\0\0\0"s)).find("mask"),
              std::string::npos);
}

TEST_F(Bmp, ThatEndsEarlyHasTheRowsThatAreThere) {
    const std::string rows = "\1\2\3\0"s + "\4\5\6\0"s + "\7\x08\x09\0"s;
    const auto missing = [&](int height, size_t bytes) {
        return missing_rows("a.bmp", bmp(dib_header(1, height, 24, 0), rows.substr(0, bytes)));
    };
    EXPECT_EQ(missing(3, 12), Lines(0, 0));
    EXPECT_EQ(missing(3, 11), Lines(0, 0));  // without the padding
    EXPECT_EQ(missing(3, 10), Lines(0, 1));  // the file begins with the lowest row
    EXPECT_EQ(missing(-3, 10), Lines(2, 1));
    EXPECT_NE(error("a.bmp", bmp(dib_header(1, 3, 24, 0), rows.substr(0, 2))).find("truncated"), std::string::npos);
    const Image image = read("a.bmp", bmp(dib_header(1, 2, 24, 0), rows.substr(0, 4)));
    EXPECT_EQ(row_of(image, 0), (Row{{0, 0, 0}}));
    EXPECT_EQ(row_of(image, 1), (Row{{3, 2, 1}}));
    const std::string in_runs = bmp(dib_header(2, 3, 8, 1, 4) + palette, "\2\1\0\0\2\2\0\0\1"s);
    EXPECT_EQ(missing_rows("a.bmp", in_runs), Lines(0, 1));
}

using Ico = ReadsBytes;

// Icons and cursors, byte by byte, as Microsoft describes them.

// A file of pictures, one behind the other; `kind`: 1 icon, 2 cursor. The sizes in the directory are arbitrary.
std::string ico(const std::vector<std::string>& pictures, int kind = 1) {
    std::string directory = "\0\0"s + little16(uint32_t(kind)) + little16(uint32_t(pictures.size())), data;
    for (const std::string& picture : pictures) {
        directory += "\1\1\0\0\1\0\x20\0"s + little32(uint32_t(picture.size())) +
                     little32(uint32_t(6 + 16 * pictures.size() + data.size()));
        data += picture;
    }
    return directory + data;
}

// A picture with its mask; the header's height counts both.
std::string of_32_bits(int width, int height, const std::string& pixels, const std::string& mask) {
    return dib_header(width, 2 * height, 32, 0) + pixels + mask;
}

TEST_F(Ico, OpensItsLargestPicture) {
    const std::string small = of_32_bits(1, 1, "\1\1\1\xff"s, std::string(4, '\0'));
    const std::string large = of_32_bits(2, 1, "\3\2\1\xff\3\2\1\x40"s, std::string(4, '\0'));
    const std::string poor = dib_header(2, 2, 1, 0, 2) + "\3\2\1\0\xff\xff\xff\0"s + std::string(8, '\0');
    const std::string file = ico({small, poor, large, small});
    EXPECT_EQ(row_of(read("a.ico", file), 0), (Row{{1, 2, 3, 255}, {1, 2, 3, 0x40}}));
    EXPECT_EQ(row_of(read("a.ico", file, part_of("2")), 0), (Row{{1, 1, 1, 255}}));
    const PictureFacts facts = read_facts(folder_ / "a.ico");
    ASSERT_EQ(facts.parts.size(), 4u);
    EXPECT_EQ(facts.part, 0);
    const int widths[] = {2, 1, 2, 1};  // the largest first, then the others in the file's order
    for (size_t i = 0; i < 4; ++i) EXPECT_EQ(facts.parts[i].width, widths[i]);
}

TEST_F(Ico, TheMaskHidesWhereThereIsNoAlpha) {
    const std::string mask = "\x40\0\0\0"s;  // hides the second of three pixels
    const Row masked = {{1, 2, 3, 255}, {1, 2, 3, 0}, {1, 2, 3, 255}};
    const std::string colours = "\3\2\1\0\xff\xff\xff\0"s;
    EXPECT_EQ(row_of(read("a.ico", ico({dib_header(3, 2, 8, 0, 2) + colours + std::string(4, '\0') + mask})), 0),
              masked);
    EXPECT_EQ(row_of(read("a.ico", ico({dib_header(3, 2, 24, 0) + "\3\2\1\3\2\1\3\2\1\0\0\0"s + mask})), 0), masked);
    const std::string no_alpha = "\3\2\1\0\3\2\1\0\3\2\1\0"s, some = "\3\2\1\0\3\2\1\x40\3\2\1\0"s;
    EXPECT_EQ(row_of(read("a.ico", ico({of_32_bits(3, 1, no_alpha, mask)})), 0), masked);
    EXPECT_EQ(row_of(read("a.ico", ico({of_32_bits(3, 1, some, mask)})), 0),
              (Row{{1, 2, 3, 0}, {1, 2, 3, 0x40}, {1, 2, 3, 0}}));
    EXPECT_EQ(row_of(read("a.ico", ico({of_32_bits(3, 1, no_alpha, "")})), 0),
              (Row{{1, 2, 3, 255}, {1, 2, 3, 255}, {1, 2, 3, 255}}));
}

TEST_F(Ico, RowsOfPictureAndMaskAreFromBelow) {
    const std::string pixels = "\1\1\1\0\2\2\2\0"s, mask = "\x80\0\0\0\0\0\0\0"s;
    const Image image = read("a.ico", ico({of_32_bits(1, 2, pixels, mask)}));
    EXPECT_EQ(row_of(image, 0), (Row{{2, 2, 2, 255}}));
    EXPECT_EQ(row_of(image, 1), (Row{{1, 1, 1, 0}}));
}

TEST_F(Ico, MayHoldPng) {
    const std::string picture = png(3, 1, 8, 6, "\0\1\2\3\x40\4\5\6\x50\7\x08\x09\xff"s);
    const std::string small = of_32_bits(1, 1, "\1\1\1\xff"s, std::string(4, '\0'));
    const Row row = {{1, 2, 3, 0x40}, {4, 5, 6, 0x50}, {7, 8, 9, 255}};
    EXPECT_EQ(row_of(read("a.ico", ico({small, picture})), 0), row);
    EXPECT_EQ(row_of(read("a.ico", ico({png(1, 1, 8, 0, "\0\7"s)})), 0), (Row{{7, 7, 7, 255}}));
}

TEST_F(Ico, CursorsAreReadLikewise) {
    const std::string file = ico({of_32_bits(1, 1, "\3\2\1\xff"s, std::string(4, '\0'))}, 2);
    EXPECT_EQ(row_of(read("a.cur", file), 0), (Row{{1, 2, 3, 255}}));
    EXPECT_EQ(row_of(read("a", file), 0), (Row{{1, 2, 3, 255}}));
}

TEST_F(Ico, ThatIsNotWholeIsRefused) {
    const std::string file = ico({of_32_bits(1, 1, "\3\2\1\xff"s, std::string(4, '\0'))});
    for (size_t size = 4; size < file.size() - 4; ++size) EXPECT_NE(error("a.ico", file.substr(0, size)), "") << size;
}

}  // namespace
}  // namespace texelscope::test
