// JPEG with four inks against Little CMS's own transform.

#include <algorithm>
#include <array>
#include <string>

#include <gtest/gtest.h>

#include "app/files/reading/image_files.h"
#include "gpu/core/colour_profile.h"
#include "tests/files/bytes.h"
#include "tests/support/icc_profiles.h"
#include "tests/support/jpeg_file.h"

namespace texelscope::test {
namespace {

using Inks = std::array<unsigned char, 4>;

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
