// DDS, byte by byte: Microsoft's "Programming Guide for DDS" and "Block compression".
#include "tests/files/pixels.h"

namespace texelscope::test {
namespace {

using namespace std::string_literals;

using Row = std::vector<Samples>;

constexpr uint32_t has_alpha = 1, alpha_only = 2, letters = 4, rgb = 0x40, luminance = 0x20000;

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

using Dds = ReadsBytes;

TEST_F(Dds, MasksSayWhereTheColoursAre) {
    const auto pixel = [&](const std::string& format, const std::string& data) {
        return row_of(read("a.dds", dds(1, 1, format, data)), 0);
    };
    EXPECT_EQ(pixel(masked(rgb | has_alpha, 32, 0xff0000, 0xff00, 0xff, 0xff000000), "\3\2\1\x33"s),
              (Row{{1, 2, 3, 0x33}}));
    EXPECT_EQ(pixel(masked(rgb, 32, 0xff, 0xff00, 0xff0000, 0xff000000), "\1\2\3\x33"s), (Row{{1, 2, 3}}));
    EXPECT_EQ(pixel(masked(rgb, 24, 0xff0000, 0xff00, 0xff, 0), "\3\2\1"s), (Row{{1, 2, 3}}));
    EXPECT_EQ(pixel(masked(rgb, 16, 0xf800, 0x7e0, 0x1f, 0), little16(0xf801)), (Row{{255, 0, 8}}));
    EXPECT_EQ(pixel(masked(rgb | has_alpha, 16, 0xf00, 0xf0, 0xf, 0xf000), little16(0x8f01)), (Row{{255, 0, 17, 136}}));
    EXPECT_EQ(pixel(masked(luminance, 8, 0xff, 0, 0, 0), "\x40"), (Row{{0x40}}));
    EXPECT_EQ(pixel(masked(luminance | has_alpha, 16, 0xff, 0, 0, 0xff00), "\x40\x50"), (Row{{0x40, 0x50}}));
    EXPECT_EQ(pixel(masked(alpha_only, 8, 0, 0, 0, 0xff), "\x60"), (Row{{0x60}}));
    EXPECT_EQ(pixel(masked(luminance, 16, 0xffff, 0, 0, 0), little16(0x1234)), (Row{{0x1234}}));
    EXPECT_EQ(
        read("a.dds", dds(1, 1, masked(rgb | has_alpha, 32, 0xff, 0xff00, 0xff0000, 0xff000000), "\1\2\3\4"s)).alpha(),
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
    const std::string format = masked(rgb, 24, 0xff0000, 0xff00, 0xff, 0);
    EXPECT_NE(error("a.dds", dds(2, 1, format, "abcde")).find("truncated"), std::string::npos);
    EXPECT_NE(error("a.dds", dds(4, 4, lettered("DXT1"), "abcdefg")).find("truncated"), std::string::npos);
    EXPECT_NE(error("a.dds", dds(4, 4, lettered("????"), "abcdefgh")), "");
}

}  // namespace
}  // namespace texelscope::test
