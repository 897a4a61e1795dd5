// WebP and JPEG XL.

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <memory>

#include "app/files/codecs/codecs.h"
#include "app/files/reading/image_files.h"
#include "tests/files/bytes.h"
#include "tests/files/pixels.h"

#if __has_include(<webp/encode.h>)
#include <webp/encode.h>
#endif
#if __has_include(<jxl/encode.h>)
#include <jxl/encode.h>
#endif

namespace texelscope::test {
namespace {

#if __has_include(<webp/encode.h>)
// WebP with alpha, with frames and on its side, from pictures that libwebp has packed without loss.

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

TEST_F(WebP, WithoutRowsIsRefused) {
    const std::string file = packed(12, 7, samples_);
    for (size_t size = 13; size < 48; size += 7)
        EXPECT_NE(refusal([&] { read_image(folder_.write("a.webp", file.substr(0, size))); }), "") << size;
}

TEST_F(WebP, NeedsNothingThatFollowsThePicture) {
    const std::string file = packed(12, 7, samples_), note = riff_chunk("EXIF", exif(1, true));
    const std::string noted = riff(extended(0x18, 12, 7) + picture_of(file) + note);
    for (size_t missing = 0; missing <= note.size(); ++missing)
        EXPECT_EQ(all_samples(read_image(folder_.write("a.webp", noted.substr(0, noted.size() - missing)))), samples_)
            << missing;
    std::string claiming = file;
    claiming.replace(4, 4, little32(uint32_t(file.size())));  // eight bytes too many
    EXPECT_EQ(all_samples(read_image(folder_.write("a.webp", claiming))), samples_);
}

// As they are in the whole file; the others are 0.
TEST_F(WebP, IsWrittenWithoutLoss) {
    Image image(12, 7, 4, SampleType::u8, Alpha::straight);
    std::memcpy(image.data(), samples_.data(), image.size_bytes());
    image.data()[3] = std::byte(0);  // the colour under it is kept
    const Losses losses = write_image(image, folder_ / "a.webp");
    EXPECT_EQ(words_of(losses), "");
    const Image read = read_image(folder_ / "a.webp");
    ASSERT_EQ(describe(read), describe(image));
    EXPECT_EQ(std::memcmp(read.data(), image.data(), image.size_bytes()), 0);
}

TEST_F(WebP, RowsThatAreThereAreRead) {
    constexpr int across = 40, down = 200;
    std::string noise;
    uint32_t state = 1;
    for (int i = 0; i < across * down * 4; ++i) noise += char((state = state * 1664525 + 1013904223) >> 24);
    uint8_t* bytes = nullptr;
    const size_t size = WebPEncodeRGBA(reinterpret_cast<const uint8_t*>(noise.data()), across, down, across * 4, 90,
                                       &bytes);  // alpha before colour
    const std::string lossy(reinterpret_cast<const char*>(bytes), size);
    WebPFree(bytes);
    for (const std::string& file : {packed(across, down, noise), lossy}) {
        const Image whole = read_image(folder_.write("a.webp", file));
        const Image cut = read_image(folder_.write("b.webp", file.substr(0, file.size() * 3 / 4)));
        const SampleRegion missing = cut.missing();
        const auto there = size_t(missing.y);
        EXPECT_EQ(missing, (SampleRegion{0, missing.y, across, down - int(missing.y)}));
        EXPECT_GT(there, 20u);
        EXPECT_LT(there, 180u);
        const size_t row = across * 4;
        EXPECT_EQ(all_samples(cut).substr(0, there * row), all_samples(whole).substr(0, there * row));
        EXPECT_EQ(all_samples(cut).substr(there * row), std::string((down - there) * row, '\0'));
    }
}
#endif

#if __has_include(<jxl/encode.h>)
// JPEG XL of every sample type, with alpha, frames and on its side, from pictures that libjxl has packed.

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
Image picture_of(int channels, SampleType type) {
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
            const Image stored = picture_of(channels, type);
            const Image read = read_image(folder_.write("a.jxl", packed(stored)));
            ASSERT_EQ(describe(read), describe(stored));
            EXPECT_EQ(std::memcmp(read.data(), stored.data(), stored.size_bytes()), 0) << describe(stored);
        }
}

TEST_F(JpegXl, IsTurnedAsItsHeaderSays) {
    const Image stored = picture_of(3, SampleType::u8);
    for (int orientation = 1; orientation <= 8; ++orientation) {
        const auto path = folder_.write("a.jxl", packed(stored, {.orientation = orientation}));
        EXPECT_TRUE(is_upright(read_image(path), stored, orientation)) << orientation;
        Reading as_stored;
        as_stored.choice.upright = false;
        EXPECT_TRUE(is_upright(read_image(path, as_stored), stored, 1)) << orientation;
    }
}

TEST_F(JpegXl, HasFrames) {
    const Image stored = picture_of(3, SampleType::u8);
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

// libjxl delivers groups of 256×256 pixels that are there; which ones it does not say.
TEST_F(JpegXl, ThatIsCutShowsItsGroups) {
    Image stored(300, 600, 3, SampleType::u8);
    uint32_t state = 1;
    for (size_t i = 0; i < stored.size_bytes(); ++i)
        stored.data()[i] = std::byte((state = state * 1664525 + 1013904223) >> 24);
    const std::string file = packed(stored);
    EXPECT_EQ(read_image(folder_.write("a.jxl", file)).missing(), SampleRegion{});
    const auto path = folder_.write("a.jxl", file.substr(0, file.size() * 3 / 4));
    const Image cut = read_image(path);
    EXPECT_EQ(cut.missing(), (SampleRegion{0, 0, 300, 600}));
    EXPECT_EQ(read_facts(path).missing, cut.missing());
    EXPECT_EQ(std::memcmp(cut.data(), stored.data(), 256 * stored.row_bytes()), 0);
    EXPECT_EQ(cut.row_as<uint8_t>(599)[899], 0);
}

TEST_F(JpegXl, OfWhichNothingIsThereIsRefused) {
    const std::string file = packed(picture_of(3, SampleType::u8));
    for (size_t size = 2; size + 1 < file.size(); size += 5) {
        const std::string text = refusal([&] { read_image(folder_.write("a.jxl", file.substr(0, size))); });
        EXPECT_NE(text.find("JPEG XL"), std::string::npos) << size << ": " << text;
    }
}
#endif

}  // namespace
}  // namespace texelscope::test
