#pragma once
// The histogram of a pane's picture.

#include "app/picture/rendition.h"
#include "app/state/inspect_report.h"
#include "gpu/backend/source_image.h"

namespace texelscope {

// Straight alpha; pixels that show the background are left out. Throws OutOfMemory or Error.
HistogramReport pane_histogram(SourceImage& source, const Rendition& rendition);

}  // namespace texelscope
