#include "app/files/bytes/raw_samples.h"

#include <algorithm>

namespace texelscope {

SampleRegion missing_of(const RawSamples& samples, uint64_t file_bytes) {
    check_dimensions(samples.width, samples.height, samples.channels, samples.type);
    const uint64_t after = file_bytes - std::min(samples.at, file_bytes);
    const auto rows = int(rows_present(after, samples.row_bytes(), samples.width, samples.height));
    const int width = int(samples.width), missing = int(samples.height) - rows;
    if (missing == 0) return {};
    return {0, samples.bottom_up ? 0 : rows, width, missing};
}

Image image_of(const RawSamples& samples, ByteSpan file) {
    const SampleRegion missing = missing_of(samples, file.size());
    Image image(int(samples.width), int(samples.height), int(samples.channels), samples.type, samples.alpha);
    image.set_missing(missing);
    image.set_dimensions(samples.dimensions);
    const std::byte* row = file.data() + samples.at;
    for (int y = 0; y < image.height() - missing.height; ++y, row += samples.row_bytes())
        samples.convert(row, size_t(samples.width), image.row(samples.bottom_up ? image.height() - 1 - y : y));
    return image;
}

}  // namespace texelscope
