// TGA, byte by byte: Truevision's specification of version 2.0.
#include "tests/files/pixels.h"

namespace texelscope::test {
namespace {

using namespace std::string_literals;

using Row = std::vector<Samples>;

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

using Tga = ReadsBytes;

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

}  // namespace
}  // namespace texelscope::test
