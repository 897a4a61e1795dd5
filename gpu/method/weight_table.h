#pragma once
// Where the nodes of a weight function are in a block's shared memory; see cuda_weight_table.h.

#include <cmath>

#include "gpu/core/platform.h"
#include "gpu/method/tabulated.h"

namespace texelscope {

// Nodes of the weight function, after which that of the next row is stored once more: rows begin a bank further each, as the
// weights that a warp looks up are often a power of two nodes apart.
inline constexpr int weight_table_row = 256;
TS_HD unsigned weight_table_place(unsigned node) { return node + node / unsigned(weight_table_row); }

// Rows up to the radius: whole ones, as taps are whole.
inline int weight_table_rows(const AxisFilter& filter) {
    return int(std::lround(filter.radius * table_nodes)) / weight_table_row;
}

// With two zeros; a multiple of 16 bytes.
TS_HD int weight_table_floats(int rows) { return rows * (weight_table_row + 1) + 4; }

}  // namespace texelscope
