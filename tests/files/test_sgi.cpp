// SGI, byte by byte: Paul Haeberli's "The SGI Image File Format", draft 0.97.
#include "tests/files/pixels.h"

namespace texelscope::test {
namespace {

using namespace std::string_literals;

using Row = std::vector<Samples>;

std::string header(int in_runs, int sample_bytes, int width, int height, int channels, int dimensions = 3) {
    return "\x01\xda"s + char(in_runs) + char(sample_bytes) + big16(uint32_t(dimensions)) + big16(uint32_t(width)) +
           big16(uint32_t(height)) + big16(uint32_t(channels)) + big32(0) + big32(255) + std::string(492, '\0');
}

// A file of runs; rows are all of the first channel from below, then those of the next.
std::string in_runs(const std::string& header, const std::vector<std::string>& rows) {
    std::string begins, lengths, data;
    for (const std::string& row : rows) {
        begins += big32(uint32_t(512 + 8 * rows.size() + data.size()));
        lengths += big32(uint32_t(row.size()));
        data += row;
    }
    return header + begins + lengths + data;
}

using Sgi = ReadsBytes;

TEST_F(Sgi, HasOneChannelAfterTheOtherFromBelow) {
    const Image image = read("a.sgi", header(0, 1, 2, 2, 3) + "\1\2\3\4"s + "\x11\x12\x13\x14"s + "\x21\x22\x23\x24"s);
    EXPECT_EQ(row_of(image, 0), (Row{{3, 0x13, 0x23}, {4, 0x14, 0x24}}));
    EXPECT_EQ(row_of(image, 1), (Row{{1, 0x11, 0x21}, {2, 0x12, 0x22}}));
}

TEST_F(Sgi, AlphaIsStraight) {
    const Image image = read("a.rgba", header(0, 1, 1, 1, 4) + "\xff\0\0\x33"s);
    EXPECT_EQ(image.alpha(), Alpha::straight);
    EXPECT_EQ(row_of(image, 0), (Row{{255, 0, 0, 0x33}}));
    EXPECT_EQ(read("a.sgi", header(0, 1, 1, 1, 2) + "\x80\x40"s).alpha(), Alpha::straight);
}

TEST_F(Sgi, OfTwoBytesKeepsThem) {
    const Image image = read("a.sgi", header(0, 2, 2, 1, 1, 2) + "\x12\x34\xff\xff"s);
    EXPECT_EQ(image.type(), SampleType::u16);
    EXPECT_EQ(row_of(image, 0), (Row{{0x1234}, {65535}}));
}

TEST_F(Sgi, OfFewerDimensionsHasOneRowOrOneChannel) {
    EXPECT_EQ(read("a.bw", header(0, 1, 3, 7, 5, 1) + "abc").height(), 1);
    EXPECT_EQ(read("a.bw", header(0, 1, 3, 1, 5, 2) + "abc").channels(), 1);
}

TEST_F(Sgi, RunsAreExpanded) {
    const std::string runs = "\x82\1\2\3\7\0"s;  // two bytes as they are, three equal ones, the end
    EXPECT_EQ(row_of(read("a.sgi", in_runs(header(1, 1, 5, 1, 1), {runs})), 0), (Row{{1}, {2}, {7}, {7}, {7}}));
    const std::string wide = "\0\x81\x12\x34\0\2\x56\x78\0\0"s;
    EXPECT_EQ(row_of(read("a.sgi", in_runs(header(1, 2, 3, 1, 1), {wide})), 0), (Row{{0x1234}, {0x5678}, {0x5678}}));
    const Image two = read("a.sgi", in_runs(header(1, 1, 1, 2, 1), {"\1\5\0"s, "\1\6\0"s}));
    EXPECT_EQ(row_of(two, 0), (Row{{6}}));
    // A row that ends without a zero.
    EXPECT_EQ(row_of(read("a.sgi", in_runs(header(1, 1, 2, 1, 1), {"\2\7"s})), 0), (Row{{7}, {7}}));
}

TEST_F(Sgi, ThatEndsEarlyLacksTheUpperRowsOfItsLastChannel) {
    using Lines = std::pair<int64_t, int64_t>;
    EXPECT_EQ(missing_rows("a.sgi", header(0, 1, 2, 2, 3) + "abcdefghijk"), Lines(0, 1));
    std::string runs = in_runs(header(1, 1, 1, 3, 1), {"\1\5\0"s, "\1\6\0"s, "\1\7\0"s});
    EXPECT_EQ(missing_rows("a.sgi", runs.substr(0, runs.size() - 4)), Lines(0, 2));
}

TEST_F(Sgi, ThatIsNotWholeIsRefused) {
    EXPECT_NE(error("a.sgi", header(0, 1, 2, 2, 3) + "abcdefghi").find("truncated"), std::string::npos);
    EXPECT_NE(error("a.sgi", in_runs(header(1, 1, 5, 1, 1), {"\2\7\0"s})).find("2 of 5 pixels"), std::string::npos);
}

}  // namespace
}  // namespace texelscope::test
