// The sizes of an icon and the layers of a Photoshop file, byte by byte as their formats are described.
#if TEXELSCOPE_WITH_OIIO
#include <gtest/gtest.h>

#include "app/files/reading/image_files.h"
#include "tests/files/bytes.h"

namespace texelscope::test {
namespace {

using namespace std::string_literals;

// A bitmap of one colour with straight alpha, as icons hold it: a header with twice the height, rows of BGRA, a mask.
std::string icon_bitmap(int side, const std::string& bgra) {
    std::string bytes = little32(40) + little32(uint32_t(side)) + little32(2 * uint32_t(side)) + little16(1) +
                        little16(32) + std::string(24, '\0');
    for (int i = 0; i < side * side; ++i) bytes += bgra;
    return bytes + std::string(size_t(side) * size_t((side + 31) / 32 * 4), '\0');
}

std::string icon(const std::vector<std::pair<int, std::string>>& pictures) {
    std::string head = little16(0) + little16(1) + little16(uint32_t(pictures.size())), data;
    const size_t behind = 6 + 16 * pictures.size();
    for (const auto& [side, bgra] : pictures) {
        const std::string bitmap = icon_bitmap(side, bgra);
        head += std::string{char(side), char(side), '\0', '\0'} + little16(1) + little16(32) +
                little32(uint32_t(bitmap.size())) + little32(uint32_t(behind + data.size()));
        data += bitmap;
    }
    return head + data;
}

struct Layer {
    std::string name;
    uint32_t x, y, width, height;
    std::string colour;  // of each channel, from red on; a fourth one is alpha
};

// Adobe Photoshop File Formats Specification: 8 bits, RGB, without compression. The flat picture is black.
std::string photoshop(uint32_t width, uint32_t height, const std::vector<Layer>& layers) {
    std::string records = big16(uint32_t(layers.size())), channels;
    for (const Layer& layer : layers) {
        const size_t pixels = size_t(layer.width) * layer.height;
        records += big32(layer.y) + big32(layer.x) + big32(layer.y + layer.height) + big32(layer.x + layer.width) +
                   big16(uint32_t(layer.colour.size()));
        for (size_t c = 0; c < layer.colour.size(); ++c) {
            records += big16(c == 3 ? 0xffff : uint32_t(c)) + big32(uint32_t(2 + pixels));
            channels += big16(0) + std::string(pixels, layer.colour[c]);
        }
        std::string name = char(layer.name.size()) + layer.name;
        while (name.size() % 4) name += '\0';
        records += "8BIMnorm\xff\0\0\0"s + big32(uint32_t(8 + name.size())) + big32(0) + big32(0) + name;
    }
    std::string info = records + channels;
    if (info.size() % 2) info += '\0';
    const std::string section = big32(uint32_t(info.size())) + info + big32(0);
    return "8BPS" + big16(1) + std::string(6, '\0') + big16(3) + big32(height) + big32(width) + big16(8) + big16(3) +
           big32(0) + big32(0) + big32(uint32_t(section.size())) + section + big16(0) +
           std::string(size_t(width) * height * 3, '\0');
}

class Layers : public testing::Test {
protected:
    Image read(const std::string& part) const {
        Reading reading;
        reading.choice.part = part;
        return read_image(file_, reading);
    }
    // Of the pixel in the middle, as stored.
    static std::vector<int> middle(const Image& image) {
        std::vector<int> values;
        for (int c = 0; c < image.channels(); ++c)
            values.push_back(image.row_as<uint8_t>(image.height() / 2)[image.width() / 2 * image.channels() + c]);
        return values;
    }
    Folder folder_;
    std::filesystem::path file_;
};

TEST_F(Layers, EachSizeOfAnIconIsAPartAndTheLargestTheFirst) {
    file_ = folder_.write("a.ico", icon({{16, "\x0a\x14\x1e\x80"}, {32, "\xc8\x64\x32\xff"}}));
    const PictureFacts facts = read_facts(file_);
    ASSERT_EQ(facts.parts.size(), 2u);
    EXPECT_EQ(facts.parts[0].width, 32);
    const Image large = read("1"), small = read("2");
    EXPECT_EQ(small.width(), 16);
    EXPECT_EQ(middle(small), (std::vector<int>{0x1e, 0x14, 0x0a, 0x80}));
    EXPECT_EQ(small.alpha(), Alpha::straight) << "the colours are larger than premultiplied ones could be";
    EXPECT_EQ(large.width(), 32);
    EXPECT_EQ(middle(large), (std::vector<int>{0x32, 0x64, 0xc8, 0xff}));
    EXPECT_NE(error_of([&] { read("3"); }).find("no part '3'"), std::string::npos);
}

TEST_F(Layers, OfPhotoshopAreChosenByNumberOrName) {
    file_ = folder_.write(
        "a.psd", photoshop(8, 6, {{"Base", 0, 0, 8, 6, "\x10\x20\x30"s}, {"Glow", 2, 1, 3, 2, "\xc8\x1e\x28\x80"s}}));
    const PictureFacts facts = read_facts(file_);
    ASSERT_EQ(facts.parts.size(), 3u);
    EXPECT_EQ(facts.parts[2].name, "Glow");
    EXPECT_EQ(middle(read("1")), (std::vector<int>{0, 0, 0})) << "the flat picture";
    EXPECT_EQ(middle(read("Base")), (std::vector<int>{0x10, 0x20, 0x30}));
    const Image glow = read("Glow");
    EXPECT_EQ(glow.width(), 3);
    EXPECT_EQ(glow.height(), 2);
    EXPECT_EQ(middle(glow), (std::vector<int>{0xc8, 0x1e, 0x28, 0x80}));
    EXPECT_EQ(glow.alpha(), Alpha::straight);
    EXPECT_EQ(middle(read("3")), middle(glow));
}

}  // namespace
}  // namespace texelscope::test
#endif
