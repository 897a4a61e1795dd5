#pragma once
// Axis-aligned views on the CPU, one axis after the other, in the order that costs less. Columns first: each row is
// filtered once, kept, and shared by the output rows that need it. Rows first: stored rows are added, and their sum is
// filtered, once for each output row.

#include <functional>
#include <span>
#include <vector>

#include "gpu/method/cpu_output.h"
#include "gpu/method/cpu_vector.h"

namespace texelscope {

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
    std::vector<float> weights;  // in the form of Kernels::filter_row
    int stride = 0;
};

// Whether to add rows before columns.
bool adds_rows_first(const ResampleJob& job, int taps_x, int taps_y);

class SeparableWriter final : public RowWriter {
public:
    SeparableWriter(const ResampleJob& job, const AxisTaps& columns, AxisTaps rows, const simd::Kernels& kernels);
    void write_rows(int first, int last) const override;
    int rows_read(int first, int last) const override;

private:
    struct Work;  // per thread, for a tile

    const void* stored_row(int stored) const;
    const float* filtered_row(Work& work, const ColumnTile& tile, int stored, int row) const;
    void filter_stored(Work& work, const ColumnTile& tile, int stored, float* sums) const;
    void filter_sum_of_stored(Work& work, const ColumnTile& tile) const;
    void filter(const Work& work, const ColumnTile& tile, bool finite, float* sums) const;
    void filter_carefully(const Work& work, const ColumnTile& tile, float* sums) const;
    void write_tile_row(Work& work, const ColumnTile& tile, int row) const;
    void store(const Work& work, const ColumnTile& tile, int row) const;

    const ResampleJob& job_;
    const simd::Kernels& kernels_;
    bool rows_first_;
    std::vector<ColumnTile> tiles_;
    std::vector<PixelPlace> places_;  // of the columns; empty if all are inside
    AxisTaps rows_;
    int stored_height_;
};

}  // namespace texelscope
