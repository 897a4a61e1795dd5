#pragma once
// Texels of a column of a picture on their way from memory to a thread that marches down it: only in code compiled by nvcc.

#include <cuda_pipeline.h>
#include <cuda_runtime.h>

#include "gpu/method/block_shapes.h"
#include "gpu/method/cuda_grid.h"
#include "gpu/method/tap_source.h"

namespace texelscope {

// The samples of a row of texels that a thread adds up.
template <class Sample> using Samples = Texel<Sample, shrink_samples>;

// In the units in which they are stored.
__device__ inline void stored_values(const Samples<uint8_t>& samples, float (&values)[shrink_samples]) {
    const unsigned word = reinterpret_cast<const unsigned&>(samples);
    TS_UNROLL
    for (int k = 0; k < shrink_samples; ++k) values[k] = stored_level(__byte_perm(word, level_bits, 0x7440u + k));
}
__device__ inline void stored_values(const Samples<uint16_t>& samples, float (&values)[shrink_samples]) {
    const uint2 words = reinterpret_cast<const uint2&>(samples);
    TS_UNROLL
    for (int k = 0; k < shrink_samples; ++k)
        values[k] = stored_level(__byte_perm(k < 2 ? words.x : words.y, level_bits, k % 2 == 0 ? 0x7410u : 0x7432u));
}
__device__ inline void stored_values(const Samples<HalfBits>& samples, float (&values)[shrink_samples]) {
    TS_UNROLL
    for (int k = 0; k < shrink_samples; ++k) values[k] = half_to_float(samples.v[k].bits);
}
__device__ inline void stored_values(const Samples<float>& samples, float (&values)[shrink_samples]) {
    TS_UNROLL
    for (int k = 0; k < shrink_samples; ++k) values[k] = samples.v[k];
}

// Texels on their way from memory: some rows of each thread's samples, which no other thread reads.
template <class Sample, int C> class TexelRing {
public:
    static constexpr int texels = shrink_samples / C;
    static constexpr unsigned rows = unsigned(shrink_ahead(int(sizeof(Sample))));
    static constexpr unsigned together = rows / 4;  // rows that are requested, and waited for, together

    // From the texel `first` of each row on, as far as `last`.
    __device__ TexelRing(void* memory, const TexelArray& array, int first, int last, const long long* row_at)
        : ring_(static_cast<Samples<Sample>*>(memory) + threadIdx.x),
          row_at_(row_at),
          from_(static_cast<const char*>(array.texels)) {
        const LinearTexels stored(array);
        first += int(threadIdx.x) * texels;
        bool adjacent = true;
        TS_UNROLL
        for (int k = 0; k < texels; ++k) {
            column_[k] = first + k <= last ? stored.column(first + k) : -1;
            adjacent = adjacent && column_[k] == column_[0] + k;
            empty_ = empty_ && column_[k] < 0;
        }
        const char* const begin = from_ + ptrdiff_t(column_[0]) * sizeof(Texel<Sample, C>);
        gathers_ = !empty_ && !(column_[0] >= 0 && adjacent &&
                                (reinterpret_cast<size_t>(begin) | array.row_bytes) % sizeof(Samples<Sample>) == 0);
        if (!gathers_) from_ = begin;
    }

    // The rows r … r + together − 1; r is a multiple of it.
    __device__ void request(unsigned r) const {
        if (gathers_) {
            gather(r);
        } else {
            TS_UNROLL
            for (unsigned k = 0; k < together; ++k) {
                const long long at = row_at_[r + k];
                __pipeline_memcpy_async(place(r + k), from_ + at, sizeof(Samples<Sample>),
                                        at < 0 || empty_ ? sizeof(Samples<Sample>) : 0);
            }
        }
        __pipeline_commit();
    }
    // Before the first of the rows r … r + together − 1 is read.
    __device__ void wait() const { __pipeline_wait_prior(rows / together - 1); }
    __device__ const Samples<Sample>& operator[](unsigned r) const { return *place(r); }

private:
    __device__ Samples<Sample>* place(unsigned r) const { return ring_ + r % rows * shrink_threads; }

    // Texels that are not side by side, or not aligned.
    __device__ void gather(unsigned r) const {
        Samples<Sample> gathered[together] = {};
        TS_UNROLL
        for (unsigned n = 0; n < together; ++n) {
            const long long at = row_at_[r + n];
            TS_UNROLL
            for (int k = 0; k < texels; ++k) {
                if (at < 0 || column_[k] < 0) continue;
                const auto texel = reinterpret_cast<const Texel<Sample, C>*>(from_ + at)[column_[k]];
                TS_UNROLL
                for (int c = 0; c < C; ++c) gathered[n].v[k * C + c] = texel.v[c];
            }
        }
        TS_UNROLL
        for (unsigned n = 0; n < together; ++n) *place(r + n) = gathered[n];
    }

    Samples<Sample>* ring_;
    const long long* row_at_;
    const char* from_;
    int column_[texels];
    bool empty_ = true, gathers_;
};

}  // namespace texelscope
