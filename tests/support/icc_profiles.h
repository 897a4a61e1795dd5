#pragma once
// Colour profiles made by Little CMS, of the kinds that files have.

#include <cstddef>
#include <memory>
#include <vector>

#include <lcms2.h>

namespace texelscope::test {

struct ProfileCloser {
    void operator()(void* profile) const { cmsCloseProfile(profile); }
};
using ProfileHandle = std::unique_ptr<void, ProfileCloser>;

inline std::vector<std::byte> bytes_of(cmsHPROFILE profile) {
    cmsUInt32Number size = 0;
    cmsSaveProfileToMem(profile, nullptr, &size);
    std::vector<std::byte> bytes(size);
    cmsSaveProfileToMem(profile, bytes.data(), &size);
    return bytes;
}

// As a file has it: its numbers are rounded.
inline ProfileHandle stored(const ProfileHandle& profile) {
    const std::vector<std::byte> bytes = bytes_of(profile.get());
    return ProfileHandle(cmsOpenProfileFromMem(bytes.data(), cmsUInt32Number(bytes.size())));
}

inline void describe_profile(cmsHPROFILE profile, const char* name) {
    cmsMLU* text = cmsMLUalloc(nullptr, 1);
    cmsMLUsetASCII(text, "en", "US", name);
    cmsWriteTag(profile, cmsSigProfileDescriptionTag, text);
    cmsMLUfree(text);
}

// Adobe RGB (1998) colour image encoding: primaries, white and gamma 563/256.
inline ProfileHandle adobe_like_profile() {
    const cmsCIExyY white{0.3127, 0.3290, 1};
    const cmsCIExyYTRIPLE primaries{{0.64, 0.33, 1}, {0.21, 0.71, 1}, {0.15, 0.06, 1}};
    cmsToneCurve* curve = cmsBuildGamma(nullptr, 563.0 / 256);
    cmsToneCurve* curves[3] = {curve, curve, curve};
    ProfileHandle profile(cmsCreateRGBProfile(&white, &primaries, curves));
    cmsFreeToneCurve(curve);
    describe_profile(profile.get(), "Like Adobe RGB");
    return profile;
}

inline ProfileHandle grey_profile(double gamma) {
    cmsToneCurve* curve = cmsBuildGamma(nullptr, gamma);
    ProfileHandle profile(cmsCreateGrayProfile(cmsD50_xyY(), curve));
    cmsFreeToneCurve(curve);
    describe_profile(profile.get(), "A grey");
    return profile;
}

// What a table holds: sRGB for `channels` device values, each from 0 to 65535.
using TableColour = void (*)(const cmsUInt16Number in[], cmsUInt16Number rgb[3]);

// A profile with nothing but a table of `points` along each axis.
inline ProfileHandle table_profile(cmsUInt32Number points, cmsUInt32Number channels, cmsColorSpaceSignature space,
                                   cmsProfileClassSignature kind, TableColour colour) {
    struct Sampler {
        TableColour colour;
        cmsHTRANSFORM to_lab;
    };
    const auto sample = [](const cmsUInt16Number in[], cmsUInt16Number out[], void* data) -> cmsInt32Number {
        const auto& sampler = *static_cast<const Sampler*>(data);
        cmsUInt16Number rgb[3];
        sampler.colour(in, rgb);
        cmsDoTransform(sampler.to_lab, rgb, out, 1);
        return 1;
    };
    const ProfileHandle srgb(cmsCreate_sRGBProfile()), lab(cmsCreateLab4Profile(nullptr));
    Sampler cargo{colour, cmsCreateTransform(srgb.get(), TYPE_RGB_16, lab.get(), TYPE_Lab_16, 0, cmsFLAGS_NOOPTIMIZE)};
    cmsPipeline* pipeline = cmsPipelineAlloc(nullptr, channels, 3);
    cmsStage* table = cmsStageAllocCLut16bit(nullptr, points, channels, 3, nullptr);
    cmsStageSampleCLut16bit(table, sample, &cargo, 0);
    cmsPipelineInsertStage(pipeline, cmsAT_END,
                           cmsStageAllocToneCurves(nullptr, channels, nullptr));  // the format wants them
    cmsPipelineInsertStage(pipeline, cmsAT_END, table);
    cmsPipelineInsertStage(pipeline, cmsAT_END, cmsStageAllocToneCurves(nullptr, 3, nullptr));
    ProfileHandle profile(cmsCreateProfilePlaceholder(nullptr));
    cmsSetProfileVersion(profile.get(), 4.3);
    cmsSetDeviceClass(profile.get(), kind);
    cmsSetColorSpace(profile.get(), space);
    cmsSetPCS(profile.get(), cmsSigLabData);
    cmsWriteTag(profile.get(), cmsSigAToB0Tag, pipeline);
    describe_profile(profile.get(), "A table");
    cmsPipelineFree(pipeline);
    cmsDeleteTransform(cargo.to_lab);
    return profile;
}

// Red and blue exchanged, and darker: no formula without a table gives it.
inline ProfileHandle exchanging_profile() {
    return table_profile(17, 3, cmsSigRgbData, cmsSigInputClass,
                         [](const cmsUInt16Number in[], cmsUInt16Number rgb[3]) {
                             rgb[0] = in[2];
                             rgb[1] = in[1];
                             rgb[2] = cmsUInt16Number(in[0] / 2);
                         });
}

// Inks as filters of light, each weaker than its ideal: no naive formula gives these colours.
inline ProfileHandle inks_profile() {
    return table_profile(9, 4, cmsSigCmykData, cmsSigOutputClass,
                         [](const cmsUInt16Number in[], cmsUInt16Number rgb[3]) {
                             for (int c = 0; c < 3; ++c) {
                                 const double ink = in[c] / 65535.0, black = in[3] / 65535.0;
                                 rgb[c] = cmsUInt16Number(65535 * (1 - 0.8 * ink) * (1 - 0.9 * black));
                             }
                         });
}

}  // namespace texelscope::test
