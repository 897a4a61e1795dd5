#pragma once
// Images in memory of a backend, rows anywhere apart.

#include <cstring>
#include <memory>
#include <vector>

#include "gpu/backend/backend.h"
#include "gpu/core/image.h"

namespace texelscope::test {

// An image in memory of a backend that ends with its last sample. All bytes around it are 0xff, which is NaN in both float
// formats.
struct Placed {
    std::shared_ptr<void> memory;
    ImageView view;
};

inline Placed placed(Backend& backend, const Image& image, size_t row_bytes, size_t before) {
    const size_t bytes = before + row_bytes * size_t(image.height() - 1) + image.row_bytes();
    std::vector<unsigned char> content(bytes, 0xff);
    for (int y = 0; y < image.height(); ++y)
        std::memcpy(content.data() + before + size_t(y) * row_bytes, image.row(y), image.row_bytes());
    Placed result{backend.allocate(bytes), view_of(image)};
    backend.write(result.memory.get(), content.data(), bytes);
    result.view.samples = static_cast<const char*>(result.memory.get()) + before;
    result.view.row_bytes = row_bytes;
    return result;
}

}  // namespace texelscope::test
