// PNM, PFM and QOI.

#include <gtest/gtest.h>

#include <fstream>
#include <limits>

#include "app/files/codecs/pnm.h"
#include "app/files/reading/image_files.h"
#include "tests/files/bytes.h"

namespace texelscope::test {
namespace {

using namespace std::string_literals;
using U8 = std::vector<uint8_t>;
using U16 = std::vector<uint16_t>;

Image parsed_pnm(std::string_view text) { return parse_pnm(span_of(text)); }
std::string pnm_complaint(std::string_view text) {
    return refusal([&] { parsed_pnm(text); });
}

void expect_pnm(const Image& image, int width, int height, int channels, SampleType type, Alpha alpha = Alpha::none) {
    EXPECT_EQ(image.width(), width);
    EXPECT_EQ(image.height(), height);
    EXPECT_EQ(image.channels(), channels);
    EXPECT_EQ(image.type(), type);
    EXPECT_EQ(image.alpha(), alpha);
}

TEST(Pnm, PlainBitmapIsBlackWhereItSaysOne) {
    const Image image = parsed_pnm("P1\n# comment\n3 2\n1 0 1\n010");
    expect_pnm(image, 3, 2, 1, SampleType::u8);
    EXPECT_EQ(samples<uint8_t>(image), (U8{0, 255, 0, 255, 0, 255}));
}

TEST(Pnm, BinaryBitmapPadsEachRowToBytes) {
    const Image image = parsed_pnm("P4 10 2\n\x80\x40\x00\xbf"s);
    expect_pnm(image, 10, 2, 1, SampleType::u8);
    EXPECT_EQ(samples<uint8_t>(image), (U8{0,   255, 255, 255, 255, 255, 255, 255, 255, 0,  //
                                           255, 255, 255, 255, 255, 255, 255, 255, 0,   255}));
}

TEST(Pnm, PlainGreyAndColourWithComments) {
    EXPECT_EQ(samples<uint8_t>(parsed_pnm("P2 # a\n#b\n2 # c\n 2\n255\n0 1 # in the raster 7 7\n254\n255\n")),
              (U8{0, 1, 254, 255}));
    const Image colour = parsed_pnm("P3\n1 2\n255\n1 2 3  4 5 6");
    expect_pnm(colour, 1, 2, 3, SampleType::u8);
    EXPECT_EQ(samples<uint8_t>(colour), (U8{1, 2, 3, 4, 5, 6}));
    EXPECT_EQ(samples<uint16_t>(parsed_pnm("P2 3 1 65535 0 65535 513")), (U16{0, 65535, 513}));
}

TEST(Pnm, BinaryGreyAndColour) {
    EXPECT_EQ(samples<uint8_t>(parsed_pnm("P5 2 1 255\n#\n"s)), (U8{'#', '\n'}));  // the raster may begin with anything
    const Image colour = parsed_pnm("P6\n# by hand\n2 1\n255\n\x01\x02\x03\xff\xfe\xfd"s);
    expect_pnm(colour, 2, 1, 3, SampleType::u8);
    EXPECT_EQ(samples<uint8_t>(colour), (U8{1, 2, 3, 255, 254, 253}));
    EXPECT_EQ(samples<uint16_t>(parsed_pnm("P5 2 1 65535\n\x01\x02\xff\xfe"s)), (U16{0x0102, 0xfffe}));
    EXPECT_EQ(samples<uint8_t>(parsed_pnm("P5 1 1 255# comment\nA"s)), (U8{'A'}));
}

TEST(Pnm, SmallMaxvalIsScaledToTheFullRange) {
    EXPECT_EQ(samples<uint8_t>(parsed_pnm("P2 4 1 3 0 1 2 3")), (U8{0, 85, 170, 255}));
    EXPECT_EQ(samples<uint8_t>(parsed_pnm("P5 2 1 1\n\0\1"s)), (U8{0, 255}));
    for (uint32_t maxval : {2u, 7u, 100u, 254u}) {  // nearest of 16 bits to value / maxval
        for (uint32_t v = 0; v <= maxval; ++v) {
            const Image image = parsed_pnm("P2 1 1 " + std::to_string(maxval) + " " + std::to_string(v));
            ASSERT_EQ(image.type(), SampleType::u16);
            EXPECT_NEAR(samples<uint16_t>(image)[0], v * 65535.0 / maxval, 0.5) << maxval;
        }
    }
    EXPECT_EQ(samples<uint16_t>(parsed_pnm("P2 3 1 1023 0 1023 512")),
              (U16{0, 65535, 32800}));  // 512·65535/1023 = 32799.5
    EXPECT_EQ(samples<uint16_t>(parsed_pnm("P5 2 1 256\n\1\0\0\1"s)), (U16{65535, 256}));
    EXPECT_EQ(samples<uint16_t>(parsed_pnm("P5 3 1 100\n\0\x4a\x64"s)), (U16{0, 48496, 65535}));  // 0.74 · 65535
}

TEST(Pam, EveryTupleTypeGivesItsChannelsAndAlpha) {
    const auto pam = [](int depth, const std::string& tuple, const std::string& data, int maxval = 255) {
        return "P7\n# c\nWIDTH 1\nHEIGHT 1\nDEPTH " + std::to_string(depth) + "\nMAXVAL " + std::to_string(maxval) +
               "\n" + (tuple.empty() ? "" : "TUPLTYPE " + tuple + "\n") + "ENDHDR\n" + data;
    };
    expect_pnm(parsed_pnm(pam(1, "GRAYSCALE", "a")), 1, 1, 1, SampleType::u8);
    expect_pnm(parsed_pnm(pam(2, "GRAYSCALE_ALPHA", "ab")), 1, 1, 2, SampleType::u8, Alpha::straight);
    expect_pnm(parsed_pnm(pam(3, "RGB", "abc")), 1, 1, 3, SampleType::u8);
    expect_pnm(parsed_pnm(pam(4, "RGB_ALPHA", "abcd")), 1, 1, 4, SampleType::u8, Alpha::straight);
    expect_pnm(parsed_pnm(pam(4, "RGB_ALPHA", "aabbccdd", 65535)), 1, 1, 4, SampleType::u16, Alpha::straight);
    expect_pnm(parsed_pnm(pam(2, "", "ab")), 1, 1, 2, SampleType::u8);
    EXPECT_EQ(samples<uint8_t>(parsed_pnm(pam(1, "BLACKANDWHITE", "\x01", 1))), (U8{255}));  // one is white here
    EXPECT_EQ(samples<uint8_t>(parsed_pnm(pam(4, "RGB_ALPHA", "abcd"))), (U8{'a', 'b', 'c', 'd'}));
    EXPECT_NE(pnm_complaint(pam(3, "RGB_ALPHA", "abc")), "");
    EXPECT_NE(pnm_complaint(pam(5, "", "abcde")), "");
    EXPECT_NE(pnm_complaint("P7\nWIDTH 1\nHEIGHT 1\nDEPTH 1\nENDHDR\na"), "");
}

TEST(Pnm, WhatIsWrongIsSaid) {
    EXPECT_NE(pnm_complaint("P5 2 2 255\na").find("truncated"), std::string::npos);
    EXPECT_NE(pnm_complaint("P5 2").find("truncated"), std::string::npos);
    EXPECT_NE(pnm_complaint("P2 2 2 255 1 2").find("truncated"), std::string::npos) << "2 may have been 20";
    EXPECT_NE(pnm_complaint("P2 1 1 255 300").find("300"), std::string::npos);
    EXPECT_NE(pnm_complaint("P5 1 1 100\n\xc8"s).find("200"), std::string::npos);
    EXPECT_NE(pnm_complaint("P5 1 1 70000\nab").find("70000"), std::string::npos);
    EXPECT_NE(pnm_complaint("P5 1 1 0\na"), "");
    EXPECT_NE(pnm_complaint("P5 0 5 255\na").find("0×5"), std::string::npos);
    EXPECT_NE(pnm_complaint("P5 -1 5 255\na"), "");
    EXPECT_NE(pnm_complaint("P1 1 1 2"), "");
    EXPECT_NE(pnm_complaint("P5 1 1 255x"), "");
    EXPECT_NE(pnm_complaint("P8 1 1 255\na"), "");
    EXPECT_NE(pnm_complaint(""), "");
}

TEST(Pnm, HugeClaimsAreRefusedBeforeAnythingIsAllocated) {
    EXPECT_NE(pnm_complaint("P5 50000 40000 255\nabc").find("50000×40000"), std::string::npos);
    EXPECT_NE(pnm_complaint("P2 50000 40000 255\n1 2 3").find("50000×40000"), std::string::npos);
    EXPECT_NE(pnm_complaint("P1 50000 40000\n101").find("50000×40000"), std::string::npos);
    EXPECT_NE(pnm_complaint("P4 50000 40000\nabc").find("50000×40000"), std::string::npos);
    EXPECT_NE(pnm_complaint("P6 16777216 16777216 65535\nabc"), "");
    EXPECT_NE(pnm_complaint("P6 99999999999999999999999 1 255\nabc"), "");
}

TEST(Pnm, EncodedBytes) {
    Image grey(2, 1, 1, SampleType::u8);
    grey.row_as<uint8_t>(0)[0] = 'A';
    grey.row_as<uint8_t>(0)[1] = 'B';
    const Bytes p5 = encoded(encode_pnm, grey);
    EXPECT_EQ(text_of(p5), "P5\n2 1\n255\nAB");

    Image deep(1, 1, 4, SampleType::u16, Alpha::straight);
    for (int c = 0; c < 4; ++c) deep.row_as<uint16_t>(0)[c] = uint16_t(0x4142 + 0x202 * c);
    const Bytes p7 = encoded(encode_pam, deep);
    EXPECT_EQ(text_of(p7), "P7\nWIDTH 1\nHEIGHT 1\nDEPTH 4\nMAXVAL 65535\nTUPLTYPE RGB_ALPHA\nENDHDR\nABCDEFGH");
    const Image back = parse_pnm(p7);
    EXPECT_EQ(samples<uint16_t>(back), samples<uint16_t>(deep));
    EXPECT_EQ(back.alpha(), Alpha::straight);
}

using F32 = std::vector<float>;

Image parsed_pfm(std::string_view text) { return parse_pfm(span_of(text)); }
std::string pfm_complaint(std::string_view text) {
    return refusal([&] { parsed_pfm(text); });
}

// 1.0f = 3f800000, 2.0f = 40000000, 0.5f = 3f000000, -3.0f = c0400000
TEST(Pfm, BothByteOrdersAndRowsFromTheBottom) {
    const F32 upright = {0.5f, -3.0f, 1.0f, 2.0f};
    EXPECT_EQ(samples<float>(parsed_pfm("Pf\n2 2\n1.0\n\x3f\x80\0\0\x40\0\0\0\x3f\0\0\0\xc0\x40\0\0"s)), upright);
    EXPECT_EQ(samples<float>(parsed_pfm("Pf\n2 2\n-1.0\n\0\0\x80\x3f\0\0\0\x40\0\0\0\x3f\0\0\x40\xc0"s)), upright);
    EXPECT_EQ(samples<float>(parsed_pfm("Pf 2 2 -2.5e-1\n\0\0\x80\x3f\0\0\0\x40\0\0\0\x3f\0\0\x40\xc0"s)), upright);
    EXPECT_EQ(samples<float>(parsed_pfm("Pf\n#vips2ppm\n2 2\n# 7\n-1\n\0\0\x80\x3f\0\0\0\x40\0\0\0\x3f\0\0\x40\xc0"s)),
              upright);
    EXPECT_NE(pfm_complaint("Pf\n2 2\n# 1\n").find("truncated"), std::string::npos);
}

TEST(Pfm, ColourAndFourChannels) {
    const Image colour = parsed_pfm("PF\n1 1\n+1\n\x3f\x80\0\0\x40\0\0\0\x3f\0\0\0"s);
    EXPECT_EQ(colour.channels(), 3);
    EXPECT_EQ(samples<float>(colour), (F32{1.0f, 2.0f, 0.5f}));
    const Image four = parsed_pfm("PF4\n1 1\n1\n\x3f\x80\0\0\x40\0\0\0\x3f\0\0\0\xc0\x40\0\0"s);
    EXPECT_EQ(four.channels(), 4);
    EXPECT_EQ(four.alpha(), Alpha::none);
    EXPECT_EQ(samples<float>(four), (F32{1.0f, 2.0f, 0.5f, -3.0f}));
}

TEST(Pfm, NanAndInfinityStayBitForBit) {
    const Image image = parsed_pfm("Pf\n3 1\n-1\n\x01\0\xc0\x7f\0\0\x80\x7f\0\0\x80\xff"s);
    EXPECT_EQ(samples<uint32_t>(image), (std::vector<uint32_t>{0x7fc00001u, 0x7f800000u, 0xff800000u}));
}

TEST(Pfm, WhatIsWrongIsSaid) {
    EXPECT_NE(pfm_complaint("Pf\n2 2\n1.0\nabcd").find("truncated"), std::string::npos);
    EXPECT_NE(pfm_complaint("Pf\n2 2").find("truncated"), std::string::npos);
    EXPECT_NE(pfm_complaint("Pf\n1 1\n0\nabcd").find("scale"), std::string::npos);
    EXPECT_NE(pfm_complaint("Pf\n1 1\nnan\nabcd").find("scale"), std::string::npos);
    EXPECT_NE(pfm_complaint("Pf\n1 1\nabc\nabcd").find("scale"), std::string::npos);
    EXPECT_NE(pfm_complaint("Pf\n1x 1\n1\nabcd").find("width"), std::string::npos);
    EXPECT_NE(pfm_complaint("Pf\n0 1\n1\nabcd").find("0×1"), std::string::npos);
    EXPECT_NE(pfm_complaint("PF\n-5 1\n1\nabcd"), "");
    EXPECT_NE(pfm_complaint("PF\n50000 40000\n1\nabcd").find("50000×40000"), std::string::npos);
    EXPECT_NE(pfm_complaint("PF\n99999999999999999999999 1\n1\nabcd"), "");
    EXPECT_NE(pfm_complaint("PG\n1 1\n1\nabcd"), "");
    EXPECT_NE(pfm_complaint(""), "");
}

TEST(Pfm, WritesLittleEndianRowsFromTheBottom) {
    Image image(1, 2, 1, SampleType::f32);
    image.row_as<float>(0)[0] = 1.0f;
    image.row_as<float>(1)[0] = 2.0f;
    const Folder folder;
    write_image(image, folder / "a.pfm");
    EXPECT_EQ(content_of(folder / "a.pfm"), "Pf\n1 2\n-1.0\n\0\0\0\x40\0\0\x80\x3f"s);
}

std::string file_of(uint32_t width, uint32_t height, int channels, const std::string& chunks) {
    return "qoif" + big32(width) + big32(height) + char(channels) + '\0' + chunks + "\0\0\0\0\0\0\0\1"s;
}

class Qoi : public ::testing::Test {
protected:
    Image read(const std::string& bytes) {
        const std::string path = (folder_ / "a.qoi").string();
        std::ofstream(path, std::ios::binary) << bytes;
        return read_image_in_process(path);
    }

    Folder folder_;
};

// The six chunks of the specification, one pixel each or more; the picture before the first is black and opaque.
TEST_F(Qoi, EveryChunkMeansWhatTheSpecificationSays) {
    const std::string rgb = "\xfe\x64\x32\x19"s;  // 100, 50, 25
    const std::string difference = "\x7e"s;       // 01 11 11 10: red + 1, green + 1, blue + 0
    const std::string luma = "\xaa\x6b"s;         // 10 101010: green + 10; red + 10 − 2, blue + 10 + 3
    const std::string run = "\xc1"s;              // two more
    const std::string index = std::string(1, char((100 * 3 + 50 * 5 + 25 * 7 + 255 * 11) % 64));
    EXPECT_EQ(samples<uint8_t>(read(file_of(6, 1, 3, rgb + difference + luma + run + index))),
              (U8{100, 50, 25, 101, 51, 25, 109, 61, 38, 109, 61, 38, 109, 61, 38, 100, 50, 25}));
    const Image alpha = read(file_of(2, 1, 4, "\xff\xff\0\0\x33"s + "\xc0"s));
    EXPECT_EQ(alpha.alpha(), Alpha::straight);
    EXPECT_EQ(samples<uint8_t>(alpha), (U8{255, 0, 0, 51, 255, 0, 0, 51}));
}

TEST_F(Qoi, WhatIsWrittenIsReadAgain) {
    for (const int channels : {3, 4}) {
        Image image(67, 31, channels, SampleType::u8, channels == 4 ? Alpha::straight : Alpha::none);
        uint32_t state = 1;
        for (size_t i = 0; i < image.size_bytes(); ++i) {  // flat parts, small steps and noise
            state = state * 1664525 + 1013904223;
            image.data()[i] = std::byte(i % 977 < 400 ? 7 : i % 977 < 700 ? i / 3 % 256 : state >> 24);
        }
        const std::string path = (folder_ / "b.qoi").string();
        write_image(image, path);
        const Image again = read_image_in_process(path);
        EXPECT_EQ(again.alpha(), image.alpha());
        EXPECT_EQ(samples<uint8_t>(again), samples<uint8_t>(image));
    }
}

// Of three rows, the second has its first pixel only.
TEST_F(Qoi, RowsThatAreThereAreRead) {
    const std::string file = file_of(2, 3, 4, "\xff\1\2\3\4\xff\5\6\7\x08\xff\x09\x0a\x0b\x0c"s);
    const Image image = read(file.substr(0, file.size() - 8));
    EXPECT_EQ(image.missing(), (SampleRegion{0, 1, 2, 2}));
    EXPECT_EQ(samples<uint8_t>(image), (U8{1, 2, 3, 4, 5, 6, 7, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}));
    const std::string whole = file_of(2, 1, 3, "\xfe\1\2\3\xc0"s);
    EXPECT_TRUE(read(whole.substr(0, whole.size() - 8)).missing().empty()) << "only the end mark is missing";
}

TEST_F(Qoi, WhatIsWrongIsSaid) {
    EXPECT_NE(refusal([&] { read(file_of(3, 1, 3, "\xfe\1\2\3"s).substr(0, 18)); }).find("truncated"),
              std::string::npos);
    EXPECT_NE(refusal([&] { read(file_of(1, 1, 5, "\xc0"s)); }).find("channels"), std::string::npos);
    EXPECT_NE(refusal([&] { read(file_of(60000, 60000, 3, "\xc0"s)); }).find("60000"), std::string::npos);
}

}  // namespace
}  // namespace texelscope::test
