#pragma once
// The histogram of a pane's picture.

#include <optional>

#include "app/picture/rendition.h"
#include "app/state/inspect_report.h"
#include "gpu/backend/source_image.h"
#include "gpu/compare/metrics.h"

namespace texelscope {

// Straight alpha; pixels that show the background are left out, and those outside the selection. Throws OutOfMemory or
// Error.
HistogramReport pane_histogram(SourceImage& source, const Rendition& rendition,
                               const std::optional<MeasureJob::Selection>& selection = {});

}  // namespace texelscope
