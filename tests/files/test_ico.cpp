// Icons and cursors, byte by byte, as Microsoft describes them.
#include "tests/files/dib_bytes.h"
#include "tests/files/pixels.h"

namespace texelscope::test {
namespace {

using namespace std::string_literals;

using Row = std::vector<Samples>;

// A file of pictures, one behind the other; `kind`: 1 icon, 2 cursor. The sizes in the directory are arbitrary.
std::string ico(const std::vector<std::string>& pictures, int kind = 1) {
    std::string directory = "\0\0"s + little16(uint32_t(kind)) + little16(uint32_t(pictures.size())), data;
    for (const std::string& picture : pictures) {
        directory += "\1\1\0\0\1\0\x20\0"s + little32(uint32_t(picture.size())) +
                     little32(uint32_t(6 + 16 * pictures.size() + data.size()));
        data += picture;
    }
    return directory + data;
}

// A picture with its mask; the header's height counts both.
std::string of_32_bits(int width, int height, const std::string& pixels, const std::string& mask) {
    return dib_header(width, 2 * height, 32, 0) + pixels + mask;
}

using Ico = ReadsBytes;

TEST_F(Ico, OpensItsLargestPicture) {
    const std::string small = of_32_bits(1, 1, "\1\1\1\xff"s, std::string(4, '\0'));
    const std::string large = of_32_bits(2, 1, "\3\2\1\xff\3\2\1\x40"s, std::string(4, '\0'));
    const std::string poor = dib_header(2, 2, 1, 0, 2) + "\3\2\1\0\xff\xff\xff\0"s + std::string(8, '\0');
    const std::string file = ico({small, poor, large, small});
    EXPECT_EQ(row_of(read("a.ico", file), 0), (Row{{1, 2, 3, 255}, {1, 2, 3, 0x40}}));
    EXPECT_EQ(row_of(read("a.ico", file, part_of("2")), 0), (Row{{1, 1, 1, 255}}));
    const PictureFacts facts = read_facts(folder_ / "a.ico");
    ASSERT_EQ(facts.parts.size(), 4u);
    EXPECT_EQ(facts.part, 0);
    const int widths[] = {2, 1, 2, 1};  // the largest first, then the others in the file's order
    for (size_t i = 0; i < 4; ++i) EXPECT_EQ(facts.parts[i].width, widths[i]);
}

TEST_F(Ico, TheMaskHidesWhereThereIsNoAlpha) {
    const std::string mask = "\x40\0\0\0"s;  // hides the second of three pixels
    const Row masked = {{1, 2, 3, 255}, {1, 2, 3, 0}, {1, 2, 3, 255}};
    const std::string colours = "\3\2\1\0\xff\xff\xff\0"s;
    EXPECT_EQ(row_of(read("a.ico", ico({dib_header(3, 2, 8, 0, 2) + colours + std::string(4, '\0') + mask})), 0),
              masked);
    EXPECT_EQ(row_of(read("a.ico", ico({dib_header(3, 2, 24, 0) + "\3\2\1\3\2\1\3\2\1\0\0\0"s + mask})), 0), masked);
    const std::string no_alpha = "\3\2\1\0\3\2\1\0\3\2\1\0"s, some = "\3\2\1\0\3\2\1\x40\3\2\1\0"s;
    EXPECT_EQ(row_of(read("a.ico", ico({of_32_bits(3, 1, no_alpha, mask)})), 0), masked);
    EXPECT_EQ(row_of(read("a.ico", ico({of_32_bits(3, 1, some, mask)})), 0),
              (Row{{1, 2, 3, 0}, {1, 2, 3, 0x40}, {1, 2, 3, 0}}));
    EXPECT_EQ(row_of(read("a.ico", ico({of_32_bits(3, 1, no_alpha, "")})), 0),
              (Row{{1, 2, 3, 255}, {1, 2, 3, 255}, {1, 2, 3, 255}}));
}

TEST_F(Ico, RowsOfPictureAndMaskAreFromBelow) {
    const std::string pixels = "\1\1\1\0\2\2\2\0"s, mask = "\x80\0\0\0\0\0\0\0"s;
    const Image image = read("a.ico", ico({of_32_bits(1, 2, pixels, mask)}));
    EXPECT_EQ(row_of(image, 0), (Row{{2, 2, 2, 255}}));
    EXPECT_EQ(row_of(image, 1), (Row{{1, 1, 1, 0}}));
}

TEST_F(Ico, MayHoldPng) {
    const std::string picture = png(3, 1, 8, 6, "\0\1\2\3\x40\4\5\6\x50\7\x08\x09\xff"s);
    const std::string small = of_32_bits(1, 1, "\1\1\1\xff"s, std::string(4, '\0'));
    const Row row = {{1, 2, 3, 0x40}, {4, 5, 6, 0x50}, {7, 8, 9, 255}};
    EXPECT_EQ(row_of(read("a.ico", ico({small, picture})), 0), row);
    EXPECT_EQ(row_of(read("a.ico", ico({png(1, 1, 8, 0, "\0\7"s)})), 0), (Row{{7, 7, 7, 255}}));
}

TEST_F(Ico, CursorsAreReadLikewise) {
    const std::string file = ico({of_32_bits(1, 1, "\3\2\1\xff"s, std::string(4, '\0'))}, 2);
    EXPECT_EQ(row_of(read("a.cur", file), 0), (Row{{1, 2, 3, 255}}));
    EXPECT_EQ(row_of(read("a", file), 0), (Row{{1, 2, 3, 255}}));
}

TEST_F(Ico, ThatIsNotWholeIsRefused) {
    const std::string file = ico({of_32_bits(1, 1, "\3\2\1\xff"s, std::string(4, '\0'))});
    for (size_t size = 4; size < file.size() - 4; ++size) EXPECT_NE(error("a.ico", file.substr(0, size)), "") << size;
}

}  // namespace
}  // namespace texelscope::test
