#pragma once
// The table of the functions compiled for a set of instructions. See kernels.h.

#include "gpu/method/simd/block_kernels.h"
#include "gpu/method/simd/box_kernels.h"
#include "gpu/method/simd/colour_kernels.h"
#include "gpu/method/simd/filter_kernels.h"
#include "gpu/method/simd/long_kernels.h"
#include "gpu/method/simd/row_kernels.h"
#include "gpu/method/simd/samples.h"
#include "gpu/method/simd/shared_rows.h"

namespace texelscope::simd {
namespace {

#define TS_TAPS(Sample, C)                                                                  \
    {                                                                                       \
        gather_block<Sample, C, 1>, gather_block<Sample, C, 2>, gather_block<Sample, C, 4>, \
            gather_block<Sample, C, 6>, gather_block<Sample, C, 8>                          \
    }
#define TS_CHANNELS(Sample) \
    { TS_TAPS(Sample, 1), TS_TAPS(Sample, 2), TS_TAPS(Sample, 3), TS_TAPS(Sample, 4) }
#define TS_PATCHES(Sample) \
    { patch<Sample, 1>, patch<Sample, 2>, patch<Sample, 3>, patch<Sample, 4> }

#define TS_RADIAL(Sample) \
    { radial_patch<Sample, 1>, radial_patch<Sample, 3>, radial_patch<Sample, 4> }

#define TS_BOXES(Sum, small)                                                                                     \
    {                                                                                                            \
        add_columns_of_box<Sum, 1, small>, add_columns_of_box<Sum, 2, small>, add_columns_of_box<Sum, 3, small>, \
            add_columns_of_box<Sum, 4, small>                                                                    \
    }

constexpr Kernels table_of(const char* name) {
    return {name,
            positions,
            weights,
            fixed_weights,
            {TS_CHANNELS(uint8_t), TS_CHANNELS(uint16_t), TS_CHANNELS(Half), TS_CHANNELS(float)},
            {{screen_nearest<3>, screen_bilinear<3>}, {screen_nearest<4>, screen_bilinear<4>}},
            {convert<uint8_t>, convert<uint16_t>, convert<Half>, convert<float>},
            {convert_three<uint8_t>, convert_three<uint16_t>, convert_three<Half>, convert_three<float>},
            {filter_row<1>, filter_row<2>, filter_row<4>},
            filter_pairs,
            {sum_rows<uint8_t>, sum_rows<uint16_t>, sum_rows<Half>, sum_rows<float>},
            {sum_shared_rows<uint8_t>, sum_shared_rows<uint16_t>, sum_shared_rows<Half>, sum_shared_rows<float>},
            {filter_lines<1>, filter_lines<2>, filter_lines<3>, filter_lines<4>},
            levels,
            levels_of_three,
            sum_doubles,
            table_weights,
            radial_weights,
            {TS_RADIAL(uint8_t), TS_RADIAL(uint16_t), TS_RADIAL(Half), TS_RADIAL(float)},
            mix,
            {TS_PATCHES(uint8_t), TS_PATCHES(uint16_t), TS_PATCHES(Half), TS_PATCHES(float)},
            {{numbers<uint8_t, false>, numbers<uint8_t, true>},
             {numbers<uint16_t, false>, numbers<uint16_t, true>},
             {numbers<Half, false>, numbers<Half, true>},
             {numbers<float, false>, numbers<float, true>}},
            recurse,
            convolve,
            {to_lanes<1>, to_lanes<2>, to_lanes<4>},
            {from_lanes<1>, from_lanes<2>, from_lanes<4>},
            grey,
            colour,
            {long_rows<RealSums>, long_rows_of_32, long_rows<Sums53>},
            {long_lanes<RealSums>, long_lanes<Sums32<true>>, long_lanes<Sums53>},
            {{whole_dots<uint8_t, 1>, whole_dots<uint8_t, 2>, whole_dots<uint8_t, 3>, whole_dots<uint8_t, 4>},
             {whole_dots<uint16_t, 1>, whole_dots<uint16_t, 2>, whole_dots<uint16_t, 3>, whole_dots<uint16_t, 4>}},
            {pair_columns<1>, pair_columns<2>, pair_columns<3>, pair_columns<4>},
            pair_rows,
            {add_rows_of_box<uint8_t>, add_rows_of_box<uint16_t>},
            {TS_BOXES(uint16_t, false), TS_BOXES(uint32_t, false), TS_BOXES(float, false), TS_BOXES(uint16_t, true)},
            {{weigh_columns_of_box<uint8_t, 3>, weigh_columns_of_box<uint8_t, 4>},
             {weigh_columns_of_box<uint16_t, 3>, weigh_columns_of_box<uint16_t, 4>}},
            to_levels,
            from_levels,
            {recurse_rows<1>, recurse_rows<2>, recurse_rows<4>},
            colour_differences,
            largest_size};
}

#undef TS_BOXES
#undef TS_RADIAL
#undef TS_TAPS
#undef TS_CHANNELS
#undef TS_PATCHES

}  // namespace
}  // namespace texelscope::simd
