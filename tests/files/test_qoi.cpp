#include <fstream>

#include <gtest/gtest.h>

#include "app/files/reading/image_files.h"
#include "tests/files/bytes.h"

namespace texelscope::test {
namespace {

using namespace std::string_literals;
using U8 = std::vector<uint8_t>;

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

TEST_F(Qoi, WhatIsWrongIsSaid) {
    EXPECT_NE(error_of([&] { read(file_of(3, 1, 3, "\xfe\1\2\3"s).substr(0, 18)); }).find("truncated"),
              std::string::npos);
    EXPECT_NE(error_of([&] { read(file_of(1, 1, 5, "\xc0"s)); }).find("channels"), std::string::npos);
    EXPECT_NE(error_of([&] { read(file_of(60000, 60000, 3, "\xc0"s)); }).find("60000"), std::string::npos);
}

}  // namespace
}  // namespace texelscope::test
