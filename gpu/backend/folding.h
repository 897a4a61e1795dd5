#pragma once
// Views that shrink a picture, read from the picture's own samples: what lies between these and the weight function, a level
// of the pyramid or the prefilter, is linear along each axis and is folded into the weights. No smaller image and no
// coefficients are made, whose memory would be several times that of the picture.

#include "gpu/backend/backend.h"

namespace texelscope {

// A backend that can do so: the CPU.
class Folding {
public:
    virtual ~Folding() = default;

    // Whether it does, for these samples of an image. Depends on nothing that is kept or missing.
    virtual bool folds(const ResidentImage& samples, const Resampling& request) const = 0;

    // Like Backend::resample() of the level, or the coefficients, that the request's plan names.
    virtual void resample_folded(const ResidentImage& samples, const Resampling& request,
                                 const RenderTarget& target) = 0;

    // Like Backend::resample_reference() of the level that the plan of such a request names: of this only the rows are
    // made, one strip after the other, that the next pixels read.
    virtual void resample_reference_by_strips(const ResidentImage& samples, const Resampling& request,
                                              double* values) = 0;
};

}  // namespace texelscope
