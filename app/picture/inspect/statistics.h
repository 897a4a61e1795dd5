#pragma once
// Mean, deviation, extremes and percentiles of an image's samples, or of those in a part of it.

#include <optional>
#include <stop_token>

#include "app/state/inspect_report.h"
#include "app/state/view_math.h"
#include "gpu/core/image.h"

namespace texelscope {

// The samples whose centres lie in a region; empty if none does. Without a region, all.
SampleBox samples_in(const std::optional<Region>& region, const Image& image);

// Exact, in float64. Null if it was asked to stop, which it notices every 256 rows. Throws std::bad_alloc.
std::optional<SampleStatistics> statistics_of(const Image& image, const SampleBox& box,
                                              const std::stop_token& stop = {});

}  // namespace texelscope
