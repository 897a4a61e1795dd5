// DPX and Cineon, byte by byte: SMPTE 268M-2003, and Kodak's "Cineon Image File Format".
#include "tests/files/oriented_files.h"
#include "tests/files/pixels.h"

namespace texelscope::test {
namespace {

using namespace std::string_literals;

using Row = std::vector<Samples>;

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

using Dpx = ReadsBytes;

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

}  // namespace
}  // namespace texelscope::test
