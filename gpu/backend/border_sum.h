#pragma once
// Renderings of samples minus the value beyond their borders: adds that value again (see gpu/backend/border.h).

#include <functional>
#include <memory>

#include "gpu/backend/backend.h"
#include "gpu/backend/memory_budget.h"

namespace texelscope {

// Adds the border to renderings of one source, on one backend.
class BorderSum {
public:
    // What computes like resample().
    using Compute = std::function<void(const ResidentImage&, const Resampling&, const RenderTarget&)>;

    // Resamples, or calls compute(source, request, target), perhaps for another target, and adds the border. `source` is what
    // the request reads: samples minus the border, a level or coefficients of those.
    void render(Backend& backend, const ResidentImage& source, const Resampling& request, const BorderPixel& border,
                const RenderTarget& target, const Compute& compute = {});

    // An image whose interpolation is the sum of the weights, with a prefilter times that of the prefilter.
    std::shared_ptr<const ResidentImage> ones(Resampler& backend, const Resampling& request, bool one_dimensional);

private:
    Scratch unfinished_, sums_;
    std::shared_ptr<const ResidentImage> one_;  // of a single sample, 1: whatever is beyond it, it is 1
};

}  // namespace texelscope
