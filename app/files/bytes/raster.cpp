#include "app/files/bytes/raster.h"

#include <algorithm>

#include <fmt/format.h>

namespace texelscope {

void throw_truncated(size_t size, std::string_view format) {
    throw Error(fmt::format("the file ends after {} bytes; the {} is truncated", size, format));
}

void check_sides(uint64_t width, uint64_t height, uint64_t channels) {
    if (width < 1 || height < 1)
        throw Error(fmt::format("its header claims {}×{} pixels; an image has at least 1×1", width, height));
    if (channels < 1 || channels > 4)
        throw Error(fmt::format("its header claims {} channels; 1 to 4 are supported", channels));
    constexpr auto side = uint64_t(max_image_side);
    if (width > side || height > side)
        throw Error(fmt::format("its header claims {}×{} pixels; the limit is {} per side", width, height, side));
}

void check_dimensions(uint64_t width, uint64_t height, uint64_t channels, SampleType type) {
    constexpr auto side = uint64_t(max_image_side);
    check_sides(std::min(width, side), std::min(height, side), channels);
    if (width > side || height > side ||
        width * height * channels * uint64_t(bytes_per_sample(type)) > uint64_t(max_image_bytes))
        throw Error(fmt::format("its header claims {}×{} pixels; the limits are {} per side and {} GiB in all", width,
                                height, side, max_image_bytes >> 30));
}

void check_present(uint64_t available, uint64_t needed, uint64_t width, uint64_t height) {
    if (available < needed)
        throw Error(fmt::format("the file is truncated: its header claims {}×{} pixels in {} bytes, but only {} exist",
                                width, height, needed, available));
}

uint64_t rows_present(uint64_t available, uint64_t row_bytes, uint64_t width, uint64_t height) {
    constexpr uint64_t least = 16;  // at least one row in 16 must be there
    const uint64_t rows = std::min(available / row_bytes, height);
    if (rows == 0 || rows < height / least) check_present(available, row_bytes * height, width, height);
    return rows;
}

void check_plausible(uint64_t file_bytes, uint64_t width, uint64_t height, uint64_t channels, SampleType type) {
    check_dimensions(width, height, channels, type);
    // Deflate packs 1032 : 1 at most, LZW 2700 : 1; newer formats may pack a modest picture even more densely.
    constexpr uint64_t most_dense = 5000, always_taken = uint64_t(1) << 28;
    const uint64_t bytes = width * height * channels * uint64_t(bytes_per_sample(type));
    if (bytes > always_taken && bytes / most_dense > file_bytes)
        throw Error(fmt::format("its header claims {}×{} pixels, which a file of {} bytes cannot hold", width, height,
                                file_bytes));
}

FileBox box_in(const ReadAt& read, FileBox part, std::string_view type, std::string_view kind) {
    constexpr int most_boxes = 4096;
    for (int i = 0; i < most_boxes && part.begin + 8 <= part.end; ++i) {
        const Bytes head = read(part.begin, 16);
        if (head.size() < 8) break;
        uint64_t length = be32(head, 0), size_of_head = 8;
        if (length == 1 && head.size() == 16) {
            length = uint64_t(be32(head, 8)) << 32 | be32(head, 12);
            size_of_head = 16;
        }
        if (length < size_of_head || length > part.end - part.begin) break;
        const std::string_view text = text_of(head);
        if (text.substr(4, 4) == type && text.substr(8).starts_with(kind))
            return {part.begin + size_of_head, part.begin + length};
        part.begin += length;
    }
    return {};
}

}  // namespace texelscope
