// GIF, and the frames of GIF and animated PNG.

#include <gtest/gtest.h>

#include "app/files/reading/image_files.h"
#include "tests/files/bytes.h"
#include "tests/files/pixels.h"

namespace texelscope::test {
namespace {

using namespace std::string_literals;
using Row = std::vector<Samples>;
using GifFiles = ReadsBytes;

// GIF, byte by byte: CompuServe's specification of 1989.

const std::string colours = "\1\2\3\x11\x12\x13\x21\x22\x23\x31\x32\x33"s;
const Samples pixel_a = {1, 2, 3, 255}, pixel_b = {0x11, 0x12, 0x13, 255}, pixel_c = {0x21, 0x22, 0x23, 255},
              pixel_d = {0x31, 0x32, 0x33, 255}, nothing = {0, 0, 0, 0};

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

TEST_F(GifFiles, AFrameBeyondTheScreenIsClipped) {
    const Image image = read("a.gif", gif(2, 2, frame(1, 1, 2, 2, "\0\1\2\3"s) + ";"));
    EXPECT_EQ(row_of(image, 0), (Row{nothing, nothing}));
    EXPECT_EQ(row_of(image, 1), (Row{nothing, pixel_a}));
    EXPECT_EQ(row_of(read("a.gif", gif(1, 1, frame(5, 5, 1, 1, "\1"s) + ";")), 0), (Row{nothing}));
}

TEST_F(GifFiles, AScreenOfNoSizeHasThatOfTheFirstFrame) {
    const Image image = read("a.gif", gif(0, 0, frame(0, 0, 2, 2, "\0\1\2\3"s) + ";"));
    EXPECT_EQ(row_of(image, 0), (Row{pixel_a, pixel_b}));
    EXPECT_EQ(row_of(image, 1), (Row{pixel_c, pixel_d}));
    EXPECT_EQ(read_facts(folder_ / "a.gif").parts[0].width, 2);
}

TEST_F(GifFiles, NeedNoTrailer) {
    EXPECT_EQ(row_of(read("a.gif", gif(2, 1, frame(0, 0, 2, 1, "\1\2"s))), 0), (Row{pixel_b, pixel_c}));
}

TEST_F(GifFiles, InterlacedRowsAreSorted) {
    // Eight rows are stored in the order 0, 4, 2, 6, 1, 3, 5, 7.
    const Image image = read("a.gif", gif(1, 8, frame(0, 0, 1, 8, "\0\1\2\3\0\1\2\3"s, 0x40) + ";"));
    const std::vector<Samples> expected = {pixel_a, pixel_a, pixel_c, pixel_b, pixel_b, pixel_c, pixel_d, pixel_d};
    for (int y = 0; y < 8; ++y) EXPECT_EQ(stored_at(image, 0, y), expected[size_t(y)]) << y;
}

TEST_F(GifFiles, TheTransparentIndexDrawsNothing) {
    const std::string control = "!\xf9\4\1\0\0\1\0"s;  // index 1
    EXPECT_EQ(row_of(read("a.gif", gif(2, 1, control + frame(0, 0, 2, 1, "\1\2"s) + ";")), 0), (Row{nothing, pixel_c}));
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
    EXPECT_EQ(row_of(image, 0), (Row{pixel_b, pixel_c, pixel_d, pixel_a}));
    EXPECT_EQ(row_of(image, 1), (Row{pixel_b, pixel_c, nothing, nothing}));
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
    EXPECT_EQ(column(coarse), (Row{pixel_a, pixel_a, pixel_c, pixel_c, pixel_b, pixel_b, pixel_b, pixel_b}));
    EXPECT_EQ(coarse.missing(), (SampleRegion{0, 0, 1, 8}));
    EXPECT_EQ(column(last_pass), (Row{pixel_a, pixel_d, pixel_c, pixel_c, pixel_b, pixel_b, pixel_d, pixel_d}));
    EXPECT_EQ(last_pass.missing(), (SampleRegion{0, 3, 1, 5}));
}

// Six times the index 1, worked out by hand: the codes 4 (clear), 1, 6 (1 1) and 7 (1 1 1), of three bits each; the end
// code, 5, has four bits, since there are codes up to 7 by then.
TEST_F(GifFiles, CodesMayStandForWhatTheyAreAbout) {
    const std::string data = "\2\2"s + char(4 | 1 << 3 | (6 & 3) << 6) + char(6 >> 2 | 7 << 1 | 5 << 4) + '\0';
    const std::string file = gif(6, 1, ",\0\0\0\0\6\0\1\0\0"s + data + ";");
    EXPECT_EQ(row_of(read("a.gif", file), 0), (Row{pixel_b, pixel_b, pixel_b, pixel_b, pixel_b, pixel_b}));
}

TEST_F(GifFiles, ThatEndInTheirFirstFrameShowWhatIsThere) {
    using Lines = std::pair<int64_t, int64_t>;
    const std::string file = gif(2, 3, frame(0, 0, 2, 3, "\1\2\3\0\1\2"s));
    EXPECT_EQ(missing_rows("a.gif", file.substr(0, file.size() - 1)), Lines(0, 0));
    EXPECT_EQ(missing_rows("a.gif", file.substr(0, file.size() - 2)), Lines(2, 1));
    EXPECT_EQ(row_of(read("a.gif", file.substr(0, file.size() - 2)), 1), (Row{pixel_d, pixel_a}));
}

TEST_F(GifFiles, ThatHaveNoRowAreRefused) {
    const std::string file = gif(2, 1, frame(0, 0, 2, 1, "\1\2"s));
    for (size_t size = 6; size + 1 < file.size(); ++size) EXPECT_NE(error("a.gif", file.substr(0, size)), "") << size;
}

// Frames of GIF and animated PNG, built byte by byte: each part is the canvas as the formats' standards draw it.

Reading of_part(const std::string& part) {
    Reading reading;
    reading.choice.part = part;
    return reading;
}

struct Rect {
    int x, y, width, height;
};

// A GIF with four colours. Two pixels at a time, so that the codes keep their three bits.
class Gif {
public:
    Gif(int width, int height)
        : bytes_("GIF89a" + little16(uint32_t(width)) + little16(uint32_t(height)) + std::string("\x81\0\0", 3) +
                 std::string("\0\0\0\xff\x10\x20\x30\xff\x40\x50\x60\xff", 12)) {}

    // What happens to the frame before the next one is drawn: 1 it stays, 2 it is cleared, 3 what was there comes back.
    void add(const Rect& at, int colour, int disposal = 1) {
        bytes_ += std::string("\x21\xf9\x04", 3) + char(disposal << 2) + std::string(4, '\0') + ',' +
                  little16(uint32_t(at.x)) + little16(uint32_t(at.y)) + little16(uint32_t(at.width)) +
                  little16(uint32_t(at.height)) + '\0' + '\2';
        constexpr int clear = 4, end = 5;
        std::vector<int> codes;
        for (int i = 0; i < at.width * at.height; ++i) {
            if (i % 2 == 0) codes.push_back(clear);
            codes.push_back(colour);
        }
        codes.push_back(end);
        std::string data;
        for (size_t bit = 0; bit < codes.size() * 3; ++bit) {
            if (bit % 8 == 0) data += '\0';
            data.back() = char(data.back() | (codes[bit / 3] >> (bit % 3) & 1) << (bit % 8));
        }
        bytes_ += char(data.size()) + data + '\0';
    }
    std::string bytes() const { return bytes_ + ';'; }

private:
    std::string bytes_;
};

std::vector<int> rgb_at(const Image& image, int x, int y) {
    std::vector<int> result;
    for (int c = 0; c < 3; ++c) result.push_back(int(image.value(x, y, c) * 255 + 0.5f));
    return result;
}

class Frames : public testing::Test {
protected:
    Folder folder_;
};

TEST_F(Frames, OfGifAreDrawnOverThoseBefore) {
    Gif gif(4, 3);
    gif.add({0, 0, 4, 3}, 1);
    gif.add({1, 1, 2, 1}, 2);
    gif.add({3, 2, 1, 1}, 3);
    const auto path = folder_.write("a.gif", gif.bytes());
    const std::vector<int> one = {255, 16, 32}, two = {48, 255, 64}, three = {80, 96, 255};
    for (int part = 1; part <= 3; ++part) {
        const Image image = read_image(path, of_part(std::to_string(part)));
        ASSERT_EQ(image.width(), 4);
        ASSERT_EQ(image.height(), 3);
        for (int y = 0; y < 3; ++y)
            for (int x = 0; x < 4; ++x) {
                const bool second = part >= 2 && y == 1 && (x == 1 || x == 2), third = part >= 3 && y == 2 && x == 3;
                EXPECT_EQ(rgb_at(image, x, y), third ? three : second ? two : one) << part << ": " << x << ", " << y;
            }
    }
    EXPECT_EQ(read_facts(path).parts.size(), 3u);
    EXPECT_EQ(read_facts(path, of_part("3")).part, 2);
    EXPECT_NE(refusal([&] { read_image(path, of_part("4")); }).find("it has no part '4': its parts are 1 to 3"),
              std::string::npos);
}

TEST_F(Frames, OfGifAreClearedOrTakenBack) {
    Gif gif(4, 3);
    gif.add({0, 0, 4, 2}, 1);  // not all of the screen
    gif.add({0, 0, 1, 1}, 2, 3);
    gif.add({1, 1, 2, 1}, 3, 2);
    gif.add({3, 0, 1, 1}, 2);
    const auto path = folder_.write("a.gif", gif.bytes());
    const auto alpha = [&](const Image& image, int x, int y) { return int(image.row_as<uint8_t>(y)[4 * x + 3]); };
    const Image first = read_image(path), third = read_image(path, of_part("3")),
                fourth = read_image(path, of_part("4"));
    EXPECT_EQ(first.alpha(), Alpha::straight);
    EXPECT_EQ(alpha(first, 0, 0), 255);
    EXPECT_EQ(alpha(first, 0, 2), 0);  // never drawn
    EXPECT_EQ(rgb_at(third, 0, 0), (std::vector<int>{255, 16, 32}));
    EXPECT_EQ(rgb_at(third, 2, 1), (std::vector<int>{80, 96, 255}));
    EXPECT_EQ(alpha(fourth, 2, 1), 0);
    EXPECT_EQ(alpha(fourth, 0, 1), 255);
    EXPECT_EQ(rgb_at(fourth, 3, 0), (std::vector<int>{48, 255, 64}));
}

TEST_F(Frames, OfGifThatAreNotWholeAreNoParts) {
    Gif gif(2, 2);
    gif.add({0, 0, 2, 2}, 1);
    gif.add({0, 0, 2, 2}, 2);
    const auto path = folder_.write("a.gif", gif.bytes().substr(0, gif.bytes().size() - 4));
    EXPECT_EQ(read_facts(path).parts.size(), 1u);
    EXPECT_EQ(rgb_at(read_image(path), 0, 0), (std::vector<int>{255, 16, 32}));
}

// fcTL: what a frame does to the canvas.
enum Disposal { leave, clear, go_back };
std::string control(int number, const Rect& at, Disposal disposal, bool over) {
    return chunk("fcTL", big32(uint32_t(number)) + big32(uint32_t(at.width)) + big32(uint32_t(at.height)) +
                             big32(uint32_t(at.x)) + big32(uint32_t(at.y)) + big16(1) + big16(10) + char(disposal) +
                             char(over));
}

std::string rgba_rows(const Rect& at, const std::string& pixel) {
    std::string rows;
    for (int y = 0; y < at.height; ++y) {
        rows += '\0';
        for (int x = 0; x < at.width; ++x) rows += pixel;
    }
    return stored(rows);
}

std::string apng(const std::string& before, const std::string& still, const std::string& after) {
    const std::string header = big32(4) + big32(2) + '\x08' + '\x06' + std::string(3, '\0');
    return "\x89PNG\r\n\x1a\n" + chunk("IHDR", header) + chunk("acTL", big32(3) + big32(0)) + before +
           chunk("IDAT", still) + after + chunk("IEND", "");
}

std::vector<uint8_t> pixel(const Image& image, int x, int y) {
    const uint8_t* at = image.row_as<uint8_t>(y) + 4 * x;
    return {at[0], at[1], at[2], at[3]};
}

TEST_F(Frames, OfAnimatedPngAreReplacedAndBlended) {
    const Rect all{0, 0, 4, 2}, part{1, 0, 2, 1};
    const std::string solid = "\x64\x32\x0a\xff", half = "\xc8\x96\x6e\x80", corner("\x01\x02\x03\x04", 4);
    const auto path =
        folder_.write("a.png", apng(control(0, all, leave, false), rgba_rows(all, solid),
                                    control(1, part, go_back, true) + chunk("fdAT", big32(2) + rgba_rows(part, half)) +
                                        control(3, {3, 1, 1, 1}, leave, false) +
                                        chunk("fdAT", big32(4) + rgba_rows({3, 1, 1, 1}, corner))));
    EXPECT_EQ(read_facts(path).parts.size(), 3u);
    EXPECT_EQ(pixel(read_image(path), 1, 0), (std::vector<uint8_t>{100, 50, 10, 255}));
    const Image second = read_image(path, of_part("2"));
    // 128/255 of the upper colour over the lower one.
    EXPECT_EQ(pixel(second, 1, 0), (std::vector<uint8_t>{150, 100, 60, 255}));
    EXPECT_EQ(pixel(second, 0, 0), (std::vector<uint8_t>{100, 50, 10, 255}));
    const Image third = read_image(path, of_part("3"));
    EXPECT_EQ(pixel(third, 1, 0), (std::vector<uint8_t>{100, 50, 10, 255}));  // as before the second
    EXPECT_EQ(pixel(third, 3, 1), (std::vector<uint8_t>{1, 2, 3, 4}));
}

TEST_F(Frames, OfAnimatedPngMayLeaveOutTheStillPicture) {
    const Rect all{0, 0, 4, 2};
    const std::string still = "\x09\x09\x09\xff", first = "\x64\x32\x0a\xff";
    const auto path =
        folder_.write("a.png", apng("", rgba_rows(all, still),
                                    control(0, all, clear, false) + chunk("fdAT", big32(1) + rgba_rows(all, first)) +
                                        control(2, {0, 0, 1, 1}, leave, true) +
                                        chunk("fdAT", big32(3) + rgba_rows({0, 0, 1, 1}, still))));
    ASSERT_EQ(read_facts(path).parts.size(), 3u);
    EXPECT_EQ(read_facts(path).parts[0].name, "still picture");
    EXPECT_EQ(pixel(read_image(path), 2, 1), (std::vector<uint8_t>{9, 9, 9, 255}));
    EXPECT_EQ(pixel(read_image(path, of_part("2")), 2, 1), (std::vector<uint8_t>{100, 50, 10, 255}));
    EXPECT_EQ(pixel(read_image(path, of_part("3")), 2, 1), (std::vector<uint8_t>{0, 0, 0, 0}));  // cleared
    EXPECT_EQ(pixel(read_image(path, of_part("still picture")), 0, 0), (std::vector<uint8_t>{9, 9, 9, 255}));
}

TEST_F(Frames, SinglePicturesHaveOnePart) {
    write_image(Image(3, 2, 3, SampleType::u8), folder_ / "a.png");
    write_image(Image(3, 2, 3, SampleType::u8), folder_ / "a.ppm");
    for (const char* name : {"a.png", "a.ppm"}) {
        EXPECT_EQ(read_facts(folder_ / name).parts.size(), 1u) << name;
        EXPECT_EQ(read_image(folder_ / name, of_part("1")).width(), 3) << name;
        EXPECT_NE(refusal([&] { read_image(folder_ / name, of_part("2")); }).find("it is a single picture"),
                  std::string::npos)
            << name;
    }
}

TEST_F(Frames, DrawingsAreRefusedInOneSentence) {
    const std::string remark = "<?xml version=\"1.0\"?>\n<!-- a remark -->\n";
    for (const auto& file :
         {std::pair("a.svg", "<svg xmlns='http://www.w3.org/2000/svg'/>"), std::pair("a", "<!-- x --><svg/>")}) {
        const std::string text = refusal([&] { read_image(folder_.write(file.first, remark + file.second)); });
        EXPECT_NE(text.find("an SVG is a drawing"), std::string::npos) << text;
    }
    const auto jxl = folder_.write("a.jxl", "\xff\x0a\x10");
    EXPECT_NE(refusal([&] { read_image(jxl); }).find("JPEG XL"), std::string::npos);
}

}  // namespace
}  // namespace texelscope::test
