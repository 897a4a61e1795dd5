#pragma once
// The samples of a PSD, one channel after the other: plain, in runs (PackBits), or deflated, with or without prediction.

#include <vector>

#include "app/files/bytes/file_io.h"
#include "app/files/codecs/psd_layers.h"

namespace texelscope {

class PsdPlanes {
public:
    // `bytes` begin with the kind of packing. A layer's channel is one plane of the layer's size. Throws Error.
    PsdPlanes(const PsdHeader& header, ByteSpan bytes, uint32_t planes, uint32_t width, uint32_t height);

    // The rows that the file has, counted through all planes.
    uint64_t rows_there() const { return rows_there_; }
    // Writes a row as stored, high byte first; bits for a depth of 1; 0 if the file lacks it. Throws Error.
    void row(uint32_t plane, uint32_t y, std::byte* to) const;
    size_t row_bytes() const { return row_bytes_; }

private:
    void find_runs(const PsdHeader& header, ByteSpan data, uint64_t rows);
    void inflate(const PsdHeader& header, ByteSpan data, uint64_t rows, bool predicted);

    ByteSpan plain_ = {};
    std::vector<ByteSpan> runs_ = {};  // the runs of each row
    Bytes inflated_ = {};
    uint32_t height_;
    size_t row_bytes_;
    uint64_t rows_there_ = 0;
};

}  // namespace texelscope
