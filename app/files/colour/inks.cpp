#include "app/files/colour/inks.h"

#include <lcms2.h>

#include "app/files/colour/colour_tags.h"

namespace texelscope {
namespace {

struct Close {
    void operator()(void* profile) const { cmsCloseProfile(profile); }
};

// Null if this is no profile for inks.
cmsHTRANSFORM transform_of(const Bytes& icc, bool inverted) {
    const std::unique_ptr<void, Close> profile(cmsOpenProfileFromMem(icc.data(), cmsUInt32Number(icc.size()))),
        srgb(cmsCreate_sRGBProfile());
    if (!profile || cmsGetColorSpace(profile.get()) != cmsSigCmykData) return nullptr;
    const cmsUInt32Number intent = cmsGetHeaderRenderingIntent(profile.get());
    return cmsCreateTransform(profile.get(), inverted ? TYPE_CMYK_8_REV : TYPE_CMYK_8, srgb.get(), TYPE_RGB_8,
                              intent <= INTENT_ABSOLUTE_COLORIMETRIC ? intent : INTENT_PERCEPTUAL, 0);
}

}  // namespace

void Inks::Delete::operator()(void* transform) const { cmsDeleteTransform(transform); }

Inks::Inks(ByteSpan file, bool inverted) : inverted_(inverted) {
    if (const auto tags = colour_tags(file); tags && tags->applied) transform_.reset(transform_of(tags->icc, inverted));
}

void Inks::to_srgb(const uint8_t* inks, uint8_t* rgb, int width) const {
    if (transform_) return cmsDoTransform(transform_.get(), inks, rgb, cmsUInt32Number(width));
    const int flip = inverted_ ? 0 : 255;
    for (int x = 0; x < width; ++x, inks += 4, rgb += 3)
        for (int c = 0; c < 3; ++c) rgb[c] = uint8_t(((inks[c] ^ flip) * (inks[3] ^ flip) + 127) / 255);
}

}  // namespace texelscope
