#include "app/files/bytes/turned_rows.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace texelscope {
namespace {

bool takes_all(const FileRows& rows) {
    bool all = int(rows.channels.size()) == rows.stored_channels;
    for (size_t c = 0; c < rows.channels.size(); ++c) all = all && rows.channels[c] == int(c);
    return all;
}

// In place: no more channels are chosen than there are.
void leave_out(const FileRows& rows, size_t sample_bytes) {
    const size_t pixels = size_t(rows.width) * size_t(rows.count), kept = rows.channels.size() * sample_bytes;
    std::array<std::byte, 16> pixel{};
    const std::byte* from = rows.samples;
    std::byte* to = rows.samples;
    for (size_t i = 0; i < pixels; ++i, from += size_t(rows.stored_channels) * sample_bytes, to += kept) {
        for (size_t c = 0; c < rows.channels.size(); ++c)
            std::memcpy(pixel.data() + c * sample_bytes, from + size_t(rows.channels[c]) * sample_bytes, sample_bytes);
        std::memcpy(to, pixel.data(), kept);
    }
}

// Where the file's pixels lie in the upright picture, in pixels from its first.
struct Steps {
    ptrdiff_t start, along_row, along_column;
};

Steps steps_of(int orientation, ptrdiff_t width, ptrdiff_t height) {
    switch (orientation) {
        case 2: return {width - 1, -1, width};
        case 3: return {width * height - 1, -1, -width};
        case 4: return {width * (height - 1), 1, -width};
        case 5: return {0, height, 1};
        case 6: return {height - 1, height, -1};
        case 7: return {width * height - 1, -height, -1};
        case 8: return {(width - 1) * height, -height, 1};
        default: return {0, 1, width};
    }
}

// In blocks, so that what is read and what is written both stay in the cache.
template <size_t Bytes> void scatter(const FileRows& rows, const Steps& steps, std::byte* image) {
    constexpr int block = 32;
    for (int y0 = 0; y0 < rows.count; y0 += block)
        for (int x0 = 0; x0 < rows.width; x0 += block)
            for (int x = x0; x < std::min(x0 + block, rows.width); ++x)
                for (int y = y0; y < std::min(y0 + block, rows.count); ++y) {
                    const ptrdiff_t to = steps.start + x * steps.along_row + (rows.first + y) * steps.along_column;
                    std::memcpy(image + to * ptrdiff_t(Bytes),
                                rows.samples + (size_t(y) * size_t(rows.width) + size_t(x)) * Bytes, Bytes);
                }
}

}  // namespace

SampleRegion turned(const SampleRegion& part, int width, int height, int orientation) {
    auto [x, y, w, h] = part;
    const bool from_right = orientation == 2 || orientation == 3 || orientation == 7 || orientation == 8;
    const bool from_below = orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7;
    if (from_right) x = width - x - w;
    if (from_below) y = height - y - h;
    if (swaps_sides(orientation)) return {y, x, h, w};
    return {x, y, w, h};
}

void place_rows(const FileRows& rows, int orientation, Image& image) {
    const size_t sample_bytes = size_t(bytes_per_sample(image.type()));
    if (!takes_all(rows)) leave_out(rows, sample_bytes);
    if (orientation == 1) {
        std::memcpy(image.row(rows.first), rows.samples, image.row_bytes() * size_t(rows.count));
        return;
    }
    const bool swapped = swaps_sides(orientation);
    const Steps steps =
        steps_of(orientation, swapped ? image.height() : image.width(), swapped ? image.width() : image.height());
    switch (size_t(image.channels()) * sample_bytes) {
        case 1: return scatter<1>(rows, steps, image.data());
        case 2: return scatter<2>(rows, steps, image.data());
        case 3: return scatter<3>(rows, steps, image.data());
        case 4: return scatter<4>(rows, steps, image.data());
        case 6: return scatter<6>(rows, steps, image.data());
        case 8: return scatter<8>(rows, steps, image.data());
        case 12: return scatter<12>(rows, steps, image.data());
        default: return scatter<16>(rows, steps, image.data());
    }
}

}  // namespace texelscope
