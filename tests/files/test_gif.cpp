// GIF, byte by byte: CompuServe's specification of 1989. test_frames.cpp tests how frames are drawn over each other.
#include "tests/files/pixels.h"

namespace texelscope::test {
namespace {

using namespace std::string_literals;

using Row = std::vector<Samples>;

const std::string colours = "\1\2\3\x11\x12\x13\x21\x22\x23\x31\x32\x33"s;
const Samples a = {1, 2, 3, 255}, b = {0x11, 0x12, 0x13, 255}, c = {0x21, 0x22, 0x23, 255}, d = {0x31, 0x32, 0x33, 255},
              nothing = {0, 0, 0, 0};

// Indices of two bits, packed two at a time between codes that clear, so that all codes have three bits.
std::string packed(const std::string& indices, bool with_end = true) {
    std::vector<int> codes;
    for (size_t i = 0; i < indices.size(); ++i) {
        if (i % 2 == 0) codes.push_back(4);
        codes.push_back(indices[i]);
    }
    if (with_end) codes.push_back(5);
    std::string data;
    for (size_t bit = 0; bit < codes.size() * 3; ++bit) {
        if (bit % 8 == 0) data += '\0';
        data.back() = char(data.back() | (codes[bit / 3] >> (bit % 3) & 1) << (bit % 8));
    }
    return "\2"s + char(data.size()) + data + '\0';
}

std::string frame(int x, int y, int width, int height, const std::string& indices, int flags = 0,
                  const std::string& own_colours = "") {
    return "," + little16(uint32_t(x)) + little16(uint32_t(y)) + little16(uint32_t(width)) +
           little16(uint32_t(height)) + char(flags) + own_colours + packed(indices);
}

std::string gif(int width, int height, const std::string& frames, bool with_colours = true) {
    return "GIF89a" + little16(uint32_t(width)) + little16(uint32_t(height)) + (with_colours ? '\x81' : '\0') +
           "\0\0"s + (with_colours ? colours : "") + frames;
}

using GifFiles = ReadsBytes;

TEST_F(GifFiles, AFrameBeyondTheScreenIsClipped) {
    const Image image = read("a.gif", gif(2, 2, frame(1, 1, 2, 2, "\0\1\2\3"s) + ";"));
    EXPECT_EQ(row_of(image, 0), (Row{nothing, nothing}));
    EXPECT_EQ(row_of(image, 1), (Row{nothing, a}));
    EXPECT_EQ(row_of(read("a.gif", gif(1, 1, frame(5, 5, 1, 1, "\1"s) + ";")), 0), (Row{nothing}));
}

TEST_F(GifFiles, AScreenOfNoSizeHasThatOfTheFirstFrame) {
    const Image image = read("a.gif", gif(0, 0, frame(0, 0, 2, 2, "\0\1\2\3"s) + ";"));
    EXPECT_EQ(row_of(image, 0), (Row{a, b}));
    EXPECT_EQ(row_of(image, 1), (Row{c, d}));
    EXPECT_EQ(read_facts(folder_ / "a.gif").parts[0].width, 2);
}

TEST_F(GifFiles, NeedNoTrailer) {
    EXPECT_EQ(row_of(read("a.gif", gif(2, 1, frame(0, 0, 2, 1, "\1\2"s))), 0), (Row{b, c}));
}

TEST_F(GifFiles, InterlacedRowsAreSorted) {
    // Eight rows are stored in the order 0, 4, 2, 6, 1, 3, 5, 7.
    const Image image = read("a.gif", gif(1, 8, frame(0, 0, 1, 8, "\0\1\2\3\0\1\2\3"s, 0x40) + ";"));
    const std::vector<Samples> expected = {a, a, c, b, b, c, d, d};
    for (int y = 0; y < 8; ++y) EXPECT_EQ(stored_at(image, 0, y), expected[size_t(y)]) << y;
}

TEST_F(GifFiles, TheTransparentIndexDrawsNothing) {
    const std::string control = "!\xf9\4\1\0\0\1\0"s;  // index 1
    EXPECT_EQ(row_of(read("a.gif", gif(2, 1, control + frame(0, 0, 2, 1, "\1\2"s) + ";")), 0), (Row{nothing, c}));
}

TEST_F(GifFiles, ColoursOfTheFrameComeBeforeThoseOfAll) {
    const std::string own = "\x41\x42\x43\x51\x52\x53"s;
    EXPECT_EQ(row_of(read("a.gif", gif(4, 1, frame(0, 0, 4, 1, "\0\1\2\3"s, 0x80, own) + ";")), 0),
              (Row{{0x41, 0x42, 0x43, 255}, {0x51, 0x52, 0x53, 255}, {0, 0, 0, 255}, {0, 0, 0, 255}}));
}

TEST_F(GifFiles, WithoutColoursBeginWithBlackAndWhite) {
    EXPECT_EQ(row_of(read("a.gif", gif(2, 1, frame(0, 0, 2, 1, "\0\1"s) + ";", false)), 0),
              (Row{{0, 0, 0, 255}, {255, 255, 255, 255}}));
}

TEST_F(GifFiles, CodesThatEndEarlyDrawWhatTheyHave) {
    using Lines = std::pair<int64_t, int64_t>;
    const std::string file = gif(4, 3, frame(0, 0, 4, 3, "\1\2\3\0\1\2"s) + ";");
    const Image image = read("a.gif", file);
    EXPECT_EQ(row_of(image, 0), (Row{b, c, d, a}));
    EXPECT_EQ(row_of(image, 1), (Row{b, c, nothing, nothing}));
    EXPECT_EQ(image.missing(), (SampleRegion{0, 1, 4, 2}));
    EXPECT_EQ(missing_rows("a.gif", file), Lines(1, 2));
    EXPECT_EQ(missing_rows("a.gif", gif(4, 1, frame(0, 0, 4, 1, "\1\2"s) + ";")), Lines(0, 1)) << "no whole row";
}

TEST_F(GifFiles, WhatAFrameLacksIsMissingUntilAnotherCoversIt) {
    const std::string lacking = frame(0, 0, 2, 3, "\0\1"s), small = frame(0, 0, 1, 1, "\2"s),
                      cover = frame(0, 1, 2, 2, "\0\1\2\3"s), file = gif(2, 3, lacking + small + cover + ";");
    EXPECT_EQ(read("a.gif", file, part_of("1")).missing(), (SampleRegion{0, 1, 2, 2}));
    EXPECT_EQ(read("a.gif", file, part_of("2")).missing(), (SampleRegion{0, 1, 2, 2}));
    EXPECT_TRUE(read("a.gif", file, part_of("3")).missing().empty());
}

// An interlaced frame of eight rows, stored in the order 0, 4, 2, 6, 1, 3, 5, 7; its indices may end early.
TEST_F(GifFiles, InterlacedOnesThatEndEarlyAreCoarse) {
    const auto file = [&](const std::string& indices) { return gif(1, 8, frame(0, 0, 1, 8, indices, 0x40) + ";"); };
    const auto column = [](const Image& image) {
        std::vector<Samples> pixels;
        for (int y = 0; y < image.height(); ++y) pixels.push_back(stored_at(image, 0, y));
        return pixels;
    };
    const Image coarse = read("a.gif", file("\0\1\2"s)), last_pass = read("b.gif", file("\0\1\2\3\3"s));
    EXPECT_EQ(column(coarse), (Row{a, a, c, c, b, b, b, b}));
    EXPECT_EQ(coarse.missing(), (SampleRegion{0, 0, 1, 8}));
    EXPECT_EQ(column(last_pass), (Row{a, d, c, c, b, b, d, d}));
    EXPECT_EQ(last_pass.missing(), (SampleRegion{0, 3, 1, 5}));
}

// Six times the index 1, worked out by hand: the codes 4 (clear), 1, 6 (1 1) and 7 (1 1 1), of three bits each; the end
// code, 5, has four bits, since there are codes up to 7 by then.
TEST_F(GifFiles, CodesMayStandForWhatTheyAreAbout) {
    const std::string data = "\2\2"s + char(4 | 1 << 3 | (6 & 3) << 6) + char(6 >> 2 | 7 << 1 | 5 << 4) + '\0';
    const std::string file = gif(6, 1, ",\0\0\0\0\6\0\1\0\0"s + data + ";");
    EXPECT_EQ(row_of(read("a.gif", file), 0), (Row{b, b, b, b, b, b}));
}

TEST_F(GifFiles, ThatEndInTheirFirstFrameShowWhatIsThere) {
    using Lines = std::pair<int64_t, int64_t>;
    const std::string file = gif(2, 3, frame(0, 0, 2, 3, "\1\2\3\0\1\2"s));
    EXPECT_EQ(missing_rows("a.gif", file.substr(0, file.size() - 1)), Lines(0, 0));
    EXPECT_EQ(missing_rows("a.gif", file.substr(0, file.size() - 2)), Lines(2, 1));
    EXPECT_EQ(row_of(read("a.gif", file.substr(0, file.size() - 2)), 1), (Row{d, a}));
}

TEST_F(GifFiles, ThatHaveNoRowAreRefused) {
    const std::string file = gif(2, 1, frame(0, 0, 2, 1, "\1\2"s));
    for (size_t size = 6; size + 1 < file.size(); ++size) EXPECT_NE(error("a.gif", file.substr(0, size)), "") << size;
}

}  // namespace
}  // namespace texelscope::test
