#pragma once
// Auto contrast: black and white level from percentiles of the stored samples.

#include <optional>

#include "app/state/image_look.h"
#include "app/state/view_math.h"
#include "gpu/backend/source_image.h"
#include "gpu/compare/metrics.h"
#include "gpu/core/image.h"
#include "gpu/display/display_settings.h"

namespace texelscope {

// The values below and above which a share (0 … 0.5) of the samples lies: of all colour channels, or of the one that is
// shown. Of at most a million samples, evenly spread over the region, or without one over the image; exact if it has no
// more. Colour times alpha counts as straight colour; what is not finite or transparent does not count. Empty if nothing
// is left, or if all samples have the same value.
std::optional<Levels> auto_levels(const Image& image, const std::optional<Region>& region, ChannelView shown,
                                  double share);

// The values that a picture shows, NaN for pixels beyond the image or the selection: for levels of images whose samples
// are not in memory. None if those have still to come.
std::optional<Image> values_in_view(SourceImage& source, const RenderRequest& picture,
                                    const std::optional<MeasureJob::Selection>& selection);

}  // namespace texelscope
