#include "app/files/colour/lab.h"

#include "app/files/colour/cms_profile.h"
#include "gpu/core/errors.h"

namespace texelscope {

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
