#pragma once
// How an image that is not in memory is explored: the first picture, dragging, and what comes after.

#include <memory>
#include <string>
#include <vector>

#include "app/studies/bench/cases.h"
#include "app/studies/bench/result.h"

namespace texelscope {

// An image of ten gigapixels that is generated where it is read.
inline constexpr const char* large_test_image = "@zone-plate:100000";

// Results "tiles/…", each with what it is in its note, for plan.image, or large_test_image, in a window's size (3840×2160, on
// the CPU 1280×720):
//   first picture        from opening the source to a picture of the whole; the right one: without coarser samples
//   frame of a drag      of 1200 pixels a second at zoom 1, sixty frames a second, into parts that were not seen before; the
//                        longest frame; the frames that were not all right
//   after a drag         until the picture is right
//   pan over tiles       slowly over an image of 8192² samples (quickly: 2048²) as if it were not in memory, and over the same in memory
// A reason instead if the image cannot be read. No window is opened.
void add_tile_results(const BenchPlan& plan, const std::shared_ptr<Backend>& backend,
                      std::vector<BenchResult>& results);

}  // namespace texelscope
