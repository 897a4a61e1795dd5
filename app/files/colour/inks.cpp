#include "app/files/colour/inks.h"

#include <limits>

#include "app/files/colour/cms_profile.h"
#include "gpu/core/errors.h"

namespace texelscope {
namespace {

// The conversion to sRGB; null if this is no profile for inks.
cmsHTRANSFORM transform_of(const Bytes& icc, bool inverted, bool sixteen) {
    const CmsProfile profile(cmsOpenProfileFromMem(icc.data(), cmsUInt32Number(icc.size()))),
        srgb(cmsCreate_sRGBProfile());
    if (!profile || cmsGetColorSpace(profile.get()) != cmsSigCmykData) return nullptr;
    const cmsUInt32Number intent = cmsGetHeaderRenderingIntent(profile.get());
    const cmsUInt32Number from = sixteen    ? inverted ? TYPE_CMYK_16_REV : TYPE_CMYK_16
                                 : inverted ? TYPE_CMYK_8_REV
                                            : TYPE_CMYK_8;
    return cmsCreateTransform(profile.get(), from, srgb.get(), sixteen ? TYPE_RGB_16 : TYPE_RGB_8,
                              intent <= INTENT_ABSOLUTE_COLORIMETRIC ? intent : INTENT_PERCEPTUAL,
                              cmsFLAGS_NOCACHE);  // many threads use it
}

template <class T, class Wide> void plain_srgb(const T* inks, T* rgb, int width, bool inverted) {
    constexpr Wide largest = std::numeric_limits<T>::max();
    const Wide flip = inverted ? 0 : largest;
    for (int x = 0; x < width; ++x, inks += 4, rgb += 3)
        for (int c = 0; c < 3; ++c) rgb[c] = T(((inks[c] ^ flip) * (inks[3] ^ flip) + largest / 2) / largest);
}

}  // namespace

void Inks::Delete::operator()(void* transform) const { cmsDeleteTransform(transform); }

Inks::Inks(const ColourProfile* profile, bool inverted, bool sixteen) : inverted_(inverted) {
    if (profile && profile->applied) transform_.reset(transform_of(profile->icc, inverted, sixteen));
}

void Inks::to_srgb(const uint8_t* inks, uint8_t* rgb, int width) const {
    if (transform_) return cmsDoTransform(transform_.get(), inks, rgb, cmsUInt32Number(width));
    plain_srgb<uint8_t, uint32_t>(inks, rgb, width, inverted_);
}

void Inks::to_srgb(const uint16_t* inks, uint16_t* rgb, int width) const {
    if (transform_) return cmsDoTransform(transform_.get(), inks, rgb, cmsUInt32Number(width));
    plain_srgb<uint16_t, uint64_t>(inks, rgb, width, inverted_);
}

LabToSrgb::LabToSrgb() {
    const CmsProfile lab(cmsCreateLab4Profile(nullptr)), srgb(cmsCreate_sRGBProfile());
    const cmsHTRANSFORM transform =
        lab && srgb ? cmsCreateTransform(lab.get(), TYPE_Lab_FLT, srgb.get(), TYPE_RGB_16, INTENT_RELATIVE_COLORIMETRIC,
                                         cmsFLAGS_NOCACHE | cmsFLAGS_NOOPTIMIZE)
                    : nullptr;
    if (!transform) throw OutOfMemory("not enough memory to read it");
    transform_ = {transform, cmsDeleteTransform};
}

void LabToSrgb::convert(const float* lab, uint16_t* rgb, int pixels) const {
    cmsDoTransform(transform_.get(), lab, rgb, cmsUInt32Number(pixels));
}

}  // namespace texelscope
