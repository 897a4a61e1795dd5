// DPX, Cineon and Radiance.

#include <gtest/gtest.h>

#include "app/files/reading/image_files.h"
#include "gpu/core/image.h"
#include "tests/files/bytes.h"
#include "tests/files/pixels.h"

namespace texelscope::test {
namespace {

using namespace std::string_literals;
using Row = std::vector<Samples>;
using Dpx = ReadsBytes;

// DPX and Cineon, byte by byte: SMPTE 268M-2003, and Kodak's "Cineon Image File Format".

void put(std::string& bytes, size_t at, const std::string& what) { bytes.replace(at, what.size(), what); }

struct Element {
    int descriptor, bits, packing;
    std::string data;
};

std::string dpx(int width, int height, const std::vector<Element>& elements, int orientation = 0, bool little = false) {
    const auto two = [&](int v) { return little ? little16(uint32_t(v)) : big16(uint32_t(v)); };
    const auto four = [&](size_t v) { return little ? little32(uint32_t(v)) : big32(uint32_t(v)); };
    std::string header(2048, '\0'), data;
    put(header, 0, (little ? "XPDS" : "SDPX") + four(2048) + "V1.0");
    put(header, 768, two(orientation) + two(int(elements.size())) + four(size_t(width)) + four(size_t(height)));
    for (size_t i = 0; i < elements.size(); ++i) {
        const auto& [descriptor, bits, packing, samples] = elements[i];
        put(header, 780 + 72 * i + 20,
            std::string{char(descriptor), 2, 2, char(bits)} + two(packing) + two(0) +
                four(header.size() + data.size()));
        data += samples;
    }
    return header + data;
}

TEST_F(Dpx, IsTurnedAsItSays) {
    const std::string samples = "\1\2\3\4\5\6\7\x08"s;  // two lines of four
    const Image stored = read("a.dpx", dpx(4, 2, {{6, 8, 0, samples}}));
    EXPECT_EQ(row_of(stored, 1), (Row{{5}, {6}, {7}, {8}}));
    // The directions of lines and of the next line (table 2 of the standard), as orientations of EXIF.
    const int of_exif[8] = {1, 2, 4, 3, 5, 6, 8, 7};
    for (int code = 0; code < 8; ++code) {
        const Image image = read("a.dpx", dpx(4, 2, {{6, 8, 0, samples}}, code));
        EXPECT_TRUE(is_upright(image, stored, of_exif[code])) << code;
    }
    Reading as_stored;
    as_stored.choice.upright = false;
    EXPECT_EQ(row_of(read("a.dpx", dpx(4, 2, {{6, 8, 0, samples}}, 7), as_stored), 1), row_of(stored, 1));
}

TEST_F(Dpx, AlphaIsStraight) {
    const Image rgba = read("a.dpx", dpx(1, 1, {{51, 8, 0, "\xff\0\0\x33"s}}));
    EXPECT_EQ(rgba.alpha(), Alpha::straight);
    EXPECT_EQ(row_of(rgba, 0), (Row{{255, 0, 0, 0x33}}));
    EXPECT_EQ(row_of(read("a.dpx", dpx(1, 1, {{52, 8, 0, "\x33\3\2\1"s}})), 0), (Row{{1, 2, 3, 0x33}}));
    EXPECT_EQ(row_of(read("a.dpx", dpx(1, 1, {{50, 8, 0, "\1\2\3\0"s}, {4, 8, 0, "\x33\0\0\0"s}})), 0),
              (Row{{1, 2, 3, 0x33}}));
}

// Value v of n bits is v · 65535/(2ⁿ − 1), to the nearest.
TEST_F(Dpx, TenBitsAreInTheHighOrLowOnesOfAWord) {
    const Row expected = {{65535, 32800, 64}};
    const uint32_t word = 1023u << 20 | 512u << 10 | 1u;
    EXPECT_EQ(row_of(read("a.dpx", dpx(1, 1, {{50, 10, 1, big32(word << 2)}})), 0), expected);
    EXPECT_EQ(row_of(read("a.dpx", dpx(1, 1, {{50, 10, 2, big32(word)}})), 0), expected);
    EXPECT_EQ(row_of(read("a.dpx", dpx(1, 1, {{50, 10, 1, little32(word << 2)}}, 0, true)), 0), expected);
    // Samples of a single channel begin in the lowest bits.
    EXPECT_EQ(row_of(read("a.dpx", dpx(3, 1, {{6, 10, 1, big32(word << 2)}})), 0), (Row{{64}, {32800}, {65535}}));
    // Samples 1, 512, 1023, 2 … without gaps, from the lowest bits on.
    const std::string packed = big32(1u | 512u << 10 | 1023u << 20 | 2u << 30) + big32(0);
    EXPECT_EQ(row_of(read("a.dpx", dpx(4, 1, {{6, 10, 0, packed}})), 0), (Row{{64}, {32800}, {65535}, {128}}));
}

TEST_F(Dpx, TwelveAndSixteenBitsKeepThem) {
    const Row expected = {{65535, 32776, 16}};
    EXPECT_EQ(row_of(read("a.dpx", dpx(1, 1, {{50, 12, 1, "\xff\xf0\x80\0\0\x10\0\0"s}})), 0), expected);
    EXPECT_EQ(row_of(read("a.dpx", dpx(1, 1, {{50, 12, 2, "\x0f\xff\x08\0\0\1\0\0"s}})), 0), expected);
    EXPECT_EQ(row_of(read("a.dpx", dpx(1, 1, {{50, 12, 0, big32(4095u | 2048u << 12 | 1u << 24) + big32(0)}})), 0),
              expected);
    EXPECT_EQ(row_of(read("a.dpx", dpx(1, 1, {{50, 16, 0, "\x12\x34\xff\xff\0\1\0\0"s}})), 0),
              (Row{{0x1234, 65535, 1}}));
    EXPECT_EQ(row_of(read("a.dpx", dpx(1, 1, {{50, 16, 0, "\x34\x12\xff\xff\1\0\0\0"s}}, 0, true)), 0),
              (Row{{0x1234, 65535, 1}}));
}

TEST_F(Dpx, LinesBeginAtWholeWordsIfThereIsRoom) {
    const Image padded = read("a.dpx", dpx(3, 2, {{6, 8, 0, "\1\2\3\0\4\5\6\0"s}}));
    EXPECT_EQ(row_of(padded, 1), (Row{{4}, {5}, {6}}));
    const Image tight = read("a.dpx", dpx(3, 2, {{6, 8, 0, "\1\2\3\4\5\6"s}}));
    EXPECT_EQ(row_of(tight, 1), (Row{{4}, {5}, {6}}));
}

TEST_F(Dpx, ThatEndsEarlyLacksItsLastLines) {
    using Lines = std::pair<int64_t, int64_t>;
    EXPECT_EQ(missing_rows("a.dpx", dpx(4, 2, {{6, 8, 0, "\1\2\3\4\5\6\7"s}})), Lines(1, 1));
    EXPECT_EQ(missing_rows("a.dpx", dpx(4, 2, {{6, 8, 0, "\1\2\3\4\5\6\7"s}}, 2)), Lines(0, 1));  // rows from below
}

TEST_F(Dpx, ThatIsNotWholeIsRefused) {
    EXPECT_NE(error("a.dpx", dpx(4, 2, {{6, 8, 0, "\1\2\3"s}})).find("truncated"), std::string::npos);
    EXPECT_NE(error("a.dpx", dpx(4, 2, {}).substr(0, 1000)).find("truncated"), std::string::npos);
}

std::string cineon(int width, int height, int channels, int bits, int orientation, const std::string& data) {
    std::string header(2048, '\0');
    put(header, 0, "\x80\x2a\x5f\xd7"s + big32(2048));
    put(header, 192, {char(orientation), char(channels)});
    for (int i = 0; i < channels; ++i)
        put(header, size_t(196 + 28 * i),
            "\0"s + char(i + 1) + char(bits) + '\0' + big32(uint32_t(width)) + big32(uint32_t(height)));
    put(header, 680, "\0\5\0\0"s);
    return header + data;
}

TEST_F(Dpx, CineonHasItsTenBitsInTheHighOnes) {
    const std::string words = big32((1023u << 20 | 512u << 10 | 1u) << 2) + big32(0);
    const Image image = read("a.cin", cineon(1, 2, 3, 10, 1, words));  // lines from below
    EXPECT_EQ(row_of(image, 0), (Row{{0, 0, 0}}));
    EXPECT_EQ(row_of(image, 1), (Row{{65535, 32800, 64}}));
}

// Its codes 1 and 2 are those of DPX the other way round.
TEST_F(Dpx, CineonIsTurnedAsItSays) {
    const std::string samples = "\1\2\3\4\5\6\7\x08"s;
    const Image stored = read("a.cin", cineon(4, 2, 1, 8, 0, samples));
    EXPECT_EQ(row_of(stored, 1), (Row{{5}, {6}, {7}, {8}}));
    const int of_exif[8] = {1, 4, 2, 3, 5, 6, 8, 7};
    for (int code = 0; code < 8; ++code)
        EXPECT_TRUE(is_upright(read("a.cin", cineon(4, 2, 1, 8, code, samples)), stored, of_exif[code])) << code;
}

using F32 = std::vector<float>;

// Radiance pictures by the byte. A pixel is (m / 256) · 2^(e − 128) for each mantissa m.

const std::string radiance_header = "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n";

class Radiance : public testing::Test {
protected:
    Image read(const std::string& bytes, const Reading& reading = {}) {
        return read_image(folder.write("a.hdr", bytes), reading);
    }
    std::string complaint(const std::string& bytes) {
        return refusal([&] { read(bytes); });
    }
    Folder folder;
};

// A pixel whose red is number / 128, with different green and blue.
std::string pixel(int number) { return {char(number), char(number / 2), char(number / 4), char(129)}; }

// filefmts.pdf: "-Y N +X M" is the usual order; the first axis has the scanlines, X rises to the right, Y upwards.
TEST_F(Radiance, EachOfTheEightOrdersIsTurnedUpright) {
    // The upright picture is 4 8 16 over 32 64 128 (2×3), or transposed.
    const auto file = [](const std::string& order, std::initializer_list<int> numbers) {
        std::string bytes = radiance_header + order + "\n";
        for (const int number : numbers) bytes += pixel(number);
        return bytes;
    };
    const std::string files[] = {
        file("-Y 2 +X 3", {4, 8, 16, 32, 64, 128}), file("+Y 2 +X 3", {32, 64, 128, 4, 8, 16}),
        file("-Y 2 -X 3", {16, 8, 4, 128, 64, 32}), file("+Y 2 -X 3", {128, 64, 32, 16, 8, 4}),
        file("+X 3 -Y 2", {4, 32, 8, 64, 16, 128}), file("+X 3 +Y 2", {32, 4, 64, 8, 128, 16}),
        file("-X 3 -Y 2", {16, 128, 8, 64, 4, 32}), file("-X 3 +Y 2", {128, 16, 64, 8, 32, 4}),
    };
    for (const std::string& bytes : files) {
        const Image image = read(bytes);
        ASSERT_EQ(image.width(), 3) << bytes;
        ASSERT_EQ(image.height(), 2) << bytes;
        ASSERT_EQ(image.channels(), 3);
        ASSERT_EQ(image.type(), SampleType::f32);
        for (int i = 0; i < 6; ++i) {
            EXPECT_EQ(image.value(i % 3, i / 3, 0), float(4 << i) / 128) << bytes << i;
            EXPECT_EQ(image.value(i % 3, i / 3, 1), float(2 << i) / 128) << bytes << i;
        }
    }
}

TEST_F(Radiance, AsStoredIfThatIsWanted) {
    Reading reading;
    reading.choice.upright = false;
    const Image image = read(radiance_header + "+X 3 -Y 1\n" + pixel(4) + pixel(8) + pixel(16), reading);
    EXPECT_EQ(image.width(), 1);
    EXPECT_EQ(image.height(), 3);
    EXPECT_EQ(image.value(0, 2, 0), 0.125f);
}

// "1 1 1 n" repeats the last pixel n times; directly after another one, n counts 256.
TEST_F(Radiance, OldRunsRepeatThePixelBefore) {
    const Image image =
        read(radiance_header + "-Y 1 +X 262\n" + pixel(64) + "\1\1\1\3\1\1\1\1"s + pixel(32) + pixel(16));
    for (int x = 0; x < 262; ++x) EXPECT_EQ(image.value(x, 0, 0), x < 260 ? 0.5f : x < 261 ? 0.25f : 0.125f) << x;
    EXPECT_NE(complaint(radiance_header + "-Y 1 +X 3\n" + pixel(64) + "\1\1\1\3"s).find("run"), std::string::npos);
    EXPECT_NE(complaint(radiance_header + "-Y 1 +X 3\n\1\1\1\2"s + pixel(64)).find("run"), std::string::npos);
}

// A scanline has 2, 2 and the length, then each component of all pixels: 128 + n repeats a byte n times, n copies n.
TEST_F(Radiance, NewRunsAreOfOneComponent) {
    const std::string scanline =
        "\2\2\0\x09"
        "\x89\x40"                    // 9 times 64
        "\4\x10\x20\x30\x40\x85\x08"  // 4 bytes as they are, 5 times 8
        "\x81\x01\x88\x02"            // 1, 8 times 2
        "\x89\x81"s;                  // exponent 129
    const Image image = read(radiance_header + "-Y 2 +X 9\n" + scanline + scanline);
    for (int y = 0; y < 2; ++y)
        for (int x = 0; x < 9; ++x) {
            EXPECT_EQ(image.value(x, y, 0), 0.5f);
            EXPECT_EQ(image.value(x, y, 1), float(x < 4 ? 16 * (x + 1) : 8) / 128) << x;
            EXPECT_EQ(image.value(x, y, 2), float(x < 1 ? 1 : 2) / 128) << x;
        }
    EXPECT_NE(complaint(radiance_header + "-Y 1 +X 9\n\2\2\0\x08"s + std::string(99, 'x')).find("length"),
              std::string::npos);
    EXPECT_NE(complaint(radiance_header + "-Y 1 +X 9\n\2\2\0\x09\x8a\x40"s + std::string(99, 'x')).find("run"),
              std::string::npos);
    EXPECT_NE(complaint(radiance_header + "-Y 1 +X 9\n\2\2\0\x09\0"s + std::string(99, 'x')).find("run"),
              std::string::npos);
}

TEST_F(Radiance, HeadersOfOtherProgramsAreRead) {
    for (const char* text :
         {"#?RGBE\n\n-Y 1 +X 1\n", "#?RADIANCE\r\nFORMAT=32-bit_rle_rgbe\r\n\r\n-Y 1 +X 1\n",
          "#?AnyName\nmkillum scene\nGAMMA=2.2\nFORMAT= 32-bit_rle_rgbe \nVIEW= -vtv\n\n-Y 1 +X 1\n"})
        EXPECT_EQ(samples<float>(read(text + pixel(64))), (F32{0.5f, 0.25f, 0.125f})) << text;
    EXPECT_EQ(samples<float>(read(radiance_header + "-Y 1 +X 1\n\xff\xff\xff\0"s)), (F32{0, 0, 0}))
        << "an exponent of 0 is black";
    EXPECT_NE(complaint("#?RADIANCE\nFORMAT=Radiance_octree\n\n-Y 1 +X 1\nabcd").find("Radiance_octree"),
              std::string::npos);
    for (const char* size : {"-Y 1\n", "-Y 1 -Y 1\n", "1 1\n", "-Y 0 +X 1\n", "-Y 1 +X 1 x\n", "-Y 99999999 +X 1\n"})
        EXPECT_NE(complaint(radiance_header + size + "abcd"), "") << size;
}

// "EXPOSURE values are cumulative, so the original pixel values must be derived by taking the values in the file and
// dividing by all the EXPOSURE settings multiplied together"; COLORCORR likewise for each primary. Indented lines are
// those of pictures that this one was made of.
TEST_F(Radiance, ExposuresAreDividedOut) {
    const std::string lines =
        "#?RADIANCE\nEXPOSURE=2\nEXPOSURE= 0.5e1\n\tEXPOSURE=7\nCOLORCORR= 1 0.5 2\nEXPOSURE=0\n\n";
    const F32 values = samples<float>(read(lines + "-Y 1 +X 1\n\x80\x80\x80\x81"s));
    EXPECT_EQ(values, (F32{0.1f, 0.2f, 0.05f}));
}

// The white of Rec. 709 is D65: X : Y : Z = 0.9505 : 1 : 1.0891; its blue primary 0.1805, 0.0722, 0.9505.
TEST_F(Radiance, XyzBecomesRgb) {
    const std::string xyz = "#?RADIANCE\nPRIMARIES= 1 0 0 1 0 0 .3 .3\nFORMAT=32-bit_rle_xyze\n\n-Y 1 +X 2\n";
    const Image image = read(xyz + "\x7a\x80\x8b\x81\x2e\x12\xf3\x80"s);
    for (int c = 0; c < 3; ++c) EXPECT_NEAR(image.value(0, 0, c), 1, 0.02) << c;  // X and Z have seven bits
    EXPECT_NEAR(image.value(1, 0, 0), 0, 0.01);
    EXPECT_NEAR(image.value(1, 0, 1), 0, 0.01);
    EXPECT_NEAR(image.value(1, 0, 2), 1, 0.01);
    ASSERT_TRUE(image.profile());
    EXPECT_EQ(image.profile()->chromaticities, ColourProfile().chromaticities);
}

}  // namespace
}  // namespace texelscope::test
