// Pictures that lie on their side are turned upright, pixel for pixel, as Exif 2.32 says.
#include <gtest/gtest.h>

#include "app/files/bytes/turned_rows.h"
#include "app/files/codecs/exif.h"
#include "app/files/reading/image_files.h"
#include "tests/files/bytes.h"
#include "tests/files/oriented_files.h"

namespace texelscope::test {
namespace {

using namespace std::string_literals;

Reading as_stored() {
    Reading reading;
    reading.choice.upright = false;
    return reading;
}

// Every pixel differs from its neighbours, so that no turn looks like another.
std::string asymmetric_rows(int width, int height) {
    std::string rows;
    for (int y = 0; y < height; ++y) {
        rows += '\0';
        for (int x = 0; x < width; ++x) rows += {char(x * 3 + 1), char(y * 5 + 2), char(x * 7 + y * 11)};
    }
    return rows;
}

class Orientation : public testing::TestWithParam<int> {
protected:
    // The file is upright by default, and its stored rows are those of the file without orientation.
    void check(const std::filesystem::path& turned, const Image& stored) const {
        EXPECT_TRUE(is_upright(read_image(turned), stored, GetParam()));
        EXPECT_TRUE(is_upright(read_image_in_process(turned), stored, GetParam()));
        EXPECT_TRUE(is_upright(read_image(turned, as_stored()), stored, 1));
        const PictureFacts facts = read_facts(turned);
        EXPECT_EQ(facts.orientation, GetParam());
        EXPECT_TRUE(facts.upright);
        EXPECT_EQ(facts.shape.width, GetParam() >= 5 ? stored.height() : stored.width());
        EXPECT_FALSE(read_facts(turned, as_stored()).upright);
    }
    Folder folder_;
};

TEST_P(Orientation, OfPngIsThatOfItsExifChunk) {
    const std::string rows = asymmetric_rows(70, 40);
    const Image stored = read_image(folder_.write("stored.png", png(70, 40, 8, 2, rows)));
    for (const bool little : {false, true})
        check(folder_.write("turned.png", png(70, 40, 8, 2, rows, chunk("eXIf", exif(GetParam(), little)))), stored);
}

TEST_P(Orientation, OfJpegIsThatOfItsFirstSegment) {
    Image image(48, 33, 3, SampleType::u8);
    for (int y = 0; y < 33; ++y)
        for (int i = 0; i < 48 * 3; ++i) image.row_as<uint8_t>(y)[i] = uint8_t(i + y * 3);
    write_image(image, folder_ / "stored.jpg");
    const Image stored = read_image(folder_ / "stored.jpg");
    const std::string bytes = content_of(folder_ / "stored.jpg");
    for (const bool little : {false, true})
        check(folder_.write("turned.jpg", bytes.substr(0, 2) + app1(exif(GetParam(), little)) + bytes.substr(2)),
              stored);
}

#if TEXELSCOPE_WITH_OIIO
// More rows than are read at once.
TEST_P(Orientation, OfTiffIsThatOfItsDirectory) {
    constexpr uint32_t width = 21, height = 150;
    const auto entry = [](uint32_t tag, uint32_t value) {
        return little16(tag) + little16(4) + little32(1) + little32(value);
    };
    const auto tiff = [&](int orientation) {
        std::string samples;
        for (uint32_t i = 0; i < width * height; ++i) samples += char(i * 37 + i / width);
        return "II*\0"s + little32(8) + little16(9) + entry(256, width) + entry(257, height) + entry(258, 8) +
               entry(259, 1) + entry(262, 1) + entry(273, 8 + 2 + 9 * 12 + 4) + entry(274, uint32_t(orientation)) +
               entry(278, height) + entry(279, width * height) + little32(0) + samples;
    };
    const Image stored = read_image(folder_.write("stored.tif", tiff(1)));
    check(folder_.write("turned.tif", tiff(GetParam())), stored);
}
#endif

INSTANTIATE_TEST_SUITE_P(All, Orientation, testing::Range(1, 9));

// Whatever the sample type, the number of channels, and how many rows come at once.
TEST(TurnedRows, PutsEachPixelWhereItBelongs) {
    constexpr int width = 37, height = 41;
    for (const SampleType type : {SampleType::u8, SampleType::u16, SampleType::f32})
        for (int channels = 1; channels <= 4; ++channels)
            for (int orientation = 1; orientation <= 8; ++orientation)
                for (const int at_once : {1, 7, height}) {
                    Image stored(width, height, channels, type);
                    for (size_t i = 0; i < stored.size_bytes(); ++i)
                        stored.data()[i] = std::byte(i * 2654435761u >> 17 & 63);  // no NaN
                    const bool lies = orientation >= 5;
                    Image turned(lies ? height : width, lies ? width : height, channels, type);
                    std::vector<int> all;
                    for (int c = 0; c < channels; ++c) all.push_back(c);
                    for (int y = 0; y < height; y += at_once) {
                        const int count = std::min(at_once, height - y);
                        place_rows({stored.row(y), width, y, count, channels, all}, orientation, turned);
                    }
                    EXPECT_TRUE(is_upright(turned, stored, orientation)) << orientation << ", " << channels;
                }
}

TEST(TurnedRows, TakesChosenChannelsInTheirOrder) {
    Image stored(3, 2, 4, SampleType::u8);
    for (size_t i = 0; i < 24; ++i) stored.data()[i] = std::byte(i);
    Image turned(2, 3, 2, SampleType::u8);
    const std::vector<int> which = {3, 1};
    place_rows({stored.data(), 3, 0, 2, 4, which}, 6, turned);
    // The last row of the file is the left column.
    EXPECT_EQ(samples<uint8_t>(turned), (std::vector<uint8_t>{15, 13, 3, 1, 19, 17, 7, 5, 23, 21, 11, 9}));
}

TEST(Exif, WhatMakesNoSenseIsUpright) {
    const auto orientation = [](const std::string& data) { return orientation_in_exif(span_of(data)); };
    EXPECT_EQ(orientation(exif(6, true)), 6);
    EXPECT_EQ(orientation(""), 1);
    EXPECT_EQ(orientation(exif(0, true)), 1);
    EXPECT_EQ(orientation(exif(9, false)), 1);
    EXPECT_EQ(orientation("XX" + exif(6, true).substr(2)), 1);
    EXPECT_EQ(orientation("II*\0\xff\xff\xff\xff"s), 1);
    for (size_t end = 0; end < 34; ++end) EXPECT_EQ(orientation(exif(6, true).substr(0, end)), 1) << end;
}

}  // namespace
}  // namespace texelscope::test
