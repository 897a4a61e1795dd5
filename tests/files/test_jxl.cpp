// JPEG XL of every sample type, with alpha, frames and on its side, from pictures that libjxl has packed.
#if __has_include(<jxl/encode.h>)
#include <cmath>
#include <cstring>
#include <memory>

#include <gtest/gtest.h>

#include <jxl/encode.h>

#include "app/files/codecs/codecs.h"
#include "app/files/reading/image_files.h"
#include "tests/files/bytes.h"
#include "tests/files/oriented_files.h"

namespace texelscope::test {
namespace {

constexpr int width = 12, height = 7;

struct Packing {
    int orientation = 1;
    int frames = 1;  // the same picture, its first number one more in each
    bool lossy = false;
    bool linear = false;  // lossy: the samples are linear light
};

// The test is of no use if libjxl refuses.
void expect(JxlEncoderStatus status) {
    if (status == JXL_ENC_ERROR) throw Error("libjxl does not write the test's picture");
}

std::string packed(const Image& image, const Packing& how = {}) {
    const std::unique_ptr<JxlEncoder, void (*)(JxlEncoder*)> encoder(JxlEncoderCreate(nullptr), JxlEncoderDestroy);
    const int bits = 8 * int(bytes_per_sample(image.type()));
    const bool floats = image.type() == SampleType::f32, alpha = image.channels() % 2 == 0;
    JxlBasicInfo info;
    JxlEncoderInitBasicInfo(&info);
    info.xsize = uint32_t(image.width());
    info.ysize = uint32_t(image.height());
    info.bits_per_sample = uint32_t(bits);
    info.exponent_bits_per_sample = floats ? 8 : 0;
    info.num_color_channels = image.channels() > 2 ? 3 : 1;
    info.num_extra_channels = alpha ? 1 : 0;
    info.alpha_bits = alpha ? uint32_t(bits) : 0;
    info.alpha_exponent_bits = alpha && floats ? 8 : 0;
    info.orientation = JxlOrientation(how.orientation);
    info.uses_original_profile = !how.lossy;
    info.have_animation = how.frames > 1;
    if (how.frames > 1) info.animation = {10, 1, 0, JXL_FALSE};
    if (bits > 8) expect(JxlEncoderSetCodestreamLevel(encoder.get(), 10));
    expect(JxlEncoderSetBasicInfo(encoder.get(), &info));
    JxlColorEncoding colours;
    const bool grey = info.num_color_channels == 1;
    if (how.linear) JxlColorEncodingSetToLinearSRGB(&colours, grey);
    else JxlColorEncodingSetToSRGB(&colours, grey);
    expect(JxlEncoderSetColorEncoding(encoder.get(), &colours));
    JxlEncoderFrameSettings* settings = JxlEncoderFrameSettingsCreate(encoder.get(), nullptr);
    if (how.lossy) expect(JxlEncoderSetFrameDistance(settings, 0.3f));
    else expect(JxlEncoderSetFrameLossless(settings, JXL_TRUE));
    const JxlPixelFormat format{uint32_t(image.channels()),
                                floats     ? JXL_TYPE_FLOAT
                                : bits > 8 ? JXL_TYPE_UINT16
                                           : JXL_TYPE_UINT8,
                                JXL_NATIVE_ENDIAN, 0};
    Image frame = image;
    for (int k = 0; k < how.frames; ++k) {
        JxlFrameHeader header;
        JxlEncoderInitFrameHeader(&header);
        header.duration = how.frames > 1 ? 1 : 0;
        expect(JxlEncoderSetFrameHeader(settings, &header));
        frame.data()[0] = std::byte(std::to_integer<int>(image.data()[0]) + k);
        expect(JxlEncoderAddImageFrame(settings, &format, frame.data(), frame.size_bytes()));
    }
    JxlEncoderCloseInput(encoder.get());
    std::string file(1 << 20, '\0');
    auto* next = reinterpret_cast<uint8_t*>(file.data());
    size_t left = file.size();
    expect(JxlEncoderProcessOutput(encoder.get(), &next, &left));
    file.resize(file.size() - left);
    return file;
}

// Every number of its own, and values that no smaller type has.
Image picture(int channels, SampleType type) {
    Image image(width, height, channels, type, channels % 2 ? Alpha::none : Alpha::straight);
    for (int i = 0; i < width * height * channels; ++i) {
        if (type == SampleType::u8) image.row_as<uint8_t>(0)[i] = uint8_t(i * 7);
        else if (type == SampleType::u16) image.row_as<uint16_t>(0)[i] = uint16_t(i * 257 + 3);
        else image.row_as<float>(0)[i] = float(i) * 0.37f - 2;
    }
    return image;
}

class JpegXl : public testing::Test {
protected:
    void SetUp() override {
        if (!readable(*codec_of_extension("a.jxl"))) GTEST_SKIP() << "this build has no libjxl";
    }
    Folder folder_;
};

TEST_F(JpegXl, KeepsEverySampleOfEveryType) {
    for (const SampleType type : {SampleType::u8, SampleType::u16, SampleType::f32})
        for (const int channels : {1, 2, 3, 4}) {
            // libjxl 0.7 packs a single channel of floats 4096 times too large; its own djxl shows the same.
            if (type == SampleType::f32 && channels == 1) continue;
            const Image stored = picture(channels, type);
            const Image read = read_image(folder_.write("a.jxl", packed(stored)));
            ASSERT_EQ(describe(read), describe(stored));
            EXPECT_EQ(std::memcmp(read.data(), stored.data(), stored.size_bytes()), 0) << describe(stored);
        }
}

TEST_F(JpegXl, IsTurnedAsItsHeaderSays) {
    const Image stored = picture(3, SampleType::u8);
    for (int orientation = 1; orientation <= 8; ++orientation) {
        const auto path = folder_.write("a.jxl", packed(stored, {.orientation = orientation}));
        EXPECT_TRUE(is_upright(read_image(path), stored, orientation)) << orientation;
        Reading as_stored;
        as_stored.choice.upright = false;
        EXPECT_TRUE(is_upright(read_image(path, as_stored), stored, 1)) << orientation;
    }
}

TEST_F(JpegXl, HasFrames) {
    const Image stored = picture(3, SampleType::u8);
    const auto path = folder_.write("a.jxl", packed(stored, {.frames = 3}));
    EXPECT_EQ(read_facts(path).parts.size(), 3u);
    for (int frame = 0; frame < 3; ++frame) {
        Reading one;
        one.choice.part = std::to_string(frame + 1);
        const Image read = read_image(path, one);
        EXPECT_EQ(read.row_as<uint8_t>(0)[0], frame);
        EXPECT_EQ(read.row_as<uint8_t>(0)[1], 7);
    }
}

// A grey of 0.5 in linear light is 188 in sRGB (IEC 61966-2-1): what has no space of its own arrives in ours.
TEST_F(JpegXl, WithLossIsSrgb) {
    Image grey(64, 64, 3, SampleType::u8);
    std::memset(grey.data(), 128, grey.size_bytes());
    const auto value = [&](const Packing& how) {
        return int(read_image(folder_.write("a.jxl", packed(grey, how))).row_as<uint8_t>(32)[96]);
    };
    EXPECT_NEAR(value({.lossy = true}), 128, 1);
    EXPECT_NEAR(value({.lossy = true, .linear = true}), 188, 1);
}

TEST_F(JpegXl, ThatIsNotWholeIsRefused) {
    const std::string file = packed(picture(3, SampleType::u8));
    for (size_t size = 2; size + 1 < file.size(); size += 5) {
        const std::string text = error_of([&] { read_image(folder_.write("a.jxl", file.substr(0, size))); });
        EXPECT_NE(text.find("JPEG XL"), std::string::npos) << size << ": " << text;
    }
}

}  // namespace
}  // namespace texelscope::test
#endif
