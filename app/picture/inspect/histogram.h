#pragma once
// The histogram of a picture's values.

#include <optional>
#include <span>

#include "app/picture/rendition.h"
#include "app/picture/straight_values.h"
#include "app/state/image_look.h"
#include "app/state/inspect_report.h"
#include "app/state/view_math.h"
#include "gpu/backend/source_image.h"
#include "gpu/compare/metrics.h"
#include "gpu/core/image.h"
#include "gpu/display/display_settings.h"

namespace texelscope {

inline constexpr int histogram_bins = 256;

enum class LastChannel { colour, alpha };  // alpha: the others are straight colour

// For `channels` floats per pixel. `counted`: one flag per pixel, 0 leaves it out; empty: all count. Bins cover the
// finite values; for integers at least [0, 1], there centred on the 256 levels of 8 bits. With alpha, they cover the
// colours of the pixels that have at least half of the largest alpha: where a method overshoots, alpha comes near 0
// beside colour that does not, so that their quotient is of any size.
HistogramReport histogram_of(std::span<const float> values, int channels, bool integers,
                             std::span<const unsigned char> counted = {}, LastChannel last = LastChannel::colour);

// The histogram of a pane's picture.

// Straight alpha; pixels that show the background are left out, and those outside the selection. None if samples have still to
// come. Throws OutOfMemory or Error.
std::optional<HistogramReport> pane_histogram(SourceImage& source, const Rendition& rendition,
                                              const std::optional<MeasureJob::Selection>& selection = {});

// Auto contrast: black and white level from percentiles of the stored samples.

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
