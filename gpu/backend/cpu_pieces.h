#pragma once
// Pictures in pieces of rows that the CPU's threads share.

#include <algorithm>
#include <memory>
#include <new>

#include "gpu/core/arriving_rows.h"
#include "gpu/core/parallel.h"
#include "gpu/method/cpu_vector.h"

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

// In threads; but what reads an image that still arrives, if `source` is not null, follows it on this one.
inline void write_as_rows_arrive(const std::shared_ptr<ArrivingRows>& source, const RowWriter& writer, int rows) {
    constexpr int piece = 16;
    int done = 0;
    while (source && done < rows && !source->complete()) {
        const int last = std::min(done + piece, rows);
        source->wait_for(writer.rows_read(done, last));
        writer.write_rows(done, last);
        done = last;
    }
    for_pieces_of_rows(work::tabulated, rows - done,
                       [&](int first, int last) { writer.write_rows(done + first, done + last); });
}

}  // namespace texelscope
