#include "app/files/bytes/raw_samples.h"

namespace texelscope {

Image image_of(const RawSamples& samples, ByteSpan file) {
    const auto& [width, height, channels, type, alpha, at, pixel_bytes, bottom_up, convert, stored_channels] = samples;
    check_dimensions(width, height, channels, type);
    check_present(file.size() - at, samples.row_bytes() * height, width, height);
    Image image(int(width), int(height), int(channels), type, alpha);
    const std::byte* row = file.data() + at;
    for (int y = 0; y < image.height(); ++y, row += samples.row_bytes())
        convert(row, size_t(width), image.row(bottom_up ? image.height() - 1 - y : y));
    return image;
}

}  // namespace texelscope
