// DICOM, byte by byte: PS3.10, explicit little-endian elements. Read in a process that may open nothing but the file.
#if TEXELSCOPE_WITH_OIIO
#include <OpenImageIO/imageio.h>

#include "tests/files/pixels.h"

namespace texelscope::test {
namespace {

using namespace std::string_literals;

using Row = std::vector<Samples>;

std::string element(uint32_t group, uint32_t number, const std::string& type, std::string value) {
    if (value.size() % 2 != 0) value += type == "UI" || type == "OB" ? '\0' : ' ';
    const auto size = uint32_t(value.size());
    return little16(group) + little16(number) + type +
           (type[0] == 'O' ? little16(0) + little32(size) : little16(size)) + value;
}

// A grey picture, or one of three channels.
std::string dicom(int width, int height, int bits, int channels, const std::string& data) {
    const std::string kind = "1.2.840.10008.5.1.4.1.1.7", plain = "1.2.840.10008.1.2.1";
    const std::string meta = element(2, 1, "OB", "\0\1"s) + element(2, 2, "UI", kind) + element(2, 3, "UI", "1.2.3") +
                             element(2, 0x10, "UI", plain);
    const auto number = [](uint32_t which, int value) { return element(0x28, which, "US", little16(uint32_t(value))); };
    return std::string(128, '\0') + "DICM" + element(2, 0, "UL", little32(uint32_t(meta.size()))) + meta +
           element(8, 0x16, "UI", kind) + element(8, 0x18, "UI", "1.2.3") + element(8, 0x60, "CS", "OT") +
           number(2, channels) + element(0x28, 4, "CS", channels == 3 ? "RGB" : "MONOCHROME2") +
           (channels == 3 ? number(6, 0) : "") + number(0x10, height) + number(0x11, width) + number(0x100, bits) +
           number(0x101, bits) + number(0x102, bits - 1) + number(0x103, 0) +
           element(0x7fe0, 0x10, bits > 8 ? "OW" : "OB", data);
}

class Dicom : public ReadsBytes {
protected:
    void SetUp() override {
        if (!OIIO::ImageInput::create("dicom")) GTEST_SKIP() << "OpenImageIO does not read DICOM here";
    }
};

TEST_F(Dicom, SamplesAreAsStored) {
    EXPECT_EQ(row_of(read("a.dcm", dicom(3, 2, 8, 1, "\0\x40\xff\1\2\3"s)), 0), (Row{{0}, {0x40}, {255}}));
    EXPECT_EQ(row_of(read("a.dcm", dicom(2, 2, 16, 1, "\0\0\x34\x12\xff\xff\1\0"s)), 0), (Row{{0}, {0x1234}}));
    EXPECT_EQ(row_of(read("a.dcm", dicom(2, 1, 8, 3, "\1\2\3\4\5\6"s)), 0), (Row{{1, 2, 3}, {4, 5, 6}}));
}

TEST_F(Dicom, ThatEndsEarlyIsRefused) { EXPECT_NE(error("a.dcm", dicom(3, 2, 8, 1, "abcdef").substr(0, 300)), ""); }

}  // namespace
}  // namespace texelscope::test
#endif
