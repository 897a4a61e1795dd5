#include "app/files/bytes/row_source.h"

#include <algorithm>
#include <cstring>

#include "gpu/core/colour_profile.h"

namespace texelscope {
namespace {

int rows_at_once(const RowSource& picture) {
    constexpr size_t most_bytes = size_t(1) << 24;
    return int(std::clamp<size_t>(most_bytes / picture.row_bytes(), 1, most_rows_at_once));
}

}  // namespace

void for_each_band(const RowSource& picture, const std::function<void(const Image&, int, int)>& work) {
    const int step = rows_at_once(picture);
    for (int first = 0, last = 0; first < picture.height; first = last) {
        last = first + std::min(step, picture.height - first);
        work(picture.rows(first, last), first, last);
    }
}

ByteSpan icc_of(const RowSource& picture) { return picture.profile ? ByteSpan(picture.profile->icc) : ByteSpan(); }

RowSource rows_of(const Image& image) {
    const auto rows = [&image](int first, int last) {
        Image part(image.width(), last - first, image.channels(), image.type(), image.alpha());
        std::memcpy(part.data(), image.row(first), part.size_bytes());
        return part;
    };
    return {image.width(), image.height(), image.channels(), image.type(),
            image.alpha(), rows,           image.profile(),  image.dimensions()};
}

Image whole_of(const RowSource& picture) {
    Image whole(picture.width, picture.height, picture.channels, picture.type, picture.alpha);
    for_each_band(picture, [&](const Image& band, int first, int) {
        std::memcpy(whole.row(first), band.data(), band.size_bytes());
    });
    return whole;
}

}  // namespace texelscope
