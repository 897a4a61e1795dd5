#pragma once
// What both backends do alike: from a request to a job.

#include "gpu/backend/backend.h"
#include "gpu/method/resample_job.h"
#include "gpu/prefilter/filter.h"

namespace texelscope {

// Channels an image is resident with: a texel of three is padded to four.
constexpr int resident_channels(int channels) { return channels == 3 ? 4 : channels; }

// The image as it becomes resident: straight alpha premultiplied (f32), three channels padded with zeros.
Image resident_form(const Image& image);

// The texels of an image of this size: f32 coefficients with the margins its address modes need.
TexelArray coefficient_array(int width, int height, int channels, const AddressPair& address);

// The job without its texels' address mode, texture handles and path, which are the backend's to set. Throws Error for
// an output without pixels or a request beyond what positions can hold.
ResampleJob job_for(const ResidentImage& image, const TexelArray& texels, const RenderRequest& request,
                    const RenderTarget& target);

}  // namespace texelscope
