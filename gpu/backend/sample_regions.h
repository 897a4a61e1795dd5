#pragma once
// What a SourceImage renders from if its image is not in memory: regions of it, which come as they are read.

#include "gpu/backend/source_image.h"
#include "gpu/core/tile_source.h"

namespace texelscope {

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

}  // namespace texelscope
