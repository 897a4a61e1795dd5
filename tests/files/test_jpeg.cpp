// JPEG.

#include <gtest/gtest.h>
#include <stb/stb_image.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <string>

#include "app/files/codecs/codecs.h"
#include "app/files/reading/image_files.h"
#include "gpu/core/image.h"
#include "tests/files/bytes.h"
#include "tests/support/encoded_files.h"

namespace texelscope::test {
namespace {

using namespace std::string_literals;

// JPEG files of the kinds that cameras and programs write, made by libjpeg's encoder.

int ramp_value(int x, int y, int c) { return 40 + x + 2 * y / 3 + 30 * c; }

void progressive(jpeg_compress_struct& info) { jpeg_simple_progression(&info); }
void restarting(jpeg_compress_struct& info) { info.restart_interval = 3; }
void whole_colour(jpeg_compress_struct& info) { info.comp_info[0].h_samp_factor = info.comp_info[0].v_samp_factor = 1; }

int largest_difference(const Image& a, const Image& b) {
    EXPECT_EQ(describe(a), describe(b));
    int worst = 0;
    for (size_t i = 0; i < std::min(a.size_bytes(), b.size_bytes()); ++i)
        worst = std::max(worst, std::abs(int(a.data()[i]) - int(b.data()[i])));
    return worst;
}

class Jpeg : public testing::Test {
protected:
    Image read(const std::string& bytes) { return read_image(folder.write("a.jpg", bytes)); }
    Folder folder;
};

TEST_F(Jpeg, GreyAndColourAreWhatWasWritten) {
    for (const int channels : {1, 3}) {
        const auto space = channels == 1 ? JCS_GRAYSCALE : JCS_RGB;
        const Image image = read(jpeg_of(61, 43, channels, space, ramp_value, channels == 3 ? whole_colour : nullptr));
        ASSERT_EQ(image.channels(), channels);
        for (int y = 0; y < 43; ++y)
            for (int x = 0; x < 61 * channels; ++x)
                ASSERT_NEAR(image.row_as<uint8_t>(y)[x], ramp_value(x / channels, y, x % channels), 4);
    }
}

// The picture by a decoder of another origin.
Image read_by_stb(const std::string& bytes) {
    int width = 0, height = 0, channels = 0;
    const auto* data = reinterpret_cast<const stbi_uc*>(bytes.data());
    const std::unique_ptr<stbi_uc, void (*)(void*)> samples(
        stbi_load_from_memory(data, int(bytes.size()), &width, &height, &channels, 0), stbi_image_free);
    if (!samples) throw Error(stbi_failure_reason());
    Image image(width, height, channels, SampleType::u8);
    std::memcpy(image.data(), samples.get(), image.size_bytes());
    return image;
}

// Read by a decoder of another origin. Quality 95 quantises these slopes by at most a few levels.
TEST_F(Jpeg, WhatIsWrittenIsWhatOthersRead) {
    for (const int channels : {1, 3}) {
        Image image(61, 143, channels, SampleType::u8);
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < 61 * channels; ++x)
                image.row_as<uint8_t>(y)[x] = uint8_t(ramp_value(x / channels, y, x % channels));
        write_image(image, folder / "b.jpg");
        const std::string bytes = content_of(folder / "b.jpg");
        const Image back = read_by_stb(bytes);
        ASSERT_EQ(describe(back), describe(image));
        for (size_t i = 0; i < image.size_bytes(); ++i) ASSERT_NEAR(int(back.data()[i]), int(image.data()[i]), 4) << i;
        // The frame header: marker, length, precision, height, width, number of components; colour at the full size.
        const size_t frame = bytes.find("\xff\xc0"s);
        ASSERT_NE(frame, std::string::npos);
        for (int c = 0; c < channels; ++c) EXPECT_EQ(bytes[frame + 11 + 3 * size_t(c)], 0x11) << c;
    }
    const Image wide(65501, 1, 1, SampleType::u8);
    EXPECT_NE(refusal([&] { write_image(wide, folder / "c.jpg"); }).find("c.jpg: JPEG files have at most 65500 pixels"),
              std::string::npos);
    EXPECT_FALSE(std::filesystem::exists(folder / "c.jpg"));
}

// The decoder of another origin; docs/fidelity.md has the tolerance.
TEST_F(Jpeg, StbReadsTheSameButForRounding) {
    using Settings = void (*)(jpeg_compress_struct&);
    for (const auto& [settings, tolerance] :
         {std::pair<Settings, int>{whole_colour, 3}, {progressive, 6}, {restarting, 6}}) {
        const std::string bytes = jpeg_of(200, 120, 3, JCS_RGB, ramp_value, settings);
        const Image ours = read(bytes), others = read_by_stb(bytes);
        EXPECT_LE(largest_difference(ours, others), tolerance);
    }
}

TEST_F(Jpeg, InksBecomeColours) {
    // Adobe's programs store inks inverted: 255 is none.
    const Image paper = read(jpeg_of(
        16, 16, 4, JCS_CMYK, [](int, int, int) { return 255; }, [](auto& info) { info.write_Adobe_marker = TRUE; }));
    ASSERT_EQ(paper.channels(), 3);
    EXPECT_GE(int(paper.data()[0]), 253);
    const auto cyan = [](int, int, int c) { return c == 0 ? 255 : 0; };
    const Image plain = read(jpeg_of(16, 16, 4, JCS_CMYK, cyan, [](auto& info) { info.write_Adobe_marker = FALSE; }));
    EXPECT_LE(int(plain.data()[0]), 2);
    EXPECT_GE(int(plain.data()[1]), 253);
    EXPECT_GE(int(plain.data()[2]), 253);
}

// stb calls it damaged: it counts in int.
TEST_F(Jpeg, APictureOfThreeThousandMegabytesIsWithinTheLimits) {
    FactsTarget target;
    // A header as of 40 000×25 000; the rest is not looked at.
    std::string bytes = jpeg_of(64, 64, 3, JCS_RGB, ramp_value);
    const size_t frame = bytes.find("\xff\xc0");
    ASSERT_NE(frame, bytes.npos);
    bytes.replace(frame + 5, 4, "\x61\xa8\x9c\x40");
    decode_jpeg({}, std::as_bytes(std::span(bytes)), target);
    EXPECT_EQ(target.facts.shape.width, 40000);
    EXPECT_EQ(target.facts.shape.height, 25000);
}

TEST_F(Jpeg, RowsAreToldAsTheyCome) {
    std::vector<int> rows;
    int differences = 0;
    const auto path = folder.write("a.jpg", jpeg_of(64, 1000, 3, JCS_RGB, ramp_value));
    const Image whole = read_image_in_process(path);
    read_image_in_process(path, {.progress = [&](const Image& so_far, int done) {
                              rows.push_back(done);
                              differences +=
                                  std::memcmp(so_far.data(), whole.data(), size_t(done) * whole.row_bytes()) != 0;
                          }});
    EXPECT_EQ(differences, 0) << "rows that are told are complete";
    EXPECT_GT(rows.size(), 10u);
    EXPECT_EQ(rows.front(), 0);
    EXPECT_EQ(rows.back(), 1000);
    EXPECT_TRUE(std::is_sorted(rows.begin(), rows.end()));
}

TEST_F(Jpeg, DamageInTheMiddleIsAnError) {
    std::string bytes =
        jpeg_of(400, 400, 3, JCS_RGB, [](int x, int y, int c) { return (x * 7 + y * 13 + c * 50) % 256; });
    bytes.erase(bytes.size() / 2, bytes.size() / 4);
    const std::string text = refusal([&] { read(bytes); });
    EXPECT_NE(text.find("the JPEG is damaged"), std::string::npos) << text;
    EXPECT_EQ(text.find('\n'), std::string::npos);
}

TEST_F(Jpeg, WhatFollowsThePictureDoesNotMatter) {
    const std::string bytes = jpeg_of(40, 40, 3, JCS_RGB, ramp_value);
    EXPECT_EQ(largest_difference(read(bytes), read(bytes + std::string(5000, 'x'))), 0);
}

// Means over blocks of the samples, as far as the quality permits.
TEST_F(Jpeg, IsSmallerIfThatIsEnough) {
    for (const int channels : {1, 3}) {
        const auto path =
            folder.write("a.jpg", jpeg_of(403, 300, channels, channels == 1 ? JCS_GRAYSCALE : JCS_RGB,
                                          [](int x, int y, int c) { return 20 + x / 3 + y / 3 + 10 * c; }));
        for (const auto& [enough, width, height] :
             {std::tuple{0, 403, 300}, {404, 403, 300}, {202, 403, 300}, {201, 202, 150}, {100, 101, 75}, {10, 51, 38}})
            for (const bool in_process : {false, true}) {
                PictureFacts facts;
                Reading reading;
                reading.enough = enough;
                reading.told = [&](const PictureFacts& told) { facts = told; };
                const Image image = in_process ? read_image_in_process(path, reading) : read_image(path, reading);
                EXPECT_EQ(image.width(), width) << enough;
                EXPECT_EQ(image.height(), height) << enough;
                ASSERT_EQ(facts.parts.size(), 1u);
                EXPECT_EQ(facts.parts[0].width, 403) << "as stored";
                EXPECT_EQ(facts.shape.width, width);
                const int step = (403 + width - 1) / width, x = width / 2, y = height / 2;
                const double expected = 20 + (x + 0.5) * step / 3 + (y + 0.5) * step / 3;
                EXPECT_NEAR(255 * image.value(x, y, 0), expected, 3) << enough;
            }
    }
}

TEST_F(Jpeg, WhoIsToldOfItMayRefuseIt) {
    struct Refused {};
    const auto path = folder.write("a.jpg", jpeg_of(64, 64, 3, JCS_RGB, ramp_value));
    Reading reading;
    reading.told = [](const PictureFacts&) { throw Refused(); };
    EXPECT_THROW(read_image(path, reading), Refused);
    EXPECT_THROW(read_image_in_process(path, reading), Refused);
}

using Inks = std::array<unsigned char, 4>;

// JPEG with four inks against Little CMS's own transform.

// 32×32 pixels of one colour. Adobe's programs store the inks inverted and add a marker of theirs.
std::string inked_jpeg(const Inks& inks, const Bytes& profile, bool adobe) {
    return jpeg_of(
        32, 32, 4, JCS_CMYK, [&](int, int, int c) { return adobe ? 255 - inks[size_t(c)] : inks[size_t(c)]; },
        [adobe](jpeg_compress_struct& info) {
            jpeg_set_quality(&info, 100, TRUE);
            info.write_Adobe_marker = adobe;
        },
        profile);
}

std::array<unsigned char, 3> expected(const Inks& inks, const Bytes& profile) {
    cmsHPROFILE from = cmsOpenProfileFromMem(profile.data(), cmsUInt32Number(profile.size())),
                to = cmsCreate_sRGBProfile();
    cmsHTRANSFORM transform = cmsCreateTransform(from, TYPE_CMYK_8, to, TYPE_RGB_8, 0, cmsFLAGS_NOOPTIMIZE);
    std::array<unsigned char, 3> rgb{};
    cmsDoTransform(transform, inks.data(), rgb.data(), 1);
    cmsDeleteTransform(transform);
    cmsCloseProfile(from);
    cmsCloseProfile(to);
    return rgb;
}

class CmykJpeg : public testing::Test {
protected:
    Image read(const Inks& inks, const Bytes& icc, bool adobe) {
        return read_image(folder.write("a.jpg", inked_jpeg(inks, icc, adobe)));
    }
    Folder folder;
    Bytes profile = bytes_of(inks_profile().get());
};

TEST_F(CmykJpeg, BecomesSrgbByItsProfile) {
    for (const bool adobe : {true, false})
        for (const Inks inks : {Inks{0, 0, 0, 0}, Inks{255, 0, 0, 0}, Inks{40, 200, 90, 30}, Inks{0, 0, 0, 255}}) {
            const Image image = read(inks, profile, adobe);
            ASSERT_EQ(image.channels(), 3);
            ASSERT_TRUE(image.profile());
            EXPECT_TRUE(image.profile()->applied);
            const auto rgb = expected(inks, profile);
            for (int c = 0; c < 3; ++c)
                EXPECT_NEAR(image.row_as<uint8_t>(16)[3 * 16 + c], rgb[size_t(c)], 3) << adobe << " " << c;
        }
}

// As before: by the image library.
TEST_F(CmykJpeg, WithoutAProfileThatCanBeUsedIsStillAPicture) {
    Bytes damaged = profile;
    std::fill(damaged.begin() + 128, damaged.end(), std::byte(0xff));
    for (const Bytes& each : {Bytes(), damaged}) {
        const Image image = read({0, 255, 0, 0}, each, true);
        ASSERT_EQ(image.channels(), 3);
        EXPECT_NEAR(image.row_as<uint8_t>(16)[3 * 16], 255, 3);
        EXPECT_NEAR(image.row_as<uint8_t>(16)[3 * 16 + 1], 0, 3);
    }
}

}  // namespace
}  // namespace texelscope::test
