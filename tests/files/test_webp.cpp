// WebP with alpha, with frames and on its side, from pictures that libwebp has packed without loss.
#if __has_include(<webp/encode.h>)
#include <gtest/gtest.h>

#include <webp/encode.h>

#include "app/files/reading/image_files.h"
#include "tests/files/bytes.h"
#include "tests/files/oriented_files.h"

namespace texelscope::test {
namespace {

std::string little24(int v) { return little32(uint32_t(v)).substr(0, 3); }

std::string riff_chunk(const std::string& type, const std::string& data) {
    return type + little32(uint32_t(data.size())) + data + (data.size() % 2 ? std::string(1, '\0') : "");
}

std::string riff(const std::string& chunks) { return "RIFF" + little32(uint32_t(chunks.size()) + 4) + "WEBP" + chunks; }

// A whole file of straight RGBA.
std::string packed(int width, int height, const std::string& samples) {
    uint8_t* bytes = nullptr;
    const size_t size =
        WebPEncodeLosslessRGBA(reinterpret_cast<const uint8_t*>(samples.data()), width, height, width * 4, &bytes);
    const std::string file(reinterpret_cast<const char*>(bytes), size);
    WebPFree(bytes);
    return file;
}

// Its only chunk.
std::string picture_of(const std::string& file) { return file.substr(12); }

// With what is in an extended file: 0x02 frames, 0x08 EXIF data, 0x10 alpha.
std::string extended(int flags, int width, int height) {
    return riff_chunk("VP8X", little32(uint32_t(flags)) + little24(width - 1) + little24(height - 1));
}

std::string all_samples(const Image& image) {
    return {reinterpret_cast<const char*>(image.data()), image.size_bytes()};
}

class WebP : public testing::Test {
protected:
    void SetUp() override {
        for (int i = 0; i < 12 * 7; ++i) samples_ += {char(i), char(i * 2), '\x50', char(i % 3 ? 255 : 40 + i)};
    }
    std::string samples_;
    Folder folder_;
};

TEST_F(WebP, KeepsColourUnderItsAlpha) {
    const Image image = read_image(folder_.write("a.webp", packed(12, 7, samples_)));
    ASSERT_EQ(image.channels(), 4);
    EXPECT_EQ(image.alpha(), Alpha::straight);
    EXPECT_EQ(all_samples(image), samples_);
}

TEST_F(WebP, WithoutAlphaHasThreeChannels) {
    for (size_t i = 3; i < samples_.size(); i += 4) samples_[i] = '\xff';
    const Image image = read_image(folder_.write("a.webp", packed(12, 7, samples_)));
    ASSERT_EQ(image.channels(), 3);
    EXPECT_EQ(image.row_as<uint8_t>(0)[3 * 5 + 1], 10);
}

TEST_F(WebP, IsTurnedAsItsExifDataSay) {
    const std::string file = packed(12, 7, samples_);
    const Image stored = read_image(folder_.write("a.webp", file));
    for (int orientation = 1; orientation <= 8; ++orientation) {
        const auto turned = folder_.write("b.webp", riff(extended(0x18, 12, 7) + picture_of(file) +
                                                         riff_chunk("EXIF", exif(orientation, orientation % 2 == 0))));
        EXPECT_TRUE(is_upright(read_image(turned), stored, orientation)) << orientation;
    }
}

TEST_F(WebP, FramesAreDrawnOverThoseBefore) {
    const auto frame = [&](int x, int y, const std::string& colour) {
        std::string samples;
        for (int i = 0; i < 4 * 2; ++i) samples += colour;
        return riff_chunk("ANMF", little24(x / 2) + little24(y / 2) + little24(3) + little24(1) + little24(100) + '\0' +
                                      picture_of(packed(4, 2, samples)));
    };
    const std::string red = "\xff\x10\x20\xff", green = "\x10\xff\x20\xff";
    const auto path = folder_.write("a.webp", riff(extended(0x12, 8, 4) + riff_chunk("ANIM", std::string(6, '\0')) +
                                                   frame(0, 0, red) + frame(4, 2, green)));
    const auto pixel = [](const Image& image, int x, int y) {
        return all_samples(image).substr(size_t(y * 8 + x) * 4, 4);
    };
    Reading second;
    second.choice.part = "2";
    EXPECT_EQ(read_facts(path).parts.size(), 2u);
    EXPECT_EQ(pixel(read_image(path), 1, 1), red);
    EXPECT_EQ(pixel(read_image(path), 5, 3), std::string(4, '\0'));
    EXPECT_EQ(pixel(read_image(path, second), 1, 1), red);
    EXPECT_EQ(pixel(read_image(path, second), 5, 3), green);
}

TEST_F(WebP, ThatIsNotWholeIsRefused) {
    const std::string file = packed(12, 7, samples_);
    for (size_t size = 13; size < file.size(); size += 7)
        EXPECT_NE(error_of([&] { read_image(folder_.write("a.webp", file.substr(0, size))); }), "") << size;
}

}  // namespace
}  // namespace texelscope::test
#endif
