// JPEG with four inks against Little CMS's own transform.

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <vector>

#include <gtest/gtest.h>
#include <jpeglib.h>
#include <lcms2.h>
#include <unistd.h>

#include "app/files/image_files.h"
#include "gpu/core/colour_profile.h"

namespace texelscope::test {
namespace {

using Inks = std::array<unsigned char, 4>;

// Inks as filters of light, each weaker than its ideal: no naive formula gives these colours.
cmsInt32Number filtered(const cmsUInt16Number in[], cmsUInt16Number out[], void* to_lab) {
    cmsUInt16Number rgb[3];
    for (int c = 0; c < 3; ++c) {
        const double ink = in[c] / 65535.0, black = in[3] / 65535.0;
        rgb[c] = cmsUInt16Number(65535 * (1 - 0.8 * ink) * (1 - 0.9 * black));
    }
    cmsDoTransform(to_lab, rgb, out, 1);
    return 1;
}

std::vector<unsigned char> inks_profile() {
    cmsHPROFILE srgb = cmsCreate_sRGBProfile(), lab = cmsCreateLab4Profile(nullptr);
    cmsHTRANSFORM to_lab = cmsCreateTransform(srgb, TYPE_RGB_16, lab, TYPE_Lab_16, 0, cmsFLAGS_NOOPTIMIZE);
    cmsPipeline* pipeline = cmsPipelineAlloc(nullptr, 4, 3);
    cmsStage* table = cmsStageAllocCLut16bit(nullptr, 9, 4, 3, nullptr);
    cmsStageSampleCLut16bit(table, filtered, to_lab, 0);
    cmsPipelineInsertStage(pipeline, cmsAT_END, cmsStageAllocToneCurves(nullptr, 4, nullptr));  // the format wants them
    cmsPipelineInsertStage(pipeline, cmsAT_END, table);
    cmsPipelineInsertStage(pipeline, cmsAT_END, cmsStageAllocToneCurves(nullptr, 3, nullptr));
    cmsHPROFILE profile = cmsCreateProfilePlaceholder(nullptr);
    cmsSetProfileVersion(profile, 4.3);
    cmsSetDeviceClass(profile, cmsSigOutputClass);
    cmsSetColorSpace(profile, cmsSigCmykData);
    cmsSetPCS(profile, cmsSigLabData);
    cmsWriteTag(profile, cmsSigAToB0Tag, pipeline);
    cmsUInt32Number size = 0;
    cmsSaveProfileToMem(profile, nullptr, &size);
    std::vector<unsigned char> bytes(size);
    cmsSaveProfileToMem(profile, bytes.data(), &size);
    cmsPipelineFree(pipeline);
    for (cmsHPROFILE each : {srgb, lab, profile}) cmsCloseProfile(each);
    cmsDeleteTransform(to_lab);
    return bytes;
}

// 32×32 pixels of one colour. Adobe's programs store the inks inverted and add a marker of theirs.
void write_jpeg(const std::string& name, Inks inks, const std::vector<unsigned char>& profile, bool adobe) {
    jpeg_compress_struct encoder{};
    jpeg_error_mgr errors{};
    encoder.err = jpeg_std_error(&errors);
    jpeg_create_compress(&encoder);
    unsigned char* bytes = nullptr;
    unsigned long size = 0;
    jpeg_mem_dest(&encoder, &bytes, &size);
    encoder.image_width = encoder.image_height = 32;
    encoder.input_components = 4;
    encoder.in_color_space = JCS_CMYK;
    jpeg_set_defaults(&encoder);
    jpeg_set_quality(&encoder, 100, TRUE);
    encoder.write_Adobe_marker = adobe;
    jpeg_start_compress(&encoder, TRUE);
    if (!profile.empty()) jpeg_write_icc_profile(&encoder, profile.data(), unsigned(profile.size()));
    std::vector<unsigned char> row;
    for (int x = 0; x < 32; ++x)
        for (const unsigned char ink : inks) row.push_back(adobe ? static_cast<unsigned char>(255 - ink) : ink);
    for (int y = 0; y < 32; ++y) {
        unsigned char* begin = row.data();
        jpeg_write_scanlines(&encoder, &begin, 1);
    }
    jpeg_finish_compress(&encoder);
    std::ofstream(name, std::ios::binary).write(reinterpret_cast<const char*>(bytes), std::streamsize(size));
    jpeg_destroy_compress(&encoder);
    std::free(bytes);
}

std::array<unsigned char, 3> expected(Inks inks, const std::vector<unsigned char>& profile) {
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

TEST(CmykJpeg, BecomesSrgbByItsProfile) {
    const std::string name =
        std::filesystem::temp_directory_path() / ("texelscope-cmyk-" + std::to_string(getpid()) + ".jpg");
    const std::vector<unsigned char> profile = inks_profile();
    for (const bool adobe : {true, false})
        for (const Inks inks : {Inks{0, 0, 0, 0}, Inks{255, 0, 0, 0}, Inks{40, 200, 90, 30}, Inks{0, 0, 0, 255}}) {
            write_jpeg(name, inks, profile, adobe);
            const Image image = read_image(name);
            ASSERT_EQ(image.channels(), 3);
            ASSERT_TRUE(image.profile());
            EXPECT_TRUE(image.profile()->applied);
            const auto rgb = expected(inks, profile);
            for (int c = 0; c < 3; ++c)
                EXPECT_NEAR(image.row_as<uint8_t>(16)[3 * 16 + c], rgb[size_t(c)], 3) << adobe << " " << c;
        }
    std::filesystem::remove(name);
}

// As before: by the image library.
TEST(CmykJpeg, WithoutAProfileThatCanBeUsedIsStillAPicture) {
    const std::string name =
        std::filesystem::temp_directory_path() / ("texelscope-cmyk-" + std::to_string(getpid()) + ".jpg");
    std::vector<unsigned char> damaged = inks_profile();
    for (size_t i = 128; i < damaged.size(); ++i) damaged[i] = 0xff;
    for (const std::vector<unsigned char>& profile : {std::vector<unsigned char>(), damaged}) {
        write_jpeg(name, {0, 255, 0, 0}, profile, true);
        const Image image = read_image(name);
        ASSERT_EQ(image.channels(), 3);
        EXPECT_NEAR(image.row_as<uint8_t>(16)[3 * 16], 255, 3);
        EXPECT_NEAR(image.row_as<uint8_t>(16)[3 * 16 + 1], 0, 3);
    }
    std::filesystem::remove(name);
}

}  // namespace
}  // namespace texelscope::test
