#pragma once
// Auto contrast: black and white level from percentiles of the stored samples.

#include <optional>

#include "app/state/view_math.h"
#include "gpu/backend/source_image.h"
#include "gpu/compare/metrics.h"
#include "gpu/core/image.h"
#include "gpu/display/display_settings.h"

namespace texelscope {

struct Levels {
    float black = 0, white = 1;
};

// The values below and above which a share (0 … 0.5) of the samples lies: of all colour channels, or of the one that is
// shown. Of at most a million samples, evenly spread over the region, or without one over the image; exact if it has no
// more. Colour times alpha counts as straight colour; what is not finite or transparent does not count. Empty if nothing
// is left, or if all samples have the same value.
std::optional<Levels> auto_levels(const Image& image, const std::optional<Region>& region, ChannelView shown,
                                  double share);

// The same of the values that a picture shows, of pixels on the image: for one whose samples are not in memory. Throws
// SamplesToCome.
std::optional<Levels> auto_levels_in_view(SourceImage& source, const RenderRequest& picture,
                                          const std::optional<MeasureJob::Selection>& selection, ChannelView shown,
                                          double share);

}  // namespace texelscope
