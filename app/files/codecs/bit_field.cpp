#include "app/files/codecs/bit_field.h"

#include <algorithm>
#include <cstring>

namespace texelscope {

PixelFields::PixelFields(std::vector<BitField> fields, size_t pixel_bytes)
    : fields_(std::move(fields)), pixel_bytes_(pixel_bytes) {
    wide_ = std::ranges::any_of(fields_, [](const BitField& field) { return field.bits() > 8; });
    const bool of_bytes = std::ranges::all_of(fields_, [&](const BitField& field) {
        return field.bits() == 8 && field.shift() % 8 == 0 && size_t(field.shift()) / 8 < pixel_bytes;
    });
    if (of_bytes)
        for (const BitField& field : fields_) bytes_.push_back(size_t(field.shift()) / 8);
}

void PixelFields::unpack(ByteSpan row, int width, std::byte* to) const {
    if (bytes_.size() == 3) {
        const std::byte* from = row.data();
        const size_t first = bytes_[0], second = bytes_[1], third = bytes_[2];
        for (int x = 0; x < width; ++x, from += pixel_bytes_, to += 3) {
            to[0] = from[first];
            to[1] = from[second];
            to[2] = from[third];
        }
        return;
    }
    if (!bytes_.empty()) {
        const std::byte* from = row.data();
        for (int x = 0; x < width; ++x, from += pixel_bytes_)
            for (const size_t byte : bytes_) *to++ = from[byte];
        return;
    }
    for (int x = 0; x < width; ++x) {
        const uint32_t pixel = pixel_at(row, size_t(x), pixel_bytes_);
        for (const BitField& field : fields_) {
            const uint16_t value = uint16_t(field.scaled(pixel, wide_ ? 0xffff : 0xff));
            std::memcpy(to, &value, wide_ ? 2 : 1);
            to += wide_ ? 2 : 1;
        }
    }
}

}  // namespace texelscope
