#include <limits>

#include <gtest/gtest.h>

#include "app/files/codecs/pfm.h"
#include "app/files/reading/image_files.h"
#include "tests/files/bytes.h"

namespace texelscope::test {
namespace {

using namespace std::string_literals;
using F32 = std::vector<float>;

Image parsed_pfm(std::string_view text) { return parse_pfm(span_of(text)); }
std::string pfm_complaint(std::string_view text) {
    return error_of([&] { parsed_pfm(text); });
}

// 1.0f = 3f800000, 2.0f = 40000000, 0.5f = 3f000000, -3.0f = c0400000
TEST(Pfm, BothByteOrdersAndRowsFromTheBottom) {
    const F32 upright = {0.5f, -3.0f, 1.0f, 2.0f};
    EXPECT_EQ(samples<float>(parsed_pfm("Pf\n2 2\n1.0\n\x3f\x80\0\0\x40\0\0\0\x3f\0\0\0\xc0\x40\0\0"s)), upright);
    EXPECT_EQ(samples<float>(parsed_pfm("Pf\n2 2\n-1.0\n\0\0\x80\x3f\0\0\0\x40\0\0\0\x3f\0\0\x40\xc0"s)), upright);
    EXPECT_EQ(samples<float>(parsed_pfm("Pf 2 2 -2.5e-1\n\0\0\x80\x3f\0\0\0\x40\0\0\0\x3f\0\0\x40\xc0"s)), upright);
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

}  // namespace
}  // namespace texelscope::test
