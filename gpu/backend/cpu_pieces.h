#pragma once
// Pictures in pieces of rows that the CPU's threads share.

#include <algorithm>
#include <new>

#include "gpu/core/parallel.h"

namespace texelscope {

// Calls compute(first, last) for rows first … last − 1 of each piece, in threads. Throws OutOfMemory.
template <class Compute> void for_pieces_of_rows(const WorkName& work, int rows, Compute compute) try {
    // Enough rows per piece that neighbouring output rows share filtered ones, enough pieces that all threads work.
    const int piece = std::clamp(rows / (4 * thread_count()), 1, 64);
    const int pieces = (rows + piece - 1) / piece;
    parallel_for(work, pieces, 1, [&](int i) { compute(i * piece, std::min((i + 1) * piece, rows)); });
} catch (const std::bad_alloc&) {
    throw OutOfMemory("no memory for the rows of the picture");
}

}  // namespace texelscope
