#pragma once
// What a SourceImage works with: keys of what is computed and kept, regions of an image that is not in memory, the
// border that is added again.

#include <functional>
#include <memory>
#include <vector>

#include "gpu/backend/backend.h"
#include "gpu/backend/memory_budget.h"
#include "gpu/backend/request.h"
#include "gpu/backend/source_image.h"
#include "gpu/core/tile_source.h"

namespace texelscope {

// What is computed from an image and kept: a level of its pyramid, or the coefficients of one.

struct SourceKey {
    Level level;
    InverseFilter inverse;  // empty: the level itself
    Prefilter prefilter;
    AddressPair address;
    bool operator==(const SourceKey&) const = default;
};

SourceKey level_key(Level level, const AddressPair& address);
SourceKey coefficients_key(Level level, const MethodSpec& spec);

// The key of what a request reads.
SourceKey key_of(const Resampling& resampling);

// How a level is made from the one before: along both axes in one step as long as both are to be halved.
Reduction last_step_to(Level level);
Level before(Level level);

// The level's samples, channels counted.
double samples_of(Level level, const ResidentImage& image);

// What a SourceImage renders from if its image is not in memory: regions of it, which come as they are read.

inline constexpr const char* samples_to_come = "the samples that it reads are still being read";

// To be used by one thread, that of the backend. No function waits for samples.
class SampleRegions {
public:
    virtual ~SampleRegions() = default;
    virtual const ImageInfo& info() const = 0;
    virtual Light light() const = 0;

    // From now on the regions are this backend's.
    virtual void move_to(const std::shared_ptr<Backend>& backend) = 0;

    // Whether all is there that the request reads. Asks for it otherwise.
    virtual bool ready(const PlannedRequest& planned, RenderTarget::Format format) = 0;

    // Renders the request if all is there; otherwise asks for it, leaves the target and returns false.
    virtual bool render(const PlannedRequest& planned, const RenderTarget& target) = 0;

    // Renders the request, with coarser samples for what is not there, which it asks for. True if the picture is the
    // right one.
    virtual bool render_at_hand(const PlannedRequest& planned, const RenderTarget& target) = 0;

    // The request in float64, as SourceImage::render_reference, if it is there; otherwise asks for it, `for_frame` if that is
    // of no interest after this frame, leaves the values and returns false. Throws Error if it cannot be computed.
    virtual bool render_reference(const PlannedRequest& planned, double* values, bool for_frame) = 0;

    // Texels that the request interpolates, as SourceImage::texels, if all is there; otherwise asks for them.
    virtual bool texels(const PlannedRequest& planned, const SampleRegion& region, std::vector<float>& values) = 0;
};

// Renderings of samples minus the value beyond their borders: adds that value again (see gpu/backend/border.h).

// Adds the border to renderings of one source, on one backend.
class BorderSum {
public:
    // What computes like resample().
    using Compute = std::function<void(const ResidentImage&, const Resampling&, const RenderTarget&)>;

    // Resamples, or calls compute(source, request, target), perhaps for another target, and adds the request's border.
    // `source` is what the request reads: samples minus the border, a level or coefficients of those.
    void render(Backend& backend, const ResidentImage& source, const Resampling& request, const RenderTarget& target,
                const Compute& compute = {});

    // An image whose interpolation is the sum of the weights, with a prefilter times that of the prefilter.
    std::shared_ptr<const ResidentImage> ones(Resampler& backend, const Resampling& request, bool one_dimensional);

private:
    Scratch unfinished_, sums_;
    std::shared_ptr<const ResidentImage> one_;  // of a single sample, 1: whatever is beyond it, it is 1
};

}  // namespace texelscope
