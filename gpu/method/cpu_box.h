#pragma once
// Boxes on the CPU, by vector code.

#include <cstddef>
#include <vector>

#include "gpu/method/box.h"
#include "gpu/method/cpu_vector.h"

namespace texelscope {

// Must be has_box_rows(). Indices are those of stored texels.
class BoxWriter final : public RowWriter {
public:
    // Of columns and rows of pixels; empty if all are inside.
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
