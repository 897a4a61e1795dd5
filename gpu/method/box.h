#pragma once
// Boxes: pixels that are weighted means of all samples of an interval along each axis, of which only the first and the last
// may weigh less than the others, as where a picture is shrunk by area. Samples are read once, and both axes added up at
// once, where nothing is rounded between them.

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include "gpu/core/machine.h"
#include "gpu/core/platform.h"
#include "gpu/core/timing.h"
#include "gpu/method/long_taps.h"
#include "gpu/method/resample_job.h"
#include "gpu/method/tabulated.h"

namespace texelscope {

namespace work {
inline constexpr WorkName box{"interpolation, boxes"};
}

// The samples of a pixel along an axis, which may be beyond the edges, and their weights.
struct BoxSpan {
    int first = 0, count = 0;
    float before = 1, inner = 1, after = 1;  // of the first one, of those between, of the last one of several
    TS_HD float weight(int k) const { return k == 0 ? before : k == count - 1 ? after : inner; }
    TS_HD bool even() const { return count < 2 || (before == inner && after == inner); }
    bool operator==(const BoxSpan&) const = default;
};

struct BoxAxis {
    std::vector<BoxSpan> spans;  // of the pixels
    bool even = true;            // the samples of a pixel weigh all the same: that of BoxSpan::before
    bool whole = true;           // weights are whole numbers
    int most = 0;                // samples of a pixel
    int64_t samples = 0;         // of all pixels
    bool operator==(const BoxAxis&) const = default;
};

// Empty if the taps of a pixel are no box. `weights` has `taps` for each pixel.
std::optional<BoxAxis> box_axis(int taps, const std::vector<int>& first, const std::vector<float>& weights);

// What a sum of samples becomes: (S · weights · scale), finished by the pass, over `unit`.
struct BoxRule {
    float scale = 1;      // of a sum of stored numbers
    bool levels = false;  // samples are floats, and times `unit` rounded to whole numbers before they are added
    float unit = 1;
    LongPass pass;

    // The rule of the passes, if boxes_of() has taken them.
    BoxRule(const LongPasses& passes, SampleType type);
};

struct Boxes {
    BoxAxis x, y;
    bool even() const { return x.even && y.even; }
    size_t pixels() const { return x.spans.size() + y.spans.size(); }
    bool operator==(const Boxes&) const = default;
};

// The taps as boxes, if they are, and if adding both axes up at once is what these passes do: bit for bit where they round,
// but for boxes that are not even and whose passes are along y first.
std::optional<Boxes> boxes_of(const TexelArray& samples, const LongTaps& x, const LongTaps& y,
                              const LongPasses& passes);

// Whether the CPU's vector code adds such boxes up, which read few samples twice: even ones, whose sums fit the numbers that it
// has for them; and others of colours in levels that are rounded, for which no other code is fast.
bool has_box_rows(const TexelArray& samples, const Boxes& boxes, const LongPasses& passes);

// Whether the weights of a table are those of the box (nearest), for a view along the axes, not extremely far from the image.
bool is_box(const TabulatedJob& tabulated);

// A pixel's samples under the widened box, at a position that is not extremely far.
TS_HD BoxSpan box_span(const AxisFilter& filter, double at) {
    const TapRange taps = tap_range(filter, at);
    const int whole = int(floor_to_integer(at));
    const float t = float(at - whole);
    const auto outside = [&](int sample) {
        const float d = (t - float(sample - whole)) / filter.stretch;  // as in table_value()
        return fabsf(d) > filter.radius || d == filter.radius;
    };
    int first = taps.first, last = taps.last();
    if (first < last && outside(first)) ++first;
    if (first < last && outside(last)) --last;
    const float weight = 1 / float(last - first + 1);
    return {first, last - first + 1, weight, weight, weight};
}

// A block of the GPU's kernel.
inline constexpr int box_threads = 256, box_rows = 8;  // a warp to each row of pixels
inline constexpr int box_rows_at_once = 4;             // of samples, which a thread has on their way

struct BoxShape {
    int lanes = 1;  // threads that share the rows of a pixel
    TS_HD int columns() const { return 32 / lanes; }
};

// So many threads that all multiprocessors are full, as long as each has a row. Empty if the picture is too high. `images`: of
// a batch.
inline std::optional<BoxShape> box_shape(const ResampleOutput& output, int images, int most_rows,
                                         const DeviceLimits& limits) {
    if ((output.height + box_rows - 1) / box_rows > int(most_blocks_down)) return {};
    constexpr int threads_of_multiprocessor = 1024;
    const double pixels = double(output.width) * output.height * images,
                 wanted = double(limits.multiprocessors) * threads_of_multiprocessor;
    BoxShape shape;
    while (shape.lanes < 32 && shape.lanes * 2 <= most_rows && pixels * shape.lanes < wanted) shape.lanes *= 2;
    return shape;
}

// Spans in memory of the GPU, of all pixels.
struct BoxSpansView {
    const BoxSpan *x = nullptr, *y = nullptr;
    bool even = true;
};

// Enqueues a job by its boxes, or those of a table. Throws Error if the launch is refused.
void launch_boxes(const ResampleJob& job, const BoxSpansView& spans, const BoxRule& rule, const BoxShape& shape,
                  const DeviceQueue& queue);
void launch_boxes(const TabulatedJob& tabulated, const BoxShape& shape, const DeviceQueue& queue);

}  // namespace texelscope
