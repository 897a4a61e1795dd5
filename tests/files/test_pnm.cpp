#include <gtest/gtest.h>

#include "app/files/codecs/pnm.h"
#include "tests/files/bytes.h"

namespace texelscope::test {
namespace {

using namespace std::string_literals;
using U8 = std::vector<uint8_t>;
using U16 = std::vector<uint16_t>;

Image parsed_pnm(std::string_view text) { return parse_pnm(span_of(text)); }
std::string pnm_complaint(std::string_view text) {
    return error_of([&] { parsed_pnm(text); });
}

void expect_shape(const Image& image, int width, int height, int channels, SampleType type, Alpha alpha = Alpha::none) {
    EXPECT_EQ(image.width(), width);
    EXPECT_EQ(image.height(), height);
    EXPECT_EQ(image.channels(), channels);
    EXPECT_EQ(image.type(), type);
    EXPECT_EQ(image.alpha(), alpha);
}

TEST(Pnm, PlainBitmapIsBlackWhereItSaysOne) {
    const Image image = parsed_pnm("P1\n# comment\n3 2\n1 0 1\n010");
    expect_shape(image, 3, 2, 1, SampleType::u8);
    EXPECT_EQ(samples<uint8_t>(image), (U8{0, 255, 0, 255, 0, 255}));
}

TEST(Pnm, BinaryBitmapPadsEachRowToBytes) {
    const Image image = parsed_pnm("P4 10 2\n\x80\x40\x00\xbf"s);
    expect_shape(image, 10, 2, 1, SampleType::u8);
    EXPECT_EQ(samples<uint8_t>(image), (U8{0,   255, 255, 255, 255, 255, 255, 255, 255, 0,  //
                                           255, 255, 255, 255, 255, 255, 255, 255, 0,   255}));
}

TEST(Pnm, PlainGreyAndColourWithComments) {
    EXPECT_EQ(samples<uint8_t>(parsed_pnm("P2 # a\n#b\n2 # c\n 2\n255\n0 1 # in the raster 7 7\n254\n255\n")),
              (U8{0, 1, 254, 255}));
    const Image colour = parsed_pnm("P3\n1 2\n255\n1 2 3  4 5 6");
    expect_shape(colour, 1, 2, 3, SampleType::u8);
    EXPECT_EQ(samples<uint8_t>(colour), (U8{1, 2, 3, 4, 5, 6}));
    EXPECT_EQ(samples<uint16_t>(parsed_pnm("P2 3 1 65535 0 65535 513")), (U16{0, 65535, 513}));
}

TEST(Pnm, BinaryGreyAndColour) {
    EXPECT_EQ(samples<uint8_t>(parsed_pnm("P5 2 1 255\n#\n"s)), (U8{'#', '\n'}));  // the raster may begin with anything
    const Image colour = parsed_pnm("P6\n# by hand\n2 1\n255\n\x01\x02\x03\xff\xfe\xfd"s);
    expect_shape(colour, 2, 1, 3, SampleType::u8);
    EXPECT_EQ(samples<uint8_t>(colour), (U8{1, 2, 3, 255, 254, 253}));
    EXPECT_EQ(samples<uint16_t>(parsed_pnm("P5 2 1 65535\n\x01\x02\xff\xfe"s)), (U16{0x0102, 0xfffe}));
    EXPECT_EQ(samples<uint8_t>(parsed_pnm("P5 1 1 255# comment\nA"s)), (U8{'A'}));
}

TEST(Pnm, SmallMaxvalIsScaledToTheFullRange) {
    EXPECT_EQ(samples<uint8_t>(parsed_pnm("P2 4 1 3 0 1 2 3")), (U8{0, 85, 170, 255}));
    EXPECT_EQ(samples<uint8_t>(parsed_pnm("P5 2 1 1\n\0\1"s)), (U8{0, 255}));
    for (uint32_t maxval : {2u, 7u, 100u, 254u}) {  // nearest to value·255/maxval
        for (uint32_t v = 0; v <= maxval; ++v) {
            const Image image = parsed_pnm("P2 1 1 " + std::to_string(maxval) + " " + std::to_string(v));
            EXPECT_NEAR(samples<uint8_t>(image)[0], v * 255.0 / maxval, 0.5) << maxval;
        }
    }
    EXPECT_EQ(samples<uint16_t>(parsed_pnm("P2 3 1 1023 0 1023 512")),
              (U16{0, 65535, 32800}));  // 512·65535/1023 = 32799.5
    EXPECT_EQ(samples<uint16_t>(parsed_pnm("P5 2 1 256\n\1\0\0\1"s)), (U16{65535, 256}));
}

TEST(Pam, EveryTupleTypeGivesItsChannelsAndAlpha) {
    const auto pam = [](int depth, const std::string& tuple, const std::string& data, int maxval = 255) {
        return "P7\n# c\nWIDTH 1\nHEIGHT 1\nDEPTH " + std::to_string(depth) + "\nMAXVAL " + std::to_string(maxval) +
               "\n" + (tuple.empty() ? "" : "TUPLTYPE " + tuple + "\n") + "ENDHDR\n" + data;
    };
    expect_shape(parsed_pnm(pam(1, "GRAYSCALE", "a")), 1, 1, 1, SampleType::u8);
    expect_shape(parsed_pnm(pam(2, "GRAYSCALE_ALPHA", "ab")), 1, 1, 2, SampleType::u8, Alpha::straight);
    expect_shape(parsed_pnm(pam(3, "RGB", "abc")), 1, 1, 3, SampleType::u8);
    expect_shape(parsed_pnm(pam(4, "RGB_ALPHA", "abcd")), 1, 1, 4, SampleType::u8, Alpha::straight);
    expect_shape(parsed_pnm(pam(4, "RGB_ALPHA", "aabbccdd", 65535)), 1, 1, 4, SampleType::u16, Alpha::straight);
    expect_shape(parsed_pnm(pam(2, "", "ab")), 1, 1, 2, SampleType::u8);
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

}  // namespace
}  // namespace texelscope::test
