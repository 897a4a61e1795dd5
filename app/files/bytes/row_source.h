#pragma once
// A picture whose rows are made while it is written, so that nothing of its size need be held.

#include <functional>
#include <memory>

#include "app/files/bytes/raster.h"

namespace texelscope {

struct RowSource {
    int width = 0, height = 0, channels = 0;
    SampleType type = SampleType::u8;
    Alpha alpha = Alpha::none;

    // Rows `first` to `last`, without the last one, of that width, type and alpha, with that many channels. Asked for from
    // the top to the bottom, each row once, at most most_rows_at_once; what it throws ends the writing.
    std::function<Image(int first, int last)> rows;

    // What the colours mean; null: nothing is said. Of a source that fits its format: what goes into the file.
    std::shared_ptr<const ColourProfile> profile = {};

    int dimensions = 3;  // see Image

    size_t row_bytes() const { return size_t(width) * size_t(channels) * size_t(bytes_per_sample(type)); }
};

inline constexpr int most_rows_at_once = 64;  // whole strips of TIFF and blocks of EXR; fewer of very wide pictures

// The source's rows in order, band by band; `last` is one behind the band.
void for_each_band(const RowSource& picture, const std::function<void(const Image& band, int first, int last)>& work);

// The bytes of its ICC profile; empty: none.
ByteSpan icc_of(const RowSource& picture);

// The rows of an image, which must outlive it.
RowSource rows_of(const Image& image);

// All rows in one image. Throws OutOfMemory.
Image whole_of(const RowSource& picture);

}  // namespace texelscope
