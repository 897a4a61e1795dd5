// TGA, SGI and DDS.

#include "tests/files/pixels.h"

namespace texelscope::test {
namespace {

using namespace std::string_literals;
using Row = std::vector<Samples>;
using Tga = ReadsBytes;

// TGA, byte by byte: Truevision's specification of version 2.0.

constexpr int from_above = 0x20, from_right = 0x10;

// The bytes of a file; `map`: kind, first index, count and bits of an entry of the colour map.
std::string tga(int kind, int width, int height, int bits, int descriptor, const std::string& data,
                const std::string& map = std::string(6, '\0')) {
    return "\0"s + map[0] + char(kind) + map.substr(1) + std::string(4, '\0') + little16(uint32_t(width)) +
           little16(uint32_t(height)) + char(bits) + char(descriptor) + data;
}

std::string map_of(int first, int count, int bits) {
    return "\1"s + little16(uint32_t(first)) + little16(uint32_t(count)) + char(bits);
}

// The file with an extension area, whose last byte is the attributes type.
std::string with_attributes(const std::string& file, int type) {
    return file + little16(495) + std::string(492, '\0') + char(type) + little32(uint32_t(file.size())) + little32(0) +
           "TRUEVISION-XFILE.\0"s;
}

TEST_F(Tga, RowsAndColumnsBeginWhereItSays) {
    const std::string pixels = "\1\2\3\4"s;
    const auto rows = [&](int descriptor) {
        const Image image = read("a.tga", tga(3, 2, 2, 8, descriptor, pixels));
        return std::vector<Row>{row_of(image, 0), row_of(image, 1)};
    };
    EXPECT_EQ(rows(0), (std::vector<Row>{{{3}, {4}}, {{1}, {2}}}));
    EXPECT_EQ(rows(from_above), (std::vector<Row>{{{1}, {2}}, {{3}, {4}}}));
    EXPECT_EQ(rows(from_right), (std::vector<Row>{{{4}, {3}}, {{2}, {1}}}));
    EXPECT_EQ(rows(from_above | from_right), (std::vector<Row>{{{2}, {1}}, {{4}, {3}}}));
}

TEST_F(Tga, ColoursAreBlueGreenRed) {
    EXPECT_EQ(row_of(read("a.tga", tga(2, 1, 1, 24, 0, "\3\2\1"s)), 0), (Row{{1, 2, 3}}));
    EXPECT_EQ(row_of(read("a.tga", tga(2, 1, 1, 15, 0, little16(0x7c01))), 0), (Row{{255, 0, 8}}));
    EXPECT_EQ(row_of(read("a.tga", tga(2, 2, 1, 16, 1, little16(0xfc00) + little16(0x001f))), 0),
              (Row{{255, 0, 0, 255}, {0, 0, 255, 0}}));
    EXPECT_EQ(row_of(read("a.tga", tga(2, 1, 1, 16, 0, little16(0xfc00))), 0), (Row{{255, 0, 0}}));
    EXPECT_EQ(row_of(read("a.tga", tga(3, 1, 1, 16, 8, "\7\x40"s)), 0), (Row{{7, 0x40}}));
}

TEST_F(Tga, AFourthByteIsAlphaIfItsBitsAreCounted) {
    const Image counted = read("a.tga", tga(2, 1, 1, 32, 8, "\3\2\1\x40"s));
    EXPECT_EQ(counted.alpha(), Alpha::straight);
    EXPECT_EQ(row_of(counted, 0), (Row{{1, 2, 3, 0x40}}));
    EXPECT_EQ(row_of(read("a.tga", tga(2, 1, 1, 32, 0, "\3\2\1\x40"s)), 0), (Row{{1, 2, 3}}));
}

TEST_F(Tga, TheExtensionAreaSaysWhatAlphaIs) {
    const auto alpha = [&](int type) {
        return read("a.tga", with_attributes(tga(2, 1, 1, 32, 8, "\3\2\1\x40"s), type)).alpha();
    };
    EXPECT_EQ(alpha(0), Alpha::none);
    EXPECT_EQ(alpha(1), Alpha::none);
    EXPECT_EQ(alpha(2), Alpha::straight);
    EXPECT_EQ(alpha(3), Alpha::straight);
    EXPECT_EQ(alpha(4), Alpha::premultiplied);
}

TEST_F(Tga, MapsBeginAtTheirFirstIndex) {
    const std::string colours = "\3\2\1\x13\x12\x11"s;
    EXPECT_EQ(row_of(read("a.tga", tga(1, 4, 1, 8, 0, colours + "\x0a\x0b\x0c\0"s, map_of(10, 2, 24))), 0),
              (Row{{1, 2, 3}, {0x11, 0x12, 0x13}, {0, 0, 0}, {0, 0, 0}}));
    EXPECT_EQ(row_of(read("a.tga", tga(1, 1, 1, 8, 0, little16(0x7c01) + "\0"s, map_of(0, 1, 16))), 0),
              (Row{{255, 0, 8}}));
    EXPECT_EQ(row_of(read("a.tga", tga(9, 2, 1, 8, 8, "\3\2\1\x40"s + "\x81\0"s, map_of(0, 1, 32))), 0),
              (Row{{1, 2, 3, 0x40}, {1, 2, 3, 0x40}}));
}

TEST_F(Tga, RunsMayCrossRows) {
    const std::string runs = "\x82\5"s + "\2\6\7\x08"s;  // three equal pixels; three as they are
    const Image image = read("a.tga", tga(11, 2, 3, 8, from_above, runs));
    EXPECT_EQ(row_of(image, 0), (Row{{5}, {5}}));
    EXPECT_EQ(row_of(image, 1), (Row{{5}, {6}}));
    EXPECT_EQ(row_of(image, 2), (Row{{7}, {8}}));
    EXPECT_EQ(row_of(read("a.tga", tga(10, 2, 1, 24, 0, "\x87\3\2\1"s)), 0), (Row{{1, 2, 3}, {1, 2, 3}}));  // too long
}

TEST_F(Tga, ThatEndsEarlyHasTheRowsThatAreThere) {
    using Lines = std::pair<int64_t, int64_t>;
    EXPECT_EQ(missing_rows("a.tga", tga(3, 2, 3, 8, 0, "abcde")), Lines(0, 1));
    EXPECT_EQ(missing_rows("a.tga", tga(3, 2, 3, 8, from_above, "abcde")), Lines(2, 1));
    EXPECT_EQ(missing_rows("a.tga", tga(11, 2, 3, 8, from_above, "\x82\5\2"s)), Lines(1, 2));
}

TEST_F(Tga, IsRecognisedByItsHeaderIfNothingElseIsKnown) {
    const std::string colours = tga(2, 1, 1, 24, 0, "\3\2\1"s);
    for (const char* name : {"a.png", "a", "a.unknown"}) {
        EXPECT_EQ(row_of(read(name, colours), 0), (Row{{1, 2, 3}})) << name;
        EXPECT_EQ(row_of(read(name, with_attributes(tga(2, 1, 1, 32, 8, "\3\2\1\x40"s), 3)), 0),
                  (Row{{1, 2, 3, 0x40}}));
        EXPECT_EQ(row_of(read(name, tga(1, 1, 1, 8, 0, "\3\2\1\0"s, map_of(0, 1, 24))), 0), (Row{{1, 2, 3}})) << name;
    }
    for (const std::string& other : {
             tga(4, 1, 1, 24, 0, "abc"),
             tga(2, 1, 1, 23, 0, "abc"),
             tga(2, 0, 1, 24, 0, "abc"),
             tga(2, 1, 0, 24, 0, "abc"),
             tga(2, 1, 1, 24, 8, "abc"),
             tga(2, 1, 1, 24, 0x40, "abc"),
             tga(9, 1, 1, 8, 0, "\0a"s),
             tga(1, 1, 1, 8, 0, "a", map_of(0, 0, 24)),
             tga(2, 1, 1, 24, 0, "abc", "\0\0\0\0\0\x18"s),
             colours.substr(0, 17),
             std::string(64, '\0'),
         })
        EXPECT_NE(error("a", other).find("not an image file"), std::string::npos) << testing::PrintToString(other);
}

TEST_F(Tga, ThatMakesNoSenseIsRefused) {
    EXPECT_NE(error("a.tga", tga(32, 1, 1, 8, 0, "abcd")).find("makes no sense"), std::string::npos);
    EXPECT_NE(error("a.tga", tga(2, 1, 1, 24, 0x40, "abc")).find("interleaved"), std::string::npos);
    EXPECT_NE(error("a.tga", tga(2, 2, 1, 24, 0, "abcde")).find("truncated"), std::string::npos);
    EXPECT_NE(error("a.tga", tga(10, 200, 1, 8, 0, "\xff"s)), "");
}

using Sgi = ReadsBytes;

// SGI, byte by byte: Paul Haeberli's "The SGI Image File Format", draft 0.97.

std::string header(int in_runs, int sample_bytes, int width, int height, int channels, int dimensions = 3) {
    return "\x01\xda"s + char(in_runs) + char(sample_bytes) + big16(uint32_t(dimensions)) + big16(uint32_t(width)) +
           big16(uint32_t(height)) + big16(uint32_t(channels)) + big32(0) + big32(255) + std::string(492, '\0');
}

// A file of runs; rows are all of the first channel from below, then those of the next.
std::string in_runs(const std::string& header, const std::vector<std::string>& rows) {
    std::string begins, lengths, data;
    for (const std::string& row : rows) {
        begins += big32(uint32_t(512 + 8 * rows.size() + data.size()));
        lengths += big32(uint32_t(row.size()));
        data += row;
    }
    return header + begins + lengths + data;
}

TEST_F(Sgi, HasOneChannelAfterTheOtherFromBelow) {
    const Image image = read("a.sgi", header(0, 1, 2, 2, 3) + "\1\2\3\4"s + "\x11\x12\x13\x14"s + "\x21\x22\x23\x24"s);
    EXPECT_EQ(row_of(image, 0), (Row{{3, 0x13, 0x23}, {4, 0x14, 0x24}}));
    EXPECT_EQ(row_of(image, 1), (Row{{1, 0x11, 0x21}, {2, 0x12, 0x22}}));
}

TEST_F(Sgi, AlphaIsStraight) {
    const Image image = read("a.rgba", header(0, 1, 1, 1, 4) + "\xff\0\0\x33"s);
    EXPECT_EQ(image.alpha(), Alpha::straight);
    EXPECT_EQ(row_of(image, 0), (Row{{255, 0, 0, 0x33}}));
    EXPECT_EQ(read("a.sgi", header(0, 1, 1, 1, 2) + "\x80\x40"s).alpha(), Alpha::straight);
}

TEST_F(Sgi, OfTwoBytesKeepsThem) {
    const Image image = read("a.sgi", header(0, 2, 2, 1, 1, 2) + "\x12\x34\xff\xff"s);
    EXPECT_EQ(image.type(), SampleType::u16);
    EXPECT_EQ(row_of(image, 0), (Row{{0x1234}, {65535}}));
}

TEST_F(Sgi, OfFewerDimensionsHasOneRowOrOneChannel) {
    EXPECT_EQ(read("a.bw", header(0, 1, 3, 7, 5, 1) + "abc").height(), 1);
    EXPECT_EQ(read("a.bw", header(0, 1, 3, 1, 5, 2) + "abc").channels(), 1);
}

TEST_F(Sgi, RunsAreExpanded) {
    const std::string runs = "\x82\1\2\3\7\0"s;  // two bytes as they are, three equal ones, the end
    EXPECT_EQ(row_of(read("a.sgi", in_runs(header(1, 1, 5, 1, 1), {runs})), 0), (Row{{1}, {2}, {7}, {7}, {7}}));
    const std::string wide = "\0\x81\x12\x34\0\2\x56\x78\0\0"s;
    EXPECT_EQ(row_of(read("a.sgi", in_runs(header(1, 2, 3, 1, 1), {wide})), 0), (Row{{0x1234}, {0x5678}, {0x5678}}));
    const Image two = read("a.sgi", in_runs(header(1, 1, 1, 2, 1), {"\1\5\0"s, "\1\6\0"s}));
    EXPECT_EQ(row_of(two, 0), (Row{{6}}));
    // A row that ends without a zero.
    EXPECT_EQ(row_of(read("a.sgi", in_runs(header(1, 1, 2, 1, 1), {"\2\7"s})), 0), (Row{{7}, {7}}));
}

TEST_F(Sgi, ThatEndsEarlyLacksTheUpperRowsOfItsLastChannel) {
    using Lines = std::pair<int64_t, int64_t>;
    EXPECT_EQ(missing_rows("a.sgi", header(0, 1, 2, 2, 3) + "abcdefghijk"), Lines(0, 1));
    std::string runs = in_runs(header(1, 1, 1, 3, 1), {"\1\5\0"s, "\1\6\0"s, "\1\7\0"s});
    EXPECT_EQ(missing_rows("a.sgi", runs.substr(0, runs.size() - 4)), Lines(0, 2));
}

TEST_F(Sgi, ThatIsNotWholeIsRefused) {
    EXPECT_NE(error("a.sgi", header(0, 1, 2, 2, 3) + "abcdefghi").find("truncated"), std::string::npos);
    EXPECT_NE(error("a.sgi", in_runs(header(1, 1, 5, 1, 1), {"\2\7\0"s})).find("2 of 5 pixels"), std::string::npos);
}

using Dds = ReadsBytes;

// DDS, byte by byte: Microsoft's "Programming Guide for DDS" and "Block compression".

constexpr uint32_t has_alpha = 1, alpha_only = 2, letters = 4, rgb_values = 0x40, luminance = 0x20000;

std::string dds(int width, int height, const std::string& format, const std::string& data, uint32_t caps = 0,
                int levels = 0) {
    return "DDS " + little32(124) + little32(0x1007) + little32(uint32_t(height)) + little32(uint32_t(width)) +
           little32(0) + little32(0) + little32(uint32_t(levels)) + std::string(44, '\0') + format + little32(0x1000) +
           little32(caps) + std::string(12, '\0') + data;
}

std::string masked(uint32_t flags, uint32_t bits, uint32_t r, uint32_t g, uint32_t b, uint32_t a) {
    return little32(32) + little32(flags) + std::string(4, '\0') + little32(bits) + little32(r) + little32(g) +
           little32(b) + little32(a);
}

std::string lettered(const std::string& code) {
    return little32(32) + little32(letters) + code + std::string(20, '\0');
}

std::string dx10(uint32_t format, uint32_t alpha = 0, uint32_t layers = 1) {
    return little32(format) + little32(3) + little32(0) + little32(layers) + little32(alpha);
}

TEST_F(Dds, MasksSayWhereTheColoursAre) {
    const auto pixel = [&](const std::string& format, const std::string& data) {
        return row_of(read("a.dds", dds(1, 1, format, data)), 0);
    };
    EXPECT_EQ(pixel(masked(rgb_values | has_alpha, 32, 0xff0000, 0xff00, 0xff, 0xff000000), "\3\2\1\x33"s),
              (Row{{1, 2, 3, 0x33}}));
    EXPECT_EQ(pixel(masked(rgb_values, 32, 0xff, 0xff00, 0xff0000, 0xff000000), "\1\2\3\x33"s), (Row{{1, 2, 3}}));
    EXPECT_EQ(pixel(masked(rgb_values, 24, 0xff0000, 0xff00, 0xff, 0), "\3\2\1"s), (Row{{1, 2, 3}}));
    EXPECT_EQ(pixel(masked(rgb_values, 16, 0xf800, 0x7e0, 0x1f, 0), little16(0xf801)), (Row{{255, 0, 8}}));
    EXPECT_EQ(pixel(masked(rgb_values | has_alpha, 16, 0xf00, 0xf0, 0xf, 0xf000), little16(0x8f01)),
              (Row{{255, 0, 17, 136}}));
    EXPECT_EQ(pixel(masked(luminance, 8, 0xff, 0, 0, 0), "\x40"), (Row{{0x40}}));
    EXPECT_EQ(pixel(masked(luminance | has_alpha, 16, 0xff, 0, 0, 0xff00), "\x40\x50"), (Row{{0x40, 0x50}}));
    EXPECT_EQ(pixel(masked(alpha_only, 8, 0, 0, 0, 0xff), "\x60"), (Row{{0x60}}));
    EXPECT_EQ(pixel(masked(luminance, 16, 0xffff, 0, 0, 0), little16(0x1234)), (Row{{0x1234}}));
    EXPECT_EQ(
        read("a.dds", dds(1, 1, masked(rgb_values | has_alpha, 32, 0xff, 0xff00, 0xff0000, 0xff000000), "\1\2\3\4"s))
            .alpha(),
        Alpha::straight);
}

TEST_F(Dds, OfDirect3D10NamesItsFormat) {
    const auto image = [&](uint32_t format, const std::string& data, uint32_t alpha = 0) {
        return read("a.dds", dds(1, 1, lettered("DX10"), dx10(format, alpha) + data));
    };
    EXPECT_EQ(row_of(image(28, "\1\2\3\x33"s), 0), (Row{{1, 2, 3, 0x33}}));
    EXPECT_EQ(row_of(image(87, "\3\2\1\x33"s), 0), (Row{{1, 2, 3, 0x33}}));
    EXPECT_EQ(row_of(image(88, "\3\2\1\x33"s), 0), (Row{{1, 2, 3}}));
    EXPECT_EQ(image(28, "\1\2\3\x33"s, 2).alpha(), Alpha::premultiplied);
    EXPECT_EQ(row_of(image(28, "\1\2\3\x33"s, 3), 0), (Row{{1, 2, 3}}));  // its alpha is opaque, whatever it is
    EXPECT_EQ(row_of(image(11, little16(1) + little16(2) + little16(3) + little16(4)), 0), (Row{{1, 2, 3, 4}}));
    EXPECT_EQ(row_of(image(24, little32(1023 | 512 << 10 | 3u << 30)), 0), (Row{{65535, 32800, 0, 65535}}));
    const Image half = image(54, little16(0x3800));
    EXPECT_EQ(half.type(), SampleType::f16);
    EXPECT_EQ(half.value(0, 0, 0), 0.5f);
    EXPECT_EQ(image(41, little32(0x40200000)).value(0, 0, 0), 2.5f);
}

TEST_F(Dds, IntegersAreNumbersAndSignedFractionsReachFromMinusOneToOne) {
    const auto image = [&](uint32_t format, const std::string& data) {
        return read("a.dds", dds(1, 1, lettered("DX10"), dx10(format) + data));
    };
    const Image wide = image(4, little32(1) + little32(uint32_t(-2)) + little32(70000) + little32(0x80000000u));
    ASSERT_EQ(wide.type(), SampleType::i32);
    EXPECT_EQ(wide.alpha(), Alpha::none);
    EXPECT_EQ(samples<int32_t>(wide), (std::vector<int32_t>{1, -2, 70000, INT32_MIN}));
    EXPECT_EQ(samples<uint32_t>(image(42, little32(4000000000u))), std::vector<uint32_t>{4000000000u});
    EXPECT_EQ(samples<int16_t>(image(59, little16(0xfffe))), std::vector<int16_t>{-2});
    EXPECT_EQ(samples<int8_t>(image(52, "\x80\x7f"s)), (std::vector<int8_t>{-128, 127}));
    EXPECT_EQ(samples<uint16_t>(image(57, little16(1234))), std::vector<uint16_t>{1234});
    EXPECT_EQ(samples<float>(image(31, "\x7f\x80\x81\x40"s)),
              (std::vector<float>{1, -1, -1, 64.0f / 127}));
    EXPECT_EQ(samples<float>(image(37, little16(0x7fff) + little16(0x8000))), (std::vector<float>{1, -1}));
}

// The first row of a block of 4×4 pixels.
TEST_F(Dds, BlocksMixTwoColours) {
    const std::string ends = little16(0xf800) + little16(0x001f);  // red, blue
    const std::string indices = "\xe4\0\0\0"s;                     // 0, 1, 2, 3 from the left
    const Row four = {{255, 0, 0, 255}, {0, 0, 255, 255}, {170, 0, 85, 255}, {85, 0, 170, 255}};
    EXPECT_EQ(row_of(read("a.dds", dds(4, 4, lettered("DXT1"), ends + indices)), 0), four);
    const std::string swapped = little16(0x001f) + little16(0xf800);
    EXPECT_EQ(row_of(read("a.dds", dds(4, 4, lettered("DXT1"), swapped + indices)), 0),
              (Row{{0, 0, 255, 255}, {255, 0, 0, 255}, {128, 0, 128, 255}, {0, 0, 0, 0}}));
    const std::string nibbles = "\x10\xf8"s + std::string(6, '\0');
    Row with_alpha = four;
    for (size_t i = 0; i < 4; ++i) with_alpha[i][3] = Samples{0, 17, 136, 255}[i];
    EXPECT_EQ(row_of(read("a.dds", dds(4, 4, lettered("DXT3"), nibbles + ends + indices)), 0), with_alpha);
    // The table has 255 and 0, then six values between them; indices 0, 1, 2, 7.
    const std::string ramp = "\xff\0\x88\x0e\0\0\0\0"s;
    for (size_t i = 0; i < 4; ++i) with_alpha[i][3] = Samples{255, 0, 219, 36}[i];
    const Image dxt5 = read("a.dds", dds(4, 4, lettered("DXT5"), ramp + ends + indices));
    EXPECT_EQ(row_of(dxt5, 0), with_alpha);
    EXPECT_EQ(dxt5.alpha(), Alpha::straight);
    EXPECT_EQ(read("a.dds", dds(4, 4, lettered("DXT4"), ramp + ends + indices)).alpha(), Alpha::premultiplied);
    EXPECT_EQ(read("a.dds", dds(4, 4, lettered("DXT2"), nibbles + ends + indices)).alpha(), Alpha::premultiplied);
    EXPECT_EQ(row_of(read("a.dds", dds(4, 4, lettered("ATI1"), ramp)), 0), (Row{{255}, {0}, {219}, {36}}));
    EXPECT_EQ(row_of(read("a.dds", dds(4, 4, lettered("DX10"), dx10(83) + ramp + std::string(8, '\0'))), 0),
              (Row{{255, 0}, {0, 0}, {219, 0}, {36, 0}}));
    EXPECT_EQ(read("a.dds", dds(4, 4, lettered("BC4S"), "\x7f\x81\x08\0\0\0\0\0"s)).value(1, 0, 0), -1.0f);
}

TEST_F(Dds, SidesNeedNotBeWholeBlocks) {
    const std::string red = little16(0xf800) + little16(0) + std::string(4, '\0'),
                      blue = little16(0x1f) + red.substr(2);
    const Image image = read("a.dds", dds(5, 1, lettered("DXT1"), red + blue));
    EXPECT_EQ(row_of(image, 0)[3], (Samples{255, 0, 0, 255}));
    EXPECT_EQ(row_of(image, 0)[4], (Samples{0, 0, 255, 255}));
}

TEST_F(Dds, FacesAndLayersAreParts) {
    const std::string format = masked(luminance, 8, 0xff, 0, 0, 0);
    // Two levels of each of six faces: four pixels and one.
    std::string faces;
    for (char face = 1; face <= 6; ++face) faces += std::string(4, face) + char(100);
    const std::string cube = dds(2, 2, format, faces, 0xfe00, 2);
    EXPECT_EQ(row_of(read("a.dds", cube), 1), (Row{{1}, {1}}));
    EXPECT_EQ(row_of(read("a.dds", cube, part_of("6")), 1), (Row{{6}, {6}}));
    EXPECT_EQ(read_facts(folder_ / "a.dds").parts.size(), 6u);
    const std::string layers = dds(1, 1, lettered("DX10"), dx10(61, 0, 2) + "\1\2"s);
    EXPECT_EQ(row_of(read("a.dds", layers, part_of("2")), 0), (Row{{2}}));
}

TEST_F(Dds, ThatEndsEarlyLacksItsLastRows) {
    using Lines = std::pair<int64_t, int64_t>;
    EXPECT_EQ(missing_rows("a.dds", dds(2, 3, masked(luminance, 8, 0xff, 0, 0, 0), "abcde")), Lines(2, 1));
    EXPECT_EQ(missing_rows("a.dds", dds(4, 6, lettered("DXT1"), std::string(15, '\0'))), Lines(4, 2));
}

TEST_F(Dds, ThatIsNotWholeIsRefused) {
    const std::string format = masked(rgb_values, 24, 0xff0000, 0xff00, 0xff, 0);
    EXPECT_NE(error("a.dds", dds(2, 1, format, "abcde")).find("truncated"), std::string::npos);
    EXPECT_NE(error("a.dds", dds(4, 4, lettered("DXT1"), "abcdefg")).find("truncated"), std::string::npos);
    EXPECT_NE(error("a.dds", dds(4, 4, lettered("????"), "abcdefgh")), "");
}

}  // namespace
}  // namespace texelscope::test
