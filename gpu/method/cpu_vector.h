#pragma once
// The CPU backend's vector code as a whole: from a job to an object that writes its rows.

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "gpu/core/pixel.h"
#include "gpu/method/box.h"
#include "gpu/method/method_info.h"
#include "gpu/method/output.h"
#include "gpu/method/resample_job.h"
#include "gpu/method/simd/kernels.h"
#include "gpu/method/tabulated.h"

namespace texelscope {

// The last step of a rendering on the CPU: a run of values of a row into the output.

// Positions at which a pixel's value is not the interpolated one.
enum class PixelPlace : unsigned char {
    inside,
    outside,  // outside the range that the request asks for
    nowhere   // infinitely far in a repeating signal, or not a number
};

// Pixels (first … first + count − 1, row) of the job's output from `values`, with the source's pixel_channels(),
// readable up to simd::padding numbers beyond. `places` is null if all are inside.
void store_values(const simd::Kernels& kernels, const ResampleJob& job, const float* values, const PixelPlace* places,
                  int first, int count, int row);

// Stores values with the places of all columns and rows of the output; empty if all are inside.
void store_values(const simd::Kernels& kernels, const ResampleJob& job, const float* values,
                  const std::vector<PixelPlace>& columns, const std::vector<PixelPlace>& rows, int first, int count,
                  int row);

// Where a whole row of the output is written as texels like the source's, if such numbers are what it takes; else null.
void* row_of_texels(const ResampleJob& job, int row);

// Where a row of the output is written as values, likewise.
float* row_of_floats(const ResampleJob& job, int row);

// Stores a whole row of pixels that are texels like the source's, unless that needs floats: then false.
bool store_texels(const ResampleJob& job, const void* texels, int row);

// Rows [first, last) pixel by pixel, stored in blocks: pixels.evaluate(i, j, x, y, value) writes the `channels` floats of the
// pixel (i, j), which reads the texels around (x, y). Blocks of neighbouring rows follow each other, since they read the same
// texels. pixels.begin(i, count, first, last) comes before the pixels of such blocks, pixels.columns() wide.
template <int channels, class Pixels>
void write_pixels(const simd::Kernels& kernels, const ResampleJob& job, const Pixels& pixels, int first, int last) {
    const TexelArray& a = job.source;
    const auto evaluate = [&](int i, int j, float* value) {
        const Point p = position_of(job, i, j);
        if (is_outside(job, p)) return PixelPlace::outside;
        const double x = reduced_position(p.x, a.address.x, a.width, a.margin_x),
                     y = reduced_position(p.y, a.address.y, a.height, a.margin_y);
        if (x != x || y != y) return PixelPlace::nowhere;
        pixels.evaluate(i, j, x, y, value);
        return PixelPlace::inside;
    };
    alignas(64) float values[simd::block * channels + simd::padding] = {};
    PixelPlace places[simd::block];
    constexpr int rows = 16;
    const int columns = pixels.columns();  // at most simd::block
    for (int top = first; top < last; top += rows)
        for (int i = 0; i < job.output.width; i += columns) {
            const int count = std::min(columns, job.output.width - i), end = std::min(top + rows, last);
            pixels.begin(i, count, top, end);
            for (int j = top; j < end; ++j) {
                for (int n = 0; n < count; ++n) places[n] = evaluate(i + n, j, values + n * channels);
                store_values(kernels, job, values, places, i, count, j);
            }
        }
}

// Stored texels to floats, by the CPU's vector code.

// Loads the texels begin … end − 1 of a row, if it is one, into the cache: a processor foresees addresses within a row, not where
// the next one begins.
inline void prefetch_row(const TexelArray& a, int row, int begin, int end) {
    constexpr size_t line = 64;
    if (row < 0) return;
    const char* const texels = static_cast<const char*>(a.texels) + size_t(row) * a.row_bytes;
    const size_t texel = size_t(a.channels) * size_t(bytes_per_sample(a.type));
    for (size_t at = size_t(begin) * texel; at < size_t(end) * texel; at += line) __builtin_prefetch(texels + at);
}

// `count` texels of the array, side by side from `texels` on, with pixel_channels() floats each. Are all finite?
inline bool convert_texels(const simd::Kernels& kernels, const TexelArray& array, const void* texels, int count,
                           float* values) {
    if (array.channels == 3) return kernels.convert_three[int(array.type)](texels, count, values);
    return kernels.convert[int(array.type)](texels, count * array.channels, values);
}

// Weights from tables, by the CPU's vector code.

// Room for the weights along an axis in whole vectors.
inline constexpr int tabulated_capacity = (max_widened_taps + 15) / 16 * 16;

// Like tabulated_weights, with zeros up to a multiple of 16.
int tabulated_weights(const simd::Kernels& kernels, const AxisFilter& filter, AddressMode mode, double x, int& first,
                      float (&w)[tabulated_capacity]);

// Writes rows of an output. Must not outlive what it was made from.
class RowWriter {
public:
    virtual ~RowWriter() = default;

    // Rows [first, last) on the calling thread; several threads may call it at the same time. Throws std::bad_alloc.
    virtual void write_rows(int first, int last) const = 0;

    // How many rows of the source, from the first one on, have to be there for that.
    virtual int rows_read(int /*first*/, int /*last*/) const { return all_rows; }
    static constexpr int all_rows = std::numeric_limits<int>::max();
};

// The vector code that choose() names; null for a kernel that is none. Values differ from those of
// MethodInfo::resample_rows by the rounding of float32.
std::unique_ptr<RowWriter> vector_rows(const ResampleJob& job, ResampleKernel kernel, const AxisWeights& weights,
                                       const simd::Kernels& kernels);

// The vector code for weights from tables; null for a kernel that is none. Values differ from those of
// resample_tabulated_rows by the rounding of float32.
std::unique_ptr<RowWriter> vector_rows(const TabulatedJob& job, ResampleKernel kernel, const simd::Kernels& kernels);

// The vector code for weights by the distance in the plane; null for signals, and for two channels but in axis-aligned views.
// Values differ from those of resample_polar_rows by the rounding of float32.
struct PolarJob;
std::unique_ptr<RowWriter> vector_rows(const PolarJob& job, const simd::Kernels& kernels);

// Axis-aligned views on the CPU, one axis after the other, in the order that costs less. Columns first: each row is
// filtered once, kept, and shared by the output rows that need it. Rows first: stored rows are added, and their sum is
// filtered, once for each output row.

// The taps of neighbouring output columns, or rows.
struct AxisTaps {
    int taps = 0;                    // per column or row
    std::vector<int> first;          // index of the first tap; 0 is the first texel stored
    std::vector<float> weights;      // `taps` per column or row
    std::vector<PixelPlace> places;  // empty if all are inside
};

// Columns of an output that are computed together, and the texels of a row that they read: those of `line`, which are
// the texels stored at the runs' positions, and zero between the runs.
struct ColumnTile {
    struct Run {
        int at, stored, count;  // position in the line, position in the row, number of texels
    };
    int first = 0, count = 0;
    int texels = 0;  // of the line
    std::vector<Run> runs;
    std::vector<int> slot;       // for each column: its first tap in the line
    std::vector<float> weights;  // in the form of Kernels::filter_row, or by a stride of 2 of filter_pairs
    std::vector<int> used;       // in that of ColumnTaps
    int stride = 0;
};

// Whether to add rows before columns.
bool adds_rows_first(const ResampleJob& job, int taps_x, int taps_y);

class SeparableWriter final : public RowWriter {
public:
    // `any_order`: rows first where that is faster; else columns first.
    SeparableWriter(const ResampleJob& job, const AxisTaps& columns, AxisTaps rows, const simd::Kernels& kernels,
                    bool any_order = true);
    void write_rows(int first, int last) const override;
    int rows_read(int first, int last) const override;

private:
    struct Work;  // per thread, for a tile

    const void* stored_row(int stored) const;
    const float* filtered_row(Work& work, const ColumnTile& tile, int stored, int row) const;
    void filter_stored(Work& work, const ColumnTile& tile, int stored, float* sums) const;
    template <class Visit> void for_taps(int row, Visit visit) const;
    struct TapRange {
        int begin = 0, end = 0;
        const float* weights = nullptr;  // null: there is none
    };
    TapRange stored_taps(int row) const;
    simd::SharedSums sums_together(Work& work, int first, int last) const;
    bool add_stored(Work& work, const ColumnTile& tile, simd::SharedSums sums) const;
    void filter_lines(const ColumnTile& tile, const float* const* lines, int count, float* const* values) const;
    void filter_sum_alone(Work& work, const ColumnTile& tile, int row, float* values) const;
    int write_sums(Work& work, const ColumnTile& tile, int first, int last) const;
    void filter(const Work& work, const ColumnTile& tile, bool finite, float* sums) const;
    void filter_carefully(const Work& work, const ColumnTile& tile, float* sums) const;
    void write_tile_row(Work& work, const ColumnTile& tile, int row) const;

    const ResampleJob& job_;
    const simd::Kernels& kernels_;
    bool rows_first_;
    std::vector<ColumnTile> tiles_;
    std::vector<PixelPlace> places_;  // of the columns; empty if all are inside
    AxisTaps rows_;
    int stored_height_;
};

// Axis-aligned views whose pixels are a sample each: samples are copied, as they are stored if the output takes them so.
class CopyWriter final : public RowWriter {
public:
    // The taps must be copies.
    CopyWriter(const ResampleJob& job, const AxisTaps& columns, const AxisTaps& rows, const simd::Kernels& kernels);
    void write_rows(int first, int last) const override;
    int rows_read(int first, int last) const override;

private:
    void copy_row(int stored, void* to) const;

    const ResampleJob& job_;
    const simd::Kernels& kernels_;
    std::vector<int> columns_, rows_;  // stored texels of the pixels; −1: none
    int begin_ = 0, end_ = 0;          // of the columns
    std::vector<PixelPlace> places_x_, places_y_;
    bool side_by_side_;  // the columns
    int whole_moves_;    // so many pixels from the first one on have a texel, and one behind it in both rows
};

// What SeparableWriter prepares once per job.

enum class Axis { x, y };

// Positions of the output's pixels along an axis, reduced so that an index fits an int; and which of them are not inside:
// none if `places` stays empty.
std::vector<double> positions_along(Axis axis, const ResampleJob& job, std::vector<PixelPlace>& places);

// By the method's weights, or by those of a table.
AxisTaps taps_along(Axis axis, const ResampleJob& job, const AxisWeights& weights, const simd::Kernels& kernels);
AxisTaps taps_along(Axis axis, const TabulatedJob& job, const simd::Kernels& kernels);

// The tiles, of this many columns. `pairs`: weights of two taps are as Kernels::filter_pairs takes them.
std::vector<ColumnTile> column_tiles(const TexelArray& texels, const AxisTaps& columns, int most_columns,
                                     bool pairs = false);

// An axis's weights by a pixel's place between two samples, where all pixels have the same stretch: those of a pixel lie between
// two rows of a table, which is sooner read than each weight from the table of the weight function.
class PlaceWeights {
public:
    PlaceWeights() = default;  // nothing can be read
    PlaceWeights(const AxisFilter& filter, const simd::Kernels& kernels);

    // The weights for position x, to 1e-7, with zeros up to a multiple of 16; false where the weight function, or its
    // slope, has a step: those have to be computed.
    bool read(double x, int& first, int& count, float* w) const;

    // The first tap of position 0, and how many taps every position has; the count is 0 if nothing can be read.
    int first() const { return first_; }
    int count() const { return places_ > 0 ? count_ : 0; }

private:
    int places_ = 0;  // between two samples
    int first_ = 0, count_ = 0, stride_ = 0;
    std::vector<float> rows_;
    std::vector<unsigned char> smooth_;  // from this row to the next
    decltype(simd::Kernels::mix) mix_ = nullptr;
};

// Weights from tables on the CPU when rows are not shared: rotated views, warps and points.

class TabulatedWriter final : public RowWriter {
public:
    TabulatedWriter(const TabulatedJob& job, const simd::Kernels& kernels);
    void write_rows(int first, int last) const override;

private:
    const TabulatedJob& tabulated_;
    const simd::Kernels& kernels_;
    PlaceWeights x_, y_;
    bool alike_ = false;  // x_ is for both axes
};

// Views of any kind on the CPU: blocks of neighbouring pixels of a row, whose taps are gathered one pixel at a time.

class BlockWriter final : public RowWriter {
public:
    BlockWriter(const ResampleJob& job, const MethodInfo& method, const AxisWeights& weights,
                const simd::Kernels& kernels);
    void write_rows(int first, int last) const override;

private:
    static constexpr int block = simd::block;
    struct Work;    // per thread
    struct Range {  // of positions
        double from, to;
    };
    struct Axis {        // of positions in fixed point
        double a, b, c;  // of pixel i in row j: a·i + b·j + c
        int64_t steps[simd::block];
        Range fast, clamped;  // whose taps are all stored, and that are inside; of those that read what others read
        int64_t at(int first, int row) const;
    };

    Axis axis_of(double a, double b, double c, const Range& stored, int samples, const ImageSpan& image) const;
    bool find_taps_inside(Work& work, int first, int row) const;
    void prefetch(int64_t x, int64_t y, int count) const;
    void prefetch_output(int first, int count, int row) const;
    bool find_any_taps(Work& work, int first, int row) const;
    void clamp_positions(Work& work) const;
    Range stored_range(int margin, int stored, int reach) const;
    void write_to_screen(Work& work, int first, int row) const;
    bool find_positions(Work& work, int first, int row) const;
    void write_strips(Work& work, int first, int last) const;
    void write_block(Work& work, int first, int count, int row) const;
    void mark_places(Work& work, int first, int row) const;
    void find_taps(Work& work) const;
    void reduce_positions(Work& work) const;
    bool fold(Work& work, int pixel) const;
    bool fold_all(Work& work) const;
    void evaluate_anywhere(Work& work) const;
    bool evaluate_patches(Work& work, const int* pixels, int count) const;
    void copy_patch(Work& work, int pixel, std::byte* to) const;
    void repair(Work& work, float* values) const;
    char* output_at(int first, int row) const;

    const ResampleJob& job_;
    const MethodInfo& method_;
    const AxisWeights& weights_;
    const simd::Kernels& kernels_;
    simd::Gather gather_;
    void (*screen_)(const simd::Block&, uint32_t* pixels);  // null: by way of floats
    int stored_width_, stored_height_, reach_;              // texels, with margin; texels read along a row
    int prefetch_step_;                                     // pixels; 0: none
    Range inside_x_, inside_y_;                             // whose taps are all stored
    bool takes_values_;                                     // the output, as they are interpolated
    bool fixed_, clamps_;  // all positions fit fixed point; may be clamped instead of taps
    Axis x_, y_;
};

// What BlockWriter computes for a block of pixels, and the numbers that its files share.

// Pixels of whole vectors.
inline int rounded_up(int count) { return (count + 15) / 16 * 16; }

inline size_t texel_bytes(const TexelArray& a) { return size_t(a.channels) * size_t(bytes_per_sample(a.type)); }

struct BlockWriter::Work {
    int count = 0, padded = 0;  // pixels, and rounded up to whole vectors
    bool elsewhere = false;     // are any positions not inside?
    bool finite = true;         // are all values?
    std::array<double, block> x, y;
    std::array<PixelPlace, block> place;
    int beyond[block], pixels_beyond = 0, pixel_inside = -1;  // neither stored nor folded; one of those that are
    simd::Block taps, patches;
    alignas(64) float values[block * 4 + simd::padding];
    alignas(64) float patch_values[block * 4 + simd::padding];
    std::vector<std::byte> patch_texels;
};

// Boxes on the CPU, by vector code.

// Must be has_box_rows(). Indices are those of stored texels.
class BoxWriter final : public RowWriter {
public:
    // The places of columns and rows of pixels; empty if all are inside.
    struct Places {
        std::vector<PixelPlace> x, y;
    };
    BoxWriter(const ResampleJob& job, const Boxes& boxes, const LongPasses& passes, const simd::Kernels& kernels,
              Places places = {});
    void write_rows(int first, int last) const override;
    int rows_read(int first, int last) const override;

private:
    struct Work;  // per thread
    struct Beyond {
        int pixel;
        BoxSpan span;
    };

    template <class Visit> void for_rows(int pixel, Visit visit) const;
    void write_even_row(Work& work, int row) const;
    void add_rows(Work& work, int row) const;
    template <class Sum> void add_beyond(Work& work) const;
    void write_weighed_row(Work& work, int row) const;
    const float* weighed_row(Work& work, int stored) const;
    template <class Sample> void weigh_beyond(const Sample* row, float* numbers) const;
    void finish(Work& work, const float* const* rows, const float* weights, int count, float scale) const;

    const ResampleJob& job_;
    const simd::Kernels& kernels_;
    BoxRule rule_;
    Places places_;
    int stored_width_, stored_height_;
    std::vector<BoxSpan> rows_;
    bool even_, small_;  // sums fit 16 bits
    int most_rows_;
    std::vector<int> first_, count_;  // of a pixel's columns
    std::vector<Beyond> beyond_;      // pixels some of whose columns are beyond the edges
    float weight_x_ = 1;              // of all columns
    std::vector<float>
        weights_x_;  // of each number of a row of pixels, if columns differ; three a pixel, if they do within one
};

}  // namespace texelscope
