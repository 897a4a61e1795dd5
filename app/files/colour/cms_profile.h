#pragma once
// Profiles as Little CMS has them.

#include <memory>

#include <lcms2.h>

namespace texelscope {

struct CmsProfileCloser {
    void operator()(void* profile) const { cmsCloseProfile(profile); }
};
using CmsProfile = std::unique_ptr<void, CmsProfileCloser>;

}  // namespace texelscope
